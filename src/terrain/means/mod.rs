//! Box blur and approximate Gaussian blur by running sums, over rows and then over columns.
//!
//! A box filter replaces each value by the mean of all values up to `radius` away; for a fractional
//! radius the outermost values count in part. Three passes, each of radius r/√3, are a quadratic
//! B-spline, within 3 % of a Gaussian (Wells 1986, Gwosdek et al. 2011), with the same standard deviation
//! r/√3 as one box of radius r.
//!
//! Running sums make the cost independent of the radius: first sixteen rows at once, transposed to
//! columns, then 64 columns at once. The sums are f64, so that errors do not accumulate and constant
//! values stay exactly the same. Cost: two passes over the array.

use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

mod line;
mod transpose;

use line::{Buffers, RunningMean, Window, running_means};
use transpose::{ROWS, transpose_in, transpose_out};

/// Number of columns filtered at once: several cache lines of a row are faster to fetch than one.
const COLUMNS: usize = 64;

/// Shape of a filter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filter {
    /// Box: all values within the radius count equally.
    Box,
    /// Approximate Gaussian with the standard deviation of the box.
    Bell,
}

/// Filter an array with rows of `columns` values; the radius is in samples. An array that wraps, whose
/// last row and column repeat the first, continues beyond the border; any other repeats the values of its
/// border.
///
/// # Errors
/// The job was cancelled; the values are then unspecified.
pub(crate) fn filter(
    filter: Filter,
    values: &mut [f32],
    columns: usize,
    wraps: bool,
    radius: f64,
    job: &Job,
) -> Result<(), Cancelled> {
    let (times, radius) = match filter {
        Filter::Box => (1, radius),
        Filter::Bell => (3, radius / 3.0f64.sqrt()),
    };
    let mean = RunningMean {
        window: Window::new(radius),
        times,
        wraps,
    };
    filter_rows(mean, values, columns, job)?;
    let rows = values.len() / columns;
    if rows > 1 {
        filter_columns(mean, values, columns, job)?;
    }
    if wraps {
        // The sums start at different samples, so repeated values may differ in their last bit.
        for row in values.chunks_exact_mut(columns) {
            row[columns - 1] = row[0];
        }
        values.copy_within(..columns, (rows - 1) * columns);
    }
    Ok(())
}

fn filter_rows(
    mean: RunningMean,
    values: &mut [f32],
    columns: usize,
    job: &Job,
) -> Result<(), Cancelled> {
    let buffers = Tools::new(|| Buffers::<ROWS>::new(mean, columns));
    let groups = parallel::par_items(values.chunks_mut(ROWS * columns));
    groups.at_least(16).try_each(|_, rows| {
        job.check()?;
        buffers.with(|buffers| {
            transpose_in(rows, columns, buffers.lines());
            buffers.run(row_means);
            transpose_out(buffers.lines(), columns, rows);
        });
        Ok(())
    })
}

fn filter_columns(
    mean: RunningMean,
    values: &mut [f32],
    columns: usize,
    job: &Job,
) -> Result<(), Cancelled> {
    let rows = values.len() / columns;
    // Columns are not contiguous in memory, so each strip is a list of pieces of rows.
    let mut strips: Vec<Vec<&mut [f32]>> = Vec::new();
    strips.resize_with(columns.div_ceil(COLUMNS), || Vec::with_capacity(rows));
    for row in values.chunks_exact_mut(columns) {
        job.check()?;
        for (strip, piece) in strips.iter_mut().zip(row.chunks_mut(COLUMNS)) {
            strip.push(piece);
        }
    }
    let buffers = Tools::new(|| Buffers::<COLUMNS>::new(mean, rows));
    parallel::par_items(strips)
        .at_least(2)
        .try_each(|_, mut strip| {
            job.check()?;
            buffers.with(|buffers| {
                for (line, piece) in buffers.lines().iter_mut().zip(strip.iter()) {
                    match piece.first_chunk() {
                        Some(piece) => *line = *piece,
                        None => line[..piece.len()].copy_from_slice(piece),
                    }
                }
                buffers.run(column_means);
                for (line, piece) in buffers.lines().iter().zip(strip.iter_mut()) {
                    match piece.first_chunk_mut() {
                        Some(piece) => *piece = *line,
                        None => piece.copy_from_slice(&line[..piece.len()]),
                    }
                }
            });
            Ok(())
        })
}

vectorized! {
    fn row_means(lines: &[[f32; ROWS]], places: &[u32], window: Window, means: &mut [[f32; ROWS]]) {
        running_means(lines, places, window, means);
    }

    fn column_means(lines: &[[f32; COLUMNS]], places: &[u32], window: Window, means: &mut [[f32; COLUMNS]]) {
        running_means(lines, places, window, means);
    }
}
