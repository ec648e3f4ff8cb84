//! The thread that reads and writes files, so that neither the window nor the next landscape
//! waits for a disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::job::Job;
use crate::language::tr;

mod chore;
pub mod priority;

use priority::{Going, Priority};

pub use chore::{Chore, Done, Over, READING_PRESETS, SAVING_PICTURE};

/// Pieces of work that may wait; more at once is refused.
const MOST_WAITING: usize = 16;

/// What the thread has done, and what it is about.
#[derive(Default)]
struct Ledger {
    /// Whether nothing more is begun.
    abandoned: bool,
    done: Vec<(&'static str, Done)>,
    running: Option<Running>,
}

/// A piece of work under way.
struct Running {
    title: &'static str,
    job: Job,
    since: Instant,
}

/// A handle on the thread; dropping it lets the work finish.
pub struct Files {
    inbox: Option<SyncSender<Chore>>,
    ledger: Arc<Mutex<Ledger>>,
    thread: Option<JoinHandle<()>>,
    /// Whom it lets go first.
    priority: Priority,
}

impl Files {
    /// Starts the thread. It calls `wake` whenever something is done.
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

    /// Files are written on only when what is returned is dropped, if that is soon.
    #[must_use]
    pub fn go_first(&self) -> Going {
        self.priority.go_first()
    }

    /// Hands a piece of work over.
    ///
    /// # Errors
    /// Words for the user, if too much is waiting already.
    pub fn hand(&self, chore: Chore) -> Result<(), String> {
        let Some(inbox) = &self.inbox else {
            return Ok(());
        };
        inbox.try_send(chore).map_err(|error| match error {
            TrySendError::Full(_) => tr("too many files are waiting to be written").to_owned(),
            TrySendError::Disconnected(_) => tr("files cannot be written any more").to_owned(),
        })
    }

    /// Takes what is done, each with the sort of work that it was.
    #[must_use]
    pub fn take(&self) -> Vec<(&'static str, Done)> {
        std::mem::take(&mut lock(&self.ledger).done)
    }

    /// What is under way, how much of it is done, and how long it has taken.
    #[must_use]
    pub fn progress(&self) -> Option<(String, f32, Duration)> {
        let ledger = lock(&self.ledger);
        let Running { title, job, since } = ledger.running.as_ref()?;
        Some(((*title).to_owned(), job.progress(), since.elapsed()))
    }

    /// Stops what is under way, and begins nothing that waits: nobody is there for it any more.
    pub fn abandon(&self) {
        lock(&self.ledger).abandoned = true;
        self.cancel();
    }

    /// Stops what is under way.
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

fn work(chores: &Receiver<Chore>, ledger: &Mutex<Ledger>, priority: &Priority, wake: &dyn Fn()) {
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
        drop(begun);
        // A bug in a format must cost one file, not every later one.
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
