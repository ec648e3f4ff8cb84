//! What is drawn with, whatever the landscape.

use std::rc::Rc;

use glium::backend::{Context, Facade};
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniforms::Uniforms;
use glium::{DrawParameters, Program, Surface, VertexBuffer};

use super::error::{Refused, RenderError};
use super::gl::programs::{Programs, Shader};
use super::gl::texture;
use super::meshes::{Meshes, instances};

/// Programs and meshes.
pub(super) struct Tools {
    pub(super) programs: Programs,
    pub(super) meshes: Meshes,
    /// Whether every cell is drawn however far away, seen or not.
    pub(super) full_detail: bool,
}

impl Tools {
    pub(super) fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self {
            programs: Programs::new(facade.get_context()),
            meshes: Meshes::new(facade.get_context())?,
            full_detail: false,
        })
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
