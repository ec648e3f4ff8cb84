//! The ground: the patch of `meshes`, drawn by instances wherever `lod` says.

use glam::{Mat4, Vec3};
use glium::framebuffer::SimpleFrameBuffer;
use glium::uniforms::Uniforms;
use glium::{BackfaceCullingMode, DrawParameters, Rect, Surface, VertexBuffer, uniform};

use super::lod::{self, FULL_DETAIL};
use super::place;
use super::sides;
use super::tiling::{Node, Tiling};
use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::Shader;
use crate::render::gl::values::{Values, joined};
use crate::render::meshes;
use crate::render::meshes::patch::{BLOCK, CellPart};
use crate::render::pass::{DrawStats, Pass};
use crate::render::schedule::{PatchRange, Plan};
use crate::render::textures::heights::HeightTexture;
use crate::render::view::camera::Eye;
use crate::render::view::frame::Frame;

/// Cells a side up to which a map is drawn in full, over at most `FULL_DETAIL_TOTAL` in all.
const FULL_DETAIL_CELLS: i32 = 64;
const FULL_DETAIL_TOTAL: i32 = 512;
/// Detail is stated for a picture of 720 rows and a field of view of 60°.
const PIXELS_PER_RADIAN: f32 = 623.5;

#[derive(Clone, Copy)]
struct PatchPlace {
    node: [i32; 3],
}
glium::implement_vertex!(PatchPlace, node);

/// The part of the ground that a camera sees, ready to draw.
pub(crate) struct Seen<'a> {
    map: &'a HeightTexture,
    tiling: Tiling,
    nodes: Vec<Node>,
    /// The part of the picture in which they are drawn, if not that of the pass.
    within: Option<Rect>,
    eye: Vec3,
    eye_above: f32,
    morph_range: [f32; 2],
    clip_from_world: Mat4,
    hides_lower_side: bool,
    /// Distances of the nearest and the farthest part.
    pub(crate) distances: (f32, f32),
    /// Near and far plane.
    pub(crate) depths: (f32, f32),
}

impl<'a> Seen<'a> {
    /// What the scene's camera sees of `map`, at the scene's detail unless the map is small.
    /// `detail` is that for an error of one pixel: a patch is split within so many of its sizes.
    pub(crate) fn new(pass: &Pass<'_>, map: &'a HeightTexture, detail: f32) -> Self {
        Self::by_eye(pass, map, detail, pass.eye())
    }

    /// What water at `level` mirrors of `map`: what is above it.
    pub(crate) fn mirrored(
        pass: &Pass<'_>,
        map: &'a HeightTexture,
        detail: f32,
        level: f32,
    ) -> Self {
        let mut seen = Self::by_eye(pass, map, detail, pass.eye().mirrored(level));
        seen.nodes = lod::above(seen.nodes, map, &seen.tiling, level);
        // What is upside down turns its upper side the other way.
        seen.hides_lower_side = false;
        seen
    }

    fn by_eye(pass: &Pass<'_>, map: &'a HeightTexture, detail: f32, eye: Eye) -> Self {
        let view = &pass.scene.view;
        let side = map.layout.cells[0].max(map.layout.cells[1]);
        let tiles = view.tile.clamp(1, FULL_DETAIL_TOTAL as u32) as i32;
        let small = side <= FULL_DETAIL_CELLS && side * tiles <= FULL_DETAIL_TOTAL;
        let detail = if small || pass.tools.full_detail {
            FULL_DETAIL
        } else {
            // As fine in pixels whatever the size of the picture and the angle of view.
            let fineness = eye.pixels_per_radian / PIXELS_PER_RADIAN;
            (detail * fineness).max(lod::COARSEST) / view.detail
        };
        let (block, detail) = lod::patches(detail);
        let tiling = Tiling::new(&map.layout, view.tile, block);
        let floor = sides::floor(map, pass.scene);
        let selection = lod::select(map, &tiling, floor, &eye, detail);
        let (near, far) = eye.depth_range(selection.nearest, selection.farthest);
        let mut nodes = if pass.tools.full_detail {
            lod::uniform(&tiling, 1)
        } else {
            selection.nodes
        };
        if let Some((low, high)) = pass.frame.part() {
            // Chosen for the whole picture, so that its pieces agree; drawn where they are seen.
            let frustum = eye.part_frustum(low, high);
            nodes = lod::touching(nodes, map, &tiling, floor, &frustum);
        }
        Self {
            map,
            tiling,
            nodes,
            within: None,
            eye: eye.position,
            eye_above: lod::height_above(map, eye.position),
            morph_range: lod::morph_range(&map.layout, &tiling, detail),
            clip_from_world: eye.clip_from_world(near, far),
            hides_lower_side: lod::is_above_ground(map, &tiling, eye.position),
            distances: (selection.nearest, selection.farthest),
            depths: (near, far),
        }
    }

    /// Plans to draw all of it in that frame, where a patch takes as long as `worth` pixels around
    /// it.
    pub(crate) fn plan(&self, frame: &Frame, worth: u64) -> Plan {
        let low = self.map.range.0;
        let place = |node: &Node| {
            let bounds = lod::bounds(self.map, &self.tiling, low, *node);
            frame.place(&bounds, self.clip_from_world)
        };
        Plan {
            places: self.nodes.iter().map(place).collect(),
            worth,
        }
    }

