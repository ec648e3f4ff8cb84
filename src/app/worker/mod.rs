//! The thread that makes landscapes, so that the window never waits for one.
//!
//! ```text
//! window ── order ──▶ one slot, the newest wins ──▶ worker
//! window ◀── wake, take ── outbox: one slot a kind, the newest wins ── coarse, full, measures
//! ```
//! A new order cancels the one under way, which really stops. A landscape of many iterations
//! is first made with few: that is the same landscape bit for bit, only coarser, and there at
//! once. At most one full map is alive: the pipeline refills its array, once the window has let
//! go of it.

use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::app::state::exporting::Exporting;
use crate::job::Job;
use crate::pipeline::MaskOf;
use crate::scene::Scene;

mod bench;
mod coarse;
mod exchange;
mod forecast;
mod ground;
mod maker;
mod measurer;
mod small;

use bench::Bench;
use exchange::{Exchange, Order, Slots};

pub use coarse::COARSE_ITERATIONS;
pub use exchange::{Lent, Made, Outbox, SeenMask};
pub use small::{MadeSmall, SmallWorker};

/// A handle on the thread; dropping it cancels the work and ends the thread.
pub struct Worker {
    exchange: Arc<Exchange>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread. It calls `wake` whenever something is in the outbox.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let exchange = Arc::new(Exchange::default());
        let theirs = Arc::clone(&exchange);
        let thread = std::thread::spawn(move || Bench::new(theirs, Box::new(wake)).run());
        Self {
            exchange,
            thread: Some(thread),
        }
    }

    /// Asks for the landscape of `scene` in place of any asked for before. `reread`: the files
    /// that the scene names may have changed. Returns the request's number.
    pub fn request(&self, scene: Scene, reread: bool) -> u64 {
        let mut slots = self.exchange.lock();
        slots.number += 1;
        let number = slots.number;
        // An order that is replaced before it is served still wants its files read.
        let reread = reread || slots.next.take().is_some_and(|order| order.reread);
        slots.next = Some(Order {
            number,
            scene,
            reread,
        });
        slots.cancel();
        self.exchange.changed.notify_all();
        number
    }

    /// Says whether all measures of the landscapes are wanted, of the one at hand as well. They
    /// are made when there is nothing else to do, and given up as soon as there is.
    pub fn want_statistics(&self, wanted: bool) {
        let mut slots = self.exchange.lock();
        if std::mem::replace(&mut slots.statistics, wanted) == wanted {
            return;
        }
        slots.statistics_due = wanted;
        if let (false, Some(job)) = (wanted, &slots.measuring) {
            job.cancel();
        }
        self.exchange.changed.notify_all();
    }

    /// Asks for the weights of that mask: of the landscape at hand, and of every later one together
    /// with it. What is under way goes on; only weights are given up for those of another mask.
    pub fn want_mask(&self, mask: Option<MaskOf>) {
        let mut slots = self.exchange.lock();
        if std::mem::replace(&mut slots.mask, mask) == mask {
            return;
        }
        slots.mask_due = mask.is_some();
        let given_up = slots.weighing.iter();
        let later = slots.measuring.iter().filter(|_| mask.is_some());
        given_up.chain(later).for_each(Job::cancel);
        self.exchange.changed.notify_all();
    }

    /// Asks for the forecast of a file with every landscape from the next request on, or for none
    /// any more. Returns whether that is another wish than before.
    pub fn want_forecast(&self, exporting: Option<Exporting>) -> bool {
        let slots = &mut self.exchange.lock();
        let changed = slots.exporting != exporting;
        slots.exporting = exporting;
        changed
    }

    /// Stops the work under way and forgets what was asked for.
    pub fn cancel(&self) {
        let mut slots = self.exchange.lock();
        slots.next = None;
        slots.cancel();
        self.exchange.changed.notify_all();
    }

    /// How much of the landscape under way is done, and how long it has taken.
    #[must_use]
    pub fn progress(&self) -> Option<(f32, Duration)> {
        let slots = self.exchange.lock();
        let (job, since) = slots.running.as_ref()?;
        Some((job.progress(), since.elapsed()))
    }

    /// Whether something is asked for and not yet made.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.exchange.lock().is_busy()
    }

    /// Whether there is a landscape to be taken.
    #[must_use]
    pub fn has_made(&self) -> bool {
        self.exchange.lock().outbox.made.is_some()
    }

    /// Takes what is in the outbox.
    #[must_use]
    pub fn take(&self) -> Outbox {
        std::mem::take(&mut self.exchange.lock().outbox)
    }

    /// Takes what is in the outbox, and waits up to `patience` for a landscape to be there.
    #[must_use]
    pub fn wait(&self, patience: Duration) -> Outbox {
        let slots = self.exchange.lock();
        let nothing = |slots: &mut Slots| slots.outbox.made.is_none() && slots.is_busy();
        let changed = &self.exchange.changed;
        let waited = changed.wait_timeout_while(slots, patience, nothing);
        let (mut slots, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut slots.outbox)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.exchange.lock().quit = true;
        self.cancel();
        if let Some(thread) = self.thread.take() {
            // Only a panic that the thread did not catch, which has been reported by then.
            drop(thread.join());
        }
    }
}
