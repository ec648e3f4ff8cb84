//! Light that explains the shape: how much of the sun and how much of the sky each point of a
//! height map sees.
//!
//! Both come from one idea. Walk over the map away from the light and carry along the height of the
//! shadow: at each step it falls by the slope of the light, and never below the ground just passed.
//! A point lower than the shadow is in it. Along parallel lines this costs the same for each
//! sample, however long the shadows are (`sweep`). It follows the sheared scan lines of Timonen and
//! Westerholm, "Scalable height field self-shadowing", 2010, but uses a few fixed slopes in place
//! of their convex hull, so that processors can do many lines at once.
//!
//! Between two slopes the shadow height is taken as linear, which is exact for a single obstacle.
//! `sun` walks once, with the slopes of the sun's lower and upper edge; `sky` walks in 16
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

/// The most samples a side of the sun's visibility: edges of shadows are soft.
pub const MOST_SUN: usize = 2049;
/// The most samples a side of the sky's visibility: it is smooth.
pub const MOST_SKY: usize = 2049;

/// How much of a light each sample of a map sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Visibility {
    /// The visible part, from 0 for nothing to 255 for all of the light. Rows and columns are those
    /// of the map, or, if the map is larger than asked for, those of every second, fourth … sample.
    /// A map that wraps is without its last row and column, which are its first.
    pub values: Grid<u8>,
    /// How many columns and rows lie across a tile, that is, from its first sample to its last.
    pub span: [f32; 2],
}
