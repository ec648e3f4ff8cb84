//! Maps that go with the heights into engines and shaders: slopes, normals, masks, textures.
//!
//! A map is one file here and one line in [`MAPS`]. Those of the ground's relief are made row by
//! row from a sample's eight neighbours ([`Relief`]), so that a rectangle of a map equals the same
//! rectangle of the whole, and every thread count gives the same bytes.

use crate::heightmap::{Heightmap, Heights};
use crate::job::{Cancelled, Job};
use crate::scene::Light;
use crate::texture::Palette;

mod albedo;
mod angle;
mod aspect;
pub mod colors;
mod curvature;
mod hillshade;
pub mod normal;
mod relief;
pub mod sky;
mod slope;
pub mod splat;

pub use relief::{Relief, Window};

/// Every map, in the order shown.
pub const MAPS: &[Map] = &[
    HEIGHTS,
    normal::OPENGL,
    normal::DIRECTX,
    slope::MAP,
    aspect::MAP,
    curvature::MAP,
    hillshade::MAP,
    splat::MASKS,
    splat::PACKED,
    albedo::MAP,
    colors::MAP,
    CLOUDS,
    sky::MAP,
];

/// The heights themselves.
pub const HEIGHTS: Map = Map {
    name: "heights",
    help: "The heights themselves.",
    unit: "half tiles",
    range: None,
    kind: Kind::Heights,
};

/// The clouds of `rendered`; see [`crate::texture::clouds`].
const CLOUDS: Map = Map {
    name: "clouds",
    help: "How thick the clouds of `rendered` are, repeating: 0 clear sky, 1 thickest.",
    unit: "opacity",
    range: Some((0.0, 1.0)),
    kind: Kind::Clouds,
};

/// One map that can be had of a scene.
#[derive(Debug)]
pub struct Map {
    /// What the command line calls it.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// The unit of its numbers; empty if it has none.
    pub unit: &'static str,
    /// The numbers that become black and white in formats with whole numbers; those of the map
    /// if `None`.
    pub range: Option<(f32, f32)>,
    /// What it is made of.
    pub kind: Kind,
}

/// Makes the colours (sRGB) of a rectangle, row after row, from the palette over a range of heights.
pub type Paint = fn(&Relief<'_>, &Palette, (f32, f32), &Job) -> Result<Vec<[u8; 3]>, Cancelled>;

/// What a map is made of, and what it holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number a sample: the height.
    Heights,
    /// A number a sample, made from its neighbours and the light: fills a row.
    Relief(fn(&Window<'_>, &Light, &mut [f32])),
    /// A unit vector a sample, as colour.
    Normal(normal::Green),
    /// A weight a sample for every band of the palette, so many of them in a picture.
    Bands(usize),
    /// A colour a sample, by the palette over the range of all heights.
    Paint(Paint),
    /// A number a texel, of its own size.
    Clouds,
    /// A colour a texel, of its own size.
    Colors,
    /// A colour a direction.
    Sky,
}

impl Map {
    /// The map of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        MAPS.iter().find(|map| map.name == name)
    }

    /// Whether these are the heights.
    #[must_use]
    pub fn is_heights(&self) -> bool {
        matches!(self.kind, Kind::Heights)
    }

    /// Whether it holds one number a sample, for any format of heights.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Heights | Kind::Relief(_) | Kind::Clouds)
    }

    /// Whether it has the ground's samples, so that a rectangle of them can be had.
    #[must_use]
    pub fn is_of_the_ground(&self) -> bool {
        !matches!(self.kind, Kind::Clouds | Kind::Colors | Kind::Sky)
    }

    /// The numbers of a map of the relief, one a sample of its rectangle, on all threads of the
    /// rayon pool that this runs in; `None` of other kinds.
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
