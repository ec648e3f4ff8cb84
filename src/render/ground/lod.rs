//! Continuous distance-dependent level of detail: a quadtree of patches (Strugar 2010).
//!
//! A node with a side of 32·2^L cells is drawn as one patch of 33 × 33 samples, every 2^L-th one (16, 8 or 4
//! cells and one sample more for coarse pictures). It is split while the eye is closer than `detail` times
//! its size. Towards the far end of its range a patch's odd samples morph onto their even neighbours. Where
//! it meets the next coarser patch, both have the same vertices: no cracks, no skirts, no popping.
//!
//! Distance is horizontal, or the eye's height above the highest point if that is more. It depends only on a
//! sample's position, which keeps adjacent patches consistent.

use glam::Vec3;

use super::deep::Deep;
use super::tiling::{COARSEST, Node, Tiling};
use crate::render::meshes::{BLOCK, BLOCKS};
use crate::render::textures::heights::HeightTexture;
use crate::render::view::{Bounds, Eye, Frustum};

/// Detail at which every cell is drawn.
pub(crate) const FULL_DETAIL: f32 = f32::INFINITY;

/// Cells along a patch's side, and its split distance in patch sizes. Equivalent to `detail` for patches of
/// `BLOCK` cells, within the coarsest limit.
pub(crate) fn patches(detail: f32) -> (i32, f32) {
    let finer = |block: &&i32| detail * BLOCK as f32 >= COARSEST * **block as f32;
    let block = BLOCKS.iter().find(finer).unwrap_or(&BLOCKS[3]);
    let detail = detail * (BLOCK as i32 / block) as f32;
    (*block, detail.max(COARSEST))
}

/// Visible patches, and the range of their distances.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    pub(crate) nodes: Vec<Node>,
    /// Distance of the nearest patch.
    pub(crate) nearest: f32,
    /// Distance of the farthest point.
    pub(crate) farthest: f32,
}

/// Select the patches visible to `eye`, with the sides of the border down to `floor`. Nodes are split
/// according to `detail`, and those of single cells further into `below`.
pub(crate) fn select(
    map: &HeightTexture,
    tiling: &Tiling,
    floor: f32,
    eye: &Eye,
    detail: f32,
    below: Option<&Deep<'_>>,
) -> Selection {
    let mut walk = Walk {
        map,
        tiling,
        eye: eye.position,
        frustum: eye.frustum(),
        above: height_above(map, eye.position),
        floor,
        detail,
        below: below.map(|below| (below, below.frustum(None))),
        found: Vec::new(),
        farthest: 0.0,
    };
    let mut stride = 1;
    while tiling.block * stride < tiling.last[0].max(tiling.last[1]) {
        stride *= 2;
    }
    walk.visit(Node {
        first: [0, 0],
        stride,
        window: 0,
    });
    // Front to back: hidden fragments are then never shaded.
    let mut found = walk.found;
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    Selection {
        nearest: found
            .first()
            .map_or(f32::INFINITY, |(distance, _)| *distance),
        farthest: walk.farthest,
        nodes: found.into_iter().map(|(_, node)| node).collect(),
    }
}

/// Keep the `nodes` that are not entirely below `level`.
pub(crate) fn above(
    mut nodes: Vec<Node>,
    map: &HeightTexture,
    tiling: &Tiling,
    level: f32,
) -> Vec<Node> {
    nodes.retain(|node| bounds(map, tiling, level, *node).high.y > level);
    nodes
}

/// All patches of one stride, row by row: for pictures without a camera.
pub(crate) fn uniform(tiling: &Tiling, stride: i32) -> Vec<Node> {
    let side = (tiling.block * stride) as usize;
    let firsts = |last: i32| (0..last).step_by(side);
    firsts(tiling.last[1])
        .flat_map(|z| firsts(tiling.last[0]).map(move |x| [x, z]))
        .map(|first| Node {
            first,
            stride,
            window: 0,
        })
        .collect()
}

/// Height of the eye above the highest or below the lowest point, else 0.
pub(crate) fn height_above(map: &HeightTexture, eye: Vec3) -> f32 {
    (eye.y - map.range.1).max(map.range.0 - eye.y).max(0.0)
}

