//! The physical sky: behind the landscape, and the light of all that includes `common/sky.glsl`.

use std::rc::Rc;

use glam::Vec3;
use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::Texture2d;
use glium::uniforms::{MinifySamplerFilter, Sampler, Uniforms};
use glium::{DrawParameters, Surface, uniform};

use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::Shader;
use crate::render::gl::{joined, sampler, texture};
use crate::render::meshes::DomeMesh;
use crate::render::pass::Pass;
use crate::scene::{Light, Scene, Sky};
use crate::shading::sky::air::Air;
use crate::shading::sky::{AZIMUTHS, CloudPlane, ELEVATIONS, Exposed, SUN_RADIUS, tone};
use crate::shading::texture::clouds;
use crate::terrain::grid::Grid;

/// The light of a sky, by direction.
pub(super) struct SkyTexture {
    /// Its turbidity is the slow part, and seldom changes.
    air: Air,
    exposed: Exposed,
    table: Texture2d,
}

impl SkyTexture {
    /// The light of that sky; `old` is that of another one.
    pub(super) fn new(
        context: &Rc<Context>,
        (light, sky): &(Light, Sky),
        old: Option<((Light, Sky), Self)>,
    ) -> Result<Self, RenderError> {
        let air = match old {
            Some(((_, made_from), old)) if made_from.turbidity == sky.turbidity => old.air,
            _ => Air::new(sky.turbidity),
        };
        let exposed = Exposed::new(&air, light, sky);
        let texels = exposed.dome.air.iter().chain(&exposed.dome.haze);
        let size = (AZIMUTHS, 2 * ELEVATIONS);
        let texels = texels.map(Vec3::to_array);
        let table = texture::of_floats(context, texels, size, "the sky's table")?;
        Ok(Self {
            air,
            exposed,
            table,
        })
    }

    /// What `common/sky.glsl` and `common/tonemap.glsl` need.
    fn uniforms(&self) -> impl Uniforms + '_ {
        let dome = &self.exposed.dome;
        let terms = dome.ambient_terms.map(|term| term.to_array());
        uniform! {
            sky_table: sampler::mixed(self.table.sampled()),
            sun_direction: dome.sun_direction.to_array(),
            sun_heading: dome.sun_heading(),
            sun_light: dome.sun_light.to_array(),
            below_horizon: dome.below.to_array(),
            ambient_0: terms[0],
            ambient_1: terms[1],
            ambient_2: terms[2],
            ambient_3: terms[3],
            ambient_4: terms[4],
            ambient_5: terms[5],
            night: self.exposed.night,
        }
    }
}

/// The clouds' ranks on the GPU.
pub(super) struct CloudCover(Texture2d);

impl CloudCover {
    pub(super) fn new(context: &Rc<Context>, ranks: &Grid<u8>) -> Result<Self, RenderError> {
        let texture = texture::mipmapped(context, &clouds::slopes(ranks), "the clouds of the sky");
        texture.map(Self)
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.0, 4)
    }

    fn sampled(&self) -> Sampler<'_, Texture2d> {
        // The nearest level alone: clouds are soft, and it is half the work.
        sampler::smooth(&self.0, true).minify_filter(MinifySamplerFilter::LinearMipmapNearest)
    }
}

/// The whole sky.
#[derive(Clone, Copy)]
pub(crate) struct PhysicalSky<'a> {
    pub(super) mesh: &'a DomeMesh,
    pub(super) light: &'a SkyTexture,
    pub(super) cover: &'a CloudCover,
}

impl<'a> PhysicalSky<'a> {
    /// What `common/sky.glsl` and `common/tonemap.glsl` need.
    pub(super) fn uniforms(&self) -> impl Uniforms + 'a {
        self.light.uniforms()
    }

    /// What `common/clouds.glsl` needs besides.
    pub(crate) fn cloud_uniforms(&self, scene: &Scene, eye: Vec3) -> impl Uniforms + 'a {
        let plane = CloudPlane::new(&scene.sky, eye.y);
        uniform! {
            cloud_cover: self.cover.sampled(),
            cloud_ranks: plane.ranks,
            cloud_offset: plane.offset,
            cloud_height: plane.height,
            cloud_period: CloudPlane::PERIOD,
            cloud_bend: CloudPlane::BEND,
            cloud_shade: plane.shadow,
            cloud_light: self.light.exposed.dome.cloud_light.to_array(),
        }
    }

    /// Fills the picture with what is below the horizon.
    pub(crate) fn clear(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        depth: Option<f32>,
    ) {
        let below = tone::screen(self.light.exposed.dome.below, self.light.exposed.night);
        pass.clear(surface, Some((below.x, below.y, below.z, 1.0)), depth);
    }

    /// Draws the sky behind the `haze` of `common/fog.glsl`, wherever `parameters` leave room.
    pub(crate) fn draw_behind(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        haze: [f32; 3],
        parameters: &DrawParameters<'_>,
    ) -> Result<(), RenderError> {
        let eye = pass.eye();
        let exposed = &self.light.exposed;
        let disc_light = exposed.disc_light();
        let own = uniform! {
            clip_from_world: eye.clip_from_sky(0.01, 100.0).to_cols_array_2d(),
            eye: eye.position.to_array(),
            haze: haze,
            disc_light: disc_light.to_array(),
            disc: [(SUN_RADIUS * 1.15).cos(), (SUN_RADIUS * 0.85).cos()],
            stars: exposed.stars,
            invert: pass.scene.view.invert,
            origin: pass.frame.origin.map(|pixel| pixel as f32),
        };
        let clouds = self.cloud_uniforms(pass.scene, eye.position);
        let light = self.light.uniforms();
        let uniforms = joined!(own, clouds, light);
        // Only what is above the horizon has clouds and stars, which are most of the work.
        let empty = CloudPlane::new(&pass.scene.sky, eye.position.y).is_empty();
        let above = if exposed.stars > 0.0 {
            Shader::StarrySky
        } else if empty {
            Shader::LandscapeSky
        } else {
            Shader::CloudySky
        };
        let horizon = DomeMesh::BELOW_HORIZON;
        let parts = [
            (Shader::LandscapeSky, 0..horizon),
            (above, horizon..self.mesh.triangles.len()),
        ];
        for (shader, range) in parts {
            let Some(triangles) = self.mesh.triangles.slice(range) else {
                continue;
            };
            surface
                .draw(
                    &self.mesh.corners,
                    triangles,
                    pass.tools.program_with(shader, &uniforms)?,
                    &uniforms,
                    parameters,
                )
                .refused("the sky")?;
        }
        Ok(())
    }
}