    /// The same ground with a range of its patches only.
    pub(crate) fn only(&self, range: PatchRange) -> Self {
        let nodes = self.nodes.iter().skip(range.first).take(range.count);
        Self {
            nodes: nodes.copied().collect(),
            within: range.within,
            ..*self
        }
    }

    /// The same ground with its lower side, wherever the eye is: for what can be seen through.
    pub(crate) fn with_lower_side(self) -> Self {
        Self {
            hides_lower_side: false,
            ..self
        }
    }

    /// One tile from straight above in parallel projection, north in the first row.
    pub(crate) fn from_above(map: &'a HeightTexture) -> Self {
        let tiling = Tiling::new(&map.layout, 1, BLOCK as i32);
        let side = map.layout.cells[0].max(map.layout.cells[1]).max(1) as u32;
        // What is seen of a cell comes from the map's textures, so the mesh may be coarse.
        let stride = side.div_ceil(512).next_power_of_two() as i32;
        let [width, depth] = map
            .layout
            .side
            .map(|side| 2.0 / side.max(f32::MIN_POSITIVE));
        Self {
            map,
            tiling,
            nodes: lod::uniform(&tiling, stride),
            within: None,
            eye: Vec3::ZERO,
            eye_above: 0.0,
            morph_range: lod::morph_range(&map.layout, &tiling, FULL_DETAIL),
            clip_from_world: Mat4::from_cols_array_2d(&[
                [width, 0.0, 0.0, 0.0],
                [0.0, 0.0, 0.0, 0.0],
                [0.0, depth, 0.0, 0.0],
                [0.0, 0.0, 0.0, 1.0],
            ]),
            hides_lower_side: false,
            distances: (0.0, 0.0),
            depths: (0.0, 0.0),
        }
    }

    /// Draws it with `shader`, whose own uniforms are `uniforms`.
    pub(crate) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        part: CellPart,
        shader: Shader,
        uniforms: &Values<'_>,
        mut parameters: DrawParameters<'_>,
    ) -> Result<DrawStats, RenderError> {
        if self.nodes.is_empty() {
            return Ok(DrawStats::default());
        }
        let instances: Vec<_> = self
            .nodes
            .iter()
            .map(|node| PatchPlace {
                node: [node.first[0], node.first[1], node.stride],
            })
            .collect();
        let instances =
            VertexBuffer::new(pass.context, &instances).refused("the list of patches")?;
        let (place, mesh) = (self.uniforms(pass), self.mesh());
        parameters.scissor = self.within.or(parameters.scissor);
        if self.hides_lower_side {
            parameters.backface_culling = BackfaceCullingMode::CullClockwise;
        }
        let indices = pass.tools.meshes.patch.indices(part, self.tiling.block);
        let instances = meshes::instances(&instances, "the ground")?;
        surface
            .draw(
                (&pass.tools.meshes.patch.corners, instances),
                indices,
                pass.tools.program(shader)?,
                &joined!(place, mesh, uniforms),
                &parameters,
            )
            .refused("the ground")?;
        Ok(self.stats(part))
    }

    /// Where the ground lies, for shaders.
    pub(crate) fn uniforms(&self, pass: &Pass<'_>) -> impl Uniforms + use<> {
        let tiles = self.tiling.tiles as f32;
        place(pass, self.map, tiles, self.eye, self.clip_from_world)
    }

    /// What `common/ground.glsl` needs besides.
    fn mesh(&self) -> impl Uniforms + '_ {
        uniform! {
            heights: self.map.exact(),
            last_sample: self.tiling.last,
            period: self.tiling.period,
            eye_above: self.eye_above,
            morph_range: self.morph_range,
        }
    }

    /// Draws the sides and the floor below the border with `shader`, whose own uniforms besides
    /// `base` are `uniforms`.
    pub(crate) fn draw_skirt(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        shader: Shader,
        uniforms: &Values<'_>,
    ) -> Result<(), RenderError> {
        let sides = sides::sides(&self.nodes, &self.tiling);
        let sides = VertexBuffer::new(pass.context, &sides).refused("the list of sides")?;
        let sides = meshes::instances(&sides, "the sides")?;
        let own = uniform! {
            base: sides::floor(self.map, pass.scene),
            block: self.tiling.block,
        };
        let (place, mesh) = (self.uniforms(pass), self.mesh());
        surface
            .draw(
                (&pass.tools.meshes.skirt.corners, sides),
                pass.tools.meshes.skirt.triangles(self.tiling.block)?,
                pass.tools.program(shader)?,
                &joined!(place, mesh, own, uniforms),
                &pass.with_depth(),
            )
            .refused("the sides")
    }

    fn stats(&self, part: CellPart) -> DrawStats {
        let cells = |node: &Node| {
            let along = |axis: usize| {
                let left = self.tiling.last[axis] - node.first[axis];
                ((left + node.stride - 1) / node.stride).min(self.tiling.block) as usize
            };
            (along(0), along(1))
        };
        let count =
            |each: fn((usize, usize)) -> usize| self.nodes.iter().map(cells).map(each).sum();
        let (triangles, lines) = match part {
            CellPart::Faces => (count(|(x, z)| 2 * x * z), 0),
            CellPart::Edges => (0, count(|(x, z)| 2 * x * z + x + z)),
        };
        DrawStats {
            triangles,
            lines,
            patches: self.nodes.len(),
        }
    }
}
