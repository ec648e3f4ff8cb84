//! Background thread that generates landscapes for thumbnails, by progressive refinement: first all
//! at a low level of detail, then all at higher ones. A bounded queue keeps it only a little ahead
//! of the renderer; thumbnails no longer wanted are cancelled.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use super::builder::{CostlyStages, coarse_scene};
use super::builder::{NotMade, prepare_below, read};
use crate::app::background::{Background, Shared, caught};
use crate::app::state::thumbnails::{Thumbnails, Wanted};
use crate::camera::{Ground, above_ground};
use crate::files::import::FilesNamed;
use crate::pipeline::inputs::Inputs;
use crate::pipeline::{Landscape, Pipeline};
use crate::scene::{CameraMode, Scene};
use crate::util::job::Job;
use crate::util::language::tr;

/// Iterations of the successive levels of detail. The first is only for slow scenes.
const FINENESS: [u32; 4] = [6, 8, 9, 10];
/// Fewest iterations at which nothing else is simplified.
const FINER_FROM: u32 = 9;
/// Maximum length of the queue of landscapes to be rendered.
const MOST_WAITING: usize = 2;

/// Landscape for a thumbnail.
pub struct ThumbnailLandscape {
    /// Requested thumbnail.
    pub of: Wanted,
    /// Landscape; its camera is already moved out of the ground.
    pub landscape: Landscape,
    /// Limit of the iterations it was made with.
    pub fineness: u32,
}

/// Handle to the thumbnail thread. Dropping it cancels the work and ends the thread.
pub struct ThumbnailWorker {
    thread: Background<Slots>,
}

#[derive(Default)]
struct Slots {
    orders: Vec<Order>,
    running: Option<(Wanted, Job)>,
    made: VecDeque<ThumbnailLandscape>,
    failed: Vec<(Arc<Scene>, String)>,
    quit: bool,
}

/// Requested thumbnail, with the iterations made for it so far.
#[derive(Clone)]
struct Order {
    wanted: Wanted,
    made: u32,
}

impl ThumbnailWorker {
    /// Start the thread. It calls `made` whenever a landscape can be rendered, and `failed` when
    /// one cannot be made or was cancelled.
    #[must_use]
    pub fn start(made: impl Fn() + Send + 'static, failed: impl Fn() + Send + 'static) -> Self {
        let thread = Background::start(Slots::end, move |slots: &Arc<Shared<Slots>>| {
            let mut maker = ThumbnailBuilder::default();
            while let Some((order, iterations, job)) = slots.next_task(Slots::next_task) {
                let outcome = maker.make(&order.wanted, iterations, &job);
                let is_made = outcome.is_ok();
                slots.lock().note(&order, iterations, outcome);
                if is_made { made() } else { failed() }
            }
        });
        Self { thread }
    }

    /// Request the thumbnails missing in the gallery, and cancel all others.
    pub fn want(&self, gallery: &Thumbnails) {
        let mut slots = self.thread.lock();
        let wanted = gallery.wanted();
        let is_asked = slots.orders.iter().map(|order| &order.wanted).eq(wanted);
        if is_asked {
            return;
        }
        let old = std::mem::take(&mut slots.orders);
        let made = |wanted: &Wanted| {
            let known = old.iter().find(|order| order.wanted == *wanted);
            known.map_or_else(|| gallery.fineness(wanted).unwrap_or(0), |order| order.made)
        };
        let orders = wanted.iter().map(|wanted| Order {
            made: made(wanted),
            wanted: wanted.clone(),
        });
        slots.orders = orders.collect();
        let is_wanted = |of: &Wanted| wanted.contains(of);
        slots.made.retain(|made| is_wanted(&made.of));
        if let Some((of, job)) = &slots.running
            && !is_wanted(of)
        {
            job.cancel();
        }
        self.thread.notify();
    }

    /// Take the next landscape to render.
    #[must_use]
    pub fn take(&self) -> Option<ThumbnailLandscape> {
        self.thread.change(|slots| slots.made.pop_front())
    }

    /// True if a landscape can be taken.
    #[must_use]
    pub fn has_made(&self) -> bool {
        !self.thread.lock().made.is_empty()
    }

    /// Take the scenes whose landscape cannot be made, with the reasons.
    #[must_use]
    pub fn take_failed(&self) -> Vec<(Arc<Scene>, String)> {
        std::mem::take(&mut self.thread.lock().failed)
    }
}

impl Slots {
    /// Cancel the running job and ask the thread to end.
    fn end(&mut self) {
        self.quit = true;
        if let Some((_, job)) = &self.running {
            job.cancel();
        }
    }

    /// Next task, if there is one now; `Some(None)` ends the thread.
    fn next_task(&mut self) -> Option<Option<(Order, u32, Job)>> {
        if self.quit {
            return Some(None);
        }
        let (order, iterations) = self.next().filter(|next| self.has_room(next.1))?;
        let job = Job::new();
        self.running = Some((order.wanted.clone(), job.clone()));
        Some(Some((order, iterations, job)))
    }

