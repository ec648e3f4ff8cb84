//! Baked texture of the ground: orthographic view from above of the finer map of the scene's texture
//! settings, coloured by the palette and lit by the scene's light (Martz 1996).
//!
//! The renderer bakes the same texture on the GPU: `shaders/bake.frag` must match this file, and [`size`]
//! is the size of both.

use crate::scene::{Light, Water, WaterColor};
use crate::shading::canopy::Crowns;
use crate::shading::covers::CoverMap;
use crate::shading::maps::relief::direction;
use crate::shading::maps::{Kind, Map, Relief};
use crate::shading::material::{Albedo, displayed};
use crate::shading::snow::{Sample, each_sample};
use crate::shading::texture::{Gradient, Palette};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Map `colors`.
pub(super) const COLORS: Map = Map {
    name: "colors",
    help: "The baked colours of the ground, with the texture's own iterations and H, lit; 512 to 8192 texels, or --samples.",
    unit: "",
    range: None,
    kind: Kind::Colors,
};

/// Texels per cell of the finer map, within the limits of the longer side.
const TEXELS_PER_CELL: usize = 2;
const LONGER_SIDE: (usize, usize) = (512, 8192);

/// Width and height of the texture in texels, for a map with this many cells eastwards and southwards; at
/// most `most` along a side.
#[must_use]
pub fn size(cells: [usize; 2], most: usize) -> [usize; 2] {
    let longer = cells[0].max(cells[1]).max(1);
    let longer_texels = (longer * TEXELS_PER_CELL)
        .clamp(LONGER_SIDE.0, LONGER_SIDE.1)
        .min(most);
    cells.map(|cells| {
        let texels = cells as f64 / longer as f64 * longer_texels as f64;
        (texels.round() as usize).max(1)
    })
}

/// Bake the texture of `map` with its covers at its usual size (sRGB, row 0 is north). Runs in parallel
/// in the current rayon pool.
///
/// # Errors
/// The job was cancelled.
pub fn bake(
    map: &Heightmap,
    palette: &Palette,
    covers: Option<&CoverMap>,
    light: &Light,
    job: &Job,
) -> Result<Grid<[u8; 3]>, Cancelled> {
    let texels = size([map.columns() - 1, map.rows() - 1], usize::MAX);
    bake_at(texels, map, palette, (covers, None), light, job)
}

/// As [`bake`], with a given number of texels eastwards and southwards, and under plants.
///
/// # Errors
/// The job was cancelled.
pub fn bake_at(
    [width, height]: [usize; 2],
    map: &Heightmap,
    palette: &Palette,
    (covers, crowns): (Option<&CoverMap>, Option<&Crowns<'_>>),
    light: &Light,
    job: &Job,
) -> Result<Grid<[u8; 3]>, Cancelled> {
    let cells = [map.columns() - 1, map.rows() - 1];
    let toward = direction(light);
    let gradient = Gradient::new(palette, map.range());
    let mut texels = Grid::filled(height, width, [0; 3]);
    let rows = parallel::par_items(texels.as_mut_slice().chunks_mut(width)).at_least(16);
    rows.for_each_in(job, |row, texels| {
        let south = TexelPlace::new(row, height, cells[1]);
        let mut corner = Corners::new(map, &south);
        for (column, texel) in texels.iter_mut().enumerate() {
            let east = TexelPlace::new(column, width, cells[0]);
            let (ground, normal) = corner.mixed(&east, south.within);
            let length2: f32 = normal.iter().map(|v| v * v).sum();
            let facing: f32 = (0..3).map(|i| normal[i] * toward[i]).sum::<f32>() / length2.sqrt();
            let lit = light.ambient + (1.0 - light.ambient) * facing.max(0.0);
            let color = gradient.color(ground);
            let part = |texel: usize, texels: usize| (texel as f32 + 0.5) / texels as f32;
            let place = [part(column, width), part(row, height)];
            let color = covers.map_or(color, |covers| covers.over(color, place[0], place[1]));
            let of = |albedo: [f32; 3], _| albedo.map(|light| displayed(light) * 255.0);
            let color = crowns.map_or(color, |crowns| crowns.over(place, color, of));
            *texel = color.map(|c| (c * lit + 0.5) as u8);
        }
    })?;
    Ok(texels)
}

/// Draw rivers and lakes on the baked texture.
///
/// # Errors
/// The job was cancelled.
pub fn draw_rivers(
    texels: &mut Grid<[u8; 3]>,
    rivers: &Rivers,
    water: WaterColor,
    light: &Light,
    job: &Job,
) -> Result<(), Cancelled> {
    let (width, height) = (texels.columns(), texels.rows());
    let lit = light.ambient + (1.0 - light.ambient) * direction(light)[1].max(0.0);
    let water = water_color(water).map(|v| v * lit * 255.0);
    // Size of a texel in cells of the rivers' grid.
    let side = [width, height].map(|count| (count as f32).recip());
    let side = [side[0] / rivers.cell[0], side[1] / rivers.cell[1]];
    let rows = parallel::par_items(texels.as_mut_slice().chunks_mut(width)).at_least(16);
    rows.for_each_in(job, |row, texels| {
        let south = (row as f32 + 0.5) * side[1];
        for (column, texel) in texels.iter_mut().enumerate() {
            let east = (column as f32 + 0.5) * side[0];
            let part = rivers.part_at(east, south, side[0]);
            if part > 0.0 {
                let mixed = |i: usize| {
                    let ground = f32::from(texel[i]);
                    (ground + (water[i] - ground) * part + 0.5) as u8
                };
                *texel = std::array::from_fn(mixed);
            }
        }
    })
}

/// Water colour on maps, sRGB 0…1.
pub(crate) fn water_color(water: WaterColor) -> [f32; 3] {
    match water {
        WaterColor::Sea => [0.16, 0.36, 0.58],
        WaterColor::Tropic => [0.14, 0.56, 0.66],
        WaterColor::Lake => [0.15, 0.33, 0.36],
        WaterColor::Glacier => [0.46, 0.66, 0.70],
        WaterColor::Moor => [0.25, 0.20, 0.14],
    }
}

/// Position of a texel's centre along one side, between two samples.
struct TexelPlace {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) within: f32,
}

