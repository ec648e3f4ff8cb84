//! Grey-scale dilation and erosion by a disc: each value becomes the largest, or the smallest, of all values
//! within a radius (Serra 1982).
//!
//! The disc is a stack of horizontal runs, one for each row. The maximum of a run is that of two overlapping
//! runs whose length is a power of two, and these are found by doubling (a sparse table, Bender and
//! Farach-Colton 2000):
//!
//! ```text
//! t₀ = row      tₖ₊₁[i] = max(tₖ[i], tₖ[i + 2ᵏ])      run of w from i: max(tₖ[i], tₖ[i + w − 2ᵏ]), 2ᵏ ≤ w
//! ```
//!
//! The result is exact, so it depends neither on bands nor on threads. Cost: two comparisons a sample for each
//! row of the disc, which are vectorized.

use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Rows of the result that a thread computes at a time.
const BAND_ROWS: usize = 32;

/// Write the largest of all `values` at most `radius` samples away to `out`; the smallest for a negative
/// radius. Rows have `columns` values. An array that wraps, whose last row and column repeat the first,
/// continues beyond the border; beyond any other there is nothing.
///
/// # Errors
/// The job was cancelled; `out` is then unspecified.
pub(crate) fn dilate(
    values: &[f32],
    out: &mut [f32],
    columns: usize,
    wraps: bool,
    radius: f64,
    job: &Job,
) -> Result<(), Cancelled> {
    let disc = Disc::new(radius.abs());
    // The smallest value is the opposite of the largest opposite.
    let sign = if radius < 0.0 { -1.0 } else { 1.0 };
    let rows = values.len() / columns;
    let reach = disc.halves.len() - 1;
    let bands = out.chunks_mut(BAND_ROWS * columns);
    parallel::par_items(bands).try_each(|band, out| {
        let first = band * BAND_ROWS;
        let count = out.len() / columns;
        let mut runs = Runs::new(&disc, columns);
        out.fill(f32::NEG_INFINITY);
        // Row numbers are moved by `reach`, so that none is negative.
        for moved in first..first + count + 2 * reach {
            let Some(row) = wrapped(moved, reach, rows, wraps) else {
                continue;
            };
            job.check()?;
            runs.fill(&values[row * columns..][..columns], sign, wraps);
            let near = moved.saturating_sub(first + 2 * reach)..=(moved - first).min(count - 1);
            for (offset, out) in near
                .clone()
                .zip(out.chunks_mut(columns).skip(*near.start()))
            {
                let away = (first + offset + reach).abs_diff(moved);
                runs.raise(out, disc.halves[away]);
            }
        }
        out.iter_mut().for_each(|value| *value *= sign);
        Ok::<_, Cancelled>(())
    })
}

/// Index of the sample at `moved` − `reach` in a line of `count`; `None` beyond the border.
fn wrapped(moved: usize, reach: usize, count: usize, wraps: bool) -> Option<usize> {
    if wraps {
        // The last sample repeats the first.
        let period = (count - 1).max(1);
        let back = reach.div_ceil(period) * period - reach;
        return Some((moved + back) % period);
    }
    moved.checked_sub(reach).filter(|index| *index < count)
}

/// Disc of samples at most a radius away.
struct Disc {
    /// Half the length of the run in each row, from the middle one on, without the sample in the middle.
    halves: Vec<usize>,
}

impl Disc {
    fn new(radius: f64) -> Self {
        let square = radius * radius;
        let half = |row: usize| (square - (row * row) as f64).sqrt() as usize;
        let rows = radius as usize;
        Self {
            halves: (0..=rows).map(half).collect(),
        }
    }
}

/// Maxima of the runs of a row.
struct Runs {
    /// Maximum of 2ᵏ values from each on, for each k. The row begins after a margin as wide as the disc.
    tables: Vec<Vec<f32>>,
    margin: usize,
    columns: usize,
}

impl Runs {
    fn new(disc: &Disc, columns: usize) -> Self {
        let margin = disc.halves[0];
        let levels = (2 * margin + 1).ilog2() as usize + 1;
        Self {
            tables: vec![vec![f32::NEG_INFINITY; columns + 2 * margin]; levels],
            margin,
            columns,
        }
    }

    fn fill(&mut self, row: &[f32], sign: f32, wraps: bool) {
        for (moved, value) in self.tables[0].iter_mut().enumerate() {
            let index = wrapped(moved, self.margin, self.columns, wraps);
            *value = index.map_or(f32::NEG_INFINITY, |index| row[index] * sign);
        }
        for level in 1..self.tables.len() {
            let (done, rest) = self.tables.split_at_mut(level);
            double(&done[level - 1], 1 << (level - 1), &mut rest[0]);
        }
    }

    /// Raise each value of `out` to the maximum of the run around it.
    fn raise(&self, out: &mut [f32], half: usize) {
        let length = 2 * half + 1;
        let level = length.ilog2() as usize;
        let table = &self.tables[level][self.margin - half..];
        raise(out, table, &table[length - (1 << level)..]);
    }
}

vectorized! {
    /// Write the larger of each value and the one `step` further; at the end there is none.
    fn double(table: &[f32], step: usize, out: &mut [f32]) {
        let count = table.len().saturating_sub(step);
        for ((out, a), b) in out[..count].iter_mut().zip(&table[..count]).zip(&table[step.min(table.len())..]) {
            *out = if *a > *b { *a } else { *b };
        }
    }

    fn raise(out: &mut [f32], from: &[f32], to: &[f32]) {
        for ((out, a), b) in out.iter_mut().zip(from).zip(to) {
            let most = if *a > *b { *a } else { *b };
            *out = if *out > most { *out } else { most };
        }
    }
}
