//! How the ground rises eastwards and southwards at each sample, as a texture.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{MipmapsOption, Texture2d, UncompressedFloatFormat};
use glium::uniforms::{MagnifySamplerFilter, MinifySamplerFilter};
use glium::{DrawParameters, Surface, VertexBuffer, uniform};

use super::super::backdrop::Corner;
use super::super::height_texture::HeightTexture;
use super::super::programs::{Programs, Shader};
use super::super::{Refused, RenderError};

/// Makes the texture: floats of 16 bits, 4 bytes a sample.
pub(super) fn rises(
    context: &Rc<Context>,
    programs: &Programs,
    screen: &VertexBuffer<Corner>,
    map: &HeightTexture,
) -> Result<Texture2d, RenderError> {
    let [width, height] = map.layout.cells.map(|cells| cells as u32 + 1);
    let texture = Texture2d::empty_with_format(
        context,
        UncompressedFloatFormat::F16F16,
        MipmapsOption::NoMipmap,
        width,
        height,
    )
    .refused("the slopes")?;
    let uniforms = uniform! {
        heights: map.texture.sampled()
            .minify_filter(MinifySamplerFilter::Nearest)
            .magnify_filter(MagnifySamplerFilter::Nearest),
        cells: map.layout.cells,
        spacing: map.layout.spacing,
        wraps: map.layout.wraps,
    };
    SimpleFrameBuffer::new(context, &texture)
        .refused("the slopes")?
        .draw(
            screen,
            NoIndices(PrimitiveType::TrianglesList),
            programs.get(Shader::Rises)?,
            &uniforms,
            &DrawParameters::default(),
        )
        .refused("the slopes")?;
    Ok(texture)
}
