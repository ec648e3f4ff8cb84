//! Parallel row loops: a map is filled on all threads in bands of rows, with progress and cancelling.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Least number of columns for which a second thread pays off.
const PARALLEL_FROM: usize = 1025;

/// Number of rows that a thread writes in one go: few enough to share the work evenly, many enough to
/// hide the cost of starting a band.
const BAND_ROWS: usize = 128;

/// Write every row of `heights` with `write`, in bands on the threads of the current rayon pool.
/// `start` makes the state of a thread, which keeps it from row to row.
///
/// # Errors
/// The job was cancelled; `heights` then has unspecified contents.
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

/// Fallible version of [`fill_rows`], for rows so slow that `write` checks the job itself.
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

/// Call `work` on every row of `heights` with its index, in bands of `band_rows` rows on all threads.
/// `start` makes the state of a thread, which keeps it from row to row.
///
/// # Errors
/// The first error that `work` returned.
pub(super) fn each_row<S: Send>(
    heights: &mut [f32],
    columns: usize,
    band_rows: usize,
    start: impl Fn() -> S + Send + Sync,
    work: impl Fn(&mut S, usize, &mut [f32]) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    let states = Tools::new(start);
    parallel::par_items(heights.chunks_mut(band_rows * columns)).try_each(|band, heights| {
        states.with(|state| {
            let mut rows = (band * band_rows..).zip(heights.chunks_mut(columns));
            rows.try_for_each(|(row, out)| work(state, row, out))
        })
    })
}

/// Progress of a job, counted on all threads.
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

    /// Report `by` more finished units.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn advance(&self, by: u64) -> Result<(), Cancelled> {
        self.job.check()?;
        let done = self.done.fetch_add(by, Ordering::Relaxed) + by;
        self.job.advance(done, self.total);
        Ok(())
    }

    /// Report the end of the work, regardless of the order in which threads reported their last units.
    pub fn finish(&self) {
        self.job.advance(1, 1);
    }
}
