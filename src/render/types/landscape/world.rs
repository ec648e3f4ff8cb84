//! Render type `landscape`: rock, grass and snow in the light of a physical sky, with shadows,
//! haze and clouds. All light is linear until `common/tonemap.glsl`.

use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::Texture2d;
use glium::uniform;
use glium::uniforms::SamplerWrapFunction;

use super::materials::Materials;
use super::sky::PhysicalSky;
use super::water::WaterPlane;
use super::{close, inland, mirror};
use crate::render::backdrop;
use crate::render::buffers::{LayerTexture, PictureBuffers};
use crate::render::error::RenderError;
use crate::render::frame_budget::PatchRange;
use crate::render::gl::programs::{SKY_BELOW, Shader, WATER_BELOW};
use crate::render::gl::{Values, joined, sampler};
use crate::render::ground::{self, Drawn, Walked};
use crate::render::pass::{DrawStats, Pass};
use crate::render::plants::{MirroredPlants, PlantAtlas, PlantPicture};
use crate::render::progressive_frame::{Phase, Plan};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::render::types::{Subject, layered, mask};
use crate::scene::Fog;
use crate::shading::material::linear;
use crate::shading::wind_waves;

/// Detail for an error of one pixel.
const DETAIL: f32 = 3.6;
/// Height above the sea that waves reach, in heights of them.
const RUN_UP: f32 = 2.0;
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
    pub(super) material_normals: &'a NormalMap,
    pub(super) materials: &'a Materials,
    pub(super) sky: PhysicalSky<'a>,
    /// What all water is drawn with.
    pub(super) water: Option<&'a WaterPlane>,
    /// Fetch of its waves.
    pub(super) fetch: &'a Texture2d,
}

/// The ground is found first, as depth layers; then the whole picture is drawn once: what is at those
/// distances is lit, and last comes the sky where there is no ground.
impl Subject for World<'_> {
    fn phases(&self, pass: &Pass<'_>) -> Vec<Phase> {
        let mirror = self.sea(pass).map(|_| Phase::Mirror);
        let mirrored = self.mirrored(pass).map(|_| Phase::MirroredPlants);
        let plants = planted(pass).map(|_| Phase::Plants);
        let before = mirror.into_iter().chain(mirrored).chain([Phase::Ground]);
        before.chain(plants).collect()
    }

    fn plan(&self, pass: &Pass<'_>, buffers: &PictureBuffers, phase: Phase) -> Plan {
        match phase {
            Phase::Mirror => mirror::plan(pass, self.map),
            Phase::MirroredPlants => {
                let plants = self.mirrored(pass);
                plants.map_or_else(Plan::default, |(plants, _)| plants.plan())
            }
            Phase::Ground => match self.walked(pass) {
                Some(walked) => walked.plan(buffers),
                None => self.drawn(pass).plan(pass),
            },
            Phase::Plants => {
                let plants = planted(pass);
                plants.map_or_else(Plan::default, |(plants, _)| plants.plan())
            }
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
            // Drawn over the mirrored ground.
            Phase::MirroredPlants => Ok(()),
            // Layers are written all over.
            Phase::Ground if pass.frame.walked => Ok(()),
            Phase::Ground => Drawn::clear(pass, buffers),
            Phase::Plants => match planted(pass) {
                Some((plants, _)) => super::plants::clear(plants, pass, buffers),
                None => Ok(()),
            },
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
            Phase::Mirror => self.lit(pass, |uniforms| {
                mirror::draw(pass, buffers, self.map, uniforms, range)
            })?,
            Phase::MirroredPlants => {
                if let Some(plants) = self.mirrored(pass) {
                    self.lit(pass, |uniforms| {
                        mirror::draw_plants(plants, pass, buffers, self.map, uniforms, range)
                    })??;
                }
                Ok(DrawStats::default())
            }
            Phase::Ground => match self.walked(pass) {
                Some(walked) => {
                    walked.find(pass, buffers, range)?;
                    Ok(DrawStats::default())
                }
                None => self.drawn(pass).find(pass, buffers, range),
            },
            Phase::Plants => self.draw_plants(pass, buffers, range),
        }
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        buffers: &PictureBuffers,
    ) -> Result<DrawStats, RenderError> {
        let plants = planted(pass).map(|_| buffers.plants(pass.context));
        let layers = layered::begin(pass, surface, buffers, plants.transpose()?)?;
        let place = ground::position(pass, self.map);
        self.lit(pass, |lit| {
            let uniforms = joined!(place, lit);
            self.light_ground(pass, surface, (buffers, layers), &uniforms)?;
            mask::draw_photographed(pass, surface, layers, &uniforms)?;
            let shader = Shader::LandscapeSides;
            layered::sides(pass, surface, layers, self.map, shader, &uniforms)?;
            if let Some(sea) = self.sea(pass) {
                let below = layered::below(pass, WATER_BELOW);
                let ground = (self.map, self.materials);
                sea.draw(pass, surface, buffers, ground, &uniforms, &below)?;
            }
            Ok::<_, RenderError>(())
        })??;
        if pass.frame.transparent {
            backdrop::under(pass, surface)?;
        } else {
            let haze = haze(&pass.scene.fog, self.map.range.0);
            let below = layered::below(pass, SKY_BELOW);
            self.sky.draw_behind(pass, surface, haze, &below)?;
        }
        if planted(pass).is_some() {
            super::plants::lay_over(pass, surface, buffers)?;
        }
        Ok(DrawStats::default())
    }
}

/// Single plants of the picture, and their impostors, if there are any.
fn planted<'p>(pass: &Pass<'p>) -> Option<(&'p PlantPicture, &'p PlantAtlas)> {
    pass.plants.shown().filter(|_| pass.canopy.has_plants())
}

