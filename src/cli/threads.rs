//! The threads that work is shared among.

use std::sync::mpsc::{Sender, channel};
use std::thread::available_parallelism;

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use super::error::Failure;
use crate::memory::spawn;

/// Which threads do the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The calling thread takes its share, too.
    ThisThread,
    /// Only other threads do, while the calling thread serves a window.
    Others,
}

/// Starts as many threads as were asked for, or as many as the machine has cores; fewer where the
/// system refuses them. May be called once a run.
///
/// # Errors
/// There is not even one thread to do the work.
pub fn start(asked: Option<usize>, by: By) -> Result<(), Failure> {
    let named = std::env::var("RAYON_NUM_THREADS").ok();
    let usual = named.and_then(|count| count.parse().ok());
    let cores = || available_parallelism().map_or(1, usize::from);
    let count = asked.or(usual).filter(|count| *count > 0);
    let mine = usize::from(by == By::ThisThread);
    // The threads exist before the pool counts on them, since work is cut for as many as there are.
    let mut started = start_waiting(count.unwrap_or_else(cores) - mine);
    let count = started.len() + mine;
    if count == 0 {
        return Err(Failure::failed("the system has not got a thread"));
    }
    let pool = ThreadPoolBuilder::new().num_threads(count);
    let pool = pool.spawn_handler(move |worker| {
        // Each of the pool's threads takes one of those started: there are equally many.
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

/// Starts up to `count` threads that wait for what they are to do.
fn start_waiting(count: usize) -> Vec<Sender<ThreadBuilder>> {
    let mut started = Vec::new();
    for _ in 0..count {
        let (give, take) = channel::<ThreadBuilder>();
        let (say, hear) = channel();
        let work = move || {
            let _ = say.send(());
            if let Ok(worker) = take.recv() {
                worker.run();
            }
        };
        if let Err(error) = spawn(work) {
            log::warn!("{} threads, not {count}: {error}", started.len());
            break;
        }
        // A thread that runs has the memory that it needs to start.
        let _ = hear.recv();
        started.push(give);
    }
    started
}
