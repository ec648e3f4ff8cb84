//! Light that explains the shape: how much of the sun, and how much of the sky, each point of a
//! height map sees.
//!
//! Both come from one idea. Walk over the map away from the light and carry along the height of
//! the shadow: at each step it falls by the slope of the light, and never below the ground just
//! passed. A point lower than the shadow is in it. Walked along parallel lines that costs the
//! same for each sample however long the shadows are (`sweep`), after the sheared scan lines
//! of Timonen and Westerholm, "Scalable height field self-shadowing", 2010, but with a few fixed
//! slopes in the place of their convex hull, so that processors do it for many lines at once.
//!
//! Between two slopes the shadow height is taken as linear, exact for a single obstacle. `sun`
//! walks once, with the slopes of the sun's lower and upper edge; `sky` walks in 16
//! directions, with six slopes from the horizon up.
//!
//! The same map gives the same bytes on any number of threads and any processor.

use crate::grid::Grid;

mod field;
mod kernel;
mod sky;
mod sun;
mod sweep;

pub use sky::sky_visibility;
pub use sun::{SUN_RADIUS, Sun, sun_visibility};

/// Samples a side of the sun's visibility, at most: edges of shadows are soft.
pub const MOST_SUN: usize = 2049;
/// Samples a side of the sky's visibility, at most: it is smooth.
pub const MOST_SKY: usize = 2049;

/// How much of a light each sample of a map sees: 0 none, 255 all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Visibility {
    /// Rows and columns as the map's, or those of every second, fourth … sample of a map larger
    /// than asked for. A map that wraps goes without its last row and column, which are its
    /// first.
    pub values: Grid<u8>,
    /// How many columns and rows lie across a tile: the distance from its first sample to its
    /// last.
    pub span: [f32; 2],
}