impl TexelPlace {
    pub(super) fn new(texel: usize, texels: usize, cells: usize) -> Self {
        let place = (texel as f32 + 0.5) / texels as f32 * cells as f32;
        let before = (place as usize).min(cells.saturating_sub(1));
        Self {
            before,
            after: (before + 1).min(cells),
            within: place - before as f32,
        }
    }
}

/// Heights and normals at the four corners of a cell, cached for all texels of the cell.
struct Corners<'a> {
    map: &'a Heightmap,
    rows: [usize; 2],
    column: Option<usize>,
    /// Height and normal at each corner: north-west, south-west, north-east, south-east.
    corners: [[f32; 4]; 4],
}

impl<'a> Corners<'a> {
    fn new(map: &'a Heightmap, south: &TexelPlace) -> Self {
        Self {
            map,
            rows: [south.before, south.after],
            column: None,
            corners: [[0.0; 4]; 4],
        }
    }

    fn mixed(&mut self, east: &TexelPlace, down: f32) -> (f32, [f32; 3]) {
        if self.column != Some(east.before) {
            let [north, south] = self.rows;
            let corner = |row, column| {
                let [x, y, z] = self.map.normal(row, column).to_array();
                [self.map.at(row, column), x, y, z]
            };
            // After a step to the eastern neighbour, its western corners are already known.
            let next_to = east.before > 0 && self.column == Some(east.before - 1);
            let [nw, sw] = if next_to {
                [self.corners[2], self.corners[3]]
            } else {
                [corner(north, east.before), corner(south, east.before)]
            };
            self.corners = [nw, sw, corner(north, east.after), corner(south, east.after)];
            self.column = Some(east.before);
        }
        let mix = |a: f32, b: f32, t: f32| a * (1.0 - t) + b * t;
        let [nw, sw, ne, se] = &self.corners;
        let [height, x, y, z] = std::array::from_fn(|i| {
            mix(
                mix(nw[i], ne[i], east.within),
                mix(sw[i], se[i], east.within),
                down,
            )
        });
        (height, [x, y, z])
    }
}

// Albedo: colours of the ground without light, a texel a sample, as the base colour for a shader.

/// Map `albedo`.
pub(super) const ALBEDO: Map = Map {
    name: "albedo",
    help: "Colours of the ground without light, one texel per sample, as the base colour for shaders: by \
           height or, in render type `landscape`, as rock, snow and sand.",
    unit: "",
    range: None,
    kind: Kind::Paint(paint),
};

/// Colours (sRGB) of a rectangle, row after row.
fn paint(relief: &Relief<'_>, albedo: &Albedo<'_>, job: &Job) -> Result<Vec<[u8; 3]>, Cancelled> {
    each_sample(relief, albedo.snow(), job, |sample| {
        let [own, snowy] =
            [sample.slope, sample.snow_slope].map(|slope| move || Sample::normal(slope));
        albedo.color_in_snow(sample.height, own, snowy, sample.place)
    })
}

// Sea on maps: coloured by depth from shallow to deep water, with a line along the coast.
//
// The renderer draws the same on the GPU: `shaders/common/sea.glsl` must match this file.

