//! Progress weights of the pipeline stages.
//!
//! Weights are measured costs in nanoseconds per sample, roughly: a progress bar needs no more precision.

use crate::generate::Surface;
use crate::scene::Scene;
use crate::util::job::Job;

use super::asked::{cloud_map, finer_ground, sky_cloud_map, surface_of};
use super::making::Making;
use super::watershed::pour_point;

const GENERATED: f64 = 3.0;
const LAYER: f64 = 5.0;
const MODIFIER: f64 = 5.0;
const SLOW_MODIFIER: f64 = 300.0;
const DRAINED: f64 = 60.0;
const RIVERS: f64 = 100.0;
const COVERS: f64 = 20.0;
const CLOUDS: f64 = 10.0;
const LIGHT: f64 = 15.0;
/// Resolution of the integer weights.
const PARTS: f64 = 1e6;

/// Stages in order of execution.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    Ground,
    Waters,
    Rivers,
    Teximage,
    Covers,
    Clouds,
    Light,
}

/// Shares of all stages in a job.
pub struct Shares {
    job: Job,
    /// End of each stage's share, of `PARTS`.
    ends: [u64; 7],
}

impl Shares {
    pub fn new(scene: &Scene, making: &Making<'_>) -> Self {
        let samples = |surface: &Surface| 4f64.powi(surface.iterations as i32);
        let [generated, layers, modifiers] = land(scene).map(|weight| weight as f64);
        let land = generated + layers + modifiers;
        let ground = samples(&surface_of(scene));
        let some = |is_wanted: bool, weight: f64| if is_wanted { weight } else { 0.0 };
        let light = &scene.light;
        let has_erosion = scene.modifiers_on().any(|(_, step)| step.is_slow());
        let weights = [
            ground * land,
            ground * some(pour_point(scene).is_some(), DRAINED),
            ground * some(scene.water.rivers().is_some(), RIVERS),
            some(making.has_teximage(), samples(&finer_ground(scene)) * land),
            ground * some(has_erosion, COVERS),
            (samples(&cloud_map(scene)) + samples(&sky_cloud_map(scene))) * CLOUDS,
            ground * some(light.shadows || light.occlusion, LIGHT),
        ];
        let all: f64 = weights.iter().sum();
        let mut until = 0.0;
        let ends = weights.map(|weight| {
            until += weight;
            (until / all * PARTS) as u64
        });
        Self {
            job: making.job.clone(),
            ends,
        }
    }

    /// The share of a stage.
    pub fn of(&self, part: Part) -> Job {
        let part = part as usize;
        let first = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.job.span(first..self.ends[part], PARTS as u64)
    }
}

/// Weights of the steps of a map: generation, layers, and modifiers.
pub fn land(scene: &Scene) -> [u64; 3] {
    let layers = scene.layers_on().count() as f64;
    let steps = scene.modifiers_on().map(|(_, step)| {
        if step.is_slow() {
            SLOW_MODIFIER
        } else {
            MODIFIER
        }
    });
    [GENERATED, LAYER * layers, steps.sum()].map(|weight| weight as u64)
}
