//! Evaluation of diamond-square by the row pipeline: a whole map in memory, a range of rows, or all rows
//! streamed to a sink.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Subdivision;
use super::kernel::Instructions;
use super::pipeline::Pipeline;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Least number of samples a side for which a second thread pays off.
const PARALLEL_FROM: usize = 1025;

/// Number of rows that a thread makes in one go: few enough to share the work evenly, many enough to hide the
/// cost of starting a band.
const BAND_ROWS: usize = 128;

/// Size in bytes of each of the two buffers of a stream.
const BATCH_BYTES: usize = 8 << 20;

/// Least number of rows of a batch in a band of its own.
const STREAM_BAND_ROWS: usize = 16;

/// Reason why a stream of rows ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Error of the sink.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Subdivision {
    /// Fill `heights`, (2^n + 1)² values, with the map in half tiles: the same bits as
    /// [`scalar::fill`](super::scalar::fill), computed on all threads of the current rayon pool.
    ///
    /// # Errors
    /// The job was cancelled; `heights` then has unspecified contents.
    ///
    /// # Panics
    /// The number of heights is not (2^n + 1)².
    pub fn fill(&self, heights: &mut [f32], job: &Job) -> Result<(), Cancelled> {
        self.fill_with(Instructions::Best, heights, job)
    }

    /// Version of [`Subdivision::fill`] with a choice of instruction set.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The number of heights is not (2^n + 1)².
    #[doc(hidden)]
    pub fn fill_with(
        &self,
        instructions: Instructions,
        heights: &mut [f32],
        job: &Job,
    ) -> Result<(), Cancelled> {
        let side = self.side();
        assert_eq!(heights.len(), side * side, "{side} × {side} heights");
        let band_rows = if side < PARALLEL_FROM {
            side
        } else {
            BAND_ROWS
        };
        let pipelines = Tools::new(|| Pipeline::new(self, instructions));
        let done = AtomicU64::new(0);
        parallel::par_items(heights.chunks_mut(band_rows * side)).try_each(|band, heights| {
            pipelines.with(|pipeline| {
                for (row, out) in (band * band_rows..).zip(heights.chunks_exact_mut(side)) {
                    job.check()?;
                    pipeline.write_row(row, out);
                    job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, side as u64);
                }
                Ok(())
            })
        })?;
        // Threads may have reported their last rows in any order.
        job.advance(1, 1);
        Ok(())
    }

    /// Iterate over the rows of the map within `rows`. That takes memory for a few rows only, whatever the
    /// size of the map. Starting at any row costs about four rows.
    ///
    /// # Panics
    /// The map has no such rows.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Rows<'_> {
        let side = self.side();
        assert!(rows.end <= side, "rows {rows:?} of {side}");
        Rows {
            pipeline: Pipeline::new(self, Instructions::Best),
            rows,
            row: vec![0.0; side],
        }
    }

    /// Pass all rows of the map to `sink`, first row first, on the calling thread, while the current rayon
    /// pool computes the next ones. That takes about 16 MB, or a few rows of a map so wide that these need
    /// more.
    ///
    /// # Errors
    /// The job was cancelled, or the sink returned an error.
    pub fn stream(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let side = self.side();
        let batch_rows = (BATCH_BYTES / (side * size_of::<f32>())).clamp(1, side);
        let bands = (batch_rows / STREAM_BAND_ROWS).clamp(1, rayon::current_num_threads());
        let band_rows = batch_rows.div_ceil(bands);
        let mut pipelines = vec![Pipeline::new(self, Instructions::Best); bands];
        let (mut made, mut next) = (Vec::new(), Vec::new());
        // There is one more turn than batches: each computes the next batch and passes on the last.
        for first_row in (0..side + batch_rows).step_by(batch_rows) {
            let count = batch_rows.min(side.saturating_sub(first_row));
            next.resize(count * side, 0.0);
            rayon::in_place_scope(|scope| {
                let bands = next.chunks_mut(band_rows * side);
                for ((band, heights), pipeline) in bands.enumerate().zip(&mut pipelines) {
                    let first_row = first_row + band * band_rows;
                    scope.spawn(move |_| {
                        for (row, out) in (first_row..).zip(heights.chunks_exact_mut(side)) {
                            if job.is_cancelled() {
                                return;
                            }
                            pipeline.write_row(row, out);
                        }
                    });
                }
                for row in made.chunks_exact(side) {
                    job.check()?;
                    sink(row)?;
                }
                job.advance(first_row.min(side) as u64, side as u64);
                Ok::<(), StreamError>(())
            })?;
            std::mem::swap(&mut made, &mut next);
        }
        Ok(())
    }
}

/// Iterator over rows of a map; see [`Subdivision::rows`].
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    pipeline: Pipeline<'a>,
    rows: Range<usize>,
    row: Vec<f32>,
}

impl Rows<'_> {
    /// Next row in half tiles, from north to south; `None` after the last.
    pub fn next_row(&mut self) -> Option<&[f32]> {
        let row = self.rows.next()?;
        self.pipeline.write_row(row, &mut self.row);
        Some(&self.row)
    }
}
