//! Terrain lighting: sun visibility (soft shadows) and sky visibility (ambient occlusion) by horizon
//! sweeps.
//!
//! A sweep walks over the map away from the light and carries the height of the shadow: at each step it
//! falls by the slope of the light, but never below the ground just passed. A point below the shadow height
//! is in shadow. Along parallel lines this costs the same for each sample, however long the shadows are
//! (`sweep`). It follows the sheared scan lines of Timonen and Westerholm, "Scalable height field
//! self-shadowing", 2010, but uses a few fixed slopes in place of their convex hull, so that many lines are
//! processed at once.
//!
//! Between two slopes the shadow height is interpolated linearly, which is exact for a single obstacle.
//! `sun` sweeps once, with the slopes of the sun's lower and upper edge; `sky` sweeps in 16 directions,
//! with six slopes from the horizon up.
//!
//! The same map gives the same bytes on any number of threads and any processor.

use crate::terrain::grid::Grid;

mod field;
mod kernel;
mod sky;
mod sun;
mod sweep;

pub use sky::sky_visibility;
pub use sun::{SUN_RADIUS, Sun, sun_visibility};

/// Largest number of samples a side of the sun visibility; edges of shadows are soft.
pub const MOST_SUN: usize = 2049;
/// Largest number of samples a side of the sky visibility, which is smooth.
pub const MOST_SKY: usize = 2049;

/// Visibility of a light at each sample of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Visibility {
    /// Visible share, from 0 for nothing to 255 for all of the light. Rows and columns are those of the map
    /// or, if the map is larger than the requested limit, those of every second, fourth … sample. For a map
    /// that wraps the last row and column, which repeat the first, are left out.
    pub values: Grid<u8>,
    /// Number of columns and rows across a tile, from its first sample to its last.
    pub span: [f32; 2],
}
