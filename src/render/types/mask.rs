//! Overlays over the ground of any render type: no-data holes, watershed and mask. They are separate draws
//! after the ground's, so that pictures without them cost nothing more.

use glium::{DepthTest, DrawParameters, uniform};

use crate::render::analysis::line_width;
use crate::render::buffers::LayerTexture;
use crate::render::error::Result;
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, blend, joined};
use crate::render::ground::Seen;
use crate::render::meshes::CellPart;
use crate::render::pass::{Pass, Target};
use crate::render::textures::mask::PlacedMask;
use crate::render::view::flat_rectangle;
use crate::scene::RenderType;

/// Special edge width that marks no-data holes.
const HOLES: f32 = -1.0;
/// Width of a watershed's outline, in widths of a regular contour.
const EDGE: f32 = 1.7;

/// Distance of the lines that hatch no-data holes, in widths of a regular contour.
const HATCH: f32 = 8.0;

/// Place of the drawn part in the picture, and the distance of the lines that hatch holes, in pixels.
fn hatch(pass: &Pass<'_>) -> [f32; 3] {
    let [column, row] = pass.frame.origin.map(|side| side as f32);
    [column, row, HATCH * line_width(pass.size)]
}

/// Overlays of a pass, with the width of their outlines, see [`PlacedMask::uniforms`].
fn covers<'a>(pass: &Pass<'a>) -> impl Iterator<Item = (&'a PlacedMask, f32)> {
    let edge = EDGE * line_width(pass.size);
    let shows_holes = pass.scene.render_type() == RenderType::Map;
    let no_data = pass.no_data.filter(|_| shows_holes);
    let watershed = pass.watershed.map(|watershed| (watershed, edge));
    let holes = no_data.map(|holes| (holes, HOLES));
    (holes.into_iter())
        .chain(watershed)
        .chain(pass.mask.map(|mask| (mask, 0.0)))
}

/// Parameters for overlays on rasterized ground: drawn where depths are equal.
pub(super) fn over_depths<'a>(pass: &Pass<'_>) -> DrawParameters<'a> {
    DrawParameters {
        blend: blend::within(),
        ..pass.tested(DepthTest::IfEqual)
    }
}

/// Draw the pass's overlays, if any, over rasterized patches of ground.
pub(super) fn draw_over(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    seen: &Seen<'_>,
    (parameters, glows): (DrawParameters<'_>, bool),
) -> Result {
    for (cover, edge) in covers(pass) {
        let uniforms = cover.uniforms(glows, edge, hatch(pass));
        let (part, shader) = (CellPart::Faces, Shader::Mask);
        let uniforms = joined!(uniforms);
        seen.draw(pass, surface, part, shader, &uniforms, parameters.clone())?;
    }
    Ok(())
}

/// Draw the pass's overlays, if any, over tiles in plan view with these sides.
pub(super) fn draw_flat(pass: &Pass<'_>, surface: &mut Target<'_>, side: [f32; 2]) -> Result {
    for (cover, edge) in covers(pass) {
        let uniforms = cover.uniforms(false, edge, hatch(pass));
        let place = uniform! {
            tiles: pass.scene.view.tile as f32,
            tile_side: side,
            wraps: cover.wraps,
            rectangle: flat_rectangle(side, pass.size),
            shift: pass.frame.shift().to_array(),
            invert: pass.scene.view.invert,
        };
        let parameters = pass.blended(blend::within());
        let uniforms = joined!(uniforms, place);
        (pass.tools).fill(surface, Shader::FlatMask, &uniforms, &parameters)?;
    }
    Ok(())
}

/// Draw the pass's overlays, if any, over ground in depth layers; `uniforms` are those of its lighting and
/// position.
pub(super) fn draw_photographed(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    layers: &LayerTexture,
    uniforms: &Values<'_>,
) -> Result {
    let parameters = DrawParameters {
        blend: blend::within(),
        ..pass.where_drawn()
    };
    for (cover, edge) in covers(pass) {
        let cover = cover.uniforms(false, edge, hatch(pass));
        let uniforms = joined!(layers, cover, uniforms);
        (pass.tools).fill(surface, Shader::LandscapeMask, &uniforms, &parameters)?;
    }
    Ok(())
}
