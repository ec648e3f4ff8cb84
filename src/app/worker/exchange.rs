//! What the window and the worker's thread hand each other.

use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::app::state::MeasuredHurst;
use crate::app::state::exporting::Exporting;
use crate::app::state::times::StepTimes;
use crate::camera::Ground;
use crate::export::Forecast;
use crate::geo::Georeference;
use crate::heightmap::Heightmap;
use crate::job::Job;
use crate::measure::Statistics;
use crate::pipeline::{Landscape, MaskOf, TileBytes};
use crate::scene::Scene;

/// A landscape, ready to be drawn.
#[derive(Debug)]
pub struct Made {
    /// Which request it answers.
    pub number: u64,
    /// The landscape.
    pub landscape: Lent,
    /// The ground before its modifiers, thinned, where pins may be placed on it.
    pub ground: Option<Arc<Heightmap>>,
    /// Its ground for cameras; none of a profile, and none yet where no camera needs it at once.
    pub terrain: Option<Ground>,
    /// Where on earth it lies, if anybody says it.
    pub place: Option<Georeference>,
    /// Whether it is the coarse one and a finer one follows.
    pub coarse: bool,
    /// How long it took.
    pub made_in: Duration,
    /// How long the steps took that were made anew.
    pub times: StepTimes,
}

/// A landscape whose array the worker wants back: it is told when this is dropped.
#[derive(Debug)]
pub struct Lent {
    // The order counts: the landscape is dropped before the worker is told.
    landscape: Landscape,
    _back: Back,
}

impl Deref for Lent {
    type Target = Landscape;

    fn deref(&self) -> &Landscape {
        &self.landscape
    }
}

#[derive(Debug)]
struct Back(Weak<Exchange>);

impl Drop for Back {
    fn drop(&mut self) {
        if let Some(exchange) = self.0.upgrade() {
            // Who has looked and not yet begun to wait has the lock.
            drop(exchange.lock());
            exchange.changed.notify_all();
        }
    }
}

/// What the worker has to say; each part is the newest of its kind, with the number of the
/// request that it answers.
#[derive(Debug, Default)]
pub struct Outbox {
    /// A landscape.
    pub made: Option<Made>,
    /// The ground for cameras, where the landscape came without.
    pub terrain: Option<(u64, Option<Ground>)>,
    /// The mask that is looked at, of the newest landscape.
    pub mask: Option<SeenMask>,
    /// The estimated H of the landscape.
    pub measured: Option<(u64, MeasuredHurst)>,
    /// All measures of the landscape, while they are wanted.
    pub statistics: Option<(u64, Arc<Statistics>)>,
    /// What its file will be like, or why there will be none.
    pub forecast: Option<(u64, Result<Forecast, String>)>,
    /// What is to be known about a scene and its files, if it is not what was said before or they
    /// were read anew.
    pub notices: Option<Vec<String>>,
    /// Why there is no landscape; cancelled is not an error.
    pub failed: Option<(u64, String)>,
}

/// A mask to be seen on the land.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenMask {
    /// Whose it is.
    pub of: MaskOf,
    /// Its weights; `None` where it does not act.
    pub weights: Option<Arc<TileBytes>>,
}

/// A landscape that is asked for.
pub struct Order {
    pub number: u64,
    pub scene: Scene,
    /// Whether the files that the scene names may have changed.
    pub reread: bool,
}

/// What lies between the two sides.
#[derive(Default)]
pub struct Slots {
    /// The next order: the newest wins.
    pub next: Option<Order>,
    /// The order under way, and since when.
    pub running: Option<(Job, Instant)>,
    /// Measuring under way in a pause.
    pub measuring: Option<Job>,
    /// Whether statistics are wanted.
    pub statistics: bool,
    /// Whether they are to be handed over though the map has not changed.
    pub statistics_due: bool,
    /// Whose mask is looked at.
    pub mask: Option<MaskOf>,
    /// Whether its weights are to be made though no other landscape is.
    pub mask_due: bool,
    /// The mask under way by itself.
    pub weighing: Option<Job>,
    /// What is to be exported, while that is thought of.
    pub exporting: Option<Exporting>,
    /// The number of the newest order.
    pub number: u64,
    /// What the worker has to say.
    pub outbox: Outbox,
    /// Whether the thread is to end.
    pub quit: bool,
}

impl Slots {
    /// Stops what is under way.
    pub fn cancel(&self) {
        let running = self.running.iter().map(|(job, _)| job);
        let beside = self.measuring.iter().chain(&self.weighing);
        running.chain(beside).for_each(Job::cancel);
    }

    /// Whether an order is not yet served.
    pub fn is_busy(&self) -> bool {
        self.next.is_some() || self.running.is_some()
    }
}

/// The slots, and what tells either side that something in them is new.
#[derive(Default)]
pub struct Exchange {
    slots: Mutex<Slots>,
    pub changed: Condvar,
}

impl Exchange {
    /// The slots. Nothing that is [`Lent`] may be dropped while they are held.
    pub fn lock(&self) -> MutexGuard<'_, Slots> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a landscape one whose array is wanted back.
    pub fn lend(self: &Arc<Self>, landscape: Landscape) -> Lent {
        Lent {
            landscape,
            _back: Back(Arc::downgrade(self)),
        }
    }
}

/// The worker's way to the window.
pub struct Post {
    pub exchange: Arc<Exchange>,
    pub wake: Box<dyn Fn() + Send>,
}

impl Post {
    /// Puts something into the outbox and tells the window. What `put` returns is dropped after
    /// that, as what is [`Lent`] must be.
    pub fn put<T>(&self, put: impl FnOnce(&mut Outbox) -> T) {
        let before = put(&mut self.exchange.lock().outbox);
        self.tell();
        drop(before);
    }

    /// Tells the window that something is new.
    pub fn tell(&self) {
        self.exchange.changed.notify_all();
        (self.wake)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::palette::Palette;

    #[test]
    fn who_waits_for_a_landscape_is_told_when_it_comes_back() {
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
            // Without word it would look again only when its patience is at an end.
            assert!(start.elapsed() < patience / 2);
        });
    }
}
