//! Plants of a scene, made on demand: pictures do not need them yet.

use std::sync::Arc;

use super::inputs::Inputs;
use super::request::context;
use crate::generate::GenerateError;
use crate::plants::{Scatter, Site};
use crate::scene::Scene;
use crate::shading::snow::{MOST_SIDE, SnowCover};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::util::job::Job;
use crate::util::numbers::metres_per_unit;

/// Prepare the plants on `map`, the heights of the scene; `None` if the scene has none, or is a profile.
///
/// # Errors
/// A mask failed, or the job was cancelled.
pub fn plants(
    scene: &Scene,
    inputs: &Inputs,
    map: &Arc<Heightmap>,
    job: &Job,
) -> Result<Option<Scatter>, GenerateError> {
    if scene.plants_on().next().is_none() || map.is_profile() {
        return Ok(None);
    }
    let sea = scene.water.height();
    let rivers = scene.water.rivers();
    let rivers = rivers
        .map(|rule| Rivers::of(map, sea, &rule, job))
        .transpose()?;
    let snow = match scene.snow.enabled {
        true => SnowCover::of(map, rivers.as_ref(), scene, MOST_SIDE, job)?,
        false => None,
    };
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let site = Site::new(Arc::clone(map), sea, rivers, metres);
    let snow = snow.map(|snow| snow.measured(site.ground(), |depth| depth));
    let site = site.with_snow(snow);
    let context = context(scene, inputs, job);
    let mut layers = Vec::new();
    for (index, layer) in scene.plants_on() {
        let weights = match layer.mask.is_none() {
            true => None,
            false => {
                let weights = layer.mask.weights(site.ground(), &context);
                Some(weights.map_err(|error| error.of(&format!("plants.{index}")))?)
            }
        };
        layers.push((index, layer.clone(), weights));
    }
    Ok(Some(Scatter::new(scene.surface.seed, layers, site)))
}
