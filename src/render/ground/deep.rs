//! Continuous level of detail below the map: the quadtree of `lod` continues into the geometry clipmap around
//! the eye, one quadtree level per clipmap level.
//!
//! Coordinates are relative to the eye, so that precision grows as cells shrink. Distance is horizontal, or
//! the eye's height above the ground if that is more. A level that has just become visible is fully morphed
//! onto the next coarser one, so nothing pops.

use glam::{Mat4, Vec2, Vec3};
use glium::uniform;
use glium::uniforms::Uniforms;

use super::tiling::{COARSEST, Node, Tiling, morph_range};
use crate::pipeline::Depth;
use crate::render::clipmap::{Clipmap, Placed};
use crate::render::gl::programs::Shader;
use crate::render::meshes::BLOCK;
use crate::render::view::{Bounds, Eye, Frustum};

/// Clipmap levels around an eye, as levels of the ground's quadtree.
pub(crate) struct Deep<'a> {
    /// The levels, the coarsest first.
    windows: Vec<Placed<'a>>,
    /// The eye, at the origin of all coordinates.
    eye: Eye,
    clip_from_eye: Mat4,
    /// Last sample of the map along x and z, and half tiles per cell.
    last: [i64; 2],
    spacing: f64,
    block: i64,
    /// Split distance of a patch, in patch sizes.
    detail: f64,
    /// Height of the eye above the ground.
    high: f64,
    /// Number of levels by which cells straight below the eye may be finer than the map's.
    levels: f64,
}

/// The variant of a shader that draws clipmap levels instead of the map.
pub(super) fn shader_below(shader: Shader) -> Shader {
    match shader {
        Shader::EndlessLines => Shader::DeepLines,
        Shader::EndlessWire => Shader::DeepWire,
        Shader::Mask => Shader::DeepMask,
        Shader::EndlessDistance => Shader::DeepDistance,
        other => other,
    }
}

impl<'a> Deep<'a> {
    /// Build the levels below a map that is fully uploaded and laid out as `tiling`; `None` without levels.
    /// `detail` is limited by that of the map.
    pub(crate) fn new(
        clipmap: &'a Clipmap,
        depth: &Depth,
        tiling: &Tiling,
        detail: f32,
        eye: Eye,
    ) -> Option<Self> {
        let windows = clipmap.placed(depth);
        let (coarsest, finest) = (windows.first()?, windows.last()?);
        let spacing = 2.0 * coarsest.near.spacing;
        let high = coarsest.near.height.max(0.0);
        // No depth test is needed, so any near and far plane will do.
        let (near, far) = (1e-3 * finest.near.spacing, 100.0);
        let eye = eye.at_origin();
        Some(Self {
            eye,
            clip_from_eye: eye.clip_from_world(near as f32, far),
            last: tiling.last.map(i64::from),
            spacing,
            block: i64::from(tiling.block),
            detail: f64::from(detail.min(Self::most_detail(depth, tiling.block))),
            high,
            levels: (spacing / (depth.cell * high)).log2().max(0.0),
            windows,
        })
    }

    /// Detail at which patches of `block` cells are as fine as `depth` requires. Windows are large enough for
    /// it.
    pub(crate) fn most_detail(depth: &Depth, block: i32) -> f32 {
        ((depth.cell * f64::from(block)).recip() as f32).max(COARSEST)
    }

    /// Detail of patches of the largest size that `depth` requires, without a lower limit.
    pub(crate) fn detail_asked(depth: &Depth) -> f32 {
        (depth.cell * BLOCK as f64).recip() as f32
    }

    /// Height of the eye above the ground below it.
    pub(crate) fn high(&self) -> f32 {
        self.high as f32
    }

    /// Number of levels below the map that are needed straight below the eye: 0 where the map is just fine
    /// enough.
    pub(crate) fn levels(&self) -> f32 {
        self.levels as f32
    }

    /// Transform from eye-relative coordinates to clip space.
    pub(crate) fn clip_from_eye(&self) -> Mat4 {
        self.clip_from_eye
    }

    /// View frustum in eye-relative coordinates, optionally limited to a rectangle in clip space.
    pub(crate) fn frustum(&self, part: Option<(Vec2, Vec2)>) -> Frustum {
        match part {
            Some((low, high)) => self.eye.part_frustum(low, high),
            None => self.eye.frustum(),
        }
    }

    /// True if any part of a patch of the map is close enough to be split.
    pub(crate) fn splits_part_of(&self, node: &Node) -> bool {
        let span = self.block * i64::from(node.stride);
        self.reaches(0, node.first.map(i64::from), span)
    }

    /// Add the finer patches that replace a patch of single cells of the map. Returns false, adding nothing,
    /// if the patch itself is drawn.
    pub(crate) fn refine(
        &self,
        node: &Node,
        frustum: &Frustum,
        found: &mut Vec<(f32, Node)>,
    ) -> bool {
        let first = node.first.map(i64::from);
        let is_split = self.splits(0, first);
        if is_split {
            self.visit_children(0, first, frustum, found);
        }
        is_split
    }

