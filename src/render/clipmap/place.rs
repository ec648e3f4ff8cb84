//! Where the windows of an eye lie.

use glam::DVec3;

use crate::fractal::region::Window;
use crate::pipeline::{Depth, Lattice};

/// Cells along a window's side.
pub(crate) const SIDE: i64 = 1024;
/// Cells by which a window moves at once, so that it need not be made anew wherever the eye goes.
const STEP: i64 = 128;
/// Cells around the eye that its window has in any case.
pub(crate) const REACH: i64 = (SIDE - STEP) / 2;

/// Up to how far from the eye a window of that spacing is used: until the cells of the next coarser
/// one are small enough, or as far as it reaches.
pub(super) fn farthest(spacing: f64, depth: &Depth) -> f64 {
    spacing * (2.0 / depth.cell).min((REACH - 2) as f64)
}

/// The window of a level around an eye, no larger than the ground.
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
