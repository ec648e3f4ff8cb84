//! Messages on the terminal: failures on one line, progress of long work, cancellation by Ctrl-C, and the
//! question before a file is replaced.

use std::io::{ErrorKind, IsTerminal, Write, stderr, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::batch_renderer::BatchError;
use crate::files::export::{ExportError, Output, abandon, check_outputs, exit};
use crate::util::job::{Cancelled, Job};
use crate::util::memory::has_threads;

/// Failure of a command.
#[derive(Debug, PartialEq, Eq)]
pub struct Failure {
    code: u8,
    message: String,
}

impl Failure {
    /// Make a failure for wrong usage, with exit code 2.
    pub fn usage(message: impl ToString) -> Self {
        Self {
            code: 2,
            message: message.to_string(),
        }
    }

    /// Make any other failure, with exit code 1.
    pub fn failed(message: impl ToString) -> Self {
        Self {
            code: 1,
            message: message.to_string(),
        }
    }

    /// Convert an export error. A closed pipe on standard output is not a failure: its reader has stopped
    /// early.
    pub fn of_export(error: ExportError) -> Self {
        let code = match &error {
            ExportError::Write { source, .. } if source.kind() == ErrorKind::BrokenPipe => 0,
            ExportError::RangeOfAll { .. }
            | ExportError::Levels { .. }
            | ExportError::LevelsOfProfile
            | ExportError::Precision { .. }
            | ExportError::FilmSize { .. }
            | ExportError::FilmPace { .. }
            | ExportError::FilmInPipe { .. }
            | ExportError::TooManyPlants { .. }
            | ExportError::TooManyNodes { .. }
            | ExportError::EngineSize { .. }
            | ExportError::EngineShape { .. }
            | ExportError::TooDeep { .. } => 2,
            _ => 1,
        };
        Self {
            code,
            message: error.to_string(),
        }
    }

    /// Convert clap's message to one line with the problem, the allowed values and the tip, without the usage
    /// and the pointer to `--help`.
    pub fn from_clap(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let lines = text
            .lines()
            .map(str::trim)
            .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
            .filter(|line| !line.is_empty());
        let mut message = String::new();
        for line in lines {
            message += match line {
                _ if message.is_empty() => "",
                line if line.starts_with("tip:") => "; ",
                _ => " ",
            };
            message += line;
        }
        Self::usage(message.strip_prefix("error: ").unwrap_or(&message))
    }

    /// Print the message, unless the exit code is 0, and return the exit code.
    pub fn print(&self) -> u8 {
        if self.code == 0 {
            return 0;
        }
        super::say("error", &self.message);
        self.code
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::failed(error)
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Asked(words) => Self::usage(words),
            BatchError::Export(error) => Self::of_export(error),
            BatchError::Failed(words) => Self::failed(words),
        }
    }
}

// Progress bar for long work, and cancellation by Ctrl-C.

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

// Overwrite check for existing files: Landform's own files are replaced, others only with the user's
// consent.

/// Refuse output files that cannot be written, that are also inputs, or that exist and were not written by
/// Landform, unless `force` is set. On a terminal, the user is asked.
///
/// # Errors
/// A file is refused; no file is changed.
pub fn check_replaced<'a>(
    files: impl IntoIterator<Item = &'a Output> + Clone,
    reads: &[PathBuf],
    force: bool,
) -> Result<(), Failure> {
    unless_foreign(force, |may_replace| {
        check_outputs(files, reads, may_replace)
    })
}

/// Run a check of outputs that asks which files may be replaced: all with `force`, else those that the user confirms.
///
/// # Errors
/// As [`check_replaced`].
pub fn unless_foreign(
    force: bool,
    check: impl FnOnce(&dyn Fn(&Path) -> bool) -> Result<(), ExportError>,
) -> Result<(), Failure> {
    let may_replace = |path: &Path| force || is_confirmed(path);
    match check(&may_replace) {
        Err(error @ ExportError::ForeignFolder { .. }) => Err(Failure::failed(format!(
            "{error}; use --force to write into it"
        ))),
        Err(ExportError::Foreign { path }) => Err(Failure::failed(format!(
            "the file exists and is not from Landform, or has been changed since; use --force to \
             replace it: {}",
            crate::util::words::named(&path)
        ))),
        Err(error @ ExportError::OneName { .. }) => Err(Failure::usage(error)),
        checked => Ok(checked?),
    }
}

fn is_confirmed(path: &Path) -> bool {
    if !(stdin().is_terminal() && stderr().is_terminal()) {
        return false;
    }
    let mut answer = String::new();
    let question = format!(
        "replace {}, which is not from Landform or has been changed since? [y/N] ",
        crate::util::words::named(path)
    );
    let asked = stderr()
        .write_all(&crate::util::words::terminal(&question))
        .and_then(|()| stdin().read_line(&mut answer));
    asked.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}
