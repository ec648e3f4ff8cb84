//! The ground below its last iteration.

use std::sync::{Arc, OnceLock, Weak};

use super::asked::{is_untouched, surface_of};
use super::nearby::Nearby;
use crate::fractal::refinement::{Below, Refinement, level_of};
use crate::generate::{GenerateError, Generator, Images, MAX_ITERATIONS};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::measure;
use crate::rivers::Rivers;
use crate::scene::Scene;

/// Whether the ground is diamond-square alone, whose levels below are those of more iterations.
#[must_use]
pub fn goes_on_as_itself(scene: &Scene) -> bool {
    surface_of(scene).generator == Generator::DiamondSquare && is_untouched(scene)
}

/// The ground of a scene, `map`, as the base that diamond-square refines, with so many levels below
/// it. H is that of the scene's detail, else the one that its generator takes, else the one that
/// the map has. An untouched ground that is a function of the place goes on as that.
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
    let function = if is_untouched(scene) {
        surface.function(&scene.detail)?
    } else {
        None
    };
    let asked = scene.detail.hurst.or(surface.requested_hurst());
    let hurst = asked.unwrap_or_else(|| match function {
        // It has no displacements.
        Some(_) => 1.0,
        None => measured_hurst(map),
    });
    let below = Below {
        levels,
        hurst,
        strength: scene.detail.strength,
        seed: surface.seed,
    };
    let refinement = Refinement::below(map, &below, job)?;
    Ok(match function {
        Some(function) => refinement.following(function),
        None => refinement,
    })
}

/// The H that heights have, 0…1; of a flat or a tiny map 1.
fn measured_hurst(map: &Heightmap) -> f32 {
    let found = measure::hurst(&measure::variations(map));
    found.map_or(1.0, |hurst| hurst.clamp(0.0, 1.0) as f32)
}

/// The most samples of a map of which a second one beside it is nothing: 2049² of them.
const MOST_HELD: usize = 2049 * 2049;

/// Whether a map is so large that its memory is used again.
#[must_use]
pub fn is_large(map: &Heightmap) -> bool {
    map.heights().len() > MOST_HELD
}

/// The levels below the ground of a landscape, made when they are first asked for, if the landscape
/// is still there then.
#[derive(Debug)]
pub struct LevelsBelow {
    scene: Scene,
    images: Images,
    heights: Weak<Heightmap>,
    // Whoever holds a large map keeps the next landscape from its memory.
    _held: Option<Arc<Heightmap>>,
    level: u32,
    spacing: f32,
    rivers: Option<Arc<Rivers>>,
    made: OnceLock<Option<Refinement>>,
    nearby: Nearby,
}

impl LevelsBelow {
    /// Those below `heights`, the ground of that scene, on which these rivers and lakes are shown.
    pub(super) fn new(
        scene: &Scene,
        images: &Images,
        heights: &Arc<Heightmap>,
        rivers: Option<&Arc<Rivers>>,
    ) -> Self {
        Self {
            scene: scene.clone(),
            images: images.clone(),
            heights: Arc::downgrade(heights),
            _held: (!is_large(heights)).then(|| Arc::clone(heights)),
            level: level_of(heights),
            spacing: heights.spacing(),
            rivers: rivers.cloned(),
            made: OnceLock::new(),
            nearby: Nearby::default(),
        }
    }

    /// The level of the ground itself.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Half tiles from one of its samples to the next.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// The rivers and lakes on it, where they are shown.
    #[must_use]
    pub fn rivers(&self) -> Option<&Rivers> {
        self.rivers.as_deref()
    }

    /// What was asked for lately.
    pub(super) fn nearby(&self) -> &Nearby {
        &self.nearby
    }

    /// The ground with as many levels below it as the scene wants and 64 bits tell apart; none of a
    /// ground whose levels are refused, or that has gone. Cost: when it is first asked for as
    /// [`Refinement::below`], then none.
    #[must_use]
    pub fn refinement(&self) -> Option<&Refinement> {
        let uncancelled = || self.make(&Job::default());
        self.made.get_or_init(uncancelled).as_ref()
    }

    /// Makes what [`LevelsBelow::refinement`] returns, unless that is done: for who has time before it is
    /// asked for.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn prepare(&self, job: &Job) -> Result<(), Cancelled> {
        if !self.is_made() {
            let made = self.make(job);
            // What was cancelled is none of it.
            job.check()?;
            // Somebody else may have been quicker, and has made the same.
            let _ = self.made.set(made);
        }
        Ok(())
    }

    /// Whether [`LevelsBelow::refinement`] costs nothing now.
    #[must_use]
    pub fn is_made(&self) -> bool {
        self.made.get().is_some()
    }

    fn make(&self, job: &Job) -> Option<Refinement> {
        let scene = &self.scene;
        let (last, refinement) = if goes_on_as_itself(scene) {
            let surface = surface_of(scene);
            let levels = MAX_ITERATIONS.checked_sub(surface.iterations)?;
            let made = surface.refinement(&scene.detail, levels, &self.images, job);
            (surface.iterations, made.ok().flatten())
        } else {
            let levels = MAX_ITERATIONS.checked_sub(self.level())?;
            let made = refined(&*self.heights.upgrade()?, scene, levels, job);
            (self.level(), made.ok())
        };
        let mut refinement = refinement?;
        let deepest = refinement.deepest().min(last + scene.detail.levels);
        refinement.rule.amplitudes.truncate(deepest as usize);
        Some(refinement)
    }
}
