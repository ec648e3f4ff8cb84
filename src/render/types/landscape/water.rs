//! The water of render type `landscape`: a plane to the horizon, which mirrors sky and land.

use std::f32::consts::TAU;
use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::Texture2d;
use glium::uniforms::{MinifySamplerFilter, Uniforms};
use glium::{DrawParameters, Surface, uniform};

use super::materials::Materials;
use super::mirror;
use crate::render::buffers::PictureBuffers;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, joined, sampler, texture};
use crate::render::meshes::RingMesh;
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::scene::{CameraMode, Scene, Water, WaterColor};
use crate::shading::material::SAND;
use crate::shading::texture::waves::{self, FINER, Waves};
use crate::shading::wind_waves;
use crate::util::job::Job;
use crate::util::numbers::metres_per_unit;

/// Heights of waves in metres without foam at the shore, and with all of it.
const FOAM_HEIGHTS: [f32; 2] = [0.1, 0.4];

/// Inputs of the waves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WaveSource {
    seconds: f32,
    /// Length of the longest waves in half tiles.
    longest: f32,
    /// Metres in a half tile.
    half_tile_m: f32,
}

impl WaveSource {
    pub(super) fn of(scene: &Scene) -> Self {
        let half_tile_m = metres_per_unit(scene.surface.tile_size_m) as f32;
        let longest_m = scene.water.wave_length * half_tile_m;
        // No setting makes waves longer than those of a gale on the ocean.
        let longest_of_all = wind_waves::peak_length(wind_waves::wind_speed(1.0), f32::INFINITY);
        Self {
            seconds: scene.water.time,
            longest: longest_m.clamp(1e-3, longest_of_all) / half_tile_m,
            half_tile_m,
        }
    }
}

/// What water is drawn with.
pub(super) struct WaterPlane {
    source: WaveSource,
    spectrum: Waves,
    waves: Texture2d,
    rings: RingMesh,
}

impl WaterPlane {
    /// Water with these waves; what stays the same is taken from `old`.
    pub(super) fn new(
        context: &Rc<Context>,
        source: WaveSource,
        old: Option<Self>,
    ) -> Result<Self, RenderError> {
        let longest_m = |source: &WaveSource| source.longest * source.half_tile_m;
        let (spectrum, rings) = match old {
            Some(old) if longest_m(&old.source) == longest_m(&source) => (old.spectrum, old.rings),
            Some(old) => (Waves::new(longest_m(&source)), old.rings),
            None => (Waves::new(longest_m(&source)), RingMesh::new(context)?),
        };
        let texels = spectrum.texture(source.seconds, &Job::new());
        Ok(Self {
            source,
            waves: texture::mipmapped(context, &texels.refused("the waves")?, "the waves")?,
            spectrum,
            rings,
        })
    }

