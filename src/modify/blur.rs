//! Heights smoothed over a distance: by a box, or by a bell, which leaves no squares behind.
//!
//! A box gives each sample the mean of all samples up to `radius` away along rows and columns;
//! where the radius is not a whole number of samples, the outermost count in part. The bell is
//! three boxes one after the other (a quadratic B-spline, within 3 % of a Gaussian; Wells 1986,
//! Gwosdek et al. 2011), each of radius r/√3, so that box and bell spread equally far: both have
//! the standard deviation r/√3.
//!
//! The radius is a share of the map's longer side, not a number of samples, so that more
//! iterations blur the same landscape and not less of it. Beyond the border a map that wraps
//! goes on, and stays wrapped; another one keeps its border height.
//!
//! Running sums make the cost independent of the radius: sixteen rows at once, turned into
//! columns, then 128 columns at once. They are f64, so that nothing accumulates and a plain
//! stays exactly as it was. Two passes over the array.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::param::{Param, Params};
use crate::{choice, choice_param, float_param};

use super::ModifyError;
use super::canvas::Canvas;

choice! {
    /// How near and far samples are weighed.
    pub enum Shape: "shape" {
        #[default]
        Gaussian = "gaussian", "A bell: near samples count most.";
        Box = "box", "All samples up to the radius count alike.";
    }
}

/// How far, and in what shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Share of the map's longer side, 0 (changes nothing) … 0.5; default 0.01.
    pub radius: f32,
    /// Box or bell; default `gaussian`.
    pub shape: Shape,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            radius: 0.01,
            shape: Shape::default(),
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            radius,
            "Radius",
            "× side",
            0.0,
            0.5,
            slider(0.0, 0.1),
            "How far the blur reaches, as a share of the map's side: 0 changes nothing."
        ),
        choice_param!(shape: Shape, "Shape", "How near and far samples are weighed."),
    ];
}

/// Rows worked on at once, turned into columns: a vector of the widest instructions.
const ROWS: usize = 16;
/// Columns worked on at once: several cache lines in a row, which are quicker to fetch than one.
const COLUMNS: usize = 128;

/// Sixteen samples of sixteen rows.
type Block = [[f32; ROWS]; ROWS];

pub(super) fn apply(options: &Options, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    if options.radius == 0.0 {
        return Ok(());
    }
    let longer = canvas.rows.max(canvas.columns) - 1;
    let radius = f64::from(options.radius) * longer as f64;
    let (times, radius) = match options.shape {
        Shape::Box => (1, radius),
        Shape::Gaussian => (3, radius / 3.0f64.sqrt()),
    };
    let mean = RunningMean {
        window: Window::new(radius),
        times,
        wraps: canvas.wraps,
    };
    blur_rows(mean, canvas)?;
    if canvas.rows > 1 {
        blur_columns(mean, canvas)?;
    }
    canvas.close();
    Ok(())
}

fn blur_rows(mean: RunningMean, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (columns, job) = (canvas.columns, canvas.context.job);
    let groups = canvas.heights.par_chunks_mut(ROWS * columns);
    groups.with_min_len(16).try_for_each_init(
        || Buffers::<ROWS>::new(mean, columns),
        |buffers, rows| {
            job.check()?;
            transpose_in(rows, columns, buffers.input());
            buffers.run(row_means);
            transpose_out(buffers.input(), columns, rows);
            Ok(())
        },
    )
}

fn blur_columns(mean: RunningMean, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (rows, columns, job) = (canvas.rows, canvas.columns, canvas.context.job);
    // Columns are not neighbours in memory: each strip is a list of pieces of rows.
    let mut strips: Vec<Vec<&mut [f32]>> = Vec::new();
    strips.resize_with(columns.div_ceil(COLUMNS), || Vec::with_capacity(rows));
    for row in canvas.heights.chunks_exact_mut(columns) {
        for (strip, piece) in strips.iter_mut().zip(row.chunks_mut(COLUMNS)) {
            strip.push(piece);
        }
    }
    let strips = strips.par_iter_mut().with_min_len(2);
    strips.try_for_each_init(
        || Buffers::<COLUMNS>::new(mean, rows),
        |buffers, strip| {
            job.check()?;
            for (line, piece) in buffers.input().iter_mut().zip(strip.iter()) {
                match piece.first_chunk() {
                    Some(piece) => *line = *piece,
                    None => line[..piece.len()].copy_from_slice(piece),
                }
            }
            buffers.run(column_means);
            for (line, piece) in buffers.input().iter().zip(strip.iter_mut()) {
                match piece.first_chunk_mut() {
                    Some(piece) => *piece = *line,
                    None => piece.copy_from_slice(&line[..piece.len()]),
                }
            }
            Ok(())
        },
    )
}

