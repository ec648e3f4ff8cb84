//! A map filled in bands of rows, on all threads.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::job::{Cancelled, Job};

/// Maps of fewer columns are not worth a second thread.
const PARALLEL_FROM: usize = 1025;

/// Rows that a thread writes in one go: few enough to share the work evenly, many enough to
/// hide the start of a band.
const BAND_ROWS: usize = 128;

/// Writes every row of `heights` with `write`, bands of them on the threads of the rayon pool
/// that this runs in. What `start` makes is a thread's own, and goes with it from row to row.
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
    let rows = (heights.len() / columns) as u64;
    let done = AtomicU64::new(0);
    let write_band = |state: &mut S, first_row: usize, band: &mut [f32]| {
        for (row, out) in (first_row..).zip(band.chunks_exact_mut(columns)) {
            job.check()?;
            write(state, row, out);
            job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, rows);
        }
        Ok(())
    };
    if columns < PARALLEL_FROM || rayon::current_num_threads() == 1 {
        return write_band(&mut start(), 0, heights);
    }
    heights
        .par_chunks_mut(BAND_ROWS * columns)
        .enumerate()
        .try_for_each_init(&start, |state, (band, heights)| {
            write_band(state, band * BAND_ROWS, heights)
        })
}
