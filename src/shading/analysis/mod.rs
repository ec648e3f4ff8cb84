//! Terrain analysis for display: contours and their labels, colours by slope and aspect, cross-section
//! profiles, distance to a region's edge, scale bars.

use crate::terrain::heightmap::Heightmap;

mod colors;
mod contours;
mod edge;
mod interval;
mod labels;
mod profile;
mod round_length;
mod scale;

pub use colors::{ASPECT_COLORS, LEVEL, STEEPEST, aspect_color, slope_color};
pub use contours::{Contour, contours, count_segments};
pub use edge::{FARTHEST, edge_distances};
pub use interval::{MOST_CONTOURS, is_heavy, next_step, round_step, spacing};
pub use labels::{LabelPlace, Line, place_labels};
pub use profile::{MOST_POINTS, Point, Profile, profile};
pub use round_length::RoundLength;
pub use scale::at_scale;

/// Maximum samples a side of the map for contours and cross-sections.
const MOST_SIDE: usize = 2049;

/// Map for contours and cross-sections: every sample of `map`, or every second, fourth … so that no side
/// has more than 2049. For a fractal of 2^n cells this is the map with fewer iterations, bit for bit.
/// Memory: up to 16 MB.
#[must_use]
pub fn relief(map: &Heightmap) -> Heightmap {
    map.thinned(MOST_SIDE)
}
