//! Rise of the ground to the east and south at each sample (its gradient), as a texture.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniform;

use crate::render::error::RenderError;
use crate::render::gl::programs::Shader;
use crate::render::textures::heights::HeightTexture;
use crate::render::tools::Tools;

/// Compute the texture: 16-bit floats, 4 bytes per sample.
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
