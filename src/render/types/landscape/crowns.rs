//! Texture of the crowns of a canopy, see `common/canopy.glsl`, made when a landscape has plants.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::Texture2d;
use glium::uniform;
use glium::uniforms::Uniforms;

use super::close::textures_per_unit;
use crate::render::error::RenderError;
use crate::render::gl::{sampler, texture};
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::shading::texture::close;
use crate::util::numbers::metres_per_unit;

/// Metres that the texture covers: its pebbles are crowns with radii from 1 to 5 m.
const SIDE_M: f64 = 190.0;

/// Textures of stands, which are the texture of details, for each of crowns.
const STANDS: f64 = 0.137;

/// Texture of crowns on the GPU.
pub(super) struct CrownTexture {
    crowns: Texture2d,
    /// Mean of their heights, 0…1.
    mean: f32,
}

impl CrownTexture {
    pub(super) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let texels = close::pebbles();
        let sum: u64 = texels
            .as_slice()
            .iter()
            .map(|texel| u64::from(texel[2]))
            .sum();
        Ok(Self {
            crowns: texture::mipmapped_finely(context, &texels, "the crowns of plants")?,
            mean: (sum as f64 / (texels.as_slice().len() as f64 * 255.0)) as f32,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.crowns, 8)
    }

    /// Uniforms of `common/canopy.glsl`, apart from the canopy itself.
    pub(super) fn uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + '_ {
        let metres = metres_per_unit(pass.scene.surface.tile_size_m);
        let scale = textures_per_unit(SIDE_M / metres, map.layout.side.map(f64::from));
        // Far from the origin `f32` is coarser than texels, so whole textures are dropped first.
        let eye = pass.camera().eye() * scale;
        let [place, stands] = [eye, eye * STANDS].map(|place| (place - place.floor()).as_vec3());
        uniform! {
            crown_map: sampler::smooth(&self.crowns, true),
            crown_place: [place.x, place.z, scale.x as f32, scale.z as f32],
            stand_place: [stands.z, stands.x, (scale.z * STANDS) as f32, (scale.x * STANDS) as f32],
            crown_level: (scale.x * close::SIDE as f64).log2() as f32,
            crown_mean: self.mean,
        }
    }
}
