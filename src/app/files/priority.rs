//! Priority of frames over file jobs. On a machine with few cores a frame takes twice as long
//! beside a busy thread, so file jobs pause while a frame is drawn.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::util::job::Job;

/// Maximum duration of one pause.
const MOST_WAIT: Duration = Duration::from_millis(100);

/// Shared counter of activities that have priority, such as a window drawing a frame.
#[derive(Clone, Debug, Default)]
pub struct Priority {
    /// Number of prioritised activities in progress.
    going: Arc<AtomicU32>,
    /// Time until which jobs work before the next pause, in milliseconds since the first use of the
    /// clock.
    works_until: Arc<AtomicU64>,
}

/// Guard that makes jobs pause while it exists.
#[derive(Debug)]
pub struct FramesInProgress(Arc<AtomicU32>);

impl Priority {
    /// Pause jobs until the returned guard is dropped.
    #[must_use]
    pub fn go_first(&self) -> FramesInProgress {
        // Relaxed is enough: the counter guards no other data.
        self.going.fetch_add(1, Ordering::Relaxed);
        FramesInProgress(Arc::clone(&self.going))
    }

    /// Job that pauses in [`Job::check`] while a guard exists: at most 100 ms at a time, and at
    /// most half of the time.
    #[must_use]
    pub fn job(&self) -> Job {
        let priority = self.clone();
        Job::with_pauses(move |job| priority.wait(job))
    }

    fn wait(&self, job: &Job) {
        let is_free = || self.going.load(Ordering::Relaxed) == 0 || job.is_cancelled();
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
        // Work for as long as this pause took, so that pauses take at most half of the time.
        let until = milliseconds(now + (now - began));
        self.works_until.store(until, Ordering::Relaxed);
    }
}

impl Drop for FramesInProgress {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn milliseconds(at: Instant) -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let first = FIRST.get_or_init(Instant::now);
    at.saturating_duration_since(*first).as_millis() as u64
}
