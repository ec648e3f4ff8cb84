//! A quiet background behind everything that has no sky.

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::{
    Blend, BlendingFunction, Depth, DepthTest, DrawParameters, LinearBlendingFactor, Surface,
    VertexBuffer, uniform,
};
use std::rc::Rc;

use super::pass::Pass;
use super::programs::Shader;
use super::{Refused, RenderError};

/// A corner in clip space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) corner: [f32; 2],
}
glium::implement_vertex!(Corner, corner);

/// Two triangles over the whole viewport.
pub(super) fn screen(context: &Rc<Context>) -> Result<VertexBuffer<Corner>, RenderError> {
    let corners = [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]];
    let corners = corners.map(|corner: [i8; 2]| Corner {
        corner: corner.map(f32::from),
    });
    VertexBuffer::new(context, &corners).refused("a vertex buffer")
}

/// Colours (sRGB) at the top and the bottom of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Backdrop {
    pub(super) top: [f32; 3],
    pub(super) bottom: [f32; 3],
}

/// Behind lines and ridges, which are light.
pub(super) const DARK: Backdrop = Backdrop {
    top: [0.045, 0.055, 0.085],
    bottom: [0.11, 0.13, 0.17],
};
/// Behind lit ground.
pub(super) const DUSK: Backdrop = Backdrop {
    top: [0.42, 0.49, 0.58],
    bottom: [0.70, 0.74, 0.78],
};
/// Around flat pictures.
pub(super) const NEUTRAL: Backdrop = Backdrop {
    top: [0.17, 0.175, 0.185],
    bottom: [0.15, 0.155, 0.165],
};

/// Fills the picture and clears its depth.
pub(super) fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    backdrop: &Backdrop,
) -> Result<(), RenderError> {
    clear(pass, surface, Some(1.0));
    fill(pass, surface, backdrop, &pass.parameters())
}

/// Fills the picture, drawn with those `parameters`, unless it is see-through.
pub(super) fn fill(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    backdrop: &Backdrop,
    parameters: &DrawParameters<'_>,
) -> Result<(), RenderError> {
    if pass.frame.transparent {
        return Ok(());
    }
    let uniforms = uniform! {
        top: backdrop.top,
        bottom: backdrop.bottom,
        invert: pass.scene.view.invert,
    };
    surface
        .draw(
            pass.screen,
            NoIndices(PrimitiveType::TrianglesList),
            pass.programs.get(Shader::Backdrop)?,
            &uniforms,
            parameters,
        )
        .refused("the background")
}

/// Wherever nothing was drawn on what was cleared, behind all of it.
pub(super) fn behind<'a>(pass: &Pass<'_>) -> DrawParameters<'a> {
    DrawParameters {
        depth: Depth {
            test: DepthTest::IfLessOrEqual,
            range: (1.0, 1.0),
            ..Depth::default()
        },
        ..pass.parameters()
    }
}

/// Makes the picture see-through: black, or white where colours are inverted, of alpha 0.
pub(super) fn clear(pass: &Pass<'_>, surface: &mut SimpleFrameBuffer<'_>, depth: Option<f32>) {
    let value = f32::from(u8::from(pass.scene.view.invert));
    pass.clear(surface, Some((value, value, value, 0.0)), depth);
}

/// What is drawn lies over what is there, alpha included.
pub(super) fn over() -> Blend {
    let color = BlendingFunction::Addition {
        source: LinearBlendingFactor::SourceAlpha,
        destination: LinearBlendingFactor::OneMinusSourceAlpha,
    };
    let alpha = BlendingFunction::Addition {
        source: LinearBlendingFactor::One,
        destination: LinearBlendingFactor::OneMinusSourceAlpha,
    };
    Blend {
        color,
        alpha,
        ..Blend::default()
    }
}
