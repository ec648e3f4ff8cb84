//! Positions of the clipmap windows around an eye.

use glam::DVec3;

use crate::fractal::region::Window;
use crate::pipeline::{Depth, Lattice};

/// Cells along a window's side.
pub(crate) const SIDE: i64 = 1024;
/// Step in cells by which a window moves, so that small movements do not require a new one.
const STEP: i64 = 128;
/// Guaranteed number of cells around the eye within its window.
pub(crate) const REACH: i64 = (SIDE - STEP) / 2;

/// Distance from the eye up to which a level is used: until the cells of the next coarser level are small
/// enough, or to the end of its reach.
pub(super) fn farthest(spacing: f64, depth: &Depth) -> f64 {
    spacing * (2.0 / depth.cell).min((REACH - 2) as f64)
}

/// The window of a level around an eye, clipped to the ground.
pub(super) fn window(lattice: &Lattice<'_>, level: u32, eye: DVec3) -> Window {
    let (place, last) = (lattice.place(level, eye.x, eye.z), lattice.last(level));
    let span = |axis: usize| {
        let middle = (place[axis] / STEP as f64).round() as i64 * STEP;
        let first = (middle - SIDE / 2).clamp(0, last[axis]);
        let end = (middle + SIDE / 2).clamp(0, last[axis]);
        (first, (end - first) as usize + 1)
    };
    let ((column, columns), (row, rows)) = (span(0), span(1));
    Window {
        row,
        column,
        rows,
        columns,
    }
}
