//! Background thread that generates landscapes, with a single-slot request queue, so that the
//! window never waits.
//!
//! ```text
//! window ── request ──▶ one slot, the newest wins ──▶ worker
//! window ◀── wake, take ── outbox: one slot a kind, the newest wins ── preview, full, statistics
//! ```
//! A new request cancels the running one. A landscape of many iterations is preceded by coarse
//! previews with fewer. A preview has the same samples bit for bit, only fewer of them. Only one
//! full height map exists at a time: the pipeline refills its array after the window has dropped
//! it.

use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::app::state::exporting::Exporting;
use crate::pipeline::MaskOf;
use crate::scene::Scene;
use crate::util::job::Job;

mod builder;
mod coarse;
mod exchange;
mod forecast;
mod ground;
mod measurer;
mod thumbnail;
mod worker_loop;

use exchange::{Exchange, Order, Slots};
use worker_loop::WorkerLoop;

pub use coarse::COARSE_ITERATIONS;
pub use exchange::{LandscapeGuard, Made, Outbox, OverlayWeights};
pub use thumbnail::{ThumbnailLandscape, ThumbnailWorker};

/// Handle to the worker thread. Dropping it cancels the work and ends the thread.
pub struct Worker {
    exchange: Arc<Exchange>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Start the thread. It calls `wake` whenever something is put into the outbox.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let exchange = Arc::new(Exchange::default());
        let theirs = Arc::clone(&exchange);
        let thread = std::thread::spawn(move || WorkerLoop::new(theirs, Box::new(wake)).run());
        Self {
            exchange,
            thread: Some(thread),
        }
    }

    /// Request the landscape of `scene`, replacing any earlier request. Set `reread` if the files
    /// named in the scene may have changed. Returns the request number.
    pub fn request(&self, scene: Scene, reread: bool) -> u64 {
        let mut slots = self.exchange.lock();
        slots.number += 1;
        let number = slots.number;
        // A replaced request may not have read its changed files yet.
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

    /// Turn statistics of the landscapes on or off, including the present one. They are computed
    /// while the thread is idle and cancelled by any request.
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

    /// Request the weights of this mask for the present and all later landscapes. Generation
    /// continues; only weights of another mask are cancelled.
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

    /// Request forecasts of the exported file with every landscape from the next request on, or
    /// turn them off. Returns true if that is a change.
    pub fn want_forecast(&self, exporting: Option<Exporting>) -> bool {
        let slots = &mut self.exchange.lock();
        let changed = slots.exporting != exporting;
        slots.exporting = exporting;
        changed
    }

    /// Cancel the running work and drop the pending request.
    pub fn cancel(&self) {
        let mut slots = self.exchange.lock();
        slots.next = None;
        slots.cancel();
        self.exchange.changed.notify_all();
    }

    /// Progress in 0..1 and elapsed time of the landscape in progress.
    #[must_use]
    pub fn progress(&self) -> Option<(f32, Duration)> {
        let slots = self.exchange.lock();
        let (job, since) = slots.running.as_ref()?;
        Some((job.progress(), since.elapsed()))
    }

    /// True if a request is pending or running.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.exchange.lock().is_busy()
    }

    /// True if a landscape is in the outbox.
    #[must_use]
    pub fn has_made(&self) -> bool {
        self.exchange.lock().outbox.made.is_some()
    }

    /// Take the content of the outbox.
    #[must_use]
    pub fn take(&self) -> Outbox {
        std::mem::take(&mut self.exchange.lock().outbox)
    }

    /// Take the content of the outbox, after waiting up to `patience` for a landscape.
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
            // An error means an uncaught panic in the thread, which has been reported already.
            drop(thread.join());
        }
    }
}
