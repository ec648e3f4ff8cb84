//! The ways to use the row pipeline: a whole map into memory, any rows one by one, or all rows into
//! a sink.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::Subdivision;
use super::kernel::Instructions;
use super::pipeline::Pipeline;
use crate::job::{Cancelled, Job};
use crate::parallel::{self, Tools};

/// A map with fewer samples a side is not worth a second thread.
const PARALLEL_FROM: usize = 1025;

/// The number of rows that a thread makes in one go: few enough to share the work evenly, many
/// enough to hide the cost of starting a band.
const BAND_ROWS: usize = 128;

/// The size in bytes of each of the two buffers that a stream of rows goes through.
const BATCH_BYTES: usize = 8 << 20;

/// The fewest rows of a batch that are worth a band of their own.
const STREAM_BAND_ROWS: usize = 16;

/// Why a stream of rows ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The sink refused a row.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Subdivision {
    /// Fills `heights`, (2^n + 1)² of them, with the map in half tiles: the same bits as
    /// [`scalar::fill`](super::scalar::fill), made on all threads of the rayon pool that this runs
    /// in.
    ///
    /// # Errors
    /// The job was cancelled; what `heights` holds then is unspecified.
    ///
    /// # Panics
    /// The number of heights is not (2^n + 1)².
    pub fn fill(&self, heights: &mut [f32], job: &Job) -> Result<(), Cancelled> {
        self.fill_with(Instructions::Best, heights, job)
    }

    /// [`Subdivision::fill`] with a choice of instruction set.
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
        parallel::over(heights.chunks_mut(band_rows * side)).try_each(|band, heights| {
            pipelines.with(|pipeline| {
                for (row, out) in (band * band_rows..).zip(heights.chunks_exact_mut(side)) {
                    job.check()?;
                    pipeline.write_row(row, out);
                    job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, side as u64);
                }
                Ok(())
            })
        })?;
        // Threads may have noted their last rows in any order.
        job.advance(1, 1);
        Ok(())
    }

    /// The rows of the map within `rows`, one after the other. That takes memory for a few rows
    /// only, whatever the size of the map. Starting at any row costs about four rows.
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

    /// Hands all rows of the map to `sink`, first row first, on the calling thread, while the rayon
    /// pool that this runs in makes the next ones. That takes about 16 MB, or a few rows of a map
    /// so wide that these need more.
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
        // There is one more turn than batches: each makes the next batch and hands over the last.
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

/// Rows of a map, one after the other; see [`Subdivision::rows`].
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    pipeline: Pipeline<'a>,
    rows: Range<usize>,
    row: Vec<f32>,
}

impl Rows<'_> {
    /// The next row in half tiles, from north to south; `None` after the last.
    pub fn next_row(&mut self) -> Option<&[f32]> {
        let row = self.rows.next()?;
        self.pipeline.write_row(row, &mut self.row);
        Some(&self.row)
    }
}
