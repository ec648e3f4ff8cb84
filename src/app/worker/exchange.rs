//! Shared state between the window and the worker thread: request slots, outbox, and a condition
//! variable.

use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::app::state::MeasuredHurst;
use crate::app::state::exporting::Exporting;
use crate::app::state::times::StepTimes;
use crate::camera::Ground;
use crate::files::export::Forecast;
use crate::pipeline::{Landscape, MaskOf, TileBytes};
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::Statistics;
use crate::util::job::Job;

/// Generated landscape, ready to be drawn.
#[derive(Debug)]
pub struct Made {
    /// Number of the request that it answers.
    pub number: u64,
    /// Height map and other layers of the landscape.
    pub landscape: LandscapeGuard,
    /// Downsampled terrain before its modifiers, if pins can be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// Ground for camera collision. `None` for a profile, or if it will follow later because no
    /// camera needs it at once.
    pub terrain: Option<Ground>,
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
struct Back(Weak<Exchange>);

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(exchange) = self.0.upgrade() {
            // The lock closes the gap in which the worker has tested its condition but does not
            // wait yet.
            drop(exchange.lock());
            exchange.changed.notify_all();
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
    pub scene: Scene,
    /// True if the files named in the scene may have changed.
    pub reread: bool,
}

/// Slots shared by both sides.
#[derive(Default)]
pub struct Slots {
    /// Pending request; the newest replaces older ones.
    pub next: Option<Order>,
    /// Running request and its start time.
    pub running: Option<(Job, Instant)>,
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
        let running = self.running.iter().map(|(job, _)| job);
        let beside = self.measuring.iter().chain(&self.weighing);
        running.chain(beside).for_each(Job::cancel);
    }

    /// True if a request is pending or running.
    pub fn is_busy(&self) -> bool {
        self.next.is_some() || self.running.is_some()
    }
}

/// Slots with a condition variable that signals changes to either side.
#[derive(Default)]
pub struct Exchange {
    slots: Mutex<Slots>,
    pub changed: Condvar,
}

impl Exchange {
    /// Lock the slots. No [`LandscapeGuard`] may be dropped during the lock: it would deadlock.
    pub fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wrap a landscape in a guard, so that the worker learns when its array is free.
    pub fn lend(self: &Arc<Self>, landscape: Landscape) -> LandscapeGuard {
        LandscapeGuard {
            landscape,
            _back: Back(Arc::downgrade(self)),
        }
    }
}

/// Sending side of the worker.
pub struct RequestSender {
    pub exchange: Arc<Exchange>,
    pub wake: Box<dyn Fn() + Send>,
}

impl RequestSender {
    /// Put a result into the outbox and notify the window. The value returned by `put` is dropped
    /// after unlocking, as [`LandscapeGuard`] requires.
    pub fn put<T>(&self, put: impl FnOnce(&mut Outbox) -> T) {
        let before = put(&mut self.exchange.lock().outbox);
        self.tell();
        drop(before);
    }

    /// Notify both sides of a change.
    pub fn tell(&self) {
        self.exchange.changed.notify_all();
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
            clouds: None,
            sun: None,
            sky: None,
            relief: None,
            rivers: None,
            covers: None,
            teximage_covers: None,
            below: None,
            watershed: None,
            no_data: None,
            palette: Arc::new(Palette::builtin()[0].clone()),
        };
        let map = Arc::downgrade(&landscape.heights);
        let exchange = Arc::new(Exchange::default());
        let lent = exchange.lend(landscape);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                drop(lent);
            });
            let is_away = |_: &mut Slots| map.strong_count() > 0;
            let (start, patience) = (Instant::now(), Duration::from_secs(20));
            let changed = &exchange.changed;
            let waited = changed.wait_timeout_while(exchange.lock(), patience, is_away);
            drop(waited.unwrap());
            // Without a notification the wait would last until its timeout.
            assert!(start.elapsed() < patience / 2);
        });
    }
}
