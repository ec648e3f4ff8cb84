//! Background thread for file input and output, so that neither the window nor the next landscape
//! waits for a disk.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::app::background::{Background, Shared, caught};
use crate::util::job::Job;
use crate::util::language::tr;

pub use file_job::{Done, FileJob, Over, READING_PRESETS, SAVING_PICTURE};

mod file_job;

/// Maximum number of waiting jobs; more are refused.
const MOST_WAITING: usize = 16;

/// State shared with the thread: waiting jobs, the running one and finished results.
#[derive(Default)]
struct Ledger {
    waiting: VecDeque<FileJob>,
    /// True once the thread ends after the waiting jobs.
    quit: bool,
    /// True once no further job may start.
    abandoned: bool,
    done: Vec<(&'static str, Done)>,
    running: Option<Running>,
}

/// Job in progress.
struct Running {
    title: &'static str,
    job: Job,
    since: Instant,
}

/// Handle to the file thread. Dropping it waits for the jobs to finish.
pub struct Files {
    thread: Background<Ledger>,
    /// Priority of drawing over file jobs.
    priority: Priority,
}

impl Files {
    /// Start the thread. It calls `wake` whenever a job finishes.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let priority = Priority::default();
        let gives_way = priority.clone();
        let end = |ledger: &mut Ledger| ledger.quit = true;
        let thread = Background::start(end, move |ledger: &Arc<Shared<Ledger>>| {
            work(ledger, &gives_way, &wake);
        });
        Self { thread, priority }
    }

    /// Guard that pauses file jobs for a short time; they continue when it is dropped.
    #[must_use]
    pub fn go_first(&self) -> FramesInProgress {
        self.priority.go_first()
    }

    /// Queue a job.
    ///
    /// # Errors
    /// Returns a message for the user if the queue is full.
    pub fn hand(&self, chore: FileJob) -> Result<(), String> {
        self.thread.change(|ledger| {
            if ledger.waiting.len() >= MOST_WAITING {
                return Err(tr("too many files are waiting to be written").to_owned());
            }
            ledger.waiting.push_back(chore);
            Ok(())
        })
    }

    /// Take the finished results, each with the title of its job.
    #[must_use]
    pub fn take(&self) -> Vec<(&'static str, Done)> {
        std::mem::take(&mut self.thread.lock().done)
    }

    /// Title, progress in 0..1 and elapsed time of the running job.
    #[must_use]
    pub fn progress(&self) -> Option<(String, f32, Duration)> {
        let ledger = self.thread.lock();
        let Running { title, job, since } = ledger.running.as_ref()?;
        Some(((*title).to_owned(), job.progress(), since.elapsed()))
    }

    /// Cancel the running job and skip the waiting ones, because the window is closing.
    pub fn abandon(&self) {
        self.thread.change(|ledger| ledger.abandoned = true);
        self.cancel();
    }

    /// Cancel the running job.
    pub fn cancel(&self) {
        if let Some(running) = &self.thread.lock().running {
            running.job.cancel();
        }
    }
}

impl Ledger {
    /// Next job, if there is one now; `Some(None)` ends the thread.
    fn next_job(&mut self) -> Option<Option<FileJob>> {
        if self.abandoned {
            return Some(None);
        }
        let next = self.waiting.pop_front();
        (next.is_some() || self.quit).then_some(next)
    }
}

fn work(ledger: &Shared<Ledger>, priority: &Priority, wake: &dyn Fn()) {
    let begin = |ledger: &mut Ledger| {
        let next = ledger.next_job()?;
        Some(next.map(|chore| {
            let (title, job) = (chore.title(), priority.job());
            ledger.running = Some(Running {
                title,
                job: job.clone(),
                since: Instant::now(),
            });
            (chore, title, job)
        }))
    };
    while let Some((chore, title, job)) = ledger.next_task(begin) {
        let outcome = caught(|| chore.carry_out(&job)).unwrap_or_else(|| {
            Err(tr("internal error while reading or writing a file").to_owned())
        });
        let done = match outcome {
            Ok(done) if done.is_empty() => vec![Done::Quiet],
            Ok(done) => done,
            Err(_) if job.is_cancelled() => Vec::new(),
            Err(error) => vec![Done::Failed(error)],
        };
        ledger.change(|ledger| {
            ledger.running = None;
            let done = done.into_iter().map(|done| (title, done));
            ledger.done.extend(done);
        });
        wake();
    }
}

// Priority of frames over file jobs. On a machine with few cores a frame takes twice as long
// beside a busy thread, so file jobs pause while a frame is drawn.

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

/// Folder of that name at a place, with a number if there is one already: nobody was asked whether an
/// earlier export may be replaced.
#[must_use]
pub fn free_folder(place: &Path, name: &str) -> PathBuf {
    let numbered = (2_u32..).map(|number| format!("{name}-{number}"));
    let mut folders = std::iter::once(name.to_owned())
        .chain(numbered)
        .map(|name| place.join(name));
    let free = folders.find(|folder| !folder.exists());
    free.unwrap_or_else(|| place.join(name))
}
