//! Cached UI layer: the interface is painted into a texture when it changes, and blended over every picture.
//!
//! Where there is no picture below, the layer is opaque.

use glium::backend::Facade;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::{Blend, DrawParameters, Rect, Surface, VertexBuffer, uniform};

use super::error::{Refused, RenderError, Result};
use super::gl::blend::premultiplied_over;
use super::gl::programs::{Programs, Shader};
use super::gl::texture;
use super::meshes::Corner;

/// A texture with alpha, of the size of a window.
pub struct CachedUiLayer {
    size: (u32, u32),
    programs: Programs,
    /// sRGB, premultiplied by alpha.
    texture: Texture2d,
    /// Painted areas: opaque ones, and translucent ones.
    places: [Option<VertexBuffer<Corner>>; 2],
}

impl CachedUiLayer {
    /// Create a layer of `size` in pixels: 4 bytes each on the graphics card. Its contents are undefined
    /// until filled.
    ///
    /// # Errors
    /// The driver is out of memory, or a shader does not compile.
    pub fn new(facade: &impl Facade, size: (u32, u32)) -> Result<Self, RenderError> {
        let programs = Programs::new(facade.get_context());
        programs.get(Shader::CachedUiLayer)?;
        Ok(Self {
            size,
            programs,
            texture: empty(facade, size)?,
            places: [None, None],
        })
    }

    /// Resize the layer. Its contents are undefined until filled.
    ///
    /// # Errors
    /// The driver is out of memory.
    pub fn resized(self, facade: &impl Facade, size: (u32, u32)) -> Result<Self, RenderError> {
        if self.size == size {
            return Ok(self);
        }
        Ok(Self {
            size,
            texture: empty(facade, size)?,
            ..self
        })
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Fill these rectangles, counted from the lower left, each with a premultiplied sRGB colour and alpha.
    /// Returns the surface to paint on, with such colours.
    ///
    /// # Errors
    /// The driver reports an error.
    pub fn filled(
        &self,
        facade: &impl Facade,
        rectangles: impl IntoIterator<Item = (Rect, [f32; 4])>,
    ) -> Result<SimpleFrameBuffer<'_>, RenderError> {
        let surface = SimpleFrameBuffer::new(facade, &self.texture);
        let mut surface = surface.refused("the interface")?;
        for (rectangle, color) in rectangles {
            surface.clear(Some(&rectangle), Some(color.into()), false, None, None);
        }
        Ok(surface)
    }

    /// Set the painted areas, `opaque` ones and translucent ones (`through`): disjoint rectangles, counted
    /// from the lower left. Nothing is drawn elsewhere.
    ///
    /// # Errors
    /// The driver reports an error.
    pub fn note_places(
        &mut self,
        facade: &impl Facade,
        opaque: &[Rect],
        through: &[Rect],
    ) -> Result<(), RenderError> {
        let triangles = |rectangles: &[Rect]| {
            let corners: Vec<_> = rectangles
                .iter()
                .flat_map(|rect| self.corners(rect))
                .collect();
            let places = (!corners.is_empty()).then(|| VertexBuffer::new(facade, &corners));
            places.transpose().refused("the interface")
        };
        self.places = [triangles(opaque)?, triangles(through)?];
        Ok(())
    }

    /// The corners of two triangles that cover the rectangle.
    fn corners(&self, rect: &Rect) -> [Corner; 6] {
        let clip = |at: u32, side: u32| at as f32 / side as f32 * 2.0 - 1.0;
        let [left, right] = [rect.left, rect.left + rect.width].map(|x| clip(x, self.size.0));
        let [low, high] = [rect.bottom, rect.bottom + rect.height].map(|y| clip(y, self.size.1));
        let corner = |x, y| Corner { corner: [x, y] };
        let [a, b] = [corner(left, low), corner(right, low)];
        let [c, d] = [corner(right, high), corner(left, high)];
        [a, b, c, a, c, d]
    }

    /// Blend the layer over `target`, which has the same size.
    ///
    /// # Errors
    /// The driver reports an error.
    pub fn lay(&self, target: &mut impl Surface) -> Result<(), RenderError> {
        let program = self.programs.get(Shader::CachedUiLayer)?;
        let uniforms = uniform! { glass: self.texture.sampled() };
        for (places, blend) in self
            .places
            .iter()
            .zip([Blend::default(), premultiplied_over()])
        {
            let Some(places) = places else {
                continue;
            };
            let triangles = NoIndices(PrimitiveType::TrianglesList);
            let parameters = DrawParameters {
                blend,
                ..DrawParameters::default()
            };
            target
                .draw(places, triangles, program, &uniforms, &parameters)
                .refused("the interface")?;
        }
        Ok(())
    }
}

fn empty(facade: &impl Facade, size: (u32, u32)) -> Result<Texture2d> {
    let format = UncompressedFloatFormat::U8U8U8U8;
    texture::empty(facade, format, size, "the interface")
}
