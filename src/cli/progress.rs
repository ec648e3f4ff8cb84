//! A progress bar for work that takes long, and Ctrl-C that stops it cleanly.

use std::io::{IsTerminal, stderr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::error::Failure;
use crate::allocator::exit;
use crate::export::abandon;
use crate::job::{Cancelled, Job};
use crate::memory::has_threads;

/// Work that takes less time than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// The time that cancelled work has to stop by itself.
const LISTENING: Duration = Duration::from_millis(250);

/// Runs `work` and shows its progress on standard error, if that is a terminal and `quiet` is not
/// set. Ctrl-C cancels the job, so that half-written files are removed. May be called once a run.
pub fn watch<T>(what: &'static str, quiet: bool, work: impl FnOnce(&Job) -> T) -> T {
    let job = Job::new();
    let is_over = Arc::new(AtomicBool::new(false));
    cancel_on_signal(job.clone(), Arc::clone(&is_over));
    let result = with_progress(what, quiet, &job, work);
    if is_over.swap(true, Ordering::SeqCst) {
        // The program is already ending.
        loop {
            std::thread::park();
        }
    }
    result
}

fn with_progress<T>(what: &'static str, quiet: bool, job: &Job, work: impl FnOnce(&Job) -> T) -> T {
    // Without a thread there is no bar.
    if quiet || !stderr().is_terminal() || !has_threads(1) {
        return work(job);
    }
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        let shown = std::thread::Builder::new().spawn_scoped(scope, || {
            // The other end is dropped when the work is over.
            let waiting = waiting;
            if waiting.recv_timeout(PATIENCE) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(what);
            let mut last = 0;
            while waiting.recv_timeout(PATIENCE / 5) == Err(RecvTimeoutError::Timeout) {
                let permille = (job.progress() * 1000.0) as u64;
                if permille < last {
                    // The next pass has begun.
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

/// Makes Ctrl-C (or a request to end) cancel the job. Work that does not react soon, such as a
/// driver's, is left where it is, and its unfinished files are removed.
fn cancel_on_signal(job: Job, is_over: Arc<AtomicBool>) {
    let handler = move || {
        job.cancel();
        std::thread::sleep(LISTENING);
        if !is_over.swap(true, Ordering::SeqCst) {
            abandon();
            exit(Failure::failed(Cancelled).print().into());
        }
    };
    // Without a thread nobody would notice the signal, so the system ends the program as it ends
    // others.
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
