//! Derived maps for engines and shaders: slope, normals, masks, textures.
//!
//! A map is a constant here and one line in [`MAPS`]. Maps of the relief are computed row by row from a
//! sample's eight neighbours ([`Relief`]). A rectangle of a map therefore equals the same rectangle of
//! the whole, and the result is the same on any number of threads.

use crate::scene::{Light, PlantKind, Scene};
use crate::shading::material::Albedo;
use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;

pub mod colors;
pub mod materials;
pub mod relief;
pub mod sky;
pub mod splat;
pub mod water;

pub use crate::terrain::neighbours::{Relief, Window};

/// All maps, in display order.
pub const MAPS: &[Map] = &[
    HEIGHTS,
    relief::OPENGL,
    relief::DIRECTX,
    relief::SLOPE,
    relief::ASPECT,
    relief::CURVATURE,
    FLOW,
    WETNESS,
    LAKES,
    water::MAP,
    WEAR,
    DEPOSIT,
    SNOW,
    SNOW_COVER,
    density(PlantKind::Spruce),
    density(PlantKind::Birch),
    density(PlantKind::Palm),
    density(PlantKind::Shrub),
    density(PlantKind::Grass),
    density(PlantKind::Boulder),
    relief::HILLSHADE,
    splat::MASKS,
    splat::PACKED,
    materials::MAP,
    colors::ALBEDO,
    colors::COLORS,
    CLOUDS,
    sky::MAP,
];

/// Map `heights`: the heightfield itself.
pub const HEIGHTS: Map = Map {
    name: "heights",
    help: "The heights themselves.",
    unit: "half tiles",
    range: None,
    kind: Kind::Heights,
};

/// Map `clouds`: clouds of `rendered`; see [`crate::shading::texture::clouds`].
const CLOUDS: Map = Map {
    name: "clouds",
    help: "How thick the clouds of `rendered` are, repeating: 0 clear sky, 1 thickest.",
    unit: "opacity",
    range: Some((0.0, 1.0)),
    kind: Kind::Clouds,
};

/// A map that can be derived from a scene.
#[derive(Debug)]
pub struct Map {
    /// Name on the command line.
    pub name: &'static str,
    /// Description in one line.
    pub help: &'static str,
    /// Unit of the numbers; empty without numbers.
    pub unit: &'static str,
    /// Numbers that become black and white in formats with whole numbers; `None` for the map's lowest and
    /// highest number.
    pub range: Option<(f32, f32)>,
    /// Kind of data, and the function that makes it.
    pub kind: Kind,
}

/// Function that computes the colours (sRGB) of a rectangle, row after row.
pub type Paint = fn(&Relief<'_>, &Albedo<'_>, &Job) -> Result<Vec<[u8; 3]>, Cancelled>;

/// Function that computes the numbers of a map from all heights of a scene.
pub type MakeWhole = fn(&Heightmap, &Scene, &Job) -> Result<Heightmap, Cancelled>;

/// Measure of the snow at a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnowMeasure {
    /// Depth in metres.
    Depth,
    /// Share of the ground that it hides, 0…1.
    Cover,
}

/// Kind of data in a map, and the function that makes it.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Height of each sample.
    Heights,
    /// Height of the water at each sample, which a file holds as it holds heights. Rivers and lakes are those of the last
    /// iteration at all levels below.
    WaterSurface,
    /// Number for each sample, computed from its neighbours and the light; the function fills a row.
    Relief(fn(&Window<'_>, &Light, &mut [f32])),
    /// Number for each sample, computed from the whole map since it depends on distant samples.
    Whole(MakeWhole),
    /// Snow at each sample, computed from its depth. It is that of the last iteration at all levels below.
    Snow(SnowMeasure),
    /// Density of plants of a kind at each sample. It is that of the last iteration at all levels below.
    Plants(PlantKind),
    /// Unit vector for each sample, stored as a colour.
    Normal(relief::Green),
    /// Weights of the palette's bands for each sample, with this many bands in a picture.
    Bands(usize),
    /// Weights of the materials for each sample, one material in each picture.
    Materials,
    /// Colour for each sample.
    Paint(Paint),
    /// Number for each texel; the size is independent of the ground.
    Clouds,
    /// Colour for each texel; the size is independent of the ground.
    Colors,
    /// Colour for each direction of the sky.
    Sky,
}

impl Kind {
    /// True if the whole map is needed for any part of it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self, Self::Whole(_) | Self::Snow(_) | Self::Plants(_))
    }
}

impl Map {
    /// Find a map by its name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        MAPS.iter().find(|map| map.name == name)
    }

    /// True for the map of heights.
    #[must_use]
    pub fn is_heights(&self) -> bool {
        matches!(self.kind, Kind::Heights)
    }

    /// True if the numbers are heights, in the unit and the range of those of the ground.
    #[must_use]
    pub fn holds_heights(&self) -> bool {
        matches!(self.kind, Kind::Heights | Kind::WaterSurface)
    }

    /// True if the map holds one number a sample, which any heightfield format can store.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        matches!(
            self.kind,
            Kind::Heights
                | Kind::WaterSurface
                | Kind::Relief(_)
                | Kind::Whole(_)
                | Kind::Snow(_)
                | Kind::Plants(_)
                | Kind::Clouds
        )
    }

    /// True if the map has the samples of the ground, so that a rectangle of it can be made.
    #[must_use]
    pub fn is_of_the_ground(&self) -> bool {
        !matches!(self.kind, Kind::Clouds | Kind::Colors | Kind::Sky)
    }

    /// Compute a relief map, one number for each sample of the rectangle; `None` for maps of other kinds.
    /// Runs in parallel in the current rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn numbers(
        &self,
        relief: &Relief<'_>,
        light: &Light,
        job: &Job,
    ) -> Option<Result<Heightmap, Cancelled>> {
        let Kind::Relief(fill) = self.kind else {
            return None;
        };
        let (rows, columns) = (relief.rows(), relief.columns());
        let mut numbers = Heights::zeros(rows * columns)?;
        let done = relief.each_row(&mut numbers, job, |window, out| fill(window, light, out));
        Some(done.map(|()| Heightmap::new(rows, columns, relief.wraps(), numbers)))
    }
}

