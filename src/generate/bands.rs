//! A map filled on all threads, in bands of rows.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::job::{Cancelled, Job};
use crate::parallel::{self, Tools};

/// A map with fewer columns is not worth a second thread.
const PARALLEL_FROM: usize = 1025;

/// The number of rows that a thread writes in one go: few enough to share the work evenly, many
/// enough to hide the cost of starting a band.
const BAND_ROWS: usize = 128;

/// Writes every row of `heights` with `write`, in bands on the threads of the rayon pool that this
/// runs in. What `start` makes belongs to a thread, which keeps it from row to row.
///
/// # Errors
/// The job was cancelled; what `heights` holds then is unspecified.
pub(super) fn fill_rows<S: Send>(
    heights: &mut [f32],
    columns: usize,
    job: &Job,
    start: impl Fn() -> S + Send + Sync,
    write: impl Fn(&mut S, usize, &mut [f32]) + Send + Sync,
) -> Result<(), Cancelled> {
    try_fill_rows(heights, columns, job, start, |state, row, out| {
        write(state, row, out);
        Ok(())
    })
}

/// The same, where a row takes so long that `write` checks the job itself.
///
/// # Errors
/// The job was cancelled, or an error that `write` returned.
pub(super) fn try_fill_rows<S: Send>(
    heights: &mut [f32],
    columns: usize,
    job: &Job,
    start: impl Fn() -> S + Send + Sync,
    write: impl Fn(&mut S, usize, &mut [f32]) -> Result<(), Cancelled> + Send + Sync,
) -> Result<(), Cancelled> {
    let rows = heights.len() / columns;
    let band_rows = if columns < PARALLEL_FROM {
        rows.max(1)
    } else {
        BAND_ROWS
    };
    let progress = Progress::new(job, rows as u64);
    each_row(heights, columns, band_rows, start, |state, row, out| {
        job.check()?;
        write(state, row, out)?;
        progress.advance(1)
    })?;
    progress.finish();
    Ok(())
}

/// Calls `work` on every row of `heights` with its number, in bands of so many rows on all threads.
/// What `start` makes belongs to a thread, which keeps it from row to row.
///
/// # Errors
/// One of those that `work` returned.
pub(super) fn each_row<S: Send>(
    heights: &mut [f32],
    columns: usize,
    band_rows: usize,
    start: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, usize, &mut [f32]) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    let states = Tools::new(start);
    parallel::over(heights.chunks_mut(band_rows * columns)).try_each(|band, heights| {
        states.with(|state| {
            let mut rows = (band * band_rows..).zip(heights.chunks_mut(columns));
            rows.try_for_each(|(row, out)| work(state, row, out))
        })
    })
}

/// How much of the work is done, counted on all threads.
pub(super) struct Progress<'a> {
    job: &'a Job,
    done: AtomicU64,
    total: u64,
}

impl<'a> Progress<'a> {
    pub fn new(job: &'a Job, total: u64) -> Self {
        Self {
            job,
            done: AtomicU64::new(0),
            total,
        }
    }

    /// Notes that `by` more units are done.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn advance(&self, by: u64) -> Result<(), Cancelled> {
        self.job.check()?;
        let done = self.done.fetch_add(by, Ordering::Relaxed) + by;
        self.job.advance(done, self.total);
        Ok(())
    }

    /// Notes that all is done, in whatever order threads have noted their last units.
    pub fn finish(&self) {
        self.job.advance(1, 1);
    }
}
