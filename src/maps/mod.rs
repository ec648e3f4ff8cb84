//! Maps that accompany the heights into engines and shaders: slopes, normals, masks, textures.
//!
//! A map is one file here and one line in [`MAPS`]. Maps of the ground's relief are made row by row
//! from a sample's eight neighbours ([`Relief`]), so that a rectangle of a map equals the same
//! rectangle of the whole, and every thread count gives the same bytes.

use crate::covers::CoverMap;
use crate::heightmap::{Heightmap, Heights};
use crate::job::{Cancelled, Job};
use crate::scene::{Light, Scene};
use crate::texture::Palette;

mod albedo;
mod aspect;
pub mod colors;
mod curvature;
mod drainage;
mod hillshade;
pub mod normal;
pub mod sea;
pub mod sky;
mod slope;
pub mod splat;
mod worn;

pub use crate::neighbours::{Relief, Window};

/// Every map, in the order in which they are shown.
pub const MAPS: &[Map] = &[
    HEIGHTS,
    normal::OPENGL,
    normal::DIRECTX,
    slope::MAP,
    aspect::MAP,
    curvature::MAP,
    drainage::FLOW,
    drainage::WETNESS,
    drainage::LAKES,
    worn::WEAR,
    worn::DEPOSIT,
    hillshade::MAP,
    splat::MASKS,
    splat::PACKED,
    albedo::MAP,
    colors::MAP,
    CLOUDS,
    sky::MAP,
];

/// The map of the heights themselves.
pub const HEIGHTS: Map = Map {
    name: "heights",
    help: "The heights themselves.",
    unit: "half tiles",
    range: None,
    kind: Kind::Heights,
};

/// The map of the clouds of `rendered`; see [`crate::texture::clouds`].
const CLOUDS: Map = Map {
    name: "clouds",
    help: "How thick the clouds of `rendered` are, repeating: 0 clear sky, 1 thickest.",
    unit: "opacity",
    range: Some((0.0, 1.0)),
    kind: Kind::Clouds,
};

/// One map that can be made from a scene.
#[derive(Debug)]
pub struct Map {
    /// The map's name on the command line.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// The unit of the map's numbers; empty if it has none.
    pub unit: &'static str,
    /// The numbers that become black and white in formats with whole numbers; with `None` these are
    /// the map's lowest and highest.
    pub range: Option<(f32, f32)>,
    /// What the map is made of, and what it holds.
    pub kind: Kind,
}

/// What the ground is coloured with.
#[derive(Clone, Copy, Debug)]
pub struct Colors<'a> {
    /// The colours by height.
    pub palette: &'a Palette,
    /// The heights of the palette's ends.
    pub range: (f32, f32),
    /// What lies on the ground.
    pub covers: Option<&'a CoverMap>,
}

/// A function that makes the colours (sRGB) of a rectangle, row after row.
pub type Paint = fn(&Relief<'_>, &Colors<'_>, &Job) -> Result<Vec<[u8; 3]>, Cancelled>;

/// A function that makes the numbers of a map from all heights of a scene.
pub type MakeWhole = fn(&Heightmap, &Scene, &Job) -> Result<Heightmap, Cancelled>;

/// What a map is made of, and what it holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number for each sample: the height.
    Heights,
    /// A number for each sample, made from its neighbours and the light; the function fills a row.
    Relief(fn(&Window<'_>, &Light, &mut [f32])),
    /// A number for each sample, made from the whole map, since it depends on what is far away.
    Whole(MakeWhole),
    /// A unit vector for each sample, as a colour.
    Normal(normal::Green),
    /// A weight for each sample and each band of the palette, with this many bands in a picture.
    Bands(usize),
    /// A colour for each sample, by the palette over the range of all heights.
    Paint(Paint),
    /// A number for each texel; the map has a size of its own.
    Clouds,
    /// A colour for each texel; the map has a size of its own.
    Colors,
    /// A colour for each direction.
    Sky,
}

impl Map {
    /// The map of that name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        MAPS.iter().find(|map| map.name == name)
    }

    /// Whether the map is that of the heights.
    #[must_use]
    pub fn is_heights(&self) -> bool {
        matches!(self.kind, Kind::Heights)
    }

    /// Whether the map holds one number a sample, so that any format of heights can store it.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        matches!(
            self.kind,
            Kind::Heights | Kind::Relief(_) | Kind::Whole(_) | Kind::Clouds
        )
    }

    /// Whether the map has the ground's samples, so that a rectangle of them can be made.
    #[must_use]
    pub fn is_of_the_ground(&self) -> bool {
        !matches!(self.kind, Kind::Clouds | Kind::Colors | Kind::Sky)
    }

    /// The numbers of a map of the relief, one for each sample of its rectangle, made on all
    /// threads of the rayon pool that this runs in; `None` for maps of other kinds.
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
