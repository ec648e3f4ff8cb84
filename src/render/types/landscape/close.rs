//! Ground close to the camera: the textures of `common/close.glsl`, made when they are first needed.

use std::rc::Rc;

use glam::DVec3;
use glium::backend::Context;
use glium::texture::Texture2d;
use glium::uniform;
use glium::uniforms::Uniforms;

use crate::render::error::{Refused, RenderError};
use crate::render::gl::{sampler, texture};
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::scene::{Scene, Snow};
use crate::shading::snow::upwind;
use crate::shading::texture::close;
use crate::shading::texture::detail;
use crate::util::job::Job;
use crate::util::numbers::metres_per_unit;

/// Size of a pixel straight below the eye from which no ground is close, metres.
const FAR_PIXEL: f64 = 0.2;
/// Metres that the texture of details covers as grains.
const GRAINS: [f64; 4] = [1.2, 1.2 / 6.0, 1.2 / 36.0, 1.2 / 216.0];
/// Metres a half tile up to which places in the world are exact to a millimetre.
const EXACT: f64 = 10_000.0;

/// Compass bearing from which wind blows over ground without snow: that of a scene by default.
pub(super) fn wind_bearing(scene: &Scene) -> f32 {
    let snow = &scene.snow;
    if snow.enabled && snow.wind > 0.0 {
        snow.wind_bearing
    } else {
        Snow::default().wind_bearing
    }
}

/// True if some of the ground in the picture is so close that its material has detail of its own.
pub(super) fn is_close(pass: &Pass<'_>) -> bool {
    pass.frame.depth.is_some_and(|depth| {
        let high = (depth.eye.y - depth.ground) * metres_per_unit(pass.scene.surface.tile_size_m);
        high / f64::from(pass.eye().pixels_per_radian) < FAR_PIXEL
    })
}

/// Textures of close ground on the GPU.
pub(super) struct CloseTextures {
    rock: Texture2d,
    pebbles: Texture2d,
    ripples: Texture2d,
}

impl CloseTextures {
    /// The textures, with ripples of wind from a compass bearing. It takes about a tenth of a second.
    pub(super) fn new(context: &Rc<Context>, bearing: f32) -> Result<Self, RenderError> {
        let what = "the ground close to the camera";
        let job = Job::new();
        let rock = close::rock(&job).refused(what)?;
        let ripples = close::ripples(upwind(bearing), &job).refused(what)?;
        let upload = |texels: &_| texture::mipmapped_finely(context, texels, what);
        Ok(Self {
            rock: upload(&rock)?,
            pebbles: upload(&close::pebbles())?,
            // Nothing has an edge where ripples reach a limit.
            ripples: texture::mipmapped(context, &ripples, what)?,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        let fine = [&self.rock, &self.pebbles].map(|map| texture::bytes(map, 8));
        fine.iter().sum::<u64>() + texture::bytes(&self.ripples, 4)
    }

    /// Uniforms of `common/close.glsl`.
    pub(super) fn uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + '_ {
        let metres = metres_per_unit(pass.scene.surface.tile_size_m);
        let eye = pass.camera().eye();
        let sides = map.layout.side.map(f64::from);
        let columns = |side_m: [f64; 4], texels: usize| {
            let scales = side_m.map(|side_m| textures_per_unit(side_m / metres, sides));
            let place = scales.map(|scale| {
                let place = eye * scale;
                // Far from the origin `f32` is coarser than texels, so whole textures are dropped first.
                (place - place.floor()).as_vec3().extend(0.0).to_array()
            });
            let scale = scales.map(|scale| {
                let power = (scale.y * texels as f64).log2() as f32;
                scale.as_vec3().extend(power).to_array()
            });
            (place, scale)
        };
        let (close_eye, close_scale) = columns(close::METRES, close::SIDE);
        let (grain_eye, grain_scale) = columns(GRAINS, detail::SIDE);
        uniform! {
            rock_map: sampler::smooth(&self.rock, true),
            pebble_map: sampler::smooth(&self.pebbles, true),
            ripple_map: sampler::smooth(&self.ripples, true),
            close_eye: close_eye,
            close_scale: close_scale,
            grain_eye: grain_eye,
            grain_scale: grain_scale,
            metre_power: metres.log2() as f32,
            bed_weight: if metres <= EXACT { 1.0_f32 } else { 0.0 },
        }
    }
}

/// Textures a half tile along the axes, for about this side in half tiles: whole ones a tile, so that they wrap with it.
pub(super) fn textures_per_unit(side: f64, tile: [f64; 2]) -> DVec3 {
    let [east, south] = tile.map(|tile| (tile / side).round().max(1.0) / tile);
    DVec3::new(east, side.recip(), south)
}
