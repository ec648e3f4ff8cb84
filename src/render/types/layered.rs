//! Front-to-back compositing with ray-cast ground: each later draw fills the coverage left by earlier ones.

use glium::framebuffer::SimpleFrameBuffer;
use glium::{Depth, DepthTest, DrawParameters, uniform};

use crate::render::buffers::{DistanceBuffer, PictureBuffers};
use crate::render::error::RenderError;
use crate::render::gl::blend;
use crate::render::gl::programs::Shader;
use crate::render::gl::values::{Values, joined};
use crate::render::ground::Walked;
use crate::render::pass::Pass;

/// Clear the picture and set its depths from the depth layers. Returns these layers.
pub(super) fn begin<'a>(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    buffers: &'a PictureBuffers,
) -> Result<&'a DistanceBuffer, RenderError> {
    pass.clear(surface, Some((0.0, 0.0, 0.0, 0.0)), None);
    let layers = buffers.layers(pass.context)?;
    let parameters = DrawParameters {
        depth: Depth {
            test: DepthTest::Overwrite,
            write: true,
            ..Depth::default()
        },
        color_mask: (false, false, false, false),
        ..pass.parameters()
    };
    (pass.tools).fill(surface, Shader::Layers, &joined!(layers), &parameters)?;
    Ok(layers)
}

/// Draw the visible sides of the ground; `uniforms` are those of the shader, the pixel rays and the position
/// of the ground.
pub(super) fn sides(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    layers: &DistanceBuffer,
    walked: &Walked<'_>,
    shader: Shader,
    uniforms: &Values<'_>,
) -> Result<(), RenderError> {
    let Some(place) = walked.sides(pass) else {
        return Ok(());
    };
    let own = uniform! { base: walked.floor() };
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
    DrawParameters {
        depth: Depth {
            test: DepthTest::IfLess,
            write: true,
            range: (depth, depth),
            ..Depth::default()
        },
        blend: blend::under(),
        ..pass.parameters()
    }
}
