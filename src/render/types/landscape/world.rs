//! Render type `landscape`: rock, grass and snow in the light of a physical sky, with shadows,
//! haze and clouds. All light is linear until `common/tonemap.glsl`.

use glium::draw_parameters::DepthClamp;
use glium::framebuffer::SimpleFrameBuffer;
use glium::{Depth, DrawParameters, uniform};

use super::materials::Materials;
use super::sky::PhysicalSky;
use super::water::WaterPlane;
use super::{inland, mirror};
use crate::render::backdrop;
use crate::render::buffers::{DistanceBuffer, PictureBuffers};
use crate::render::error::RenderError;
use crate::render::frame_budget::PatchRange;
use crate::render::gl::programs::{NOTHING, SKY_BELOW, Shader, WATER_BELOW};
use crate::render::gl::{Values, joined};
use crate::render::ground::{Seen, Walked};
use crate::render::meshes::CellPart;
use crate::render::pass::{DrawStats, Pass};
use crate::render::progressive_frame::{Phase, Plan};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::render::types::{Subject, layered, mask};
use crate::scene::Fog;
use crate::shading::material::linear;

/// Detail for an error of one pixel.
const DETAIL: f32 = 3.6;
/// The distances of a patch take about as long to draw as so many pixels of the picture to light.
const PATCH: u64 = 8_000;

/// What `common/fog.glsl` needs: the fog lies on the lowest ground.
fn haze(fog: &Fog, low: f32) -> [f32; 3] {
    let density = if fog.enabled { fog.density } else { 0.0 };
    [density, low, fog.height.recip()]
}

/// What the landscape is drawn with.
pub(crate) struct World<'a> {
    pub(super) map: &'a HeightTexture,
    /// Its samples, where ground may be found without triangles.
    pub(super) field: Option<&'a Field>,
    pub(super) normals: &'a NormalMap,
    pub(super) materials: &'a Materials,
    pub(super) sky: PhysicalSky<'a>,
    /// What all water is drawn with.
    pub(super) water: Option<&'a WaterPlane>,
}

/// The ground is drawn twice: its distances alone, and then the whole picture once, which lights
/// what is at those distances; last the sky where there is no ground.
impl Subject for World<'_> {
    fn phases(&self, pass: &Pass<'_>) -> Vec<Phase> {
        let mirror = self.sea(pass).filter(|_| mirror::is_seen(pass));
        let mirror = mirror.map(|_| Phase::Mirror);
        mirror.into_iter().chain([Phase::Ground]).collect()
    }

    fn plan(&self, pass: &Pass<'_>, phase: Phase) -> Plan {
        match phase {
            Phase::Mirror => mirror::plan(pass, self.map),
            Phase::Ground => match self.walked(pass) {
                Some(walked) => walked.plan(),
                None => self.seen(pass).plan(&pass.frame, PATCH),
            },
        }
    }

    fn clear(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        phase: Phase,
    ) -> Result<(), RenderError> {
        match phase {
            Phase::Mirror => mirror::clear(pass, buffers, self.map),
            // Layers are written all over.
            Phase::Ground if pass.frame.walked => Ok(()),
            Phase::Ground => {
                let distances = buffers.distances(pass.context)?;
                let mut far = buffers.distance_surface(pass.context, distances)?;
                pass.clear(&mut far, Some((NOTHING, 0.0, 0.0, 0.0)), Some(1.0));
                Ok(())
            }
        }
    }

    fn draw_patches(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        phase: Phase,
        range: PatchRange,
    ) -> Result<DrawStats, RenderError> {
        match phase {
            Phase::Mirror => self.lit(pass, buffers, |uniforms| {
                mirror::draw(pass, buffers, self.map, uniforms, range)
            }),
            Phase::Ground => match self.walked(pass) {
                Some(walked) => {
                    walked.find(pass, buffers, range)?;
                    Ok(DrawStats::default())
                }
                None => draw_distances(pass, buffers, &self.seen(pass), range),
            },
        }
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError> {
        if let Some(walked) = self.walked(pass) {
            self.draw_layers(pass, surface, buffers, &walked)?;
            return Ok(DrawStats::default());
        }
        // Depths are those of the ground by now.
        if pass.frame.transparent {
            backdrop::clear(pass, surface, None);
        } else {
            self.sky.clear(pass, surface, None);
        }
        let seen = self.seen(pass);
        let distances = buffers.distances(pass.context)?;
        let place = seen.uniforms(pass);
        self.lit(pass, buffers, |lit| {
            let uniforms = joined!(place, lit);
            self.light_ground(pass, surface, (buffers, distances), &uniforms)?;
            mask::draw_photographed(pass, surface, distances, &uniforms)?;
            seen.draw_skirt(pass, surface, Shader::LandscapeSkirt, lit)?;
            if let Some(sea) = self.sea(pass) {
                let parameters = DrawParameters {
                    depth: Depth {
                        // Farther than all ground, but nearer than the sky.
                        clamp: DepthClamp::Clamp,
                        range: (0.0, 1.0 - f32::EPSILON),
                        ..pass.with_depth().depth
                    },
                    ..pass.parameters()
                };
                let ground = (self.map, self.materials);
                sea.draw(pass, surface, buffers, ground, &uniforms, &parameters)?;
            }
            Ok(())
        })?;
        if !pass.frame.transparent {
            let haze = haze(&pass.scene.fog, self.map.range.0);
            self.sky.draw_behind(pass, surface, haze, &pass.behind())?;
        }
        Ok(DrawStats::default())
    }
}

