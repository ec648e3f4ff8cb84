//! Ground rasterized as instances of one patch mesh, at the positions selected by `lod`.

use std::rc::Rc;

use glam::{Mat4, Vec3};
use glium::framebuffer::SimpleFrameBuffer;
use glium::uniforms::Uniforms;
use glium::{BackfaceCullingMode, DrawParameters, Rect, Surface, VertexBuffer, uniform};

use super::deep::{self, Deep};
use super::lod::{self, FULL_DETAIL};
use super::place;
use super::sides;
use super::tiling::{COARSEST, Node, Tiling, morph_range};
use crate::pipeline::Depth;
use crate::render::clipmap::Clipmap;
use crate::render::error::{Refused, RenderError};
use crate::render::frame_budget::PatchRange;
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, joined};
use crate::render::meshes;
use crate::render::meshes::{BLOCK, CellPart};
use crate::render::pass::{DrawStats, Pass};
use crate::render::progressive_frame::Plan;
use crate::render::textures::heights::HeightTexture;
use crate::render::view::{Eye, Frame};

/// Maximum number of cells per side of a map that is drawn in full, and the maximum over all tiles.
const FULL_DETAIL_CELLS: i32 = 64;
const FULL_DETAIL_TOTAL: i32 = 512;
/// Reference of the detail setting: a picture of 720 rows with a field of view of 60°.
const PIXELS_PER_RADIAN: f32 = 623.5;

#[derive(Clone, Copy)]
struct PatchPlace {
    node: [i32; 3],
}
glium::implement_vertex!(PatchPlace, node);

impl PatchPlace {
    fn of(node: &Node) -> Self {
        Self {
            node: [node.first[0], node.first[1], node.stride],
        }
    }
}

