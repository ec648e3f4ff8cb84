//! Drawing tools independent of the landscape: programs, meshes and options.

use std::cell::Cell;
use std::rc::Rc;

use glium::backend::{Context, Facade};
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniforms::Uniforms;
use glium::{DrawParameters, Program, Surface, VertexBuffer};

use super::driver;
use super::error::{Refused, RenderError};
use super::gl::programs::{Programs, Shader};
use super::gl::texture;
use super::meshes::{Meshes, instances};

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
    pub(super) fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self {
            programs: Programs::new(facade.get_context()),
            meshes: Meshes::new(facade.get_context())?,
            full_detail: Cell::new(false),
            way: Cell::new(None),
        })
    }

    /// Method of drawing the ground: as set, or the faster one on this driver, measured once.
    pub(super) fn way(&self, context: &Rc<Context>) -> Result<GroundPath, RenderError> {
        if let Some(way) = self.way.get() {
            return Ok(way);
        }
        let is_slow = driver::is_slow(context, self.program(Shader::Backdrop)?)?;
        let way = if is_slow {
            GroundPath::RayCast
        } else {
            GroundPath::Raster
        };
        self.way.set(Some(way));
        Ok(way)
    }

    /// The program of a shader.
    pub(super) fn program(&self, shader: Shader) -> Result<&Program, RenderError> {
        self.programs.get(shader)
    }

    /// Draw over the whole viewport.
    pub(super) fn fill(
        &self,
        surface: &mut impl Surface,
        shader: Shader,
        uniforms: &impl Uniforms,
        parameters: &DrawParameters<'_>,
    ) -> Result<(), RenderError> {
        let (screen, triangles) = (&self.meshes.screen, PrimitiveType::TrianglesList);
        let program = self.program(shader)?;
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
    ) -> Result<Texture2d, RenderError> {
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
    ) -> Result<(), RenderError> {
        if each.len() == 0 {
            return Ok(());
        }
        let squares = (&self.meshes.square, instances(each, "a list of squares")?);
        let strip = NoIndices(PrimitiveType::TriangleStrip);
        surface
            .draw(squares, strip, self.program(shader)?, uniforms, parameters)
            .refused("a list of squares")
    }
}
