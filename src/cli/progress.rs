//! A progress bar for work that takes long, and Ctrl-C that stops it cleanly.

use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::job::Job;

/// Work that is done sooner shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Runs `work` and shows its progress on standard error, if that is a terminal. Ctrl-C cancels
/// the job, so that half-written files are removed. Once a run.
pub fn watch<T>(what: &'static str, work: impl FnOnce(&Job) -> T) -> T {
    let job = Job::new();
    cancel_on_signal(job.clone());
    if !stderr().is_terminal() {
        return work(&job);
    }
    let (done, waiting) = channel::<()>();
    std::thread::scope(|scope| {
        // Without a thread there is no bar.
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
                    // The next pass.
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
        let result = work(&job);
        drop(done);
        result
    })
}

/// The first Ctrl-C (or request to end) cancels the job; the second, if the work does not listen,
/// ends the program.
fn cancel_on_signal(job: Job) {
    let handler = move || {
        if job.is_cancelled() {
            std::process::exit(1);
        }
        job.cancel();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        log::warn!("Ctrl-C will not clean up: {error}");
    }
}

fn bar(what: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {percent:>3}% {eta} left");
    ProgressBar::new(1000)
        .with_message(what)
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
