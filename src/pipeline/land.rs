//! Heights of one surface: generated, layered, modified. Cached for pictures (the ground, and the finer map of its
//! texture), or computed once for files.

use std::sync::Arc;

use super::inputs::Inputs;
use super::request::{cloud_map, context, finer_ground, sky_cloud_map, step_weights, surface_of};
use super::rock;
use super::stage::{Making, Stage, StageDone};
use crate::fractal::bedrock::Bedding;
use crate::generate::{GenerateError, Surface};
use crate::modify::layer::{Layer, MOST_LAYERS};
use crate::modify::mask::{Context, copy};
use crate::modify::{Chain, Modifier};
use crate::scene::{Rock, Scene};
use crate::shading::texture::clouds as cloud_texture;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::util::identity::Identity;
use crate::util::job::Job;

/// Stages of one map, each with its last result.
#[derive(Debug, Default)]
pub struct Land {
    generated: Stage<GeneratedKey, Heightmap>,
    layered: Layered,
    modified: Chain,
    rocky: Stage<(Identity<Heightmap>, Rock, Bedding), Heightmap>,
}

/// Cache key of generated heights: the surface, and the number of samples.
#[derive(Debug, PartialEq)]
struct GeneratedKey {
    surface: Surface,
    /// True to generate all samples, without thinning.
    whole: bool,
}

/// Stage names of a map for the observer.
pub struct StageNames {
    pub generated: StageDone,
    pub layer: fn(usize) -> StageDone,
    pub modifier: fn(usize) -> StageDone,
}

/// Stage names of the ground.
pub const GROUND: StageNames = StageNames {
    generated: StageDone::Surface,
    layer: StageDone::Layer,
    modifier: StageDone::Modifier,
};

impl Land {
    /// The heights as last generated; `None` if they are no longer in memory.
    pub fn last_generated(&self) -> Option<&Heightmap> {
        let (_, map) = self.generated.made.as_ref()?;
        Some(map)
    }

    /// Heights of `surface` as generated, before layers and modifiers. They are thinned for display, unless
    /// layers or modifiers need all samples.
    pub fn generated(
        &mut self,
        making: &mut Making<'_>,
        surface: &Surface,
        words: &StageNames,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let key = GeneratedKey {
            surface: surface.clone(),
            whole: making.sees_all(surface),
        };
        self.generated.get(key, |key, old| {
            let reuse = old.map(Heightmap::into_heights);
            let [generated, layers, modifiers] = step_weights(making.scene);
            let job = &(making.job).span(0..generated, generated + layers + modifiers);
            let images = &making.inputs.images;
            let map = if key.whole {
                key.surface.generate(images, job, reuse)?
            } else {
                key.surface.generate_shown(images, job, reuse)?
            };
            making.done(words.generated);
            Ok(map)
        })
    }

    /// Heights of `surface` with the layers and modifiers of the scene.
    pub fn finished(
        &mut self,
        making: &mut Making<'_>,
        surface: Surface,
        words: &StageNames,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let map = self.layered(making, surface, words)?;
        let (scene, inputs) = (making.scene, making.inputs);
        let [generated, layers, modifiers] = step_weights(scene);
        let before = generated + layers;
        let job = (making.job).span(before..before + modifiers, before + modifiers);
        let context = context(scene, inputs, &job);
        let mut applied = |index| making.done((words.modifier)(index));
        let map =
            (self.modified).run(&map, &scene.modifiers_as_they_act(), &context, &mut applied)?;
        if !rock::moves(&map, scene) {
            self.rocky = Stage::default();
            return Ok(map);
        }
        let key = (Identity::of(&map), scene.rock.clone(), rock::bedding(scene));
        self.rocky.get(key, |_, old| {
            let land = copy(&map, old.map(Heightmap::into_heights), &job)?;
            Ok(rock::move_map(land, scene, &job)?)
        })
    }

    /// Heights of `surface` with the layers of the scene, before its modifiers.
    pub fn layered(
        &mut self,
        making: &mut Making<'_>,
        surface: Surface,
        words: &StageNames,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        let map = self.generated(making, &surface, words)?;
        let (scene, inputs) = (making.scene, making.inputs);
        // Layers are fast; their progress is not reported separately.
        let job = making.job.part();
        let context = context(scene, inputs, &job);
        let layers: Vec<_> = scene.layers_on().collect();
        let uses_water = layers.iter().any(|(_, layer)| layer.mask.uses_water());
        let stack = (
            surface,
            layers
                .into_iter()
                .map(|(i, layer)| (i, layer.clone()))
                .collect(),
            context.water.filter(|_| uses_water),
        );
        let mut laid = |index| making.done((words.layer)(index));
        self.layered.get(map, stack, inputs, &context, &mut laid)
    }

    /// The generated heights `map` with the given layers only.
    pub fn under_layer(
        &mut self,
        map: Arc<Heightmap>,
        iterations: u32,
        layers: &[(usize, Layer)],
        inputs: &Inputs,
        context: &Context<'_>,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        if layers.is_empty() {
            return Ok(map);
        }
        let maps = &mut self.layered.maps;
        let land = lay(maps, &map, iterations, layers, inputs, context, &mut |_| {})?;
        Ok(Arc::new(land))
    }

    /// The layered heights `map` after the given modifiers, which are the first of the scene.
    pub fn before_modifier(
        &self,
        map: &Arc<Heightmap>,
        modifiers: &[Modifier],
        context: &Context<'_>,
    ) -> Result<Arc<Heightmap>, GenerateError> {
        Ok(self.modified.after(map, modifiers, context)?)
    }
}

// Layer stage: layers blended over generated heights, with a cache of the layers' own maps.

