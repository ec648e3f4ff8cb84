//! Background thread that generates landscapes, with a single-slot request queue, so that the
//! window never waits.
//!
//! ```text
//! window ── request ──▶ one slot, the newest wins ──▶ worker
//! window ◀── wake, take ── outbox: one slot a kind, the newest wins ── preview, full, statistics
//! ```
//! A new request cancels the running one, unless that has only quick stages left which the new one computes as well:
//! while the sun is dragged, one landscape after the other is finished and shown, where a request a frame would
//! cancel them all. A landscape of many iterations is preceded by coarse
//! previews with fewer. A preview has the same samples bit for bit, only fewer of them. Only one
//! full height map exists at a time: the pipeline refills its array after the window has dropped
//! it.

use std::ops::Deref;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use crate::app::background::{Background, Shared};
use crate::app::state::MeasuredHurst;
use crate::app::state::output::Exporting;
use crate::app::state::times::StepTimes;
use crate::camera::Ground;
use crate::files::export::Forecast;
use crate::pipeline::{Landscape, MaskOf, TileBytes};
use crate::plants::PlantCount;
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::Statistics;
use crate::util::job::Job;

mod builder;
mod thumbnail;
mod worker_loop;

use builder::CostlyStages;
use worker_loop::WorkerLoop;

pub use builder::COARSE_ITERATIONS;
pub use thumbnail::{ThumbnailLandscape, ThumbnailWorker};

/// Handle to the worker thread. Dropping it cancels the work and ends the thread.
pub struct Worker {
    thread: Background<Slots>,
}

impl Worker {
    /// Start the thread. It calls `wake` whenever something is put into the outbox.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let thread = Background::start(Slots::end, move |slots: &Arc<Shared<Slots>>| {
            WorkerLoop::new(Arc::clone(slots), Box::new(wake)).run();
        });
        Self { thread }
    }

    /// Request the landscape of `scene`, replacing any earlier request. Set `reread` if the files
    /// named in the scene may have changed. Returns the request number.
    pub fn request(&self, scene: impl Into<Arc<Scene>>, reread: bool) -> u64 {
        let scene = scene.into();
        let costly = CostlyStages::of(&scene);
        self.thread.change(|slots| {
            slots.number += 1;
            // A replaced request may not have read its changed files yet.
            let reread = reread || slots.next.take().is_some_and(|order| order.reread);
            slots.next = Some(Order {
                number: slots.number,
                scene,
                reread,
            });
            let is_quick = |running: &Running| running.quick.as_ref() == Some(&costly);
            if !reread && slots.running.as_ref().is_some_and(is_quick) {
                slots.cancel_beside();
            } else {
                slots.cancel();
            }
            slots.number
        })
    }

    /// Turn statistics of the landscapes on or off, including the present one. They are computed
    /// while the thread is idle and cancelled by any request.
    pub fn want_statistics(&self, wanted: bool) {
        let mut slots = self.thread.lock();
        if std::mem::replace(&mut slots.statistics, wanted) == wanted {
            return;
        }
        slots.statistics_due = wanted;
        if let (false, Some(job)) = (wanted, &slots.measuring) {
            job.cancel();
        }
        self.thread.notify();
    }

    /// Request the weights of this mask for the present and all later landscapes. Generation
    /// continues; only weights of another mask are cancelled.
    pub fn want_mask(&self, mask: Option<MaskOf>) {
        let mut slots = self.thread.lock();
        if std::mem::replace(&mut slots.mask, mask) == mask {
            return;
        }
        slots.mask_due = mask.is_some();
        let given_up = slots.weighing.iter();
        let later = slots.measuring.iter().filter(|_| mask.is_some());
        given_up.chain(later).for_each(Job::cancel);
        self.thread.notify();
    }

    /// Request forecasts of the exported file with every landscape from the next request on, or
    /// turn them off. Returns true if that is a change.
    pub fn want_forecast(&self, exporting: Option<Exporting>) -> bool {
        let slots = &mut self.thread.lock();
        let changed = slots.exporting != exporting;
        slots.exporting = exporting;
        changed
    }

    /// Cancel the running work and drop the pending request.
    pub fn cancel(&self) {
        self.thread.change(|slots| {
            slots.next = None;
            slots.cancel();
        });
    }

    /// Progress in 0..1 and elapsed time of the landscape in progress.
    #[must_use]
    pub fn progress(&self) -> Option<(f32, Duration)> {
        let slots = self.thread.lock();
        let running = slots.running.as_ref()?;
        Some((running.job.progress(), running.since.elapsed()))
    }

    /// True if a request is pending or running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.thread.lock().is_busy()
    }

    /// True if a landscape is in the outbox.
    #[must_use]
    pub fn has_made(&self) -> bool {
        self.thread.lock().outbox.made.is_some()
    }

    /// Take the content of the outbox.
    #[must_use]
    pub fn take(&self) -> Outbox {
        std::mem::take(&mut self.thread.lock().outbox)
    }

    /// Take the content of the outbox, after waiting up to `patience` for a landscape.
    #[must_use]
    pub fn wait(&self, patience: Duration) -> Outbox {
        let nothing = |slots: &mut Slots| slots.outbox.made.is_none() && slots.is_busy();
        let (mut slots, _) = (self.thread).wait_while(self.thread.lock(), patience, nothing);
        std::mem::take(&mut slots.outbox)
    }
}

