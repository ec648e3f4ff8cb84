//! A map filled on all threads, in bands of rows.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::job::{Cancelled, Job};

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
    let progress = Progress::new(job, (heights.len() / columns) as u64);
    let write_band = |state: &mut S, first_row: usize, band: &mut [f32]| {
        for (row, out) in (first_row..).zip(band.chunks_exact_mut(columns)) {
            job.check()?;
            write(state, row, out);
            progress.advance(1)?;
        }
        Ok(())
    };
    if columns < PARALLEL_FROM || rayon::current_num_threads() == 1 {
        write_band(&mut start(), 0, heights)?;
    } else {
        heights
            .par_chunks_mut(BAND_ROWS * columns)
            .enumerate()
            .try_for_each_init(&start, |state, (band, heights)| {
                write_band(state, band * BAND_ROWS, heights)
            })?;
    }
    progress.finish();
    Ok(())
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
