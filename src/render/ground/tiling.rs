//! The lattice of samples of all tiles, and patches on it.

use crate::render::textures::heights::Layout;

/// Least detail of a patch: below it, levels would meet that differ by more than one.
pub(crate) const COARSEST: f32 = 2.0;

/// The map laid out tile × tile times, as one lattice of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tiling {
    /// Tiles along each side.
    pub(crate) tiles: i32,
    /// Samples from one tile to the next along x and z. Tiles that do not wrap have one more
    /// than cells: the cell between them has no width and closes the cliff.
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

    /// Whether a patch touches the north, south, west and east border.
    pub(crate) fn borders(&self, node: &Node) -> [bool; 4] {
        let first = |axis: usize| node.first[axis] == 0;
        let last = |axis: usize| node.first[axis] + self.block * node.stride >= self.last[axis];
        [first(1), last(1), first(0), last(0)]
    }
}

/// One patch: of what, its first sample along x and z, and the distance between its samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// First sample along x and z, counted over all tiles, or from the window's first.
    pub first: [i32; 2],
    /// Cells from one sample to the next.
    pub stride: i32,
    /// Of which window around the eye it is, see `deep`; 0 is the map.
    pub window: u32,
}

/// Distances, for patches of single cells whose sides are so long, at which samples begin and end to slide
/// onto coarser ones. The end is where the next level may begin, at `detail` node sizes of twice the size;
/// the start is beyond the far corner of the last node that the finer level reaches.
pub(super) fn morph_range(node: f32, detail: f32) -> [f32; 2] {
    if detail.is_infinite() {
        return [1e30, 2e30];
    }
    let corner = std::f32::consts::SQRT_2;
    [(detail + corner) * 1.01 * node, detail * 2.0 * 0.99 * node]
}
