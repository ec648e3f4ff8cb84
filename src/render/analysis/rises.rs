//! How the ground rises eastwards and southwards at each sample, as a texture.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::{DrawParameters, Surface, uniform};

use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::Shader;
use crate::render::gl::texture;
use crate::render::pass::Tools;
use crate::render::textures::heights::HeightTexture;

/// Makes the texture: floats of 16 bits, 4 bytes a sample.
pub(super) fn rises(
    context: &Rc<Context>,
    tools: &Tools,
    map: &HeightTexture,
) -> Result<Texture2d, RenderError> {
    let [width, height] = map.layout.cells.map(|cells| cells as u32 + 1);
    let rises = texture::empty(
        context,
        UncompressedFloatFormat::F16F16,
        (width, height),
        "the slopes",
    )?;
    let uniforms = uniform! {
        heights: map.exact(),
        cells: map.layout.cells,
        spacing: map.layout.spacing,
        wraps: map.layout.wraps,
    };
    SimpleFrameBuffer::new(context, &rises)
        .refused("the slopes")?
        .draw(
            &tools.meshes.screen,
            NoIndices(PrimitiveType::TrianglesList),
            tools.programs.get(Shader::Rises)?,
            &uniforms,
            &DrawParameters::default(),
        )
        .refused("the slopes")?;
    Ok(rises)
}
