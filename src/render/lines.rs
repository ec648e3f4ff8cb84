//! Render type `lines`: the edges of the ground's cells, see-through.

use glium::framebuffer::SimpleFrameBuffer;
use glium::{BlendingFunction, DrawParameters, uniform};

use super::backdrop;
use super::ground::{Mesh, Seen};
use super::programs::Shader;
use super::renderer::{DrawStats, Pass};
use super::{RenderError, height_texture::HeightTexture};

/// Detail of large maps: high, so that coarse cells are seen only where true ones would melt
/// into one grey.
const DETAIL: f32 = 6.0;
const NEAR: [f32; 3] = [0.93, 0.96, 1.0];
const FAR: [f32; 3] = [0.34, 0.40, 0.49];

/// Draws the edges of `map`.
pub(super) fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    map: &HeightTexture,
) -> Result<DrawStats, RenderError> {
    backdrop::draw(pass, surface, &backdrop::DARK)?;
    let seen = Seen::new(pass, map, DETAIL);
    let (nearest, farthest) = seen.distances;
    let uniforms = uniform! {
        depth_fade: [nearest, 1.0 / (farthest - nearest).max(1e-3)],
        near_color: NEAR,
        far_color: FAR,
    };
    // The brightest line wins, which is the nearest: no depth test, no order.
    let equation = match pass.scene.view.invert {
        false => BlendingFunction::Max,
        true => BlendingFunction::Min,
    };
    let parameters = DrawParameters {
        blend: glium::Blend {
            color: equation,
            alpha: BlendingFunction::Max,
            ..glium::Blend::default()
        },
        ..pass.parameters()
    };
    seen.draw(
        pass,
        surface,
        Mesh::Lines,
        Shader::Lines,
        &uniforms,
        parameters,
    )
}
