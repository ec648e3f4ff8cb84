//! Render type `lines`: the edges of the ground's cells, see-through.
//!
//! Of maps of up to 64 cells a side they are drawn as lines, the true edges of all cells. Finer
//! maps would melt into one grey, so their edges are made on the faces by a shader, a few pixels
//! apart, of every second, fourth … cell where it must be: quicker too.

use glium::framebuffer::SimpleFrameBuffer;
use glium::{BlendingFunction, DrawParameters, uniform};

use super::backdrop;
use super::ground::{Mesh, Seen};
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::values::joined;
use super::{RenderError, height_texture::HeightTexture};

/// Cells along a side up to which edges are lines.
const TRUE_EDGES: i32 = 64;
/// Detail of lines, high so that coarse cells are seen only where true ones would melt together,
/// and of faces.
const DETAIL_LINES: f32 = 6.0;
const DETAIL_FACES: f32 = 3.6;
const NEAR: [f32; 3] = [0.93, 0.96, 1.0];
const FAR: [f32; 3] = [0.34, 0.40, 0.49];

/// Draws the edges of `map`.
pub(super) fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    map: &HeightTexture,
) -> Result<DrawStats, RenderError> {
    backdrop::draw(pass, surface, &backdrop::DARK)?;
    let [across, down] = map.layout.cells;
    let (mesh, shader, detail) = match across.max(down) <= TRUE_EDGES {
        true => (Mesh::Lines, Shader::Lines, DETAIL_LINES),
        false => (Mesh::Triangles, Shader::Wire, DETAIL_FACES),
    };
    let seen = Seen::new(pass, map, detail).with_lower_side();
    let (nearest, farthest) = seen.distances;
    let uniforms = uniform! {
        depth_fade: [nearest, 1.0 / (farthest - nearest).max(1e-3)],
        near_color: NEAR,
        far_color: FAR,
    };
    // The brightest line wins, which is the nearest: no depth test, no order. Faces are black,
    // which never wins.
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
    seen.draw(pass, surface, mesh, shader, &joined!(uniforms), parameters)
}