    fn visit_children(
        &self,
        level: usize,
        first: [i64; 2],
        frustum: &Frustum,
        found: &mut Vec<(f32, Node)>,
    ) {
        let last = self.last_of(level + 1);
        for [x, z] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let child = [2 * first[0] + x * self.block, 2 * first[1] + z * self.block];
            if child[0] >= last[0] || child[1] >= last[1] {
                continue;
            }
            // A child that is not split further is drawn itself.
            if self.splits(level + 1, child) {
                self.visit_children(level + 1, child, frustum, found);
                continue;
            }
            let window = &self.windows[level];
            let node = Node {
                first: [0, 1].map(|axis| (child[axis] - window.first[axis]) as i32),
                stride: 1,
                window: level as u32 + 1,
            };
            let bounds = self.bounds(&node);
            if frustum.touches(&bounds) {
                found.push((bounds.distance(Vec3::ZERO), node));
            }
        }
    }

    /// True if a patch of a level (0 is the map) is drawn as patches of the next level: it is close enough,
    /// and the finer samples exist.
    fn splits(&self, level: usize, first: [i64; 2]) -> bool {
        let Some(window) = self.windows.get(level) else {
            return false;
        };
        let last = self.last_of(level + 1);
        let end = [0, 1].map(|axis| (2 * (first[axis] + self.block)).min(last[axis]));
        self.reaches(level, first, self.block) && window.holds(first.map(|at| 2 * at), end)
    }

    /// True if any part of a square of `span` cells of a level is close enough to be split.
    fn reaches(&self, level: usize, first: [i64; 2], span: i64) -> bool {
        let (spacing, eye) = match level.checked_sub(1).map(|window| &self.windows[window]) {
            Some(window) => (window.near.spacing, window.eye()),
            None => (self.spacing, self.windows[0].eye().map(|at| 0.5 * at)),
        };
        let [x, z] = [0, 1].map(|axis| {
            let (first, end) = (first[axis] as f64, (first[axis] + span) as f64);
            eye[axis].clamp(first, end) - eye[axis]
        });
        let distance = (x.hypot(z) * spacing).max(self.high);
        distance < self.detail * self.block as f64 * spacing
    }

    fn last_of(&self, level: usize) -> [i64; 2] {
        self.last.map(|last| last << level)
    }

    fn window(&self, node: &Node) -> &Placed<'a> {
        &self.windows[node.window as usize - 1]
    }

    /// Number of cells of a patch along x and z.
    pub(crate) fn cells(&self, node: &Node) -> [usize; 2] {
        let samples = self.window(node).near.samples;
        [0, 1].map(|axis| (samples[axis] - 1 - node.first[axis] as usize).min(self.block as usize))
    }

    /// Bounding box of a patch of a clipmap level, relative to the eye.
    pub(crate) fn bounds(&self, node: &Node) -> Bounds {
        let (near, cells) = (&self.window(node).near, self.cells(node));
        let first = node.first.map(|at| at as usize);
        let end = [0, 1].map(|axis| first[axis] + cells[axis]);
        let (low, high) = near.roofs.between(first, end);
        let along = |axis: usize, at: usize| ((at as f64 - near.eye[axis]) * near.spacing) as f32;
        let up = |height: f32| (f64::from(height) - near.above) as f32;
        Bounds {
            low: Vec3::new(along(0, first[0]), up(low), along(1, first[1])),
            high: Vec3::new(along(0, end[0]), up(high), along(1, end[1])),
        }
    }

    /// Indices of all levels.
    pub(crate) fn windows(&self) -> std::ops::RangeInclusive<u32> {
        1..=self.windows.len() as u32
    }

    /// Uniforms of `common/ground.glsl` for a clipmap level, in place of the map's.
    pub(crate) fn uniforms(&self, window: u32) -> impl Uniforms + '_ {
        let window = &self.windows[window as usize - 1];
        let near = &window.near;
        let whole = near.eye.map(f64::floor);
        let part = [0, 1].map(|axis| (near.eye[axis] - whole[axis]) as f32);
        let last = near.samples.map(|count| count as i32 - 1);
        let patch = (self.block as f64 * near.spacing) as f32;
        uniform! {
            heights: window.heights,
            window_corner: window.corner.map(|at| at as i32),
            last_sample: last,
            eye_cell: whole.map(|at| at as i32),
            eye_part: part,
            cell: near.spacing as f32,
            eye_above_datum: near.above as f32,
            eye_above: self.high as f32,
            morph_range: morph_range(patch, self.detail as f32),
        }
    }

    /// Position of a level's cells in tiles: its first sample, and a cell's fraction of a tile.
    pub(crate) fn place_in_tiles(&self, window: u32, tiling: &Tiling) -> impl Uniforms + use<> {
        let first = self.windows[window as usize - 1].first;
        let cells = tiling
            .last
            .map(|last| f64::from(last) / f64::from(tiling.tiles));
        let cells = cells.map(|cells| cells * f64::from(window).exp2());
        uniform! {
            first_tile: [0, 1].map(|axis| (first[axis] as f64 / cells[axis]) as f32),
            tile_a_cell: cells.map(|cells| cells.recip() as f32),
        }
    }
}
