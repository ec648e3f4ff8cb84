//! Front-to-back compositing with ground in depth layers: each later draw fills the coverage left by earlier
//! ones.

use glium::texture::Texture2d;
use glium::{DepthTest, DrawParameters, uniform};

use crate::render::buffers::{LayerTexture, PictureBuffers};
use crate::render::error::Result;
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, blend, joined, sampler};
use crate::render::ground;
use crate::render::pass::{Pass, Target};
use crate::render::textures::heights::HeightTexture;

/// Clear the picture and set its depths from the depth layers; finished `plants`, if any, hide what is behind them. Returns
/// these layers.
pub(super) fn begin<'a>(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    buffers: &'a PictureBuffers,
    plants: Option<&Texture2d>,
) -> Result<&'a LayerTexture> {
    pass.clear(surface, Some((0.0, 0.0, 0.0, 0.0)), None);
    let layers = buffers.layers(pass.context, !pass.frame.walked)?;
    let mut parameters = pass.tested(DepthTest::Overwrite);
    parameters.depth.write = true;
    parameters.color_mask = (false, false, false, false);
    match plants {
        Some(plants) => {
            let plants = uniform! { plants: sampler::exact(plants.sampled()) };
            let (shader, all) = (Shader::Layers.wooded(), joined!(layers, plants));
            (pass.tools).fill(surface, shader, &all, &parameters)?;
        }
        None => (pass.tools).fill(surface, Shader::Layers, &joined!(layers), &parameters)?,
    }
    Ok(layers)
}

/// Draw the visible sides of the ground; `uniforms` are those of the shader, the pixel rays and the position
/// of the ground.
pub(super) fn sides(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    layers: &LayerTexture,
    map: &HeightTexture,
    shader: Shader,
    uniforms: &Values<'_>,
) -> Result {
    let Some(place) = ground::rectangle_of_sides(pass, map) else {
        return Ok(());
    };
    let own = uniform! { base: ground::floor(map, pass.scene) };
    let parameters = DrawParameters {
        blend: blend::beside(),
        scissor: Some(place),
        ..pass.where_drawn()
    };
    let all = joined!(own, layers, uniforms);
    pass.tools.fill(surface, shader, &all, &parameters)
}

/// Parameters for drawing behind everything so far, at this depth: `SKY_BELOW` or in front of it.
pub(super) fn below<'a>(pass: &Pass<'_>, depth: f32) -> DrawParameters<'a> {
    let mut parameters = pass.with_depth();
    parameters.depth.range = (depth, depth);
    parameters.blend = blend::under();
    parameters
}
