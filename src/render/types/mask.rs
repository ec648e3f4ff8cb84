//! A mask over the ground of any render type: a draw of its own after the ground's, so that a picture
//! without one costs nothing more.

use glium::framebuffer::SimpleFrameBuffer;
use glium::{
    Blend, BlendingFunction, Depth, DepthTest, DrawParameters, LinearBlendingFactor, uniform,
};

use crate::render::buffers::DistanceBuffer;
use crate::render::error::RenderError;
use crate::render::gl::programs::Shader;
use crate::render::gl::values::{Values, joined};
use crate::render::ground::Seen;
use crate::render::meshes::patch::CellPart;
use crate::render::pass::Pass;
use crate::render::view::flat::rectangle;

/// Colour mixed in by its alpha; the picture's own alpha stays.
fn mixed() -> Blend {
    let kept = BlendingFunction::Addition {
        source: LinearBlendingFactor::Zero,
        destination: LinearBlendingFactor::One,
    };
    Blend {
        color: BlendingFunction::Addition {
            source: LinearBlendingFactor::SourceAlpha,
            destination: LinearBlendingFactor::OneMinusSourceAlpha,
        },
        alpha: kept,
        ..Blend::default()
    }
}

/// What a mask over ground that has its depths is drawn with: it lies where the ground is seen.
pub(super) fn over_depths<'a>(pass: &Pass<'_>) -> DrawParameters<'a> {
    DrawParameters {
        depth: Depth {
            test: DepthTest::IfEqual,
            ..Depth::default()
        },
        blend: mixed(),
        ..pass.parameters()
    }
}

/// Draws the pass's mask, if any, over patches of ground that are drawn.
pub(super) fn draw_over(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    seen: &Seen<'_>,
    (parameters, glows): (DrawParameters<'_>, bool),
) -> Result<(), RenderError> {
    let Some(mask) = pass.mask else {
        return Ok(());
    };
    let uniforms = mask.uniforms(glows);
    let (part, shader) = (CellPart::Faces, Shader::Mask);
    seen.draw(pass, surface, part, shader, &joined!(uniforms), parameters)?;
    Ok(())
}

/// Draws the pass's mask, if any, over tiles of those sides that are seen flat.
pub(super) fn draw_flat(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    side: [f32; 2],
) -> Result<(), RenderError> {
    let Some(mask) = pass.mask else {
        return Ok(());
    };
    let uniforms = mask.uniforms(false);
    let place = uniform! {
        tiles: pass.scene.view.tile as f32,
        tile_side: side,
        wraps: mask.wraps,
        rectangle: rectangle(side, pass.size),
        shift: pass.frame.shift().to_array(),
        invert: pass.scene.view.invert,
    };
    let parameters = DrawParameters {
        blend: mixed(),
        ..pass.parameters()
    };
    let uniforms = joined!(uniforms, place);
    (pass.tools).fill(surface, Shader::FlatMask, &uniforms, &parameters)
}

/// Draws the pass's mask, if any, over the ground of a landscape that is at these distances;
/// `uniforms` is what that was lit with.
pub(super) fn draw_photographed(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    distances: &DistanceBuffer,
    seen: &Seen<'_>,
    uniforms: &Values<'_>,
) -> Result<(), RenderError> {
    let Some(mask) = pass.mask else {
        return Ok(());
    };
    let mask = mask.uniforms(false);
    let place = seen.uniforms(pass);
    let parameters = DrawParameters {
        // Behind all depths but the furthest, like the light on the ground.
        depth: Depth {
            test: DepthTest::IfMore,
            ..Depth::default()
        },
        blend: mixed(),
        ..pass.parameters()
    };
    let shader = match distances {
        DistanceBuffer::Plain(_) => Shader::LandscapeMask,
        DistanceBuffer::Multisampled(_) => Shader::SmoothLandscapeMask,
    };
    let uniforms = joined!(distances, place, mask, uniforms);
    pass.tools.fill(surface, shader, &uniforms, &parameters)
}
