//! Scene → maps and textures. Each stage remembers what it was made from, so a change recomputes
//! from the first stage that it touches and nothing before.

use std::sync::Arc;

use crate::analysis::relief;
use crate::fractal::passes::{Point, after_half_steps_while};
use crate::generate::{GenerateError, Generator, MOST_SHOWN, Surface, image};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::layer::{Layer, MOST_LAYERS};
use crate::light::{MOST_SKY, MOST_SUN, Sun, Visibility, sky_visibility, sun_visibility};
use crate::modify::{Chain, Context, copy};
use crate::scene::{RenderType, Scene};
use crate::texture::{Palette, clouds};

mod further;
mod stage;

use further::{cloud_map, finer_ground, sky_cloud_map};
use stage::{SameMap, Stage};

/// What one scene turns into. Parts that the render type does not show are `None`.
#[derive(Clone, Debug)]
pub struct Landscape {
    /// The scene it was made from.
    pub scene: Scene,
    /// The heights of the ground with its layers, modified; of a very large map every second,
    /// fourth … sample (see [`Surface::generate_shown`]); for render type `1d` the ridge, a map of
    /// one row.
    pub heights: Arc<Heightmap>,
    /// What the points of `heights` are, where the scene shows a single pass, which is not
    /// modified.
    pub points: Option<Arc<Grid<Point>>>,
    /// The finer map to bake into the ground's texture, modified as the ground is.
    pub teximage: Option<Arc<Heightmap>>,
    /// The ranks of the clouds of the sky; see [`clouds::ranks`].
    pub cloud_ranks: Option<Arc<Grid<u8>>>,
    /// The cloud texture, sRGB.
    pub clouds: Option<Arc<Grid<[u8; 3]>>>,
    /// What the ground sees of the sun, where it casts shadows.
    pub sun: Option<Arc<Visibility>>,
    /// What the ground sees of the sky, where that counts.
    pub sky: Option<Arc<Visibility>>,
    /// The ground thinned, where contours or a cross-section are shown; see
    /// [`crate::analysis::relief`].
    pub relief: Option<Arc<Heightmap>>,
    /// The colours by height.
    pub palette: Arc<Palette>,
}

impl Landscape {
    /// Of a very large map every how many samples the ground has; else 1.
    #[must_use]
    pub fn stride(&self) -> usize {
        let surface = &self.scene.surface;
        let streams = surface.generator == Generator::DiamondSquare;
        let most = MOST_SHOWN - 1;
        if streams && self.heights.rows() == MOST_SHOWN {
            ((1usize << surface.iterations) / most).max(1)
        } else {
            1
        }
    }
}

/// The stages and what they last made.
#[derive(Debug, Default)]
pub struct Pipeline {
    surface: Stage<Whole, Heightmap>,
    layered: Layered,
    modified: Chain,
    pass: Stage<(Surface, u32), PassView>,
    teximage: Stage<Whole, Heightmap>,
    layered_teximage: Layered,
    modified_teximage: Chain,
    clouds: Stage<Surface, Grid<[u8; 3]>>,
    sun: Stage<(SameMap, Flood, Sun), Visibility>,
    sky: Stage<(SameMap, Flood), Visibility>,
    cloud_ranks: Stage<Surface, Grid<u8>>,
    relief: Stage<SameMap, Heightmap>,
}

/// A stage that was computed, not reused: what [`Pipeline::run_observed`] tells its observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageDone {
    /// The ground as generated.
    Surface,
    /// The layer of that index was made and laid over the ground.
    Layer(usize),
    /// The modifier of that index was applied to the ground.
    Modifier(usize),
    /// The ground as it stands after some passes.
    Pass,
    /// The finer map as generated.
    Teximage,
    /// The layer of that index was made and laid over the finer map.
    TeximageLayer(usize),
    /// The modifier of that index was applied to the finer map.
    TeximageModifier(usize),
    /// The cloud texture.
    Clouds,
    /// What the ground sees of the sun.
    Sun,
    /// What the ground sees of the sky.
    Sky,
}

/// A surface, and whether all samples of it are made however many there are.
type Whole = (Surface, bool);

/// A surface and the layers over it that are on.
type Ground = (Surface, Vec<(usize, Layer)>);

/// The level of the water that light falls on, and whether there are tiles beside the tile.
type Flood = Option<(f32, bool)>;

