//! Refinement of the ground beyond its last iteration: levels of detail between the samples.

use std::sync::{Arc, OnceLock, Weak};

use super::asked::{is_untouched, surface_of};
use super::nearby::Nearby;
use crate::fractal::refinement::{Below, Refinement, level_of};
use crate::generate::{GenerateError, Generator, Images, MAX_ITERATIONS};
use crate::scene::Scene;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure;
use crate::terrain::rivers::Rivers;
use crate::util::job::{Cancelled, Job};

/// True if the ground is diamond-square alone; its refinement levels are then further iterations.
#[must_use]
pub fn goes_on_as_itself(scene: &Scene) -> bool {
    surface_of(scene).generator == Generator::DiamondSquare && is_untouched(scene)
}

/// Build the refinement of `map`, the ground of a scene, with `levels` levels of diamond-square.
///
/// H is the scene's detail setting, else the one of its generator, else measured from the map. An unmodified
/// ground that is a function of the position is refined by evaluating that function.
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
        // A function needs no displacements.
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

/// Measured H of the map, 0…1; 1 for a flat or a tiny map.
fn measured_hurst(map: &Heightmap) -> f32 {
    let found = measure::hurst(&measure::variations(map));
    found.map_or(1.0, |hurst| hurst.clamp(0.0, 1.0) as f32)
}

/// Maximum number of samples of a map that may be held twice: 2049².
const MOST_HELD: usize = 2049 * 2049;

/// True if a map is so large that its memory must be reused by the next one.
#[must_use]
pub fn is_large(map: &Heightmap) -> bool {
    map.heights().len() > MOST_HELD
}

/// Refinement levels of a landscape's ground, generated at the first use. They are unavailable once the
/// landscape of a large map is gone.
#[derive(Debug)]
pub struct LevelsBelow {
    scene: Scene,
    images: Images,
    heights: Weak<Heightmap>,
    // Only for small maps: holding a large one would block the reuse of its memory.
    _held: Option<Arc<Heightmap>>,
    level: u32,
    spacing: f32,
    rivers: Option<Arc<Rivers>>,
    made: OnceLock<Option<Refinement>>,
    nearby: Nearby,
}

impl LevelsBelow {
    /// Prepare the refinement of `heights`, the ground of `scene`, with the shown rivers and lakes.
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

    /// Level of the ground itself.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Distance between adjacent samples of the ground, in half tiles.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Rivers and lakes on the ground, where they are shown.
    #[must_use]
    pub fn rivers(&self) -> Option<&Rivers> {
        self.rivers.as_deref()
    }

    /// Cache of recently requested blocks of samples.
    pub(super) fn nearby(&self) -> &Nearby {
        &self.nearby
    }

    /// The refinement of the ground, with as many levels as the scene wants and 64 bits can address. `None`
    /// if it cannot be built or the ground is gone. The first call costs as much as [`Refinement::below`],
    /// later ones nothing.
    #[must_use]
    pub fn refinement(&self) -> Option<&Refinement> {
        let uncancelled = || self.make(&Job::default());
        self.made.get_or_init(uncancelled).as_ref()
    }

    /// Build the refinement ahead of the first use, unless that is done.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn prepare(&self, job: &Job) -> Result<(), Cancelled> {
        if !self.is_made() {
            let made = self.make(job);
            // A cancelled result must not be cached.
            job.check()?;
            // Another thread may have built the same refinement meanwhile.
            let _ = self.made.set(made);
        }
        Ok(())
    }

    /// True if [`LevelsBelow::refinement`] is free.
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