impl<'a> World<'a> {
    /// Ground that is rasterized.
    fn drawn<'p>(&'p self, pass: &Pass<'p>) -> Drawn<'p> {
        Drawn::new(pass, self.map, self.level(pass), DETAIL, PATCH)
    }

    /// Ground that is found without triangles, if it is in this picture.
    fn walked<'p>(&'p self, pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        let field = self.field.filter(|_| pass.frame.walked)?;
        Walked::new(pass, self.map, field, self.level(pass))
    }

    /// The sea, if it is seen from above.
    fn sea(&self, pass: &Pass<'_>) -> Option<&'a WaterPlane> {
        let is_seen = pass.scene.water_level().is_some() && mirror::is_seen(pass);
        self.water.filter(|_| is_seen)
    }

    /// Single plants that the sea mirrors, and their impostors, if there are any.
    fn mirrored<'p>(&self, pass: &Pass<'p>) -> Option<(&'p MirroredPlants, &'p PlantAtlas)> {
        let is_planted = pass.canopy.has_plants() && self.sea(pass).is_some();
        let mirrored = pass.plants.mirrored().filter(|_| is_planted);
        mirrored.filter(|(plants, _)| !plants.portions.is_empty())
    }

    /// The level below which that hides the ground.
    fn level(&self, pass: &Pass<'_>) -> Option<f32> {
        self.sea(pass).map(|_| pass.scene.water.level)
    }

    /// Lights the ground of these depth layers, and its rivers and lakes; `uniforms` are those of
    /// [`World::lit`] and say where it lies.
    fn light_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        (buffers, layers): (&PictureBuffers, &LayerTexture),
        uniforms: &Values<'_>,
    ) -> Result<(), RenderError> {
        let parameters = pass.where_drawn();
        let all = joined!(layers, uniforms);
        let windows = pass.clipmap.uniforms();
        let all_of_ground = joined!(all, windows);
        let shadows = pass.plants.shadows();
        let all_of_ground = match &shadows {
            Some(shadows) => joined!(all_of_ground, shadows),
            None => all_of_ground,
        };
        if close::is_close(pass) {
            let close = self.materials.close()?.uniforms(pass, self.map);
            let all = joined!(all_of_ground, close);
            let shader = pass.wooded(Shader::CloseLandscape);
            (pass.tools).fill(surface, shader, &all, &parameters)?;
        } else {
            let shader = match pass.frame.depth {
                Some(_) => Shader::EndlessLandscape,
                None => Shader::Landscape,
            };
            (pass.tools).fill(surface, pass.wooded(shader), &all_of_ground, &parameters)?;
        }
        match (pass.rivers, self.water) {
            (Some(rivers), Some(water)) => {
                let own = uniform! { ground_heights: self.map.mixed() };
                let (rivers, water) = (rivers.uniforms(), water.uniforms(&pass.scene.water));
                let all = match &shadows {
                    Some(shadows) => joined!(all, own, rivers, water, shadows),
                    None => joined!(all, own, rivers, water),
                };
                let spacing = self.map.layout.spacing;
                inland::draw(pass, surface, buffers, spacing, &all, parameters)
            }
            _ => Ok(()),
        }
    }

    /// Draw a range of the plants in front of the ground.
    fn draw_plants(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        range: PatchRange,
    ) -> Result<DrawStats, RenderError> {
        if let Some((plants, atlas)) = planted(pass) {
            let layers = buffers.layers(pass.context, !pass.frame.walked)?;
            let place = ground::position(pass, self.map);
            self.lit(pass, |lit| {
                let uniforms = joined!(place, lit);
                super::plants::draw(plants, pass, buffers, (layers, atlas), &uniforms, range)
            })??;
        }
        Ok(DrawStats::default())
    }

    /// Calls `draw` with what lit ground needs.
    fn lit<T>(
        &self,
        pass: &Pass<'_>,
        draw: impl FnOnce(&Values<'_>) -> T,
    ) -> Result<T, RenderError> {
        let eye = pass.eye();
        let rays = pass.rays();
        let haze = haze(&pass.scene.fog, self.map.range.0);
        let view = uniform! {
            normals: self.normals.sampled(),
            normal_map: self.normals.place,
            material_normals: self.material_normals.sampled(),
            material_normal_map: self.material_normals.place,
            haze: haze,
            origin: pass.frame.origin.map(|pixel| pixel as f32),
        };
        let sea = self.sea(pass);
        let wave_height = sea.map_or(0.0, |_| wind_waves::wave_height(pass.scene));
        let waves = uniform! {
            fetch_map: sampler::mixed(self.fetch.sampled()).wrap_function(match pass.scene.view.tile > 1 {
                true => SamplerWrapFunction::Repeat,
                false => SamplerWrapFunction::Clamp,
            }),
            wave_saturation: wind_waves::wave_saturation(pass.scene),
            wave_height: wave_height,
            run_up: RUN_UP * wave_height,
        };
        let light = self.sky.uniforms();
        let clouds = self.sky.cloud_uniforms(pass.scene, eye.position);
        let visibility = pass.visibility.uniforms();
        let materials = self.materials.uniforms(pass, self.map);
        let lying = pass.covers.uniforms(linear);
        let all = joined!(
            rays, view, waves, light, clouds, materials, lying, visibility
        );
        if !pass.canopy.has_plants() {
            return Ok(draw(&all));
        }
        let (canopy, crowns) = (
            pass.canopy.uniforms(pass.scene, |light| light),
            self.materials.crowns()?,
        );
        let crowns = crowns.uniforms(pass, self.map);
        Ok(draw(&joined!(all, canopy, crowns)))
    }
}