// Shared state between the window and the worker thread: request slots, outbox, and a condition
// variable.

/// Generated landscape, ready to be drawn.
#[derive(Debug)]
pub struct Made {
    /// Number of the request that it answers.
    pub number: u64,
    /// Requested scene; a preview has fewer iterations.
    pub scene: Arc<Scene>,
    /// Height map and other layers of the landscape.
    pub landscape: LandscapeGuard,
    /// Downsampled terrain before its modifiers, if pins can be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// Ground for camera collision. `None` for a profile, or if it will follow later because no
    /// camera needs it at once.
    pub terrain: Option<Ground>,
    /// Lowest and highest height, in half tiles.
    pub height_range: (f32, f32),
    /// Georeference of the landscape, if it has one.
    pub place: Option<Georeference>,
    /// True for a coarse preview that a finer landscape follows.
    pub coarse: bool,
    /// Generation time.
    pub made_in: Duration,
    /// Time of each step that was computed anew.
    pub times: StepTimes,
}

/// Guard around a landscape; dropping it tells the worker that the array can be reused.
#[derive(Debug)]
pub struct LandscapeGuard {
    // Fields are dropped in order: the landscape must be gone before the worker is notified.
    landscape: Landscape,
    _back: Back,
}

impl Deref for LandscapeGuard {
    type Target = Landscape;

    fn deref(&self) -> &Landscape {
        &self.landscape
    }
}

#[derive(Debug)]
// Weak, since a landscape may outlive the worker.
struct Back(Weak<Shared<Slots>>);

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(exchange) = self.0.upgrade() {
            // The lock closes the gap in which the worker has tested its condition but does not
            // wait yet.
            exchange.change(|_| ());
        }
    }
}

/// Results of the worker. Each slot holds the newest result of its kind, with the number of its
/// request.
#[derive(Debug, Default)]
pub struct Outbox {
    /// Landscape.
    pub made: Option<Made>,
    /// Ground for cameras, if the landscape came without it.
    pub terrain: Option<(u64, Option<Ground>)>,
    /// Weights of the displayed mask, for the newest landscape.
    pub mask: Option<OverlayWeights>,
    /// Estimated Hurst exponent of the landscape.
    pub measured: Option<(u64, MeasuredHurst)>,
    /// All statistics of the landscape, while they are turned on.
    pub statistics: Option<(u64, Arc<Statistics>)>,
    /// Number of the plants of the landscape, if it has some, while the statistics are turned on.
    pub plants: Option<(u64, Option<PlantCount>)>,
    /// Forecast of the exported file, or the reason why it cannot be written.
    pub forecast: Option<(u64, Result<Forecast, String>)>,
    /// Notices about the scene and its files, if they have changed or the files were read again.
    pub notices: Option<Vec<String>>,
    /// Reason why there is no landscape; a cancelled request is not an error.
    pub failed: Option<(u64, String)>,
}

/// Mask for display on the terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct OverlayWeights {
    /// Identifier of the mask.
    pub of: MaskOf,
    /// Weights of the mask; `None` if it has no effect.
    pub weights: Option<Arc<TileBytes>>,
}

