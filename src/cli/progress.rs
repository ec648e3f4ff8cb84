//! Progress bar for long work, and cancellation by Ctrl-C.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::error::Failure;
use crate::files::export::{abandon, exit};
use crate::util::job::{Cancelled, Job};
use crate::util::memory::has_threads;

/// The delay before the bar appears.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time for cancelled work to stop by itself.
const LISTENING: Duration = Duration::from_millis(250);

/// Run `work` with a progress bar on standard error, if that is a terminal and `quiet` is not set.
///
/// Ctrl-C cancels the job, so that half-written files are removed. May be called only once per run.
pub fn watch<T>(what: &'static str, quiet: bool, work: impl FnOnce(&Job) -> T) -> T {
    let job = Job::new();
    let is_over = Arc::new(AtomicBool::new(false));
    cancel_on_signal(job.clone(), Arc::clone(&is_over));
    let result = with_progress(what, quiet, &job, work);
    if is_over.swap(true, Ordering::SeqCst) {
        // The signal handler is already ending the program.
        loop {
            std::thread::park();
        }
    }
    result
}

fn with_progress<T>(what: &'static str, quiet: bool, job: &Job, work: impl FnOnce(&Job) -> T) -> T {
    if quiet || !stderr().is_terminal() {
        return work(job);
    }
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let shown = std::thread::Builder::new().spawn_scoped(scope, || {
            // The sender is dropped when the work is done.
            let waiting = waiting;
            if waiting.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(what);
            let mut last = 0;
            while waiting.recv_timeout(PATIENCE / 5) == Err(RecvTimeoutError::Timeout) {
                let permille = (job.progress() * 1000.0) as u64;
                if permille < last {
                    // The next pass has begun, so the bar restarts.
                    bar.reset();
                }
                last = permille;
                bar.set_position(permille);
            }
            bar.finish_and_clear();
        });
        if let Err(error) = shown {
            log::warn!("no progress bar: {error}");
        }
        let result = work(job);
        drop(done);
        result
    })
}

/// Make Ctrl-C or a termination signal cancel the job.
///
/// Work that does not stop in time, for example in a graphics driver, is abandoned. Its unfinished files are
/// removed, and the program exits.
fn cancel_on_signal(job: Job, is_over: Arc<AtomicBool>) {
    let handler = move || {
        job.cancel();
        std::thread::sleep(LISTENING);
        if !is_over.swap(true, Ordering::SeqCst) {
            abandon();
            exit(Failure::failed(Cancelled).print().into());
        }
    };
    // The handler needs a thread. Without one, the default action of the system ends the program.
    if !has_threads(1) {
        log::warn!("Ctrl-C will not clean up: no thread");
    } else if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("Ctrl-C will not clean up: {error}");
    }
}

fn bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3}% {eta} left");
    ProgressBar::new(1000)
        .with_message(what)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
