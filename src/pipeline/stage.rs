//! Memoized pipeline stage: recomputed only when dirty, that is, when its key has changed. With it the context
//! and the progress weights of all stages.

use std::sync::Arc;

use super::inputs::Inputs;
use super::request::{
    cloud_map, finer_ground, is_untouched, pour_point, sky_cloud_map, step_weights, surface_of,
};
use crate::generate::Surface;
use crate::scene::{RenderType, Scene};
use crate::shading::snow;
use crate::util::job::Job;

/// One stage: its last result with its key.
#[derive(Debug)]
pub struct Stage<K, V> {
    /// Key of the last result, and the result.
    pub made: Option<(K, Arc<V>)>,
}

impl<K, V> Default for Stage<K, V> {
    fn default() -> Self {
        Self { made: None }
    }
}

impl<K: PartialEq, V> Stage<K, V> {
    /// The result for `key`: the cached one if its key is equal, else a new one. `make` receives the old
    /// result for reuse of its memory, if it is not shared. After an error a shared old result stays the last
    /// one, so that what follows a cancelled stage can begin with it.
    pub fn get<E>(
        &mut self,
        key: K,
        make: impl FnOnce(&K, Option<V>) -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let made = match self.made.take() {
            Some((made_from, value)) if made_from == key => {
                self.made = Some((key, Arc::clone(&value)));
                return Ok(value);
            }
            Some((made_from, value)) => {
                // A strong reference would keep its memory from reuse.
                let shared = Arc::downgrade(&value);
                let made = make(&key, Arc::into_inner(value));
                if made.is_err() {
                    self.made = shared.upgrade().map(|value| (made_from, value));
                }
                made
            }
            None => make(&key, None),
        };
        let value = Arc::new(made?);
        self.made = Some((key, Arc::clone(&value)));
        Ok(value)
    }

    /// The last result, if its key is `alike`.
    pub fn last(&self, alike: impl FnOnce(&K) -> bool) -> Option<Arc<V>> {
        let made = self.made.as_ref().filter(|(key, _)| alike(key));
        made.map(|(_, value)| Arc::clone(value))
    }

    /// The result as from [`Stage::get`] where it `is_needed`; else `None`, and the last result stays.
    pub fn get_if<E>(
        &mut self,
        is_needed: bool,
        key: K,
        make: impl FnOnce(&K, Option<V>) -> Result<V, E>,
    ) -> Result<Option<Arc<V>>, E> {
        if !is_needed {
            return Ok(None);
        }
        self.get(key, make).map(Some)
    }
}

// Context shared by all stages, and the events they report.

/// A stage that was computed rather than reused; reported to the observer of
/// [`super::Pipeline::run_observed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageDone {
    /// Ground generated.
    Surface,
    /// Layer with this index generated and blended over the ground.
    Layer(usize),
    /// Modifier with this index applied to the ground.
    Modifier(usize),
    /// Ground reduced to its first passes.
    Pass,
    /// Finer map generated.
    Teximage,
    /// Layer with this index generated and blended over the finer map.
    TeximageLayer(usize),
    /// Modifier with this index applied to the finer map.
    TeximageModifier(usize),
    /// Drainage (D8 flow routing) computed, for a watershed.
    Drainage,
    /// Watershed delineated.
    Watershed,
    /// Rivers and lakes computed.
    Rivers,
    /// Snow computed.
    Snow,
    /// Canopy of the plants computed.
    Canopy,
    /// Ground covers computed.
    Covers,
    /// Cloud texture computed.
    Clouds,
    /// Sun visibility of the ground computed.
    Sun,
    /// Sky visibility of the ground computed.
    Sky,
}

/// Context passed to every stage.
pub struct Making<'a> {
    pub scene: &'a Scene,
    pub inputs: &'a Inputs,
    /// True for a preview: snow and canopy are coarse, and light may be that of an earlier canopy.
    pub is_preview: bool,
    /// Share of the current stage in the whole job.
    pub job: Job,
    pub observe: &'a mut dyn FnMut(StageDone),
}

impl Making<'_> {
    /// Report a computed stage to the observer.
    pub fn done(&mut self, stage: StageDone) {
        (self.observe)(stage);
    }

    /// True if the finer map of the ground's texture is needed.
    pub fn has_teximage(&self) -> bool {
        self.draws(&[RenderType::Rendered, RenderType::Teximage])
    }

    /// True if layers, modifiers or rock need all samples of a surface, although pictures show it thinned.
    pub fn sees_all(&self, surface: &Surface) -> bool {
        surface.shown_stride() > 1 && !is_untouched(self.scene)
    }

    /// True if the scene is drawn with one of these render types.
    pub fn draws(&self, types: &[RenderType]) -> bool {
        types.contains(&self.scene.render_type())
    }
}

// Progress weights of the pipeline stages.
//
// Weights are measured costs in nanoseconds per sample, roughly: a progress bar needs no more precision.

const DRAINED: f64 = 60.0;
const RIVERS: f64 = 100.0;
const SNOW: f64 = 150.0;
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
    Snow,
    Teximage,
    Covers,
    Clouds,
    Light,
}

/// Shares of all stages in a job.
pub struct Shares {
    job: Job,
    /// End of each stage's share, of `PARTS`.
    ends: [u64; 8],
}

impl Shares {
    pub fn new(making: &Making<'_>) -> Self {
        let scene = making.scene;
        let samples = |surface: &Surface| 4f64.powi(surface.iterations as i32);
        let [generated, layers, modifiers] = step_weights(scene).map(|weight| weight as f64);
        let land = generated + layers + modifiers;
        let ground = samples(&surface_of(scene));
        let some = |is_wanted: bool, weight: f64| if is_wanted { weight } else { 0.0 };
        let light = &scene.light;
        let has_erosion = scene.modifiers_on().any(|(_, step)| step.is_slow());
        let weights = [
            ground * land,
            ground * some(pour_point(scene).is_some(), DRAINED),
            ground * some(scene.water.rivers().is_some(), RIVERS),
            ground * some(snow::is_shown(scene), SNOW),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_stage_keeps_a_result_in_use() {
        let mut stage = Stage::default();
        let shown = stage.get(1, |_, _| Ok::<_, ()>("first")).unwrap();
        let fails = |_: &_, old: Option<_>| {
            assert!(old.is_none(), "a shared result was handed over");
            Err(())
        };
        stage.get(2, fails).unwrap_err();
        assert!(Arc::ptr_eq(&stage.last(|key| *key == 1).unwrap(), &shown));
        // It is not taken for what failed.
        assert_eq!(stage.last(|key| *key == 2), None);
        let made = stage.get(2, |_, _| Ok::<_, ()>("second")).unwrap();
        assert_eq!(*made, "second");
    }

    #[test]
    fn failed_stage_lets_go_of_a_result_of_its_own() {
        let mut stage = Stage::default();
        drop(stage.get(1, |_, _| Ok::<_, ()>("first")).unwrap());
        let fails = |_: &_, old: Option<_>| {
            assert_eq!(old, Some("first"));
            Err(())
        };
        stage.get(2, fails).unwrap_err();
        assert!(stage.made.is_none());
    }
}
