//! Background thread for file input and output, so that neither the window nor the next landscape
//! waits for a disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::util::job::Job;
use crate::util::language::tr;

mod file_job;
pub mod priority;

use priority::{FramesInProgress, Priority};

pub use file_job::{Done, FileJob, Over, READING_PRESETS, SAVING_PICTURE};

/// Maximum number of waiting jobs; more are refused.
const MOST_WAITING: usize = 16;

/// State shared with the thread: the running job and finished results.
#[derive(Default)]
struct Ledger {
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
    inbox: Option<SyncSender<FileJob>>,
    ledger: Arc<Mutex<Ledger>>,
    thread: Option<JoinHandle<()>>,
    /// Priority of drawing over file jobs.
    priority: Priority,
}

impl Files {
    /// Start the thread. It calls `wake` whenever a job finishes.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let (inbox, chores) = sync_channel(MOST_WAITING);
        let ledger = Arc::new(Mutex::new(Ledger::default()));
        let priority = Priority::default();
        let (theirs, gives_way) = (Arc::clone(&ledger), priority.clone());
        let thread = std::thread::spawn(move || work(&chores, &theirs, &gives_way, &wake));
        Self {
            priority,
            inbox: Some(inbox),
            ledger,
            thread: Some(thread),
        }
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
        let Some(inbox) = &self.inbox else {
            return Ok(());
        };
        inbox.try_send(chore).map_err(|error| match error {
            TrySendError::Full(_) => tr("too many files are waiting to be written").to_owned(),
            TrySendError::Disconnected(_) => tr("files cannot be written any more").to_owned(),
        })
    }

    /// Take the finished results, each with the title of its job.
    #[must_use]
    pub fn take(&self) -> Vec<(&'static str, Done)> {
        std::mem::take(&mut lock(&self.ledger).done)
    }

    /// Title, progress in 0..1 and elapsed time of the running job.
    #[must_use]
    pub fn progress(&self) -> Option<(String, f32, Duration)> {
        let ledger = lock(&self.ledger);
        let Running { title, job, since } = ledger.running.as_ref()?;
        Some(((*title).to_owned(), job.progress(), since.elapsed()))
    }

    /// Cancel the running job and skip the waiting ones, because the window is closing.
    pub fn abandon(&self) {
        lock(&self.ledger).abandoned = true;
        self.cancel();
    }

    /// Cancel the running job.
    pub fn cancel(&self) {
        if let Some(running) = &lock(&self.ledger).running {
            running.job.cancel();
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        drop(self.inbox.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn lock(ledger: &Mutex<Ledger>) -> MutexGuard<'_, Ledger> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(chores: &Receiver<FileJob>, ledger: &Mutex<Ledger>, priority: &Priority, wake: &dyn Fn()) {
    while let Ok(chore) = chores.recv() {
        let job = priority.job();
        let title = chore.title();
        let mut begun = lock(ledger);
        if begun.abandoned {
            return;
        }
        begun.running = Some(Running {
            title,
            job: job.clone(),
            since: Instant::now(),
        });
        // The window reads the progress through this lock during the job.
        drop(begun);
        // A bug in one format must not end the thread.
        let outcome =
            catch_unwind(AssertUnwindSafe(|| chore.carry_out(&job))).unwrap_or_else(|_| {
                Err(tr("internal error while reading or writing a file").to_owned())
            });
        let done = match outcome {
            Ok(done) if done.is_empty() => vec![Done::Quiet],
            Ok(done) => done,
            Err(_) if job.is_cancelled() => Vec::new(),
            Err(error) => vec![Done::Failed(error)],
        };
        let mut ledger = lock(ledger);
        ledger.running = None;
        ledger
            .done
            .extend(done.into_iter().map(|done| (title, done)));
        drop(ledger);
        wake();
    }
}
