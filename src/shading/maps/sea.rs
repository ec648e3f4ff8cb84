//! Sea on maps: coloured by depth from shallow to deep water, with a line along the coast.
//!
//! The renderer draws the same on the GPU: `shaders/common/sea.glsl` must match this file.

use super::colors::TexelPlace;
use super::hillshade::direction;
use crate::scene::{Light, Water, WaterColor};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

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
        let (shallow, deep) = colors(water.color);
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
fn colors(water: WaterColor) -> ([f32; 3], [f32; 3]) {
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
pub fn draw(
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
    rows.try_each(|row, texels| {
        job.check()?;
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
        Ok(())
    })
}