    /// Record the outcome of a request.
    fn note(
        &mut self,
        order: &Order,
        iterations: u32,
        outcome: Result<ThumbnailLandscape, NotMade>,
    ) {
        self.running = None;
        let mut orders = self.orders.iter_mut();
        let Some(order) = orders.find(|other| other.wanted == order.wanted) else {
            return;
        };
        match outcome {
            Ok(made) => {
                order.made = iterations;
                self.made.push_back(made);
            }
            Err(NotMade::Cancelled) => {}
            Err(NotMade::Failed(words)) => {
                // No other level of detail is tried.
                order.made = u32::MAX;
                let scene = Arc::clone(&order.wanted.scene);
                self.failed.push((scene, words));
            }
        }
    }

    /// Next request at the lowest missing level of detail, with its iterations.
    fn next(&self) -> Option<(Order, u32)> {
        FINENESS.iter().find_map(|iterations| {
            let mut orders = self.orders.iter();
            let order = orders.find(|order| order.wants(*iterations))?;
            Some((order.clone(), *iterations))
        })
    }

    /// True if a landscape of this level of detail may be made before the queued ones are rendered.
    /// A finer one waits, since it would compete with their rendering for the processor.
    fn has_room(&self, iterations: u32) -> bool {
        let are_as_fine = self.made.iter().all(|made| made.fineness >= iterations);
        self.made.len() < MOST_WAITING && are_as_fine
    }
}

impl Order {
    /// True if a landscape of so many iterations would improve the thumbnail.
    fn wants(&self, iterations: u32) -> bool {
        let Wanted { scene, size } = &self.wanted;
        let is_slow = CostlyStages::of(scene).is_slow() || scene.water.rivers().is_some();
        let first = if is_slow { FINENESS[0] } else { FINENESS[1] };
        // More than two cells a pixel add nothing visible. A landscape equal to the full one is
        // final.
        let shows = size.0.max(size.1) * 2 >= 1 << (iterations - 1);
        let is_all = |made: u32| made > 0 && small_scene(scene, made) == **scene;
        let shows = shows || iterations == first;
        iterations >= first && iterations > self.made && shows && !is_all(self.made)
    }
}

/// Scene simplified for a thumbnail: at most this many iterations. Early levels also omit rivers
/// and detail beyond the map, and have fewer iterations of texture and clouds, since these take
/// most of the time.
fn small_scene(scene: &Scene, iterations: u32) -> Scene {
    let mut coarse = coarse_scene(scene, iterations);
    if iterations <= FINENESS[0] {
        coarse.water.rivers = false;
    }
    if iterations < FINER_FROM {
        coarse.view.endless = false;
        coarse.teximage.iterations = coarse.teximage.iterations.min(iterations - 2);
        coarse.clouds.iterations = coarse.clouds.iterations.min(iterations / 2 + 1);
    }
    coarse
}

/// State of the thumbnail thread.
#[derive(Default)]
struct ThumbnailBuilder {
    /// Pipelines, one for each level of detail, so that stages shared by scenes are computed once.
    pipelines: [Pipeline; FINENESS.len()],
    inputs: Inputs,
    files: Option<FilesNamed>,
}

impl ThumbnailBuilder {
    /// Generate the landscape of a thumbnail with this many iterations.
    fn make(
        &mut self,
        wanted: &Wanted,
        iterations: u32,
        job: &Job,
    ) -> Result<ThumbnailLandscape, NotMade> {
        let began = Instant::now();
        // A bug in a generator must cost one thumbnail, not the window.
        let outcome = caught(|| self.landscape(&wanted.scene, iterations, job));
        let landscape = outcome.unwrap_or_else(|| {
            *self = Self::default();
            Err(NotMade::Failed(tr("internal error").to_owned()))
        })?;
        let ms = began.elapsed().as_millis();
        log::debug!("small landscape {ms} ms, {iterations} iterations");
        Ok(ThumbnailLandscape {
            of: wanted.clone(),
            landscape,
            fineness: iterations,
        })
    }

    fn landscape(
        &mut self,
        scene: &Scene,
        iterations: u32,
        job: &Job,
    ) -> Result<Landscape, NotMade> {
        let files = FilesNamed::of(scene);
        if self.files.as_ref() != Some(&files) {
            self.files = None;
            self.inputs = read(scene, job)?;
            // Pipelines identify files by name only, not by content.
            self.pipelines = Default::default();
            self.files = Some(files);
        }
        let coarse = small_scene(scene, iterations);
        let level = FINENESS
            .iter()
            .position(|of| *of == iterations)
            .unwrap_or(0);
        let mut landscape = self.pipelines[level].run(&coarse, &self.inputs, job)?;
        prepare_below(&landscape, job)?;
        if coarse.camera.mode == CameraMode::Orbit
            && let Some(ground) = Ground::of(&landscape)
        {
            landscape.scene.camera = above_ground(&coarse.camera, &ground);
        }
        Ok(landscape)
    }
}
