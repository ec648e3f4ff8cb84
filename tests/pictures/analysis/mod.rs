//! Contours, labels, slope and aspect colours, cross-sections: the numbers, and pictures of them.

use crate::pictures::{Picture, check_golden, difference, landscape, scene};
use landform::analysis::{
    Contour, LEVEL, Line, MOST_CONTOURS, MOST_POINTS, aspect_color, at_scale, contours,
    count_segments, is_heavy, next_step, place_labels, profile, relief, round_step, slope_color,
    spacing,
};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::maps::{self, Relief};
use landform::render::{HeadlessRenderer, RenderRequest};
use landform::scene::{Camera, Scene, Section};

mod drawn;
mod lines;

/// A map of so many samples a side from a formula of x and z, −1…1.
fn map(side: usize, wraps: bool, height: impl Fn(f32, f32) -> f32) -> Heightmap {
    let at = |index: usize| 2.0 * index as f32 / (side - 1) as f32 - 1.0;
    let rows = (0..side).flat_map(|row| (0..side).map(move |column| (at(column), at(row))));
    let heights: Vec<f32> = rows.map(|(x, z)| height(x, z)).collect();
    Heightmap::new(side, side, wraps, heights)
}
