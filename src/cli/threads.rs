//! Thread pool for parallel work.

use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, available_parallelism};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use super::error::Failure;

/// Threads that do the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The calling thread works as well.
    ThisThread,
    /// Only other threads work, while the calling thread serves a window.
    Others,
}

/// Start the thread pool with the given number of threads, else that of `RAYON_NUM_THREADS`, else one per
/// core.
///
/// The pool has fewer threads if the system refuses more. May be called only once per run.
///
/// # Errors
/// The system does not grant a single thread.
pub fn start(asked: Option<usize>, by: By) -> Result<(), Failure> {
    let named = std::env::var("RAYON_NUM_THREADS").ok();
    let usual = named.and_then(|count| count.parse().ok());
    let cores = || available_parallelism().map_or(1, usize::from);
    let count = asked.or(usual).filter(|count| *count > 0);
    let mine = usize::from(by == By::ThisThread);
    // The threads are started before the pool, since work is split by the size of the pool.
    let mut started = start_waiting(count.unwrap_or_else(cores) - mine);
    let count = started.len() + mine;
    if count == 0 {
        return Err(Failure::failed("the system has not got a thread"));
    }
    let pool = ThreadPoolBuilder::new().num_threads(count);
    let pool = pool.spawn_handler(move |worker| {
        // The pool requests exactly as many threads as were started.
        if let Some(thread) = started.pop() {
            let _ = thread.send(worker);
        }
        Ok(())
    });
    match by {
        By::ThisThread => pool.use_current_thread().build_global(),
        By::Others => pool.build_global(),
    }
    .map_err(|error| Failure::failed(format!("cannot start the threads: {error}")))
}

/// Start up to `count` threads that wait for their worker loop.
fn start_waiting(count: usize) -> Vec<Sender<ThreadBuilder>> {
    let mut started = Vec::new();
    for _ in 0..count {
        let (give, take) = channel::<ThreadBuilder>();
        let work = move || {
            if let Ok(worker) = take.recv() {
                worker.run();
            }
        };
        if let Err(error) = Builder::new().spawn(work) {
            log::warn!("{} threads, not {count}: {error}", started.len());
            break;
        }
        started.push(give);
    }
    started
}