/// Request for a landscape.
pub struct Order {
    pub number: u64,
    pub scene: Arc<Scene>,
    /// True if the files named in the scene may have changed.
    pub reread: bool,
}

/// Request being served.
pub struct Running {
    /// Job to cancel it.
    pub job: Job,
    /// Start time.
    pub since: Instant,
    /// Its expensive stages, if these have been computed already.
    pub quick: Option<CostlyStages>,
}

/// Slots shared by both sides.
#[derive(Default)]
pub struct Slots {
    /// Pending request; the newest replaces older ones.
    pub next: Option<Order>,
    /// Running request.
    pub running: Option<Running>,
    /// Statistics job running while there is no request.
    pub measuring: Option<Job>,
    /// True if statistics are turned on.
    pub statistics: bool,
    /// True if statistics must be sent although the map has not changed.
    pub statistics_due: bool,
    /// Mask to display.
    pub mask: Option<MaskOf>,
    /// True if the mask's weights are due without a new landscape.
    pub mask_due: bool,
    /// Mask job running on its own.
    pub weighing: Option<Job>,
    /// Export settings, while forecasts are turned on.
    pub exporting: Option<Exporting>,
    /// Number of the newest request.
    pub number: u64,
    /// Results of the worker.
    pub outbox: Outbox,
    /// True if the thread must end.
    pub quit: bool,
}

impl Slots {
    /// Cancel all running jobs.
    pub fn cancel(&self) {
        self.running.iter().for_each(|running| running.job.cancel());
        self.cancel_beside();
    }

    /// Cancel the running jobs that are not requests.
    pub fn cancel_beside(&self) {
        let beside = self.measuring.iter().chain(&self.weighing);
        beside.for_each(Job::cancel);
    }

    /// Drop the pending request, cancel all running jobs and ask the thread to end.
    pub fn end(&mut self) {
        self.quit = true;
        self.next = None;
        self.cancel();
    }

    /// True if a request is pending or running.
    pub fn is_busy(&self) -> bool {
        self.next.is_some() || self.running.is_some()
    }
}

/// Wrap a landscape in a guard, so that the worker learns when its array is free. The guard must
/// not be dropped while the slots are locked: that would deadlock.
fn lend(landscape: Landscape, slots: &Arc<Shared<Slots>>) -> LandscapeGuard {
    LandscapeGuard {
        landscape,
        _back: Back(Arc::downgrade(slots)),
    }
}

/// Sending side of the worker.
pub struct RequestSender {
    pub slots: Arc<Shared<Slots>>,
    pub wake: Box<dyn Fn() + Send>,
}

impl RequestSender {
    /// Put a result into the outbox and notify the window. The value returned by `put` is dropped
    /// after unlocking, as [`LandscapeGuard`] requires.
    pub fn put<T>(&self, put: impl FnOnce(&mut Outbox) -> T) {
        let before = put(&mut self.slots.lock().outbox);
        self.tell();
        drop(before);
    }

    /// Notify both sides of a change.
    pub fn tell(&self) {
        self.slots.notify();
        (self.wake)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shading::texture::Palette;

    #[test]
    fn waiters_learn_when_a_lent_landscape_returns() {
        let landscape = Landscape {
            scene: Scene::default(),
            heights: Arc::new(Heightmap::new(2, 2, false, vec![0.0; 4])),
            stride: 1,
            points: None,
            teximage: None,
            cloud_ranks: None,
            fetch: None,
            clouds: None,
            sun: None,
            sky: None,
            relief: None,
            rivers: None,
            snow: None,
            plants: None,
            canopy: None,
            covers: None,
            teximage_covers: None,
            below: None,
            watershed: None,
            no_data: None,
            palette: Arc::new(Palette::builtin()[0].clone()),
        };
        let map = Arc::downgrade(&landscape.heights);
        let slots = Arc::<Shared<Slots>>::default();
        let lent = lend(landscape, &slots);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                drop(lent);
            });
            let is_away = |_: &mut Slots| map.strong_count() > 0;
            let (start, patience) = (Instant::now(), Duration::from_secs(20));
            drop(slots.wait_while(slots.lock(), patience, is_away));
            // Without a notification the wait would last until its timeout.
            assert!(start.elapsed() < patience / 2);
        });
    }
}
