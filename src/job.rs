//! What a long computation is given so that it can be stopped and watched.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// The longest that a job waits for others at a time.
const MOST_WAIT: Duration = Duration::from_millis(100);

/// The work was stopped because nobody wants its result any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// A handle on one computation: cancel it from any thread, read its progress from any thread.
///
/// Clones are handles on the same computation. Loops call [`Job::check`] at least every few
/// milliseconds and [`Job::advance`] as they go.
#[derive(Clone, Debug, Default)]
pub struct Job {
    cancelled: Arc<AtomicBool>,
    permille: Arc<AtomicU32>,
    /// The computation that this is a share of.
    whole: Option<Arc<Share>>,
    /// Whom it lets go first.
    way: Option<Way>,
}

/// Somebody whom jobs let go first, such as a window that draws a frame: on a machine of few cores
/// a frame takes twice as long beside one that computes.
#[derive(Clone, Debug, Default)]
pub struct Way {
    /// How many go at the moment.
    going: Arc<AtomicU32>,
    /// Since when jobs work again, and for how long they do before they wait again: milliseconds
    /// since the first.
    works_until: Arc<AtomicU64>,
}

/// As long as it is there jobs wait.
#[derive(Debug)]
pub struct Going(Arc<AtomicU32>);

impl Way {
    /// Goes, until what is returned is dropped.
    #[must_use]
    pub fn go(&self) -> Going {
        self.going.fetch_add(1, Ordering::Relaxed);
        Going(Arc::clone(&self.going))
    }

    /// Waits while somebody goes: at most for 100 ms, and for no more than half of the time.
    fn wait(&self, is_over: impl Fn() -> bool) {
        let is_free = || self.going.load(Ordering::Relaxed) == 0 || is_over();
        if is_free() {
            return;
        }
        let began = Instant::now();
        if milliseconds(began) < self.works_until.load(Ordering::Relaxed) {
            return;
        }
        while !is_free() && began.elapsed() < MOST_WAIT {
            std::thread::sleep(Duration::from_millis(1));
        }
        let now = Instant::now();
        let until = milliseconds(now + (now - began));
        self.works_until.store(until, Ordering::Relaxed);
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn milliseconds(at: Instant) -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let first = FIRST.get_or_init(Instant::now);
    at.saturating_duration_since(*first).as_millis() as u64
}

/// One of several equal shares of a computation.
#[derive(Debug)]
struct Share {
    whole: Job,
    index: u64,
    count: u64,
}

impl Job {
    /// A fresh job: not cancelled, nothing done.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A fresh job that lets others go first: it waits in [`Job::check`] while somebody goes, for
    /// 100 ms and half of its time at most.
    #[must_use]
    pub fn that_gives_way(way: &Way) -> Self {
        Self {
            way: Some(way.clone()),
            ..Self::new()
        }
    }

    /// A handle on a part of the computation: cancelled with it, its progress for itself.
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            cancelled: Arc::clone(&self.cancelled),
            permille: Arc::default(),
            whole: None,
            way: self.way.clone(),
        }
    }

    /// A handle on one of `count` equal shares of the computation: cancelled with it, and its
    /// progress is part of the whole's, which never goes back.
    #[must_use]
    pub fn share(&self, index: usize, count: usize) -> Self {
        Self {
            whole: Some(Arc::new(Share {
                whole: self.clone(),
                index: index as u64,
                count: count as u64,
            })),
            ..self.part()
        }
    }

    /// Asks the computation to stop as soon as it can.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether [`Job::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// `Err(Cancelled)` once the job is cancelled; for `job.check()?` inside loops.
    pub fn check(&self) -> Result<(), Cancelled> {
        if let Some(way) = &self.way {
            way.wait(|| self.is_cancelled());
        }
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// Notes that `done` of `total` units of work are finished.
    pub fn advance(&self, done: u64, total: u64) {
        let permille = (done.min(total) as f64 / total.max(1) as f64 * 1000.0) as u32;
        self.permille.store(permille, Ordering::Relaxed);
        if let Some(share) = self.whole.as_deref() {
            let done = share.index * 1000 + u64::from(permille);
            let of_whole = (done / share.count) as u32;
            share.whole.permille.fetch_max(of_whole, Ordering::Relaxed);
        }
    }

    /// How much is done, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.permille.load(Ordering::Relaxed) as f32 / 1000.0
    }
}