/// The visible part of the ground, ready to draw.
pub(crate) struct Seen<'a> {
    map: &'a HeightTexture,
    tiling: Tiling,
    nodes: Vec<Node>,
    /// Clipmap levels below the map, if visible.
    below: Option<Rc<Deep<'a>>>,
    /// Scissor rectangle, if it differs from the pass's.
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
    /// Select the visible part of `map` at the scene's detail; small maps are drawn in full. `detail` is the
    /// split distance, in patch sizes, for a screen-space error of one pixel.
    pub(crate) fn new(pass: &Pass<'_>, map: &'a HeightTexture, detail: f32) -> Self {
        Self::by_eye(pass, map, detail, pass.eye(), None)
    }

    /// Select the visible part of `map` as [`Seen::new`] does, with the clipmap levels of the picture.
    pub(crate) fn endless(pass: &Pass<'a>, map: &'a HeightTexture, detail: f32) -> Self {
        let below = pass.frame.depth.map(|depth| (pass.clipmap, depth));
        Self::by_eye(pass, map, detail, pass.eye(), below)
    }

    /// Select the part of `map` above `level`, for the reflection in water.
    pub(crate) fn mirrored(
        pass: &Pass<'_>,
        map: &'a HeightTexture,
        detail: f32,
        level: f32,
    ) -> Self {
        let mut seen = Self::by_eye(pass, map, detail, pass.eye().mirrored(level), None);
        seen.nodes = lod::above(seen.nodes, map, &seen.tiling, level);
        // Mirroring reverses the winding order.
        seen.hides_lower_side = false;
        seen
    }

    fn by_eye(
        pass: &Pass<'_>,
        map: &'a HeightTexture,
        detail: f32,
        eye: Eye,
        below: Option<(&'a Clipmap, Depth)>,
    ) -> Self {
        let view = &pass.scene.view;
        let side = map.layout.cells[0].max(map.layout.cells[1]);
        let tiles = view.tile.clamp(1, FULL_DETAIL_TOTAL as u32) as i32;
        let small = side <= FULL_DETAIL_CELLS && side * tiles <= FULL_DETAIL_TOTAL;
        // The same fineness in pixels for any picture size and field of view.
        let fineness = eye.pixels_per_radian / PIXELS_PER_RADIAN;
        let asked = (detail * fineness).max(COARSEST) / view.detail;
        let is_whole = small || pass.tools.full_detail.get();
        let (block, detail) = lod::patches(if is_whole { FULL_DETAIL } else { asked });
        let mut tiling = Tiling::new(&map.layout, view.tile, block);
        let floor = sides::floor(map, pass.scene);
        let mut selection = lod::select(map, &tiling, floor, &eye, detail, None);
        let (near, far) = eye.depth_range(selection.nearest, selection.farthest);
        let below = below.and_then(|(clipmap, depth)| {
            let mut below_detail = detail;
            if is_whole {
                // A map of few cells has cells larger than patches of many.
                (tiling.block, below_detail) = lod::patches(asked.min(Deep::detail_asked(&depth)));
            }
            Deep::new(clipmap, &depth, &tiling, below_detail, eye)
        });
        if let Some(below) = &below {
            let chosen = lod::select(map, &tiling, floor, &eye, detail, Some(below));
            // The distance of the nearest patch depends on the splitting, so the first selection's is kept.
            selection.nodes = chosen.nodes;
        }
        let mut nodes = if pass.tools.full_detail.get() {
            lod::uniform(&tiling, 1)
        } else {
            selection.nodes
        };
        if let Some((low, high)) = pass.frame.part() {
            // Selected for the whole picture, so that all pieces agree; culled to the piece.
            let frustum = eye.part_frustum(low, high);
            let deep = below
                .as_ref()
                .map(|below| (below, below.frustum(Some((low, high)))));
            nodes.retain(|node| match &deep {
                Some((below, frustum)) if node.window > 0 => frustum.touches(&below.bounds(node)),
                _ => frustum.touches(&lod::bounds(map, &tiling, floor, *node)),
            });
        }
        Self {
            map,
            tiling,
            nodes,
            below: below.map(Rc::new),
            within: None,
            eye: eye.position,
            eye_above: lod::height_above(map, eye.position),
            morph_range: morph_range(tiling.block as f32 * map.layout.spacing, detail),
            clip_from_world: eye.clip_from_world(near, far),
            hides_lower_side: lod::is_above_ground(map, &tiling, eye.position),
            distances: (selection.nearest, selection.farthest),
            depths: (near, far),
        }
    }

    /// Plan the drawing of all patches in `frame`; `worth` is the cost of a patch in pixels.
    pub(crate) fn plan(&self, frame: &Frame, worth: u64) -> Plan {
        let low = self.map.range.0;
        let place = |node: &Node| match &self.below {
            Some(below) if node.window > 0 => {
                frame.place(&below.bounds(node), below.clip_from_eye())
            }
            _ => {
                let bounds = lod::bounds(self.map, &self.tiling, low, *node);
                frame.place(&bounds, self.clip_from_world)
            }
        };
        Plan {
            places: self.nodes.iter().map(place).collect(),
            worth,
        }
    }

    /// Restrict the ground to a range of its patches.
    pub(crate) fn only(&self, range: PatchRange) -> Self {
        let nodes = self.nodes.iter().skip(range.first).take(range.count);
        Self {
            nodes: nodes.copied().collect(),
            below: self.below.clone(),
            within: range.within,
            ..*self
        }
    }

    /// Disable culling of the underside, for transparent drawing.
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
        // Shading comes from the map's textures, so the mesh may be coarse.
        let stride = side.div_ceil(512).next_power_of_two() as i32;
        let [width, depth] = map
            .layout
            .side
            .map(|side| 2.0 / side.max(f32::MIN_POSITIVE));
        Self {
            map,
            tiling,
            nodes: lod::uniform(&tiling, stride),
            below: None,
            within: None,
            eye: Vec3::ZERO,
            eye_above: 0.0,
            morph_range: morph_range(tiling.block as f32 * map.layout.spacing, FULL_DETAIL),
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

    /// Clipmap levels below the map, if visible.
    pub(crate) fn below(&self) -> Option<&Deep<'a>> {
        self.below.as_deref()
    }

    /// Draw the ground with `shader` and its own `uniforms`.
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
        parameters.scissor = self.within.or(parameters.scissor);
        if self.hides_lower_side {
            parameters.backface_culling = BackfaceCullingMode::CullClockwise;
        }
        let mut draw = |nodes: &mut dyn Iterator<Item = &Node>, shader, uniforms: &Values<'_>| {
            let places: Vec<_> = nodes.map(PatchPlace::of).collect();
            if places.is_empty() {
                return Ok(());
            }
            let places = VertexBuffer::new(pass.context, &places).refused("the list of patches")?;
            let meshes = &pass.tools.meshes;
            let instances = meshes::instances(&places, "the ground")?;
            surface
                .draw(
                    (&meshes.patch.corners, instances),
                    meshes.patch.indices(part, self.tiling.block),
                    pass.tools.program_with(shader, uniforms)?,
                    uniforms,
                    &parameters,
                )
                .refused("the ground")
        };
        let (place, mesh) = (self.uniforms(pass), self.mesh());
        let of = |window: u32| self.nodes.iter().filter(move |node| node.window == window);
        draw(&mut of(0), shader, &joined!(place, mesh, uniforms))?;
        let Some(below) = &self.below else {
            return Ok(self.stats(part));
        };
        let tiles = self.tiling.tiles as f32;
        let eye = super::place(pass, self.map, tiles, Vec3::ZERO, below.clip_from_eye());
        for window in below.windows() {
            let place = below.place_in_tiles(window, &self.tiling);
            let mesh = below.uniforms(window);
            let uniforms = joined!(eye, place, mesh, uniforms);
            draw(&mut of(window), deep::shader_below(shader), &uniforms)?;
        }
        Ok(self.stats(part))
    }

    /// Uniforms of the ground's position.
    pub(crate) fn uniforms(&self, pass: &Pass<'_>) -> impl Uniforms + use<> {
        let tiles = self.tiling.tiles as f32;
        place(pass, self.map, tiles, self.eye, self.clip_from_world)
    }

    /// Further uniforms of `common/ground.glsl`.
    fn mesh(&self) -> impl Uniforms + '_ {
        uniform! {
            heights: self.map.exact(),
            last_sample: self.tiling.last,
            period: self.tiling.period,
            eye_above: self.eye_above,
            morph_range: self.morph_range,
        }
    }

    /// Number of visible patches.
    pub(crate) fn patches(&self) -> usize {
        self.nodes.len()
    }

    /// Draw the sides and the floor below the border with `shader`, above a height that is told from the eye;
    /// `uniforms` are its own, besides those of `skirt.vert`.
    pub(crate) fn draw_skirt(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        shader: Shader,
        uniforms: &Values<'_>,
        above: f32,
    ) -> Result<(), RenderError> {
        let parameters = DrawParameters {
            clip_planes_bitmask: 1,
            ..pass.with_depth()
        };
        let sides = sides::sides(&self.nodes, &self.tiling);
        let sides = VertexBuffer::new(pass.context, &sides).refused("the list of sides")?;
        let sides = meshes::instances(&sides, "the sides")?;
        let own = uniform! {
            base: sides::floor(self.map, pass.scene),
            block: self.tiling.block,
            water_above_eye: above,
        };
        let (place, mesh) = (self.uniforms(pass), self.mesh());
        let uniforms = joined!(place, mesh, own, uniforms);
        surface
            .draw(
                (&pass.tools.meshes.skirt.corners, sides),
                pass.tools.meshes.skirt.triangles(self.tiling.block)?,
                pass.tools.program_with(shader, &uniforms)?,
                &uniforms,
                &parameters,
            )
            .refused("the sides")
    }

    fn stats(&self, part: CellPart) -> DrawStats {
        let cells = |node: &Node| {
            if let Some(below) = self.below.as_ref().filter(|_| node.window > 0) {
                let [x, z] = below.cells(node);
                return (x, z);
            }
            let along = |axis: usize| {
                let left = self.tiling.last[axis] - node.first[axis];
                ((left + node.stride - 1) / node.stride).min(self.tiling.block) as usize
            };
            (along(0), along(1))
        };
        let count =
            |each: fn((usize, usize)) -> usize| self.nodes.iter().map(&cells).map(each).sum();
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
