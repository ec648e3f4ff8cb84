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

// Pull-based row pipeline over lattice levels, each with twice the rows of the previous one. A level
// pulls the coarse rows it needs and hands fine rows down, so only the last level writes to the map.
//
// ```text
// level 0   base rows
//   ↓ pull    level 1   keeps the few coarse rows that its next fine row needs
//               ↓ pull    level 2   …                          → the map, row after row
// ```
// Any row can be the first, so threads take bands of rows.

/// Lattice level that makes fine rows from the few coarse rows around them.
pub(super) trait Refine {
    /// Offset from i to the first coarse row needed for the fine rows 2i and 2i + 1.
    const FIRST: isize;
    /// Offset from i to the last such row.
    const LAST: isize;

    /// Take the next coarse row and drop the oldest one.
    fn take(&mut self, coarse: &[f32], row: u64);

    /// Write fine row `row`; the coarse row taken last is `row / 2 + LAST`.
    fn write(&mut self, row: u64, fine: &mut [f32]);
}

/// Generator of the rows of a map one after the other, starting at any row.
#[derive(Clone, Debug)]
pub(super) struct Pyramid<B, R> {
    base: B,
    /// Next row of the base.
    next: isize,
    levels: Vec<Level<R>>,
    /// Number of rows after which the base repeats; it doubles at each level.
    period: Option<usize>,
}

#[derive(Clone, Debug)]
struct Level<R> {
    refine: R,
    /// Buffer for the coarse row that is handed down.
    coarse: Vec<f32>,
    /// Index of the coarse row to be taken next.
    next_coarse: isize,
    /// Index of the fine row to be written next.
    next: isize,
}

impl<B: Fn(u64, &mut [f32]), R: Refine> Pyramid<B, R> {
    /// Create a pyramid on `base`, which writes a row of the coarsest lattice and repeats after `period`
    /// rows if there is a period. Each level comes with the length of the coarse rows that it takes.
    pub fn new(
        base: B,
        period: Option<usize>,
        levels: impl IntoIterator<Item = (R, usize)>,
    ) -> Self {
        let level = |(refine, columns)| Level {
            refine,
            coarse: vec![0.0; columns],
            next_coarse: 0,
            next: isize::MIN,
        };
        Self {
            base,
            next: isize::MIN,
            levels: levels.into_iter().map(level).collect(),
            period,
        }
    }

    /// Write row `row` of the map. It costs one row's work if it follows the row written last.
    pub fn write(&mut self, row: usize, out: &mut [f32]) {
        let row = row as isize;
        let next = self.levels.last().map_or(self.next, |level| level.next);
        if next != row {
            self.seek(row);
        }
        write_next(
            &self.base,
            &mut self.next,
            &mut self.levels,
            self.period,
            out,
        );
    }

    fn seek(&mut self, mut row: isize) {
        for level in self.levels.iter_mut().rev() {
            level.next = row;
            level.next_coarse = (row >> 1) + R::FIRST;
            row = level.next_coarse;
        }
        self.next = row;
    }
}

/// Write the next row of the last of `levels`, or of the base if there are none.
fn write_next<B: Fn(u64, &mut [f32]), R: Refine>(
    base: &B,
    next: &mut isize,
    levels: &mut [Level<R>],
    period: Option<usize>,
    out: &mut [f32],
) {
    let depth = levels.len();
    let around = |row: isize, depth: usize| match period {
        Some(period) => row.rem_euclid((period << depth) as isize) as u64,
        None => row as u64,
    };
    let Some((level, above)) = levels.split_last_mut() else {
        base(around(*next, 0), out);
        *next += 1;
        return;
    };
    while level.next_coarse <= (level.next >> 1) + R::LAST {
        write_next(base, next, above, period, &mut level.coarse);
        level
            .refine
            .take(&level.coarse, around(level.next_coarse, depth - 1));
        level.next_coarse += 1;
    }
    level.refine.write(around(level.next, depth), out);
    level.next += 1;
}