/// The ground after a half step, and what its points are.
type PassView = (Arc<Heightmap>, Arc<Grid<Point>>);

impl Pipeline {
    /// The ground as it was generated last, before any modifier, if it still is at hand.
    #[must_use]
    pub fn generated(&self) -> Option<&Heightmap> {
        let (_, map) = self.surface.made.as_ref()?;
        Some(map)
    }

    /// Makes what `scene` needs and reuses what has not changed: an unchanged part is the same
    /// `Arc` as before.
    ///
    /// # Errors
    /// As [`Surface::generate`]; after an error the next run makes the failed part afresh.
    pub fn run(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        job: &Job,
    ) -> Result<Landscape, GenerateError> {
        self.run_observed(scene, inputs, job, &mut |_| {})
    }

    /// As [`Pipeline::run`], and calls `observe` as soon as each stage is computed. Reused stages
    /// take no time, so an observer with a clock has a stage's time from one call to the next;
    /// the first stage's from the start.
    ///
    /// # Errors
    /// As [`Pipeline::run`].
    pub fn run_observed(
        &mut self,
        scene: &Scene,
        inputs: &Inputs,
        job: &Job,
        observe: &mut dyn FnMut(StageDone),
    ) -> Result<Landscape, GenerateError> {
        scene.validate()?;
        let palette = inputs.palette(&scene.view.palette)?;
        let render_type = scene.render_type();
        // Layers and modifiers see all samples, as they do when files are written.
        let whole = |surface: &Surface| surface.is_shown_thinned() && !is_untouched(scene);
        let heightmap = |(surface, whole): &Whole, old: Option<Heightmap>| {
            let reuse = old.map(Heightmap::into_heights);
            match whole {
                true => surface.generate(&inputs.images, job, reuse),
                false => surface.generate_shown(&inputs.images, job, reuse),
            }
        };
        let (seed, modifiers) = (scene.surface.seed, &scene.modifiers);
        let context = Context { seed, job };
        let ground = ground(scene);
        let key = (ground.clone(), whole(&ground));
        let mut surface = self.surface.get(key, |key, old| {
            let map = heightmap(key, old)?;
            observe(StageDone::Surface);
            Ok::<_, GenerateError>(map)
        })?;
        let mut points = None;
        if let Some(half_steps) = half_steps(scene) {
            let shown = self.pass.get((ground, half_steps), |_, _| {
                let (map, points) = after_half_steps_while(&surface, half_steps, job)?;
                observe(StageDone::Pass);
                Ok::<_, GenerateError>((Arc::new(map), Arc::new(points)))
            })?;
            surface = Arc::clone(&shown.0);
            points = Some(Arc::clone(&shown.1));
        } else {
            let mut laid = |index| observe(StageDone::Layer(index));
            let ground = (ground, layers(scene));
            let layered = &mut self.layered;
            surface = layered.get(surface, ground, inputs, job, &mut laid)?;
            let mut applied = |index| observe(StageDone::Modifier(index));
            let chain = &mut self.modified;
            surface = chain.run(&surface, modifiers, &context, &mut applied)?;
        }
        let teximage = match render_type {
            RenderType::Rendered | RenderType::Teximage => {
                let surface = finer_ground(scene);
                let key = (surface.clone(), whole(&surface));
                let finer = self.teximage.get(key, |key, old| {
                    let map = heightmap(key, old)?;
                    observe(StageDone::Teximage);
                    Ok::<_, GenerateError>(map)
                })?;
                let mut laid = |index| observe(StageDone::TeximageLayer(index));
                let ground = (surface, layers(scene));
                let layered = &mut self.layered_teximage;
                let finer = layered.get(finer, ground, inputs, job, &mut laid)?;
                let mut applied = |index| observe(StageDone::TeximageModifier(index));
                let chain = &mut self.modified_teximage;
                Some(chain.run(&finer, modifiers, &context, &mut applied)?)
            }
            _ => None,
        };
        let clouds = match render_type {
            RenderType::Rendered | RenderType::Clouds => {
                Some(self.clouds.get(cloud_map(scene), |map, _| {
                    let heights = map.generate(&inputs.images, job, None)?;
                    let texture = clouds::texture(&heights, map.height_scale, job)?;
                    observe(StageDone::Clouds);
                    Ok::<_, GenerateError>(texture)
                })?)
            }
            _ => None,
        };
        let light = &scene.light;
        let shows_light = matches!(render_type, RenderType::Landscape | RenderType::Triangles)
            && !surface.is_profile();
        // Where there is water, light falls on that and not on the ground below.
        let flood: Flood = (scene.water_level()).map(|level| (level, scene.view.tile > 1));
        let lit = || match flood {
            Some((level, neighbours)) => Arc::new(surface.flooded(level, neighbours)),
            None => Arc::clone(&surface),
        };
        let sky = match shows_light && light.occlusion {
            true => Some(self.sky.get((SameMap::of(&surface), flood), |_, _| {
                let sky = sky_visibility(&lit(), MOST_SKY, job)?;
                observe(StageDone::Sky);
                Ok::<_, GenerateError>(sky)
            })?),
            false => None,
        };
        let sun = match shows_light && light.shadows {
            true => {
                let key = (SameMap::of(&surface), flood, Sun::from(light));
                Some(self.sun.get(key, |(.., sun), _| {
                    let sun = sun_visibility(&lit(), *sun, MOST_SUN, job)?;
                    observe(StageDone::Sun);
                    Ok::<_, GenerateError>(sun)
                })?)
            }
            false => None,
        };
        let cloud_ranks = match render_type {
            RenderType::Landscape | RenderType::Sky => {
                Some(self.cloud_ranks.get(sky_cloud_map(scene), |map, _| {
                    let heights = map.generate(&inputs.images, job, None)?;
                    let ranks = clouds::ranks(&heights, job)?;
                    observe(StageDone::Clouds);
                    Ok::<_, GenerateError>(ranks)
                })?)
            }
            _ => None,
        };
        let relief = match scene.needs_relief() && !surface.is_profile() {
            true => {
                let key = SameMap::of(&surface);
                let made = self
                    .relief
                    .get(key, |_, _| Ok::<_, GenerateError>(relief(&surface)))?;
                Some(made)
            }
            false => {
                self.relief = Stage::default();
                None
            }
        };
        Ok(Landscape {
            scene: scene.clone(),
            heights: surface,
            points,
            teximage,
            cloud_ranks,
            clouds,
            sun,
            sky,
            relief,
            palette,
        })
    }
}

