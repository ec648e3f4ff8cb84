//! Who goes first: on a machine of few cores a frame takes twice as long beside a thread that
//! computes, so what writes files waits while a frame is drawn.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::job::Job;

/// The longest that a job waits at a time.
const MOST_WAIT: Duration = Duration::from_millis(100);

/// Somebody whom jobs let go first, such as a window that draws a frame.
#[derive(Clone, Debug, Default)]
pub struct Priority {
    /// How many go at the moment.
    going: Arc<AtomicU32>,
    /// Until when jobs work before they wait again, in milliseconds since a first look.
    works_until: Arc<AtomicU64>,
}

/// Somebody who goes first: as long as this is there, jobs wait.
#[derive(Debug)]
pub struct Going(Arc<AtomicU32>);

impl Priority {
    /// Goes, until what is returned is dropped.
    #[must_use]
    pub fn go_first(&self) -> Going {
        self.going.fetch_add(1, Ordering::Relaxed);
        Going(Arc::clone(&self.going))
    }

    /// A job that waits in [`Job::check`] while somebody goes: at most for 100 ms at a time, and
    /// for no more than half of its time.
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
