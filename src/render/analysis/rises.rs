//! How the ground rises eastwards and southwards at each sample, as a texture.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniform;

use crate::render::error::RenderError;
use crate::render::gl::programs::Shader;
use crate::render::textures::heights::HeightTexture;
use crate::render::tools::Tools;

/// Makes the texture: floats of 16 bits, 4 bytes a sample.
pub(super) fn rises(
    context: &Rc<Context>,
    tools: &Tools,
    map: &HeightTexture,
) -> Result<Texture2d, RenderError> {
    let [width, height] = map.layout.cells.map(|cells| cells as u32 + 1);
    let uniforms = uniform! {
        heights: map.exact(),
        cells: map.layout.cells,
        spacing: map.layout.spacing,
        wraps: map.layout.wraps,
    };
    let format = UncompressedFloatFormat::F16F16;
    tools.texture(context, format, (width, height), Shader::Rises, &uniforms)
}