impl<'a> World<'a> {
    fn seen(&self, pass: &Pass<'_>) -> Seen<'a> {
        Seen::new(pass, self.map, DETAIL)
    }

    /// The ground as it is found without triangles, if it is in this picture.
    fn walked<'p>(&'p self, pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        let field = self.field.filter(|_| pass.frame.walked)?;
        let water = self.sea(pass).filter(|_| mirror::is_seen(pass));
        let level = water.map(|_| pass.scene.water.level);
        Walked::new(pass, self.map, field, level)
    }

    fn sea(&self, pass: &Pass<'_>) -> Option<&'a WaterPlane> {
        self.water.filter(|_| pass.scene.water_level().is_some())
    }

    /// Draws the landscape around ground whose layers are written.
    fn draw_layers(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
        walked: &Walked<'_>,
    ) -> Result<(), RenderError> {
        let layers = layered::begin(pass, surface, buffers)?;
        let place = walked.uniforms(pass);
        self.lit(pass, buffers, |lit| {
            let uniforms = joined!(place, lit);
            self.light_ground(pass, surface, (buffers, layers), &uniforms)?;
            mask::draw_photographed(pass, surface, layers, &uniforms)?;
            let shader = Shader::LandscapeSides;
            layered::sides(pass, surface, layers, walked, shader, &uniforms)?;
            if let Some(sea) = self.sea(pass) {
                let (ground, below) = (
                    (self.map, self.materials),
                    layered::below(pass, WATER_BELOW),
                );
                sea.draw(pass, surface, buffers, ground, &uniforms, &below)?;
            }
            Ok(())
        })?;
        if pass.frame.transparent {
            return backdrop::under(pass, surface);
        }
        let haze = haze(&pass.scene.fog, self.map.range.0);
        let below = layered::below(pass, SKY_BELOW);
        self.sky.draw_behind(pass, surface, haze, &below)
    }

    /// Lights the ground that is at these distances, and its rivers and lakes; `uniforms` are those of
    /// [`World::lit`] and say where it lies.
    fn light_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        (buffers, distances): (&PictureBuffers, &DistanceBuffer),
        uniforms: &Values<'_>,
    ) -> Result<(), RenderError> {
        let parameters = pass.where_drawn();
        let shader = match distances {
            DistanceBuffer::Plain(_) => Shader::PlainLandscape,
            DistanceBuffer::Multisampled(_) => Shader::SmoothLandscape,
            DistanceBuffer::Layered(_) if pass.frame.depth.is_some() => Shader::EndlessLandscape,
            DistanceBuffer::Layered(_) => Shader::Landscape,
        };
        let all = joined!(distances, uniforms);
        let windows = pass.clipmap.uniforms();
        (pass.tools).fill(surface, shader, &joined!(all, windows), &parameters)?;
        match (pass.rivers, self.water) {
            (Some(rivers), Some(water)) => {
                let own = uniform! { ground_heights: self.map.mixed() };
                let (rivers, water) = (rivers.uniforms(), water.uniforms(&pass.scene.water));
                let all = joined!(all, own, rivers, water);
                let buffers = (buffers, distances);
                inland::draw(
                    pass,
                    surface,
                    buffers,
                    self.map.layout.spacing,
                    &all,
                    parameters,
                )
            }
            _ => Ok(()),
        }
    }

    /// Calls `draw` with what lit ground needs.
    fn lit<T>(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        draw: impl FnOnce(&Values<'_>) -> T,
    ) -> T {
        let eye = pass.eye();
        let rays = pass.rays();
        let haze = haze(&pass.scene.fog, self.map.range.0);
        let view = uniform! {
            normals: self.normals.sampled(),
            normal_map: self.normals.place,
            haze: haze,
            origin: pass.frame.origin.map(|pixel| pixel as f32),
            samples: buffers.samples() as i32,
        };
        let light = self.sky.uniforms();
        let clouds = self.sky.cloud_uniforms(pass.scene, eye.position);
        let visibility = pass.visibility.uniforms();
        let materials = self.materials.uniforms(pass, self.map);
        let lying = pass.covers.uniforms(linear);
        draw(&joined!(
            rays, view, light, clouds, materials, lying, visibility
        ))
    }
}

/// Draws how far patches of ground are: triangles, which are small.
fn draw_distances(
    pass: &Pass<'_>,
    buffers: &PictureBuffers,
    seen: &Seen<'_>,
    range: PatchRange,
) -> Result<DrawStats, RenderError> {
    let distances = buffers.distances(pass.context)?;
    let mut far = buffers.distance_surface(pass.context, distances)?;
    let forward = uniform! { forward: pass.eye().forward.to_array() };
    seen.only(range).draw(
        pass,
        &mut far,
        CellPart::Faces,
        Shader::Distance,
        &joined!(forward),
        pass.with_depth(),
    )
}