    /// Bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.waves, 4)
    }

    /// What `common/waves.glsl` and `common/water_light.glsl` need.
    pub(super) fn uniforms(&self, water: &Water) -> impl Uniforms + '_ {
        uniform! {
            waves: sampler::smooth(&self.waves, true)
                .minify_filter(MinifySamplerFilter::LinearMipmapNearest),
            wave_sides: self.sides(),
            wave_slopes: wave_slopes(water),
            wave_drift: self.drift(),
            calm_depth: self.source.longest * 0.5,
            absorption: absorption(water),
            body_color: body_color(water.color),
        }
    }

    /// Draws it with those `parameters`; `uniforms` is what the ground of `map` was drawn with, and
    /// where it lies. What it mirrors must be there, and the eye above the water.
    pub(super) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
        (map, materials): (&HeightTexture, &Materials),
        uniforms: &Values<'_>,
        parameters: &DrawParameters<'_>,
    ) -> Result<(), RenderError> {
        let water = &pass.scene.water;
        let eye = pass.eye();
        let [first, right, up] = eye.rays(pass.size, [0, 0]).map(|(_, way)| way);
        let waves = self.uniforms(water);
        let own = uniform! {
            level: water.level,
            has_shadows: pass.scene.light.shadows,
            ground_heights: map.mixed(),
            bottom_color: bottom_color(water, materials, map.range),
            foam_heights: FOAM_HEIGHTS.map(|height| height / self.source.half_tile_m),
            parallel: pass.scene.camera.mode == CameraMode::Top,
            first_ray: first.to_array(),
            ray_right: right.to_array(),
            ray_up: up.to_array(),
        };
        let shadows = pass.plants.shadows();
        mirror::with_uniforms(pass, buffers, |mirrored| {
            let uniforms = match &shadows {
                Some(shadows) => joined!(own, waves, mirrored, shadows, uniforms),
                None => joined!(own, waves, mirrored, uniforms),
            };
            surface
                .draw(
                    &self.rings.corners,
                    &self.rings.triangles,
                    pass.tools
                        .program_with(pass.wooded(Shader::Water), &uniforms)?,
                    &uniforms,
                    parameters,
                )
                .refused("the water")
        })
    }

    /// How far ripples and the finest have run, along x and z, as waves of their length do.
    fn drift(&self) -> [f32; 4] {
        let WaveSource {
            seconds,
            half_tile_m,
            ..
        } = self.source;
        let sides = self.sides();
        let run = |side: f32, way: [f32; 2]| {
            let speed = (9.81 * 0.2 * side * half_tile_m / TAU).sqrt() / half_tile_m;
            let run = f64::from(speed) * f64::from(seconds) % f64::from(side);
            way.map(|way| -way * run as f32)
        };
        let [a, b] = run(sides[1], [1.0, 0.0]);
        let [c, d] = run(sides[2], [0.3, 0.95]);
        [a, b, c, d]
    }

    /// Half tiles that a texture of waves, of ripples and of the finest covers.
    fn sides(&self) -> [f32; 3] {
        let side = self.source.longest / waves::LONGEST;
        [side, side / FINER, side / (FINER * FINER)]
    }
}

/// The slopes that 1 stands for. All sizes together have the mean square slope of a wind that
/// leaves about 0.01 at a light breeze and 0.06 in a gale (Cox and Munk 1954).
fn wave_slopes(water: &Water) -> [f32; 3] {
    let square = 0.06 * water.waves * water.waves.sqrt();
    [0.5, 0.3, 0.2].map(|part: f32| waves::SLOPES * (square * part * 0.5).sqrt())
}

/// The colour below clear water: sand, and where there is none, bare ground: under water grows no grass and lies no snow.
fn bottom_color(water: &Water, materials: &Materials, (low, high): (f32, f32)) -> [f32; 3] {
    if water.sand > 0.0 {
        return SAND;
    }
    materials.steep_color((water.level - low) / (high - low).max(f32::MIN_POSITIVE))
}

/// How fast red, green and blue are lost.
fn absorption(water: &Water) -> [f32; 3] {
    // A tenth of the clearest colour is left.
    let color = match water.color {
        WaterColor::Sea => [3.4, 1.25, 1.0],
        WaterColor::Tropic => [4.0, 1.0, 1.02],
        WaterColor::Lake => [1.9, 1.0, 1.5],
        WaterColor::Glacier => [1.7, 1.0, 1.05],
        WaterColor::Moor => [1.0, 1.7, 3.0],
    };
    color.map(|part: f32| part * 2.3 / water.clarity)
}

/// Irradiance reflectance of deep water, seen from above its surface: about half of that just below it, since light is
/// lost on its way out.
fn body_color(color: WaterColor) -> [f32; 3] {
    match color {
        WaterColor::Sea => [0.002, 0.014, 0.027],
        WaterColor::Tropic => [0.006, 0.060, 0.085],
        WaterColor::Lake => [0.010, 0.026, 0.020],
        WaterColor::Glacier => [0.090, 0.190, 0.200],
        WaterColor::Moor => [0.030, 0.016, 0.006],
    }
}
