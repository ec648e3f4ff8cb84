//! Render type `lines`: the edges of the ground's cells, see-through.
//!
//! Of maps of up to 64 cells a side they are drawn as lines, the true edges of all cells. Finer
//! maps would melt into one grey, so their edges are made on the faces by a shader, a few pixels
//! apart, of every second, fourth … cell where it must be: quicker too.

use glium::framebuffer::SimpleFrameBuffer;
use glium::{BlendingFunction, DrawParameters, uniform};

use super::RenderError;
use super::backdrop;
use super::course::{Layer, Plan};
use super::ground::{Mesh, Seen};
use super::height_texture::HeightTexture;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::spans::Span;
use super::subject::Subject;
use super::target::Target;
use super::values::joined;

/// Cells along a side up to which edges are lines.
const TRUE_EDGES: i32 = 64;
/// Detail of lines, high so that coarse cells are seen only where true ones would melt together,
/// and of faces.
const DETAIL_LINES: f32 = 6.0;
const DETAIL_FACES: f32 = 3.6;
/// A patch takes about as long as so many pixels of the background.
const PATCH: u64 = 250_000;
const NEAR: [f32; 3] = [0.93, 0.96, 1.0];
const FAR: [f32; 3] = [0.34, 0.40, 0.49];

/// The edges of a map.
pub(super) struct Lines<'a>(pub(super) &'a HeightTexture);

impl Lines<'_> {
    /// What they are drawn as, and what of them is seen.
    fn seen(&self, pass: &Pass<'_>) -> (Mesh, Shader, Seen<'_>) {
        let [across, down] = self.0.layout.cells;
        let (mesh, shader, detail) = match across.max(down) <= TRUE_EDGES {
            true => (Mesh::Lines, Shader::Lines, DETAIL_LINES),
            false => (Mesh::Triangles, Shader::Wire, DETAIL_FACES),
        };
        let seen = Seen::new(pass, self.0, detail).with_lower_side();
        (mesh, shader, seen)
    }
}

impl Subject for Lines<'_> {
    fn below(&self, _pass: &Pass<'_>) -> Vec<Layer> {
        vec![Layer::Ground]
    }

    fn plan(&self, pass: &Pass<'_>, layer: Layer) -> Plan {
        let (.., seen) = self.seen(pass);
        seen.plan(layer, &pass.frame, PATCH)
    }

    fn clear(&self, pass: &Pass<'_>, target: &Target, _layer: Layer) -> Result<(), RenderError> {
        backdrop::clear(pass, &mut target.surface(pass.context)?, None);
        Ok(())
    }

    fn draw_below(
        &self,
        pass: &Pass<'_>,
        target: &Target,
        _layer: Layer,
        span: Span,
    ) -> Result<DrawStats, RenderError> {
        let mut surface = target.surface(pass.context)?;
        let (mesh, shader, seen) = self.seen(pass);
        let (nearest, farthest) = seen.distances;
        let uniforms = uniform! {
            depth_fade: [nearest, 1.0 / (farthest - nearest).max(1e-3)],
            near_color: NEAR,
            far_color: FAR,
        };
        let (uniforms, parameters) = (joined!(uniforms), brightest(pass));
        let seen = seen.only(span);
        seen.draw(pass, &mut surface, mesh, shader, &uniforms, parameters)
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        backdrop::fill(pass, surface, &backdrop::DARK, &brightest(pass))?;
        Ok(DrawStats::default())
    }
}

/// The brightest wins, which of lines is the nearest: no depth test, no order. Faces are black,
/// which never wins.
fn brightest<'a>(pass: &Pass<'_>) -> DrawParameters<'a> {
    let equation = match pass.scene.view.invert {
        false => BlendingFunction::Max,
        true => BlendingFunction::Min,
    };
    DrawParameters {
        blend: glium::Blend {
            color: equation,
            alpha: BlendingFunction::Max,
            ..glium::Blend::default()
        },
        ..pass.parameters()
    }
}
