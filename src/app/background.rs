//! Background threads: a state that both sides share behind one lock, a condition variable that
//! tells either side of changes, and an end together with the handle.

use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// State shared with a background thread.
#[derive(Debug, Default)]
pub struct Shared<S> {
    state: Mutex<S>,
    changed: Condvar,
}

impl<S> Shared<S> {
    /// Lock the state. Whoever changes it calls [`Shared::notify`] afterwards.
    pub fn lock(&self) -> MutexGuard<'_, S> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wake all threads that wait for a change.
    pub fn notify(&self) {
        self.changed.notify_all();
    }

    /// Change the state and wake all threads that wait.
    pub fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        let changed = change(&mut self.lock());
        self.notify();
        changed
    }

    /// Wait until the state is changed.
    pub fn wait<'a>(&self, state: MutexGuard<'a, S>) -> MutexGuard<'a, S> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }

    /// Wait while `waits` is true, for up to `patience`. Returns true with the state if the time is
    /// over.
    pub fn wait_while<'a>(
        &self,
        state: MutexGuard<'a, S>,
        patience: Duration,
        waits: impl FnMut(&mut S) -> bool,
    ) -> (MutexGuard<'a, S>, bool) {
        let woken = self.changed.wait_timeout_while(state, patience, waits);
        let (state, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
        (state, timeout.timed_out())
    }

    /// Wait until `next` returns a task.
    pub fn next_task<T>(&self, mut next: impl FnMut(&mut S) -> Option<T>) -> T {
        let mut state = self.lock();
        loop {
            if let Some(task) = next(&mut state) {
                return task;
            }
            state = self.wait(state);
        }
    }
}

/// Handle to a background thread. Dropping it asks the thread to end and waits until it has.
pub struct Background<S> {
    shared: Arc<Shared<S>>,
    ask_to_end: fn(&mut S),
    thread: Option<JoinHandle<()>>,
}

impl<S: Default + Send + 'static> Background<S> {
    /// Start a thread that executes `run`, which must return after `ask_to_end`.
    pub fn start(
        ask_to_end: fn(&mut S),
        run: impl FnOnce(&Arc<Shared<S>>) + Send + 'static,
    ) -> Self {
        let shared = Arc::<Shared<S>>::default();
        let theirs = Arc::clone(&shared);
        Self {
            shared,
            ask_to_end,
            thread: Some(std::thread::spawn(move || run(&theirs))),
        }
    }
}

impl<S> Deref for Background<S> {
    type Target = Shared<S>;

    fn deref(&self) -> &Shared<S> {
        &self.shared
    }
}

impl<S> Drop for Background<S> {
    fn drop(&mut self) {
        self.shared.change(self.ask_to_end);
        if let Some(thread) = self.thread.take() {
            // An error means an uncaught panic in the thread, which has been reported already.
            drop(thread.join());
        }
    }
}

/// Result of `work`, see [`aside`]; `None` after a panic, so that a bug costs one task instead of the thread.
pub fn caught<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    catch_unwind(AssertUnwindSafe(|| aside(work))).ok()
}

/// Result of `work`, whose parallel loops run on threads of their own: on those of the window, its pictures would
/// wait until a step of a landscape is done.
pub fn aside<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let pool = ThreadPoolBuilder::new().num_threads(rayon::current_num_threads());
        let refused = |error: &_| log::warn!("no threads for the background: {error}");
        pool.build().inspect_err(refused).ok()
    };
    match POOL.get_or_init(start) {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::parallel;

    #[test]
    fn work_aside_does_not_hold_up_other_loops() {
        #[derive(Default)]
        struct Turn {
            has_begun: bool,
            is_over: bool,
        }
        let turn = Shared::<Turn>::default();
        let patience = Duration::from_secs(60);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                aside(|| {
                    let items = 0..4 * parallel::threads();
                    parallel::par_items(items).for_each(|_, _| {
                        turn.change(|turn| turn.has_begun = true);
                        let waits = |turn: &mut Turn| !turn.is_over;
                        let is_late = turn.wait_while(turn.lock(), patience, waits).1;
                        assert!(!is_late, "the loop below waits for this one");
                    });
                });
            });
            drop(turn.wait_while(turn.lock(), patience, |turn| !turn.has_begun));
            parallel::par_items(0..100).for_each(|_, _| {});
            turn.change(|turn| turn.is_over = true);
        });
    }
}
