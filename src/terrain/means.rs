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
    groups.at_least(16).for_each_in(job, |_, rows| {
        buffers.with(|buffers| {
            transpose_in(rows, columns, buffers.lines());
            buffers.run(row_means);
            transpose_out(buffers.lines(), columns, rows);
        });
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
        .for_each_in(job, |_, mut strip| {
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

// Moving average (box filter) by a running sum, along many rows or columns at once. At each step one
// sample enters the sum and one leaves it.

/// Box window: weight 1 for samples up to `whole` away, and `part` for the next one on either side.
#[derive(Clone, Copy)]
struct Window {
    whole: usize,
    part: f64,
    scale: f64,
}

impl Window {
    pub fn new(radius: f64) -> Self {
        Self {
            whole: radius as usize,
            part: radius.fract(),
            scale: 1.0 / (2.0 * radius + 1.0),
        }
    }
}

/// Box filter with its number of passes and its border handling.
#[derive(Clone, Copy)]
struct RunningMean {
    pub window: Window,
    pub times: usize,
    pub wraps: bool,
}

/// Double buffer of lines with `LANES` samples each; each pass reads one and writes the other.
struct Buffers<const LANES: usize> {
    mean: RunningMean,
    from: Vec<[f32; LANES]>,
    to: Vec<[f32; LANES]>,
    /// Source line of each line, with a margin beyond both ends.
    places: Vec<u32>,
}

impl<const LANES: usize> Buffers<LANES> {
    pub fn new(mean: RunningMean, count: usize) -> Self {
        Self {
            mean,
            from: vec![[0.0; LANES]; count],
            to: vec![[0.0; LANES]; count],
            places: places(count, mean.window.whole + 1, mean.wraps),
        }
    }

    /// Input lines, or the filtered lines after [`Buffers::run`].
    pub fn lines(&mut self) -> &mut [[f32; LANES]] {
        &mut self.from
    }

    /// Filter the lines; `means` is [`running_means`].
    pub fn run(&mut self, means: impl Fn(&[[f32; LANES]], &[u32], Window, &mut [[f32; LANES]])) {
        for _ in 0..self.mean.times {
            means(&self.from, &self.places, self.mean.window, &mut self.to);
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }
}

/// Source indices of the lines −`room` … `count` + `room` − 1, wrapped or clamped to `count` lines.
fn places(count: usize, room: usize, wraps: bool) -> Vec<u32> {
    let last = count as isize - 1;
    // The last line repeats the first.
    let period = last.max(1);
    let place = |line: isize| match line {
        inside if (0..=last).contains(&inside) => inside,
        beyond if wraps => beyond.rem_euclid(period).min(last),
        beyond => beyond.clamp(0, last),
    };
    let room = room as isize;
    let lines = -room..last + 1 + room;
    lines.map(|line| place(line) as u32).collect()
}

/// Compute the means of `lines`; `places` come from [`places`] with a room of `whole` + 1.
#[inline(always)]
fn running_means<const LANES: usize>(
    lines: &[[f32; LANES]],
    places: &[u32],
    window: Window,
    means: &mut [[f32; LANES]],
) {
    let Window { whole, part, scale } = window;
    let line = |place: u32| &lines[place as usize];
    let mut sums = [0.0f64; LANES];
    for place in &places[1..2 * whole + 2] {
        let line = line(*place);
        for lane in 0..LANES {
            sums[lane] += f64::from(line[lane]);
        }
    }
    let count = means.len();
    let (outside, leaving) = (&places[..count], &places[1..][..count]);
    let entering = &places[2 * whole + 2..][..count];
    for (index, mean) in means.iter_mut().enumerate() {
        let (outside, leaving) = (line(outside[index]), line(leaving[index]));
        let entering = line(entering[index]);
        for lane in 0..LANES {
            let enters = f64::from(entering[lane]);
            let partly = part * (f64::from(outside[lane]) + enters);
            mean[lane] = ((sums[lane] + partly) * scale) as f32;
            sums[lane] += enters - f64::from(leaving[lane]);
        }
    }
}

// Blockwise transposition of rows to columns and back, sixteen rows at a time.

/// Rows per block: the lanes of the widest vector instructions.
const ROWS: usize = 16;
/// Sixteen samples of sixteen rows.
type Block = [[f32; ROWS]; ROWS];

vectorized! {
    /// Transpose up to sixteen rows to lines of sixteen lanes.
    fn transpose_in(rows: &[f32], columns: usize, lines: &mut [[f32; ROWS]]) {
        let (blocks, rest) = lines.as_chunks_mut::<ROWS>();
        let whole = blocks.len() * ROWS;
        for (block, lines) in blocks.iter_mut().enumerate() {
            for (line, row) in lines.iter_mut().zip(rows.chunks_exact(columns)) {
                *line = *row[block * ROWS..].first_chunk().expect("a whole block");
            }
            transpose(lines);
        }
        for (lane, row) in rows.chunks_exact(columns).enumerate() {
            for (line, height) in rest.iter_mut().zip(&row[whole..]) {
                line[lane] = *height;
            }
        }
    }

    /// Transpose the lines back to rows.
    fn transpose_out(lines: &[[f32; ROWS]], columns: usize, rows: &mut [f32]) {
        let (blocks, rest) = lines.as_chunks::<ROWS>();
        let whole = blocks.len() * ROWS;
        for (block, lines) in blocks.iter().enumerate() {
            let mut lines = *lines;
            transpose(&mut lines);
            for (line, row) in lines.iter().zip(rows.chunks_exact_mut(columns)) {
                *row[block * ROWS..].first_chunk_mut().expect("a whole block") = *line;
            }
        }
        for (lane, row) in rows.chunks_exact_mut(columns).enumerate() {
            for (line, height) in rest.iter().zip(&mut row[whole..]) {
                *height = line[lane];
            }
        }
    }
}

/// Transpose a block in place by recursive swaps: halves first, then quarters, eighths and neighbours.
#[inline(always)]
fn transpose(block: &mut Block) {
    exchange::<8>(block);
    exchange::<4>(block);
    exchange::<2>(block);
    exchange::<1>(block);
}

/// Swap the upper right and the lower left quarter of every square of 2·`SIZE` lines and lanes.
#[inline(always)]
fn exchange<const SIZE: usize>(block: &mut Block) {
    for upper in 0..ROWS {
        if upper & SIZE == 0 {
            let (a, b) = (block[upper], block[upper + SIZE]);
            for lane in 0..ROWS {
                let right = lane & SIZE != 0;
                block[upper][lane] = if right { b[lane ^ SIZE] } else { a[lane] };
                block[upper + SIZE][lane] = if right { b[lane] } else { a[lane ^ SIZE] };
            }
        }
    }
}
