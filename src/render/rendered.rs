//! Render type `rendered`: the ground under its baked texture, in fog, below a cloudy sky.

use glium::framebuffer::SimpleFrameBuffer;
use glium::uniform;

use crate::maps::sky::{FOG, SKY_FOG};
use crate::scene::Fog;

use super::RenderError;
use super::backdrop;
use super::bake::Teximage;
use super::ground::{Mesh, Seen, with_depth};
use super::height_texture::HeightTexture;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::sky::{self, Clouds};
use super::triangles::light;
use super::values::joined;

const DETAIL: f32 = 3.6;

/// Draws `map` under `teximage` and `clouds`.
pub(super) fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    map: &HeightTexture,
    teximage: &Teximage,
    clouds: Option<&Clouds>,
) -> Result<DrawStats, RenderError> {
    let view = &pass.scene.view;
    let fog = &pass.scene.fog;
    if pass.frame.transparent {
        backdrop::clear(pass, surface, Some(1.0));
    } else {
        let [r, g, b] = FOG.map(|v| if view.invert { 1.0 - v } else { v });
        pass.clear(surface, Some((r, g, b, 1.0)), Some(1.0));
    }
    if let Some(clouds) = clouds.filter(|_| !pass.frame.transparent) {
        let sky_fog = linear(fog, SKY_FOG);
        sky::draw(pass, surface, clouds, sky_fog, FOG)?;
    }
    let uniforms = uniform! {
        teximage: teximage.sampled(view.filter, view.tile),
        fog: linear(fog, (1.0, 1.0)),
        fog_color: FOG,
    };
    let seen = Seen::new(pass, map, DETAIL);
    let light = light(map, pass.palette, &pass.scene.light);
    seen.draw_skirt(pass, surface, Shader::Skirt, &joined!(light, uniforms))?;
    seen.draw(
        pass,
        surface,
        Mesh::Triangles,
        Shader::Rendered,
        &joined!(uniforms),
        with_depth(pass),
    )
}

/// Where the fog begins and one over its depth, both ends multiplied.
fn linear(fog: &Fog, (start, end): (f32, f32)) -> [f32; 2] {
    if !fog.enabled {
        return [0.0, 0.0];
    }
    let (start, end) = (fog.start * start, fog.end * end);
    [start, 1.0 / (end - start).max(1e-3)]
}