/// Key of the layer stage: a surface, the active layers over it with their indices in the scene, and the
/// water level if masks use it.
pub type LayersKey = (Surface, Vec<(usize, Layer)>, Option<f32>);

/// Maximum size in bytes of a cached layer map. With a cached map, a change of the weight needs no new one.
const KEPT_LAYER_BYTES: usize = 20 << 20;

/// Heights with all layers, and the cached maps of the layers.
#[derive(Debug, Default)]
pub struct Layered {
    land: Stage<LayersKey, Heightmap>,
    maps: [Stage<Surface, Heightmap>; MOST_LAYERS],
}

impl Layered {
    /// Blend the layers of `stack` over `map`, which is generated from its surface; without layers return
    /// `map` itself. `laid` is called after each layer with its index in the scene.
    pub fn get(
        &mut self,
        map: Arc<Heightmap>,
        stack: LayersKey,
        inputs: &Inputs,
        context: &Context<'_>,
        laid: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, GenerateError> {
        if stack.1.is_empty() {
            *self = Self::default();
            return Ok(map);
        }
        let Self { land, maps } = self;
        land.get(stack, |(surface, layers, _), _| {
            lay(
                maps,
                &map,
                surface.iterations,
                layers,
                inputs,
                context,
                laid,
            )
        })
    }
}

/// Blend layers over a copy of `map`, in order. Their own maps are taken from `maps`, or stored there.
fn lay(
    maps: &mut [Stage<Surface, Heightmap>; MOST_LAYERS],
    map: &Heightmap,
    iterations: u32,
    layers: &[(usize, Layer)],
    inputs: &Inputs,
    context: &Context<'_>,
    laid: &mut dyn FnMut(usize),
) -> Result<Heightmap, GenerateError> {
    let mut land = copy(map, None, context.job)?;
    let mut before = Some(map);
    for (index, layer) in layers {
        let made = map_of(layer, iterations, &mut maps[*index], inputs, context);
        let on = |made: Arc<_>| layer.lay_beside(before.take(), land, &made, context);
        land = made.and_then(on).map_err(|error| error.of_layer(*index))?;
        laid(*index);
    }
    Ok(land)
}

/// The map of a layer, reused from `kept` if possible.
pub fn map_of(
    layer: &Layer,
    iterations: u32,
    kept: &mut Stage<Surface, Heightmap>,
    inputs: &Inputs,
    context: &Context<'_>,
) -> Result<Arc<Heightmap>, GenerateError> {
    let map = kept.get(layer.surface_at(iterations), |surface, old| {
        surface.generate(
            &inputs.images,
            context.job,
            old.map(Heightmap::into_heights),
        )
    })?;
    // Large maps are not cached, to bound the memory.
    if size_of_val(map.heights()) > KEPT_LAYER_BYTES {
        *kept = Stage::default();
    }
    Ok(map)
}

// Full-resolution maps for file export, computed without caching.

/// Full height map for export, in half tiles: the ground with its layers and modifiers.
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn heights(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Heightmap, GenerateError> {
    uncached_land(surface_of(scene), scene, inputs, job)
}

/// Finer map for the ground's texture, with its layers and modifiers, in half tiles.
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn teximage(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Heightmap, GenerateError> {
    uncached_land(finer_ground(scene), scene, inputs, job)
}

/// Rivers and lakes of the ground; `None` if the scene has none.
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn rivers(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Option<Rivers>, GenerateError> {
    let Some(rule) = scene.water.rivers() else {
        return Ok(None);
    };
    let map = heights(scene, inputs, job)?;
    if map.is_profile() {
        return Ok(None);
    }
    Ok(Some(Rivers::of(&map, scene.water.height(), &rule, job)?))
}

/// Height map of the clouds and the range of its first pass, both in half tiles.
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn clouds(
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<(Heightmap, f32), GenerateError> {
    scene.validate()?;
    let map = cloud_map(scene);
    Ok((map.generate(&inputs.images, job, None)?, map.height_scale))
}

/// Ranks of the clouds of the physical sky; see [`cloud_texture::ranks`].
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn cloud_ranks(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Grid<u8>, GenerateError> {
    scene.validate()?;
    let heights = sky_cloud_map(scene).generate(&inputs.images, job, None)?;
    Ok(cloud_texture::ranks(&heights, job)?)
}

/// Heights of `surface` with the scene's layers and modifiers.
fn uncached_land(
    surface: Surface,
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<Heightmap, GenerateError> {
    scene.validate()?;
    let [generated, layers, modifiers] = step_weights(scene);
    let all = generated + layers + modifiers;
    let made = job.span(0..generated, all);
    let mut map = surface.generate(&inputs.images, &made, None)?;
    // Layers are fast; their progress is not reported separately.
    let quick = job.part();
    let under = context(scene, inputs, &quick);
    for (index, layer) in scene.layers_on() {
        // Not cached: files are written once.
        let kept = &mut Stage::default();
        map = map_of(layer, surface.iterations, kept, inputs, &under)
            .and_then(|made| layer.lay_over(map, &made, &under))
            .map_err(|error| error.of_layer(index))?;
    }
    let slow = |before: usize| {
        let steps = scene
            .modifiers_on()
            .take_while(|(index, _)| *index < before);
        steps.filter(|(_, step)| step.is_slow()).count()
    };
    let all_slow = slow(scene.modifiers.len()).max(1);
    let modified = job.span(all - modifiers..all, all);
    for (index, modifier) in scene.modifiers_on() {
        let job = modified.share(slow(index), all_slow);
        modifier
            .apply(&mut map, &context(scene, inputs, &job))
            .map_err(|error| error.of_step(index))?;
    }
    if rock::moves(&map, scene) {
        map = rock::move_map(map, scene, &modified)?;
    }
    job.advance(1, 1);
    Ok(map)
}
