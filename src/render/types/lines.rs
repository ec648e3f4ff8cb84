//! Render type `lines`: a transparent wireframe of the ground's cells.
//!
//! Maps of up to 64 cells per side are drawn as line primitives, the true edges of all cells. The edges of
//! finer maps would merge into a uniform grey. There a shader draws lines on the faces, a few pixels apart,
//! skipping every second, fourth … cell edge as needed, which is also faster.

use glium::{BlendingFunction, DrawParameters, uniform};

use super::GroundSubject;
use super::sea;
use crate::render::backdrop;
use crate::render::error::Result;
use crate::render::gl::joined;
use crate::render::gl::programs::Shader;
use crate::render::ground::Seen;
use crate::render::meshes::CellPart;
use crate::render::pass::{DrawStats, Pass, Target};
use crate::render::textures::heights::HeightTexture;
use crate::util::numbers::smoothstep;

/// Maximum number of cells per side for line primitives.
const TRUE_EDGES: i32 = 64;
/// Detail of line primitives, high enough that coarser cells appear only where true edges would merge; and
/// detail of faces.
const DETAIL_LINES: f32 = 6.0;
const DETAIL_FACES: f32 = 3.6;
const NEAR: [f32; 3] = [0.93, 0.96, 1.0];
const FAR: [f32; 3] = [0.34, 0.40, 0.49];
/// Number of levels below the map over which the fade changes from the distance to a power of it, and the
/// exponent.
const DEEP: f32 = 3.0;
const DEEP_POWER: f32 = -0.3;

/// Wireframe of a map.
pub(crate) struct Lines<'a>(pub(crate) &'a HeightTexture);

impl Lines<'_> {
    /// Choose the primitives, the shader and the detail.
    fn way(&self) -> (CellPart, Shader, f32) {
        let [across, down] = self.0.layout.cells;
        if across.max(down) <= TRUE_EDGES {
            (CellPart::Edges, Shader::Lines, DETAIL_LINES)
        } else {
            (CellPart::Faces, Shader::Wire, DETAIL_FACES)
        }
    }
}

impl GroundSubject for Lines<'_> {
    const PATCH: u64 = 250_000;

    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p> {
        let (.., detail) = self.way();
        Seen::endless(pass, self.0, detail).with_lower_side()
    }

    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut Target<'_>) {
        backdrop::clear(pass, surface, None);
    }

    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats> {
        let (part, shader, _) = self.way();
        let shader = match (seen.below(), shader) {
            (Some(_), Shader::Lines) => Shader::EndlessLines,
            (Some(_), Shader::Wire) => Shader::EndlessWire,
            (_, shader) => shader,
        };
        let (fade, power) = fade(seen);
        let uniforms = uniform! {
            depth_fade: fade,
            fade_power: power,
            near_color: NEAR,
            far_color: FAR,
        };
        let sea = sea::line_uniforms(pass);
        let (uniforms, parameters) = (joined!(uniforms, sea), brightest(pass));
        seen.draw(pass, surface, part, shader, &uniforms, parameters)
    }

    fn mask_parameters<'a>(&self, pass: &Pass<'_>) -> (DrawParameters<'a>, bool) {
        (brightest(pass), true)
    }

    fn draw_around(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        backdrop::fill(pass, surface, &backdrop::DARK, &brightest(pass))
    }
}

/// Depth fade of lines: start and scale, for a power of the distance, and the exponent.
///
/// The exponent is 1 for the map. On refined ground it decreases: the visible detail there is a thousand
/// times closer than the horizon, and lines should fade at twice, ten and a hundred times the eye's height as
/// they do in a distant view at twice its height.
fn fade(seen: &Seen<'_>) -> ([f32; 2], f32) {
    let (nearest, farthest) = seen.distances;
    let Some(below) = seen.below() else {
        return ([nearest, 1.0 / (farthest - nearest).max(1e-3)], 1.0);
    };
    let part = smoothstep(below.levels() / DEEP);
    let power = 1.0 + (DEEP_POWER - 1.0) * part;
    // An exponent of 0 would need a logarithm instead.
    let power = if power.abs() < 1e-2 { 1e-2 } else { power };
    // Possibly no part of the map itself is in view.
    let nearest = if nearest.is_finite() {
        nearest + (below.high() - nearest) * part
    } else {
        below.high()
    };
    let from = nearest.max(f32::MIN_POSITIVE).powf(power);
    let span = farthest.powf(power) - from;
    let least = if span < 0.0 { -1e-3 } else { 1e-3 };
    let span = if span.abs() < 1e-3 { least } else { span };
    ([from, 1.0 / span], power)
}

/// Blend by maximum: the brightest line is the nearest, so neither depth test nor order is needed. Faces are
/// black and never win.
fn brightest<'a>(pass: &Pass<'_>) -> DrawParameters<'a> {
    let equation = if pass.scene.view.invert {
        BlendingFunction::Min
    } else {
        BlendingFunction::Max
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
