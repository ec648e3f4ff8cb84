//! Render type `rendered`: ground with a baked texture, in fog, below a cloudy sky.

use glium::framebuffer::SimpleFrameBuffer;
use glium::uniforms::Uniforms;
use glium::{DrawParameters, uniform};

use super::subject::GroundSubject;
use super::{layered, mask, sea};
use crate::render::backdrop;
use crate::render::buffers::PictureBuffers;
use crate::render::error::RenderError;
use crate::render::gl::constants::SKY_BELOW;
use crate::render::gl::programs::Shader;
use crate::render::gl::values::joined;
use crate::render::ground::{Seen, Walked};
use crate::render::meshes::patch::CellPart;
use crate::render::pass::{DrawStats, Pass};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::render::textures::palette::light;
use crate::scene::Fog;
use crate::shading::maps::sky::{FOG, SKY_FOG};

mod baked_texture;
mod painted_clouds;

pub(crate) use baked_texture::BakedTexture;
pub(crate) use painted_clouds::PaintedClouds;

const DETAIL: f32 = 3.6;

/// A map with its baked texture, and the clouds above.
pub(crate) struct Rendered<'a> {
    map: &'a HeightTexture,
    /// Samples and normals for ray casting, where the ground may be ray cast.
    walked: Option<(&'a Field, &'a NormalMap)>,
    teximage: &'a BakedTexture,
    clouds: Option<&'a PaintedClouds>,
}

impl<'a> Rendered<'a> {
    /// Create the drawer; `None` if the map or its texture is missing.
    pub(crate) fn new(
        map: Option<&'a HeightTexture>,
        field: Option<&'a Field>,
        normals: Option<&'a NormalMap>,
        teximage: Option<&'a BakedTexture>,
        clouds: Option<&'a PaintedClouds>,
    ) -> Option<Self> {
        Some(Self {
            map: map?,
            walked: field.zip(normals),
            teximage: teximage?,
            clouds,
        })
    }

    fn uniforms(&self, pass: &Pass<'_>) -> impl Uniforms {
        let view = &pass.scene.view;
        uniform! {
            teximage: self.teximage.sampled(view.filter, view.tile),
            fog: linear(&pass.scene.fog, (1.0, 1.0)),
            fog_color: FOG,
        }
    }
}

impl GroundSubject for Rendered<'_> {
    const PATCH: u64 = 200_000;

    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p> {
        Seen::new(pass, self.map, DETAIL)
    }

    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut SimpleFrameBuffer<'_>) {
        if pass.frame.transparent {
            backdrop::clear(pass, surface, Some(1.0));
        } else {
            let [r, g, b] = FOG.map(|v| if pass.scene.view.invert { 1.0 - v } else { v });
            pass.clear(surface, Some((r, g, b, 1.0)), Some(1.0));
        }
    }

    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats, RenderError> {
        let (part, shader) = (CellPart::Faces, Shader::Rendered);
        let uniforms = self.uniforms(pass);
        let uniforms = joined!(uniforms);
        seen.draw(pass, surface, part, shader, &uniforms, pass.with_depth())
    }

    fn draw_around(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError> {
        let light = light(self.map, pass.palette, &pass.scene.light);
        let uniforms = self.uniforms(pass);
        let seen = self.seen(pass);
        seen.draw_skirt(pass, surface, Shader::Skirt, &joined!(light, uniforms))?;
        self.draw_clouds(pass, surface, &pass.behind())?;
        sea::draw_over(pass, surface, self.map, &seen, &surroundings(pass))
    }

    fn walked<'p>(&'p self, pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        let (field, _) = self.walked.filter(|_| pass.frame.walked)?;
        Walked::new(pass, self.map, field, None)
    }

    fn draw_layers(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
        walked: &Walked<'_>,
    ) -> Result<(), RenderError> {
        let layers = layered::begin(pass, surface, buffers)?;
        let (place, rays, own) = (walked.uniforms(pass), pass.rays(), self.uniforms(pass));
        let around = joined!(place, rays, own);
        if let Some((_, normals)) = self.walked {
            let normals = uniform! { normals: normals.sampled(), normal_map: normals.place };
            let (shader, all) = (Shader::LayeredRendered, joined!(layers, around, normals));
            pass.tools
                .fill(surface, shader, &all, &pass.where_drawn())?;
        }
        mask::draw_photographed(pass, surface, layers, &around)?;
        let light = light(self.map, pass.palette, &pass.scene.light);
        let around = joined!(around, light);
        layered::sides(pass, surface, layers, walked, Shader::Sides, &around)?;
        let below = layered::below(pass, SKY_BELOW);
        self.draw_clouds(pass, surface, &below)?;
        backdrop::fill(pass, surface, &backdrop::plain(FOG), &below)?;
        backdrop::under(pass, surface)?;
        sea::draw_over_layers(pass, surface, self.map, layers, walked, &surroundings(pass))
    }
}

impl Rendered<'_> {
    /// Draw the clouds with `parameters`.
    fn draw_clouds(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        parameters: &DrawParameters<'_>,
    ) -> Result<(), RenderError> {
        match self.clouds {
            Some(clouds) if !pass.frame.transparent => {
                let sky_fog = linear(&pass.scene.fog, SKY_FOG);
                clouds.draw(pass, surface, (sky_fog, FOG), parameters)
            }
            _ => Ok(()),
        }
    }
}

/// Sky colour for reflections in the sea, and the fog above it.
fn surroundings(pass: &Pass<'_>) -> sea::Surroundings {
    sea::Surroundings {
        sky: FOG,
        fog: linear(&pass.scene.fog, (1.0, 1.0)),
        fog_color: FOG,
    }
}

/// Start of the fog and the reciprocal of its depth, after scaling both ends.
fn linear(fog: &Fog, (start, end): (f32, f32)) -> [f32; 2] {
    if !fog.enabled {
        return [0.0, 0.0];
    }
    let (start, end) = (fog.start * start, fog.end * end);
    [start, 1.0 / (end - start).max(1e-3)]
}