/// What the ground is made from: the scene's surface, or a ridge of the same seed, iterations
/// and H where a ridge is drawn.
#[must_use]
pub fn ground(scene: &Scene) -> Surface {
    let mut surface = scene.surface.clone();
    if scene.render_type() == RenderType::Ridge {
        surface.generator = Generator::Midpoint1d;
    }
    surface
}

fn layers(scene: &Scene) -> Vec<(usize, Layer)> {
    let on = scene.layers_on();
    on.map(|(index, layer)| (index, layer.clone())).collect()
}

/// Bytes of a layer's map up to which it is kept, so that another weight needs no new map.
const KEPT_LAYER_BYTES: usize = 20 << 20;

/// The land under layers, and the maps that the layers were made of.
#[derive(Debug, Default)]
struct Layered {
    land: Stage<Ground, Heightmap>,
    maps: [Stage<Surface, Heightmap>; MOST_LAYERS],
}

impl Layered {
    /// The map of `ground`'s surface with its layers laid over it: without any, `map` itself.
    fn get(
        &mut self,
        map: Arc<Heightmap>,
        ground: Ground,
        inputs: &Inputs,
        job: &Job,
        laid: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, GenerateError> {
        if ground.1.is_empty() {
            *self = Self::default();
            return Ok(map);
        }
        let maps = &mut self.maps;
        self.land.get(ground, |(surface, layers), _| {
            let mut land = copy(&map, None, job)?;
            for (index, layer) in layers {
                land = lay(
                    land,
                    layer,
                    surface.iterations,
                    &mut maps[*index],
                    inputs,
                    job,
                )
                .map_err(|error| error.of_layer(*index))?;
                laid(*index);
            }
            Ok(land)
        })
    }
}

/// `land` under one more layer, whose map `kept` may hold already.
fn lay(
    land: Heightmap,
    layer: &Layer,
    iterations: u32,
    kept: &mut Stage<Surface, Heightmap>,
    inputs: &Inputs,
    job: &Job,
) -> Result<Heightmap, GenerateError> {
    let map = kept.get(layer.ground(iterations), |surface, old| {
        surface.generate(&inputs.images, job, old.map(Heightmap::into_heights))
    })?;
    if size_of_val(map.heights()) > KEPT_LAYER_BYTES {
        *kept = Stage::default();
    }
    layer.lay_over(land, &map, job)
}

/// The whole height map as files hold it: the ground, its layers and all its modifiers.
///
/// # Errors
/// As [`Pipeline::run`].
pub fn heights(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Heightmap, GenerateError> {
    land(ground(scene), scene, inputs, job)
}

/// The finer map that is baked into the ground's texture, with its layers and modifiers.
///
/// # Errors
/// As [`Pipeline::run`].
pub fn teximage(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Heightmap, GenerateError> {
    land(finer_ground(scene), scene, inputs, job)
}

/// The map that the clouds are made of, and the range of its first pass.
///
/// # Errors
/// As [`Pipeline::run`].
pub fn clouds(
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<(Heightmap, f32), GenerateError> {
    scene.validate()?;
    let map = cloud_map(scene);
    Ok((map.generate(&inputs.images, job, None)?, map.height_scale))
}

/// The ranks of the clouds of the physical sky; see [`clouds::ranks`].
///
/// # Errors
/// As [`Pipeline::run`].
pub fn cloud_ranks(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Grid<u8>, GenerateError> {
    scene.validate()?;
    let heights = sky_cloud_map(scene).generate(&inputs.images, job, None)?;
    Ok(clouds::ranks(&heights, job)?)
}

/// `ground` under the scene's layers and modifiers.
fn land(
    ground: Surface,
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<Heightmap, GenerateError> {
    scene.validate()?;
    let mut map = ground.generate(&inputs.images, job, None)?;
    for (index, layer) in scene.layers_on() {
        map = lay(
            map,
            layer,
            ground.iterations,
            &mut Stage::default(),
            inputs,
            job,
        )
        .map_err(|error| error.of_layer(index))?;
    }
    let seed = scene.surface.seed;
    for modifier in scene.modifiers.iter().filter(|modifier| modifier.on) {
        modifier.apply(&mut map, &Context { seed, job })?;
    }
    Ok(map)
}

/// Whether the ground is its generator's alone, so that its rows can stream.
#[must_use]
pub fn is_untouched(scene: &Scene) -> bool {
    !scene.modifiers.iter().any(|modifier| modifier.on) && scene.layers_on().next().is_none()
}

/// The heights of 0 and of the highest whole number of the image that the ground is, if it is one
/// and nothing touches it: written with this range, it comes out with the numbers that went in.
#[must_use]
pub fn steps_range(scene: &Scene, inputs: &Inputs) -> Option<(f32, f32)> {
    let surface = ground(scene);
    let native = surface.image.size == image::Size::Native;
    if surface.generator != Generator::Image || !native || !is_untouched(scene) {
        return None;
    }
    let image = inputs.images.of(&surface).ok()?;
    let top = f64::from(image.top?);
    let (least, most) = image.grid.range();
    let height = |height: f32| f64::from(height * surface.input_scale());
    let (low, high) = (height(surface.input_low), height(surface.input_high));
    let steps = if most > least {
        f64::from(most) - f64::from(least)
    } else {
        1.0
    };
    let step = (high - low) / steps;
    let black = low - f64::from(least) * step;
    (step > 0.0).then_some((black as f32, (black + top * step) as f32))
}

/// How many half steps of diamond-square the scene shows, if not all.
fn half_steps(scene: &Scene) -> Option<u32> {
    let pass = scene.view.pass?;
    let all = 2 * scene.surface.iterations;
    let subdivides = scene.surface.generator == Generator::DiamondSquare;
    let on_the_ground = scene.render_type() != RenderType::Ridge;
    (subdivides && on_the_ground).then(|| ((pass * 2.0) as u32).min(all))
}

/// The range A of the half step that the scene shows alone: by how much it moves its points.
/// `None` where the finished map is shown, or just the corners.
#[must_use]
pub fn pass_range(scene: &Scene) -> Option<f32> {
    let before = half_steps(scene)?.checked_sub(1)? as usize;
    let surface = &scene.surface;
    let ranges =
        surface
            .diamond_square
            .amplitudes(surface.iterations, surface.hurst, surface.height_scale);
    Some(ranges[before / 2][before % 2])
}
