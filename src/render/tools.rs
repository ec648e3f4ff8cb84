//! Drawing tools independent of the landscape: programs, meshes and options.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use glium::backend::{Context, Facade};
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniforms::Uniforms;
use glium::{DrawParameters, Program, Surface, VertexBuffer, uniform};

use crate::render::error::{Refused, Result};
use crate::render::gl::programs::{Programs, Shader};
use crate::render::gl::texture;
use crate::render::meshes::{Corner, Meshes, instances};

/// Method of drawing the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundPath {
    /// Rasterized triangles; small ones are slow on software drivers.
    Raster,
    /// Ray casting on the CPU, in `landscape` and smooth `triangles`, wherever it shows the whole view;
    /// triangles elsewhere.
    RayCast,
}

/// Programs and meshes.
pub(super) struct Tools {
    pub(super) programs: Programs,
    pub(super) meshes: Meshes,
    /// True to draw every cell, without level of detail and culling.
    pub(super) full_detail: Cell<bool>,
    /// Method of drawing the ground, once known.
    pub(super) way: Cell<Option<GroundPath>>,
}

impl Tools {
    pub(super) fn new(facade: &impl Facade) -> Result<Self> {
        Ok(Self {
            programs: Programs::new(facade.get_context()),
            meshes: Meshes::new(facade.get_context())?,
            full_detail: Cell::new(false),
            way: Cell::new(None),
        })
    }

    /// Method of drawing the ground: as set, or the faster one on this driver, measured once.
    pub(super) fn way(&self, context: &Rc<Context>) -> Result<GroundPath> {
        if let Some(way) = self.way.get() {
            return Ok(way);
        }
        let is_slow = is_slow(context, self.program(Shader::Backdrop)?)?;
        let way = match is_slow {
            true => GroundPath::RayCast,
            false => GroundPath::Raster,
        };
        self.way.set(Some(way));
        Ok(way)
    }

    /// The program of a shader.
    pub(super) fn program(&self, shader: Shader) -> Result<&Program> {
        self.programs.get(shader)
    }

    /// The program of a shader, for a draw with these uniforms. Debug builds check that none is missing: OpenGL
    /// would take it for 0, and the picture would be wrong without an error.
    ///
    /// # Panics
    /// In debug builds, if a uniform of the compiled program is missing.
    pub(super) fn program_with(&self, shader: Shader, given: &impl Uniforms) -> Result<&Program> {
        let program = self.program(shader)?;
        if cfg!(debug_assertions) {
            let mut missing: BTreeSet<&str> = program.uniforms().map(|(name, _)| &**name).collect();
            given.visit_values(|name, _| {
                missing.remove(name);
            });
            assert!(missing.is_empty(), "{shader:?} lacks {missing:?}");
        }
        Ok(program)
    }

    /// Draw over the whole viewport.
    pub(super) fn fill(
        &self,
        surface: &mut impl Surface,
        shader: Shader,
        uniforms: &impl Uniforms,
        parameters: &DrawParameters<'_>,
    ) -> Result {
        let (screen, triangles) = (&self.meshes.screen, PrimitiveType::TrianglesList);
        let program = self.program_with(shader, uniforms)?;
        surface
            .draw(screen, NoIndices(triangles), program, uniforms, parameters)
            .refused("a draw over the picture")
    }

    /// Create a texture filled by a shader, without mipmaps.
    pub(super) fn texture(
        &self,
        context: &Rc<Context>,
        format: UncompressedFloatFormat,
        size: (u32, u32),
        shader: Shader,
        uniforms: &impl Uniforms,
    ) -> Result<Texture2d> {
        let what = "a texture that is drawn";
        let texture = texture::empty(context, format, size, what)?;
        let mut surface = SimpleFrameBuffer::new(context, &texture).refused(what)?;
        self.fill(&mut surface, shader, uniforms, &DrawParameters::default())?;
        Ok(texture)
    }

    /// Draw a square for each instance, if there are any.
    pub(super) fn draw_squares<T: Copy>(
        &self,
        surface: &mut impl Surface,
        shader: Shader,
        each: &VertexBuffer<T>,
        uniforms: &impl Uniforms,
        parameters: &DrawParameters<'_>,
    ) -> Result {
        if each.len() == 0 {
            return Ok(());
        }
        let squares = (&self.meshes.square, instances(each, "a list of squares")?);
        let strip = NoIndices(PrimitiveType::TriangleStrip);
        surface
            .draw(
                squares,
                strip,
                self.program_with(shader, uniforms)?,
                uniforms,
                parameters,
            )
            .refused("a list of squares")
    }
}

/// Rows and columns of triangles in the benchmark.
const SIDE: u16 = 128;
/// Time per triangle above which a driver counts as slow.
const SLOW: Duration = Duration::from_nanos(20);
/// Repetitions; the fastest counts, since other programs may slow down some.
const ROUNDS: usize = 4;

/// Benchmark of the driver's triangle rate: true if pixel-sized triangles are slow to draw with this program,
/// which fills a screen. Software drivers are some hundred times slower than graphics cards; for them the
/// ground is ray cast on the CPU.
fn is_slow(context: &Rc<Context>, program: &Program) -> Result<bool> {
    let what = "a measurement";
    let side = u32::from(SIDE);
    let format = UncompressedFloatFormat::U8U8U8U8;
    let texture = texture::empty(context, format, (side, side), what)?;
    let mut surface = SimpleFrameBuffer::new(context, &texture).refused(what)?;
    let place = |at: u16| f32::from(at) / f32::from(SIDE) * 2.0 - 1.0;
    let triangle = |index: u16| {
        let [x, y] = [index % SIDE, index / SIDE];
        [[x, y], [x + 1, y], [x, y + 1]].map(|corner| Corner {
            corner: corner.map(place),
        })
    };
    let triangles: Vec<_> = (0..SIDE * SIDE).flat_map(triangle).collect();
    let triangles = VertexBuffer::new(context, &triangles).refused(what)?;
    let uniforms = uniform! { top: [0.0_f32; 3], bottom: [1.0_f32; 3], invert: false };
    let mut quickest = Duration::MAX;
    for _ in 0..ROUNDS {
        context.finish();
        let began = Instant::now();
        let all = NoIndices(PrimitiveType::TrianglesList);
        surface
            .draw(&triangles, all, program, &uniforms, &Default::default())
            .refused(what)?;
        // Without waiting, only the submission would be measured.
        context.finish();
        quickest = quickest.min(began.elapsed());
    }
    let each = quickest / (side * side);
    log::debug!(
        "the driver draws a small triangle in {} ns",
        each.as_nanos()
    );
    Ok(each > SLOW)
}