// Drainage maps: flow accumulation, lakes and the topographic wetness index (Beven and Kirkby 1979), see
// [`crate::terrain::drainage`].

/// Map `flow`: flow accumulation.
const FLOW: Map = Map {
    name: "flow",
    help: "Flow accumulation: the drainage area of each sample; for a mask use `wetness`, its \
           logarithm.",
    unit: "m²",
    range: None,
    kind: Kind::Whole(flow),
};

/// Map `lakes`: lake depth.
const LAKES: Map = Map {
    name: "lakes",
    help: "Depth of lakes if every hollow above the sea is full; 0 elsewhere.",
    unit: "m",
    range: None,
    kind: Kind::Whole(lakes),
};

/// Map `wetness`: topographic wetness index.
const WETNESS: Map = Map {
    name: "wetness",
    help: "Topographic wetness index: ln(drainage area per metre of contour / slope), 0 to about \
           20.",
    unit: "ln m",
    range: None,
    kind: Kind::Whole(wetness),
};

fn flow(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let drainage = Drainage::of(map, scene.water.height(), job)?;
    let side = f64::from(drainage.spacing()) * metres(scene);
    drainage.map(job, |cell| {
        (f64::from(drainage.area(cell)) * side * side) as f32
    })
}

fn lakes(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let drainage = Drainage::of(map, scene.water.height(), job)?;
    let metres = metres(scene) as f32;
    drainage.map(job, |cell| drainage.depth(cell) * metres)
}

fn wetness(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    let drainage = Drainage::of(map, scene.water.height(), job)?;
    let metres = metres(scene) as f32;
    drainage.map(job, |cell| drainage.wetness(cell, metres))
}

fn metres(scene: &Scene) -> f64 {
    metres_per_unit(scene.surface.tile_size_m)
}

// Erosion maps: eroded depth and deposited sediment of the modifier `erosion`.

/// Map `wear`: eroded depth.
const WEAR: Map = Map {
    name: "wear",
    help: "Depth of rock removed by erosion; 0 on a map without erosion.",
    unit: "m",
    range: None,
    kind: Kind::Whole(wear),
};

/// Map `deposit`: thickness of the sediment.
const DEPOSIT: Map = Map {
    name: "deposit",
    help: "Thickness of the sediment left by erosion; 0 on a map without erosion.",
    unit: "m",
    range: None,
    kind: Kind::Whole(deposit),
};

/// Map `snow`: depth of the snow.
const SNOW: Map = Map {
    name: "snow",
    help: "Depth of the snow, which slides down steep slopes and gathers below them; 0 while the snow is off.",
    unit: "m",
    range: None,
    kind: Kind::Snow(SnowMeasure::Depth),
};

/// Map `snow-cover`: mask of the snow.
const SNOW_COVER: Map = Map {
    name: "snow-cover",
    help: "Mask of the snow: 0 bare ground, 1 where snow hides the ground; 0 while the snow is off.",
    unit: "weight",
    range: Some((0.0, 1.0)),
    kind: Kind::Snow(SnowMeasure::Cover),
};

/// Map of the density of a kind of plants.
const fn density(kind: PlantKind) -> Map {
    let (name, help) = match kind {
        PlantKind::Spruce => (
            "density-spruce",
            "Density of spruces: 0 none, 1 as many as their spacing allows.",
        ),
        PlantKind::Birch => (
            "density-birch",
            "Density of birches: 0 none, 1 as many as their spacing allows.",
        ),
        PlantKind::Palm => (
            "density-palm",
            "Density of palms: 0 none, 1 as many as their spacing allows.",
        ),
        PlantKind::Shrub => (
            "density-shrub",
            "Density of shrubs: 0 none, 1 as many as their spacing allows.",
        ),
        PlantKind::Grass => (
            "density-grass",
            "Density of grass: 0 none, 1 as much as its spacing allows.",
        ),
        PlantKind::Boulder => (
            "density-boulder",
            "Density of boulders: 0 none, 1 as many as their spacing allows.",
        ),
    };
    Map {
        name,
        help,
        unit: "weight",
        range: Some((0.0, 1.0)),
        kind: Kind::Plants(kind),
    }
}

fn wear(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    in_metres(map, scene, job, |worn| &worn.wear)
}

fn deposit(map: &Heightmap, scene: &Scene, job: &Job) -> Result<Heightmap, Cancelled> {
    in_metres(map, scene, job, |worn| &worn.sediment)
}

fn in_metres(
    map: &Heightmap,
    scene: &Scene,
    job: &Job,
    part: impl Fn(&Worn) -> &[f32],
) -> Result<Heightmap, Cancelled> {
    job.check()?;
    let metres = metres_per_unit(scene.surface.tile_size_m) as f32;
    let numbers = match map.worn() {
        Some(worn) => part(worn).iter().map(|number| number * metres).collect(),
        None => vec![0.0; map.heights().len()],
    };
    let (rows, columns) = (map.rows(), map.columns());
    Ok(Heightmap::new(rows, columns, map.wraps(), numbers))
}
