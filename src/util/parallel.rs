//! Parallel for-each and map over an iterator, on all threads of the caller's rayon pool.
//!
//! Items come from an ordinary iterator, such as the rows of an array, and each is passed to a closure with
//! its index. The code for the thread pool is compiled once instead of for each closure: with a parallel
//! iterator for each of a hundred loops it was a fifth of the library.
//!
//! Cost: some ten nanoseconds per item, so an item should take a microsecond or more. Threads take
//! neighbouring items, which share caches.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::util::job::{Cancelled, Job};

/// Number of threads of the caller's pool.
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Items that wait for a thread.
pub(crate) struct Parallel<T> {
    waiting: Vec<Mutex<Option<T>>>,
    at_least: usize,
}

/// Collect `things` for a parallel loop.
pub(crate) fn par_items<T: Send>(things: impl IntoIterator<Item = T>) -> Parallel<T> {
    let waiting = things.into_iter().map(|thing| Mutex::new(Some(thing)));
    Parallel {
        waiting: waiting.collect(),
        at_least: 1,
    }
}

impl<T: Send> Parallel<T> {
    /// Set the least number of neighbouring items per task, for work too quick to be worth a hand-over to
    /// another thread.
    pub(crate) fn at_least(self, at_least: usize) -> Self {
        Self { at_least, ..self }
    }

    /// Call `work` with each item and its index.
    pub(crate) fn for_each(self, work: impl Fn(usize, T) + Sync) {
        self.run(&|number, thing| {
            work(number, thing);
            true
        });
    }

    /// Call `work` with each item and its index until `job` is cancelled.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(crate) fn for_each_in(
        self,
        job: &Job,
        work: impl Fn(usize, T) + Sync,
    ) -> Result<(), Cancelled> {
        self.try_each(|number, thing| {
            job.check()?;
            work(number, thing);
            Ok(())
        })
    }

    /// Call `work` with each item and its index until one fails.
    ///
    /// # Errors
    /// One of the errors that `work` returned.
    pub(crate) fn try_each<E: Send>(
        self,
        work: impl Fn(usize, T) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        let failed = Mutex::new(None);
        self.run(&|number, thing| {
            let done = work(number, thing);
            done.map_err(|error| *lock(&failed) = Some(error)).is_ok()
        });
        within(failed).map_or(Ok(()), Err)
    }

    /// Collect the results of `work` for each item and its index, in the items' order.
    pub(crate) fn map<R: Send>(self, work: impl Fn(usize, T) -> R + Sync) -> Vec<R> {
        let made = places(self.waiting.len());
        self.for_each(|number, thing| *lock(&made[number]) = Some(work(number, thing)));
        made.into_iter().filter_map(within).collect()
    }

    /// Collect the results of `work` for each item and its index, in the items' order, unless one fails.
    ///
    /// # Errors
    /// One of the errors that `work` returned.
    pub(crate) fn try_map<R: Send, E: Send>(
        self,
        work: impl Fn(usize, T) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let made = places(self.waiting.len());
        self.try_each(|number, thing| {
            *lock(&made[number]) = Some(work(number, thing)?);
            Ok(())
        })?;
        Ok(made.into_iter().filter_map(within).collect())
    }

    fn run(self, work: &(dyn Fn(usize, T) -> bool + Sync)) {
        run(self.waiting.len(), self.at_least, &|number| {
            let thing = lock(&self.waiting[number]).take();
            thing.is_none_or(|thing| work(number, thing))
        });
    }
}

/// Call `work` with each index below `count`, until it returns `false`.
fn run(count: usize, at_least: usize, work: &(dyn Fn(usize) -> bool + Sync)) {
    let done = |number| work(number).then_some(());
    if count <= at_least {
        let _ = (0..count).try_for_each(done);
    } else {
        let numbers = (0..count).into_par_iter().with_min_len(at_least);
        let _ = numbers.try_for_each(done);
    }
}

/// Pool of thread-local scratch states, such as row buffers, created on demand.
pub(crate) struct Tools<S, F> {
    spare: Mutex<Vec<S>>,
    make: F,
}

impl<S, F: Fn() -> S> Tools<S, F> {
    /// Create a pool whose states `make` creates.
    pub(crate) fn new(make: F) -> Self {
        let spare = Mutex::new(Vec::new());
        Self { spare, make }
    }

    /// Call `work` with a state that no other thread uses meanwhile; its content is left from an earlier use.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut S) -> R) -> R {
        let spare = lock(&self.spare).pop();
        let mut tool = spare.unwrap_or_else(&self.make);
        let made = work(&mut tool);
        lock(&self.spare).push(tool);
        made
    }
}

fn places<R>(count: usize) -> Vec<Mutex<Option<R>>> {
    (0..count).map(|_| Mutex::new(None)).collect()
}

// No lock is held while other code runs, so a panic there cannot leave inconsistent data behind.

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn within<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn each_thing_is_worked_on_once() {
        for (count, at_least) in [(0, 1), (1, 1), (7, 100), (1000, 1), (1000, 64)] {
            let mut values = vec![0; 3 * count];
            let rows = par_items(values.chunks_mut(3)).at_least(at_least);
            rows.for_each(|number, row| row.iter_mut().for_each(|value| *value += number + 1));
            let wanted = (0..count).flat_map(|number| [number + 1; 3]);
            assert!(values.into_iter().eq(wanted), "{count} {at_least}");
        }
    }

    #[test]
    fn results_are_in_the_order_of_inputs() {
        let names = (0..500).map(|number| format!("{number}"));
        let made = par_items(names).map(|number, name| (number, name.len()));
        assert_eq!(made[499], (499, 3));
        assert!(made.iter().enumerate().all(|(at, made)| made.0 == at));
        let even = par_items(0..10)
            .try_map(|_, at| Ok::<_, ()>(at * 2))
            .unwrap();
        assert_eq!(even, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    }

    #[test]
    fn after_a_failure_nothing_new_is_begun() {
        let begun = AtomicUsize::new(0);
        let failed = par_items(0..100_000).try_each(|number, _| {
            begun.fetch_add(1, Ordering::Relaxed);
            if number == 0 {
                Err("the first")
            } else {
                Ok(())
            }
        });
        assert_eq!(failed, Err("the first"));
        assert!(begun.into_inner() < 100_000);
        let failed = par_items([1, 2, 3]).try_map(|_, at| if at < 3 { Ok(at) } else { Err(at) });
        assert_eq!(failed, Err(3));
    }

    #[test]
    fn a_tool_has_one_user_at_a_time() {
        let tools = Tools::new(|| 0);
        let uses = par_items(0..1000).map(|_, _| {
            tools.with(|uses| {
                *uses += 1;
                *uses
            })
        });
        // Each use of each tool is counted once.
        let spare = within(tools.spare);
        assert_eq!(spare.iter().sum::<usize>(), uses.len());
        assert!(spare.len() <= rayon::current_num_threads().max(1));
    }
}