/// E-folding depth of the water's colour, in units of `water.clarity`: there 63 % of the change to the
/// colour of deep water is reached.
const FADE: f32 = 1.5;
/// Width of the coast line, in texels.
const TEXTURE_COAST: f32 = 1.0;
/// Brightness of the coast line relative to deep water, and its opacity.
const COAST: (f32, f32) = (0.6, 0.75);

/// Level and colours (sRGB 0…1) of the sea.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sea {
    /// Sea level, in half tiles.
    pub level: f32,
    /// Colour at the shore.
    pub shallow: [f32; 3],
    /// Colour of deep water.
    pub deep: [f32; 3],
    /// Rate of the change from shallow to deep colour, in 1 / half tiles of depth.
    pub fade: f32,
    /// Rate at which the ground fades out below the water, in 1 / half tiles of depth.
    pub murk: f32,
}

impl Sea {
    /// Sea of a scene's water; `None` if it is off.
    #[must_use]
    pub fn of(water: &Water) -> Option<Self> {
        let (shallow, deep) = sea_colors(water.color);
        Some(Self {
            level: water.height()?,
            shallow,
            deep,
            fade: (FADE * water.clarity).recip(),
            murk: 2.3 / water.clarity,
        })
    }

    /// Colour over ground at this depth, in half tiles.
    #[must_use]
    pub fn color(&self, depth: f32) -> [f32; 3] {
        let shallow = libm::expf(-depth.max(0.0) * self.fade);
        std::array::from_fn(|i| self.deep[i] + (self.shallow[i] - self.deep[i]) * shallow)
    }

    /// Colour and opacity of the coast line.
    #[must_use]
    pub fn coast(&self) -> ([f32; 3], f32) {
        (self.deep.map(|v| v * COAST.0), COAST.1)
    }
}

/// Colours of shallow and of deep water.
fn sea_colors(water: WaterColor) -> ([f32; 3], [f32; 3]) {
    match water {
        WaterColor::Sea => ([0.50, 0.79, 0.80], [0.06, 0.19, 0.41]),
        WaterColor::Tropic => ([0.55, 0.92, 0.85], [0.03, 0.33, 0.53]),
        WaterColor::Lake => ([0.46, 0.62, 0.55], [0.06, 0.18, 0.22]),
        WaterColor::Glacier => ([0.76, 0.89, 0.89], [0.27, 0.51, 0.59]),
        WaterColor::Moor => ([0.50, 0.41, 0.27], [0.12, 0.09, 0.07]),
    }
}

/// Draw the sea on the baked colours of `map`.
///
/// # Errors
/// The job was cancelled.
pub fn draw_sea(
    texels: &mut Grid<[u8; 3]>,
    map: &Heightmap,
    sea: &Sea,
    light: &Light,
    job: &Job,
) -> Result<(), Cancelled> {
    let (width, height) = (texels.columns(), texels.rows());
    let lit = light.ambient + (1.0 - light.ambient) * direction(light)[1].max(0.0);
    // At the centre of a quarter of a texel, for the depth gradient below.
    let depth = |row: usize, column: usize| {
        let south = TexelPlace::new(row, 2 * height, map.rows() - 1);
        let east = TexelPlace::new(column, 2 * width, map.columns() - 1);
        let along = |row: usize| {
            let (west, east_of_it) = (map.at(row, east.before), map.at(row, east.after));
            west + (east_of_it - west) * east.within
        };
        let (north, south_of_it) = (along(south.before), along(south.after));
        sea.level - (north + (south_of_it - north) * south.within)
    };
    let (coast, covers) = sea.coast();
    let rows = parallel::par_items(texels.as_mut_slice().chunks_mut(width)).at_least(16);
    rows.for_each_in(job, |row, texels| {
        for (column, texel) in texels.iter_mut().enumerate() {
            let quarter = |down: usize, along: usize| depth(2 * row + down, 2 * column + along);
            let [[nw, ne], [sw, se]] = [0, 1].map(|down| [quarter(down, 0), quarter(down, 1)]);
            let here = (nw + ne + sw + se) * 0.25;
            if here <= 0.0 {
                continue;
            }
            // Gradient of the depth, per texel: depth / gradient is the distance from the coast.
            let (east, south) = (ne - nw + se - sw, sw - nw + se - ne);
            let away = here / libm::hypotf(east, south).max(1e-9);
            let line = covers * (TEXTURE_COAST + 1.0 - away).clamp(0.0, 1.0);
            let (water, part) = (sea.color(here), away.min(1.0));
            *texel = std::array::from_fn(|i| {
                let water = (water[i] + (coast[i] - water[i]) * line) * lit * 255.0;
                let ground = f32::from(texel[i]);
                (ground + (water - ground) * part + 0.5) as u8
            });
        }
    })
}
