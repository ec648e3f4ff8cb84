//! Sample lattice of all tiles, and the patches on it.

use crate::render::textures::heights::Layout;

/// Minimum detail: below it, adjacent patches could differ by more than one level.
pub(crate) const COARSEST: f32 = 2.0;

/// The map repeated tile × tile times, as one lattice of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tiling {
    /// Tiles along each side.
    pub(crate) tiles: i32,
    /// Samples from one tile to the next along x and z. Tiles that do not wrap have one more sample than
    /// cells: the cell in between has no width and closes the cliff.
    pub(crate) period: [i32; 2],
    /// Last sample along x and z.
    pub(crate) last: [i32; 2],
    /// Cells along a patch's side.
    pub(crate) block: i32,
}

impl Tiling {
    pub(crate) fn new(layout: &Layout, tiles: u32, block: i32) -> Self {
        let tiles = tiles.max(1) as i32;
        let cliff = i32::from(!layout.wraps);
        let period = layout.cells.map(|cells| (cells + cliff).max(1));
        Self {
            tiles,
            period,
            last: period.map(|period| period * tiles - cliff),
            block,
        }
    }

    /// True for each of the north, south, west and east border that a patch touches.
    pub(crate) fn borders(&self, node: &Node) -> [bool; 4] {
        let first = |axis: usize| node.first[axis] == 0;
        let last = |axis: usize| node.first[axis] + self.block * node.stride >= self.last[axis];
        [first(1), last(1), first(0), last(0)]
    }
}

/// One patch: its source, its first sample along x and z, and its stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// First sample along x and z, counted over all tiles, or from the first sample of the window.
    pub first: [i32; 2],
    /// Cells from one sample to the next.
    pub stride: i32,
    /// Index of the clipmap level around the eye, see `deep`; 0 is the map.
    pub window: u32,
}

/// Start and end of the morphing range, as distances, for patches of single cells with sides of length
/// `node`. The end is where the next level may begin, at `detail` sizes of a node twice as large; the start
/// lies beyond the far corner of the last node that the finer level reaches.
pub(super) fn morph_range(node: f32, detail: f32) -> [f32; 2] {
    if detail.is_infinite() {
        return [1e30, 2e30];
    }
    let corner = std::f32::consts::SQRT_2;
    [(detail + corner) * 1.01 * node, detail * 2.0 * 0.99 * node]
}
