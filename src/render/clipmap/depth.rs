//! How deep an eye looks: which levels it needs, and where their windows lie.

use glam::DVec3;

use crate::fractal::region::Window;
use crate::pipeline::Lattice;

/// Cells along a window's side.
pub(crate) const SIDE: i64 = 1026;
/// Cells by which a window moves at once, so that it need not be made anew wherever the eye goes.
const STEP: i64 = 128;
/// Cells around the eye that its window has in any case.
pub(crate) const REACH: i64 = (SIDE - STEP) / 2;
/// The most windows: with 9 bytes a sample they take 246 MB.
pub(crate) const MOST: u32 = 26;

/// The distance in half tiles, a tile's side, nearer than which the ground goes on: there its cells are
/// no smaller in the picture than the map's are at this distance. So a scene shows its own iterations
/// from afar, and near by as many cells as from afar.
const WHOLE: f64 = 2.0;

/// How deep the ground is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depth {
    /// The levels of the coarsest and of the finest window.
    pub(crate) levels: [u32; 2],
    /// Where the eye is, in half tiles.
    pub(crate) eye: DVec3,
    /// How high the ground is below it.
    pub(crate) ground: f64,
    /// The least side of a cell at distance 1.
    pub(crate) cell: f64,
}

/// How deep an eye sees the ground, where a pixel at distance 1 is so large; `None` if the ground
/// itself is fine enough, or if the eye is not above any.
///
/// A level is needed as long as cells of the one above are larger straight below than they need be.
pub(super) fn depth(lattice: &Lattice<'_>, eye: DVec3, pixel: f64) -> Option<Depth> {
    let deepest = lattice.deepest().min(lattice.level() + MOST);
    let mut level = lattice.level();
    let mut ground = lattice.height(level, eye.x, eye.z)?;
    let cell = pixel.max(lattice.spacing(level) / WHOLE);
    while level < deepest && lattice.spacing(level) > cell * (eye.y - ground) {
        level += 1;
        ground = lattice.height(level, eye.x, eye.z)?;
    }
    (level > lattice.level()).then_some(Depth {
        levels: [lattice.level() + 1, level],
        eye,
        ground,
        cell,
    })
}

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
