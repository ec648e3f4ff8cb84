//! What is drawn with, whatever the landscape.

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

/// How the ground of a picture is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Drawn as triangles, of which small ones take drivers in software long.
    Triangles,
    /// By vertical planes through the eye, in `landscape` and smooth `triangles`, wherever these see all of it; otherwise as
    /// triangles.
    Planes,
}

/// Programs and meshes.
pub(super) struct Tools {
    pub(super) programs: Programs,
    pub(super) meshes: Meshes,
    /// Whether every cell is drawn however far away, seen or not.
    pub(super) full_detail: Cell<bool>,
    /// How ground is found, once that is known.
    pub(super) way: Cell<Option<Way>>,
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

    /// How ground is found: if nobody has said, the quicker way on this driver, measured once.
    pub(super) fn way(&self, context: &Rc<Context>) -> Result<Way, RenderError> {
        if let Some(way) = self.way.get() {
            return Ok(way);
        }
        let is_slow = driver::is_slow(context, self.program(Shader::Backdrop)?)?;
        let way = if is_slow { Way::Planes } else { Way::Triangles };
        self.way.set(Some(way));
        Ok(way)
    }

    /// The program of that shader.
    pub(super) fn program(&self, shader: Shader) -> Result<&Program, RenderError> {
        self.programs.get(shader)
    }

    /// Draws over the whole viewport.
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

    /// A texture that a shader fills, without mipmaps.
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

    /// Draws a square for each of these, if there are any.
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