/// True if the eye is certainly above the ground. View rays then hit the surface from above, and its
/// underside is never visible. Beyond the border they may pass below it.
pub(crate) fn is_above_ground(map: &HeightTexture, tiling: &Tiling, eye: Vec3) -> bool {
    let mut texel = [0; 2];
    for (axis, at) in [eye.x, eye.z].into_iter().enumerate() {
        let tile = at / map.layout.side[axis] + tiling.tiles as f32 * 0.5;
        if !(0.0..tiling.tiles as f32).contains(&tile) {
            return false;
        }
        let cell = (tile.fract() / map.layout.fraction[axis]) as i32;
        texel[axis] = cell.min(map.layout.cells[axis]);
    }
    eye.y > map.range_between(texel, texel).1
}

struct Walk<'a> {
    map: &'a HeightTexture,
    tiling: &'a Tiling,
    eye: Vec3,
    frustum: Frustum,
    above: f32,
    /// Lower end of the border's sides.
    floor: f32,
    detail: f32,
    /// Clipmap levels below the map, and the frustum relative to the eye.
    below: Option<(&'a Deep<'a>, Frustum)>,
    /// Patches with the distance of their nearest point.
    found: Vec<(f32, Node)>,
    farthest: f32,
}

impl Walk<'_> {
    fn visit(&mut self, node: Node) {
        if node.first[0] >= self.tiling.last[0] || node.first[1] >= self.tiling.last[1] {
            return;
        }
        let bounds = bounds(self.map, self.tiling, self.floor, node);
        let farthest = bounds.farthest(self.eye);
        self.farthest = self.farthest.max(farthest);
        // Refined ground may rise out of the box.
        let goes_on = (self.below.as_ref()).filter(|(below, _)| below.splits_part_of(&node));
        if goes_on.is_none() && !self.frustum.touches(&bounds) {
            return;
        }
        let distance = bounds.horizontal_distance(self.eye).max(self.above);
        let size = (self.tiling.block * node.stride) as f32 * self.map.layout.spacing;
        if node.stride > 1 && distance < self.detail * size {
            let (half, child) = (self.tiling.block * node.stride / 2, node.stride / 2);
            for (x, z) in [(0, 0), (half, 0), (0, half), (half, half)] {
                self.visit(Node {
                    first: [node.first[0] + x, node.first[1] + z],
                    stride: child,
                    window: 0,
                });
            }
            return;
        }
        let is_refined =
            goes_on.is_some_and(|(below, frustum)| below.refine(&node, frustum, &mut self.found));
        if !is_refined && self.frustum.touches(&bounds) {
            self.found.push((bounds.distance(self.eye), node));
        }
    }
}

/// Bounding box of `node`, down to `floor` along the border.
pub(crate) fn bounds(map: &HeightTexture, tiling: &Tiling, floor: f32, node: Node) -> Bounds {
    let layout = &map.layout;
    let span = tiling.block * node.stride;
    let end: [i32; 2] =
        std::array::from_fn(|axis| (node.first[axis] + span).min(tiling.last[axis]));
    let within_a_tile = (0..2).all(|axis| {
        node.first[axis] / tiling.period[axis] == (end[axis] - 1) / tiling.period[axis]
    });
    let (low, high) = if within_a_tile {
        let local = |axis: usize| node.first[axis] % tiling.period[axis];
        let first = [local(0), local(1)];
        // The far side of a cliff belongs to the next tile.
        let beyond = |axis: usize| first[axis] + end[axis] - node.first[axis] > layout.cells[axis];
        if beyond(0) || beyond(1) {
            map.range
        } else {
            let last = [0, 1].map(|axis| first[axis] + end[axis] - node.first[axis]);
            map.range_between(first, last)
        }
    } else {
        map.range
    };
    let on_border = tiling.borders(&node).contains(&true);
    let low = if on_border { floor.min(low) } else { low };
    let place = |index: i32, axis: usize| {
        let (tile, local) = (index / tiling.period[axis], index % tiling.period[axis]);
        let within = (local as f32 * layout.fraction[axis]).min(1.0);
        (tile as f32 + within - tiling.tiles as f32 * 0.5) * layout.side[axis]
    };
    Bounds {
        low: Vec3::new(place(node.first[0], 0), low, place(node.first[1], 1)),
        high: Vec3::new(place(end[0], 0), high, place(end[1], 1)),
    }
}
