//! A pane of glass before a window: what is painted on it stays, and is laid over whatever is
//! drawn there. So an interface is painted when it changes, not with every picture below it. Where
//! there is no picture below, the glass is opaque.

use glium::backend::Facade;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::{Blend, DrawParameters, Rect, Surface, VertexBuffer, uniform};

use super::error::{Refused, RenderError};
use super::gl::blend::premultiplied_over;
use super::gl::programs::{Programs, Shader};
use super::gl::texture;
use super::meshes::quad::Corner;

/// A picture with alpha, of the size of a window.
pub struct Glass {
    size: (u32, u32),
    programs: Programs,
    /// sRGB times alpha.
    texture: Texture2d,
    /// Where something is painted: where it is opaque, and elsewhere.
    places: [Option<VertexBuffer<Corner>>; 2],
}

impl Glass {
    /// Glass of `size` in pixels: 4 bytes each on the graphics card. Fill all of it first.
    ///
    /// # Errors
    /// The driver has no memory for it, or a shader does not compile.
    pub fn new(facade: &impl Facade, size: (u32, u32)) -> Result<Self, RenderError> {
        let programs = Programs::new(facade.get_context());
        programs.get(Shader::Glass)?;
        Ok(Self {
            size,
            programs,
            texture: empty(facade, size)?,
            places: [None, None],
        })
    }

    /// The same pane in another size. Fill all of it first.
    ///
    /// # Errors
    /// The driver has no memory for it.
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

    /// Its width and height in pixels.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Fills these rectangles, whose pixels are counted from the lower left, each with a colour
    /// (sRGB times alpha, then alpha). Returns the surface to paint on, in such colours.
    ///
    /// # Errors
    /// The driver refuses.
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

    /// Says where something is painted, where it is `opaque` and where it may be seen `through`:
    /// rectangles without a pixel in common, counted from the lower left. Elsewhere nothing is
    /// laid over anything.
    ///
    /// # Errors
    /// The driver refuses.
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

    /// Two triangles.
    fn corners(&self, rect: &Rect) -> [Corner; 6] {
        let clip = |at: u32, side: u32| at as f32 / side as f32 * 2.0 - 1.0;
        let [left, right] = [rect.left, rect.left + rect.width].map(|x| clip(x, self.size.0));
        let [low, high] = [rect.bottom, rect.bottom + rect.height].map(|y| clip(y, self.size.1));
        let corner = |x, y| Corner { corner: [x, y] };
        let [a, b] = [corner(left, low), corner(right, low)];
        let [c, d] = [corner(right, high), corner(left, high)];
        [a, b, c, a, c, d]
    }

    /// Lays it over `target`, which has its size.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn lay(&self, target: &mut impl Surface) -> Result<(), RenderError> {
        let program = self.programs.get(Shader::Glass)?;
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

fn empty(facade: &impl Facade, size: (u32, u32)) -> Result<Texture2d, RenderError> {
    let format = UncompressedFloatFormat::U8U8U8U8;
    texture::empty(facade, format, size, "the interface")
}
