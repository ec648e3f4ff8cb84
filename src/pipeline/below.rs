//! The ground below its last iteration.

use super::asked::{is_untouched, surface_of};
use crate::fractal::refinement::{Below, Refinement};
use crate::generate::{GenerateError, Generator};
use crate::heightmap::Heightmap;
use crate::job::Job;
use crate::measure;
use crate::scene::Scene;

/// Whether the ground is diamond-square alone, whose levels below are those of more iterations.
#[must_use]
pub fn goes_on_as_itself(scene: &Scene) -> bool {
    surface_of(scene).generator == Generator::DiamondSquare && is_untouched(scene)
}

/// The ground of a scene, `map`, as the base that diamond-square refines, with so many levels below
/// it. H is that of the scene's detail, else the one that its generator takes, else the one that
/// the map has.
///
/// # Errors
/// The job was cancelled.
pub fn refined(
    map: &Heightmap,
    scene: &Scene,
    levels: u32,
    job: &Job,
) -> Result<Refinement, GenerateError> {
    let surface = surface_of(scene);
    let asked = scene.detail.hurst.or(surface.requested_hurst());
    let hurst = asked.unwrap_or_else(|| measured_hurst(map));
    let below = Below {
        levels,
        hurst,
        strength: scene.detail.strength,
        seed: surface.seed,
    };
    Ok(Refinement::below(map, &below, job)?)
}

/// The H that heights have, 0…1; of a flat or a tiny map 1.
fn measured_hurst(map: &Heightmap) -> f32 {
    let found = measure::hurst(&measure::variations(map));
    found.map_or(1.0, |hurst| hurst.clamp(0.0, 1.0) as f32)
}
