//! What the ground of `landscape` is made of: colours by height and steepness, and the detail
//! between its samples.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::Texture2d;
use glium::uniform;
use glium::uniforms::Uniforms;

use crate::render::error::{Refused, RenderError};
use crate::render::gl::{sampler, texture};
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::palette::palette_scale;
use crate::shading::material::{self, linear};
use crate::shading::texture::{Palette, detail};
use crate::util::job::Job;

/// Stones are no larger on maps of larger cells than this, half tiles.
const COARSEST_CELL: f32 = 1.0 / 128.0;

/// What the ground is made of, on the GPU.
pub(super) struct Materials {
    palette: Palette,
    /// Linear light: one row by height, one of steep faces.
    colors: Texture2d,
    detail: Texture2d,
}

impl Materials {
    /// The materials of `palette`; what does not depend on it is taken from `old`.
    pub(super) fn new(
        context: &Rc<Context>,
        palette: &Palette,
        old: Option<Self>,
    ) -> Result<Self, RenderError> {
        let detail = match old {
            Some(old) => old.detail,
            None => {
                let texels = detail::texture(&Job::new()).refused("the ground's detail")?;
                texture::mipmapped(context, &texels, "the ground's detail")?
            }
        };
        let colors = material::color_table(palette).into_iter();
        let what = "the colours of the ground";
        Ok(Self {
            palette: palette.clone(),
            colors: texture::of_floats(context, colors, (material::TABLE, 2), what)?,
            detail,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.colors, 12) + texture::bytes(&self.detail, 4)
    }

    /// Linear light of level ground at a height, 0 the lowest to 1 the highest.
    pub(super) fn color(&self, height: f32) -> [f32; 3] {
        self.palette.color(height).map(linear)
    }

    /// What `common/material.glsl` needs.
    pub(super) fn uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + '_ {
        let ground = &pass.scene.material;
        // Without snow nothing moves.
        let snow = self
            .palette
            .snow
            .map_or([2.0, 0.0, 0.0], |snow| [snow.from, snow.side, snow.slide]);
        let cell = map.layout.spacing.min(COARSEST_CELL);
        let eye = pass.camera().eye();
        let detail_eye = detail::REPEATS.map(|repeat| {
            let place = eye / (f64::from(cell) * f64::from(repeat));
            // Far from the origin `f32` is coarser than texels, so whole textures are dropped first.
            (place - place.floor()).as_vec3().to_array()
        });
        uniform! {
            materials: sampler::mixed(self.colors.sampled()),
            height_range: palette_scale(map.range),
            rock: material::rock(ground),
            snow: snow,
            shore: material::shore(&pass.scene.water),
            detail_map: sampler::smooth(&self.detail, true),
            detail_eye: detail_eye,
            roughness: ground.detail,
            cell: cell,
        }
    }
}