/// The weights of a box: 1 for samples up to `whole` away, `part` for the two beyond.
#[derive(Clone, Copy)]
struct Window {
    whole: usize,
    part: f64,
    scale: f64,
}

impl Window {
    fn new(radius: f64) -> Self {
        Self {
            whole: radius as usize,
            part: radius.fract(),
            scale: 1.0 / (2.0 * radius + 1.0),
        }
    }
}

/// A box, how often it is applied, and what lies beyond the ends.
#[derive(Clone, Copy)]
struct RunningMean {
    window: Window,
    times: usize,
    wraps: bool,
}

/// Two buffers of lines of `LANES` samples, from one to the other and back, with room beyond
/// both ends.
struct Buffers<const LANES: usize> {
    mean: RunningMean,
    count: usize,
    from: Vec<[f32; LANES]>,
    to: Vec<[f32; LANES]>,
}

impl<const LANES: usize> Buffers<LANES> {
    fn new(mean: RunningMean, count: usize) -> Self {
        let lines = count + 2 * (mean.window.whole + 1);
        Self {
            mean,
            count,
            from: vec![[0.0; LANES]; lines],
            to: vec![[0.0; LANES]; lines],
        }
    }

    /// The lines to be blurred, and after [`Buffers::run`] the blurred ones.
    fn input(&mut self) -> &mut [[f32; LANES]] {
        &mut self.from[self.mean.window.whole + 1..][..self.count]
    }

    fn run(&mut self, means: impl Fn(&[[f32; LANES]], Window, &mut [[f32; LANES]])) {
        let room = self.mean.window.whole + 1;
        for _ in 0..self.mean.times {
            extend(&mut self.from, room, self.mean.wraps);
            let to = &mut self.to[room..][..self.count];
            means(&self.from, self.mean.window, to);
            std::mem::swap(&mut self.from, &mut self.to);
        }
    }
}

/// Fills the `room` lines beyond either end.
fn extend<const LANES: usize>(lines: &mut [[f32; LANES]], room: usize, wraps: bool) {
    let last = lines.len() - 2 * room - 1;
    // The last line is the first again.
    let period = last.max(1);
    for beyond in 1..=room {
        let (before, after) = if wraps {
            let turn = (beyond - 1) % period + 1;
            (last.max(1) - turn, turn.min(last))
        } else {
            (0, last)
        };
        lines[room - beyond] = lines[room + before];
        lines[room + last + beyond] = lines[room + after];
    }
}

/// The means of `lines`, which have `whole` + 1 more at either end than `means`.
#[inline(always)]
fn running_means<const LANES: usize>(
    lines: &[[f32; LANES]],
    window: Window,
    means: &mut [[f32; LANES]],
) {
    let Window { whole, part, scale } = window;
    let mut sums = [0.0f64; LANES];
    for line in &lines[1..2 * whole + 2] {
        for lane in 0..LANES {
            sums[lane] += f64::from(line[lane]);
        }
    }
    let count = means.len();
    let (outside, leaving) = (&lines[..count], &lines[1..][..count]);
    let entering = &lines[2 * whole + 2..][..count];
    for index in 0..count {
        let (outside, leaving) = (&outside[index], &leaving[index]);
        let (entering, mean) = (&entering[index], &mut means[index]);
        for lane in 0..LANES {
            let enters = f64::from(entering[lane]);
            let partly = part * (f64::from(outside[lane]) + enters);
            mean[lane] = ((sums[lane] + partly) * scale) as f32;
            sums[lane] += enters - f64::from(leaving[lane]);
        }
    }
}

vectorized! {
    fn row_means(lines: &[[f32; ROWS]], window: Window, means: &mut [[f32; ROWS]]) {
        running_means(lines, window, means);
    }

    fn column_means(lines: &[[f32; COLUMNS]], window: Window, means: &mut [[f32; COLUMNS]]) {
        running_means(lines, window, means);
    }

    /// Up to sixteen rows, side by side.
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

    /// The same back again.
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

/// Rows for columns, in place: halves change places, then quarters, eighths and neighbours.
#[inline(always)]
fn transpose(block: &mut Block) {
    exchange::<8>(block);
    exchange::<4>(block);
    exchange::<2>(block);
    exchange::<1>(block);
}

/// In every square of 2·`SIZE` lines and lanes, the upper right and lower left quarters.
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
