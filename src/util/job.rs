//! Cancellation and progress of long computations.

use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::util::language::tr;

/// Error of a cancelled computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", tr!("cancelled"))]
pub struct Cancelled;

/// Handle of a computation. Any thread can cancel it or read its progress.
///
/// Clones are handles of the same computation. Loops call [`Job::check`] at least every few milliseconds,
/// and [`Job::advance`] as they go.
#[derive(Clone, Debug, Default)]
pub struct Job {
    cancelled: Arc<AtomicBool>,
    permille: Arc<AtomicU32>,
    /// Parent computation that this job is a share of.
    whole: Option<Arc<Share>>,
    pause: Option<Pause>,
}

/// Callback of every check for cancellation.
#[derive(Clone)]
struct Pause(Arc<dyn Fn(&Job) + Send + Sync>);

impl Debug for Pause {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("Pause")
    }
}

/// Share of a parent computation: a range of its equal parts.
#[derive(Debug)]
struct Share {
    whole: Job,
    parts: Range<u64>,
    count: u64,
}

impl Job {
    /// Create a job, not cancelled and with no progress.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Create a job that calls `pause` in each [`Job::check`]. `pause` may wait there until the job is
    /// cancelled, to let other work go first.
    #[must_use]
    pub fn with_pauses(pause: impl Fn(&Self) + Send + Sync + 'static) -> Self {
        Self {
            pause: Some(Pause(Arc::new(pause))),
            ..Self::new()
        }
    }

    /// Handle of a part of the computation. It is cancelled with the whole, but has its own progress.
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            cancelled: Arc::clone(&self.cancelled),
            permille: Arc::default(),
            whole: None,
            pause: self.pause.clone(),
        }
    }

    /// Handle of one of `count` equal shares of the computation. It is cancelled with the whole and
    /// contributes to the progress of the whole, which never decreases.
    #[must_use]
    pub fn share(&self, index: usize, count: usize) -> Self {
        self.span(index as u64..index as u64 + 1, count as u64)
    }

    /// As [`Job::share`], with several of `count` equal parts: for steps of different duration.
    #[must_use]
    pub fn span(&self, parts: Range<u64>, count: u64) -> Self {
        Self {
            whole: Some(Arc::new(Share {
                whole: self.clone(),
                parts,
                count,
            })),
            ..self.part()
        }
    }

    /// Request cancellation. The computation stops at its next check.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// True if the job was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Check for cancellation, as `job.check()?` inside loops.
    ///
    /// # Errors
    /// The job is cancelled.
    pub fn check(&self) -> Result<(), Cancelled> {
        if let Some(Pause(pause)) = &self.pause {
            pause(self);
        }
        if self.is_cancelled() {
            Err(Cancelled)
        } else {
            Ok(())
        }
    }

    /// Report progress: `done` of `total` units of work are finished.
    pub fn advance(&self, done: u64, total: u64) {
        let permille = (done.min(total) as f64 / total.max(1) as f64 * 1000.0) as u32;
        self.permille.store(permille, Ordering::Relaxed);
        self.tell_whole(permille);
    }

    /// Update the progress of the parent computation, and of its parents.
    fn tell_whole(&self, permille: u32) {
        if let Some(share) = self.whole.as_deref() {
            let Share { parts, count, .. } = share;
            let done = parts.start * 1000 + (parts.end - parts.start) * u64::from(permille);
            let of_whole = (done / count) as u32;
            // Parallel shares report out of order, but the progress must not go back.
            share.whole.permille.fetch_max(of_whole, Ordering::Relaxed);
            share.whole.tell_whole(of_whole);
        }
    }

    /// Progress of the work, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        self.permille.load(Ordering::Relaxed) as f32 / 1000.0
    }
}
