//! Full-resolution maps for file export, computed without caching.

use super::asked::{cloud_map, context, finer_ground, sky_cloud_map, surface_of};
use super::layered::map_of;
use super::shares;
use super::stage::Stage;
use crate::generate::{GenerateError, Surface};
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::texture::clouds as cloud_texture;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::util::job::Job;

/// Full height map for export, in half tiles: the ground with its layers and modifiers.
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn heights(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Heightmap, GenerateError> {
    land(surface_of(scene), scene, inputs, job)
}

/// Finer map for the ground's texture, with its layers and modifiers, in half tiles.
///
/// # Errors
/// The same as those of [`super::Pipeline::run`].
pub fn teximage(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Heightmap, GenerateError> {
    land(finer_ground(scene), scene, inputs, job)
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
fn land(
    surface: Surface,
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<Heightmap, GenerateError> {
    scene.validate()?;
    let [generated, layers, modifiers] = shares::land(scene);
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
    job.advance(1, 1);
    Ok(map)
}
