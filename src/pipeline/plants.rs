//! Plants of a scene, prepared on its map; they are made for the part that a picture or a file needs.

use std::sync::Arc;

use super::inputs::Inputs;
use super::request::context;
use crate::generate::GenerateError;
use crate::modify::mask::{By, Context};
use crate::plants::{CanopyMap, FIXED_SIDE, Scatter, Site};
use crate::scene::{PlantLayer, RenderType, Scene};
use crate::shading::snow::{MOST_SIDE, SnowCover, suns};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::rivers::Rivers;
use crate::util::job::Job;
use crate::util::numbers::metres_per_unit;

/// True if the scene has plants on this map: a profile has none.
pub(super) fn grow(scene: &Scene, map: &Heightmap) -> bool {
    scene.plants_on().next().is_some() && !map.is_profile()
}

/// True if pictures of the scene show plants: all with colours of the ground, apart from `triangles`.
pub(super) fn are_drawn(scene: &Scene) -> bool {
    use RenderType::{Landscape, Map, Rendered, Teximage};
    matches!(scene.render_type(), Landscape | Map | Rendered | Teximage)
}

/// Compute the canopy on `map`, the heights of the scene, for its colours; `None` if the scene has no plants.
///
/// # Errors
/// A mask failed, or the job was cancelled.
pub fn canopy(
    scene: &Scene,
    inputs: &Inputs,
    map: &Arc<Heightmap>,
    job: &Job,
) -> Result<Option<CanopyMap>, GenerateError> {
    let plants = plants(scene, inputs, map, job)?;
    Ok(plants
        .map(|plants| plants.canopy(FIXED_SIDE, job))
        .transpose()?)
}

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
    if !grow(scene, map) {
        return Ok(None);
    }
    let rule = scene.water.rivers();
    let rivers = rule
        .map(|rule| Rivers::of(map, scene.water.height(), &rule, job))
        .transpose()?
        .map(Arc::new);
    let snow = match scene.snow.enabled {
        true => SnowCover::of(map, rivers.as_deref(), scene, MOST_SIDE, job)?,
        false => None,
    };
    let bare = bare(scene, map, rivers, snow.as_ref());
    scatter(&bare, scene, inputs, job).map(Some)
}

/// The site of plants on `map` with its rivers and the snow on it, without any plants.
pub(super) fn bare(
    scene: &Scene,
    map: &Arc<Heightmap>,
    rivers: Option<Arc<Rivers>>,
    snow: Option<&SnowCover>,
) -> Scatter {
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let site = Site::new(Arc::clone(map), scene.water.height(), rivers, metres);
    let snow = snow.map(|snow| snow.measured(site.ground(), |depth| depth));
    let site = site.with_snow(snow).with_suns(suns(scene));
    Scatter::new(scene.surface.seed, [], site)
}

/// The plants of `before` under other snow.
pub(super) fn in_snow(before: &Scatter, snow: Option<&SnowCover>) -> Scatter {
    before.with_snow(snow.map(|snow| snow.measured(before.ground(), |depth| depth)))
}

/// Prepare the plants of a scene on the site of `before`, other plants with the same seed, and in its snow.
pub(super) fn scatter(
    before: &Scatter,
    scene: &Scene,
    inputs: &Inputs,
    job: &Job,
) -> Result<Scatter, GenerateError> {
    let context = context(scene, inputs, job);
    let weights = |index: usize, layer: &PlantLayer, site: &Site| {
        let mask = &layer.mask;
        // Plants drink from rivers and lakes, too: to the mask they are a sea.
        let drinks = mask.has_source(By::WaterDistance) && scene.water.rivers().is_some();
        let shores = drinks.then(|| site.shores());
        let context = Context {
            shores: shores.as_ref(),
            ..context
        };
        let weights = (!mask.is_none()).then(|| mask.weights(site.ground(), &context));
        let weights = weights.transpose();
        weights.map_err(|error| GenerateError::from(error.of(&format!("plants.{index}"))))
    };
    let layers = scene.plants_on();
    before.with_layers(layers.map(|(index, layer)| (index, layer.clone())), weights)
}
