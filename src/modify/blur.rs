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
//! Running sums make the cost independent of the radius: sixteen rows or columns at once, in
//! f64, so that nothing accumulates and a plain stays exactly as it was. Two passes over the
//! array.

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

/// Rows or columns worked on at once.
const LANES: usize = 16;
/// Columns that a thread takes at once: whole cache lines of every row.
const STRIP: usize = 4 * LANES;

/// One sample of sixteen rows, or of sixteen columns.
type Line = [f32; LANES];

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
    let groups = canvas.heights.par_chunks_mut(LANES * columns);
    groups.try_for_each_init(
        || Buffers::new(mean, columns),
        |buffers, rows| {
            job.check()?;
            transpose_in(rows, columns, buffers.input());
            let blurred = buffers.run();
            transpose_out(blurred, columns, rows);
            Ok(())
        },
    )
}

fn blur_columns(mean: RunningMean, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (rows, columns, job) = (canvas.rows, canvas.columns, canvas.context.job);
    // Columns are not neighbours in memory: each strip is a list of pieces of rows.
    let mut strips: Vec<Vec<&mut [f32]>> = Vec::new();
    strips.resize_with(columns.div_ceil(STRIP), || Vec::with_capacity(rows));
    for row in canvas.heights.chunks_exact_mut(columns) {
        for (strip, piece) in strips.iter_mut().zip(row.chunks_mut(STRIP)) {
            strip.push(piece);
        }
    }
    strips.par_iter_mut().try_for_each_init(
        || Buffers::new(mean, rows),
        |buffers, strip| {
            let width = strip[0].len();
            for first in (0..width).step_by(LANES) {
                job.check()?;
                let count = LANES.min(width - first);
                for (line, piece) in buffers.input().iter_mut().zip(strip.iter()) {
                    line[..count].copy_from_slice(&piece[first..][..count]);
                }
                let blurred = buffers.run();
                for (line, piece) in blurred.iter().zip(strip.iter_mut()) {
                    piece[first..][..count].copy_from_slice(&line[..count]);
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

/// Two buffers of lines, from one to the other and back, with room beyond both ends.
struct Buffers {
    mean: RunningMean,
    count: usize,
    from: Vec<Line>,
    to: Vec<Line>,
}

impl Buffers {
    fn new(mean: RunningMean, count: usize) -> Self {
        let lines = vec![[0.0; LANES]; count + 2 * (mean.window.whole + 1)];
        Self {
            mean,
            count,
            from: lines.clone(),
            to: lines,
        }
    }

    /// The lines to be blurred.
    fn input(&mut self) -> &mut [Line] {
        &mut self.from[self.mean.window.whole + 1..][..self.count]
    }

    /// Blurs the input; the result stands where the input was.
    fn run(&mut self) -> &[Line] {
        let room = self.mean.window.whole + 1;
        for _ in 0..self.mean.times {
            extend(&mut self.from, room, self.mean.wraps);
            running_means(
                &self.from,
                self.mean.window,
                &mut self.to[room..][..self.count],
            );
            std::mem::swap(&mut self.from, &mut self.to);
        }
        self.input()
    }
}

/// Fills the `room` lines beyond either end.
fn extend(lines: &mut [Line], room: usize, wraps: bool) {
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

vectorized! {
    /// The means of `lines`, which have `whole + 1` more at either end than `means`.
    fn running_means(lines: &[Line], window: Window, means: &mut [Line]) {
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

    /// Up to sixteen rows, side by side.
    fn transpose_in(rows: &[f32], columns: usize, lines: &mut [Line]) {
        for first in (0..columns).step_by(LANES) {
            let count = LANES.min(columns - first);
            let lines = &mut lines[first..][..count];
            for (lane, row) in rows.chunks_exact(columns).enumerate() {
                for (line, height) in lines.iter_mut().zip(&row[first..][..count]) {
                    line[lane] = *height;
                }
            }
        }
    }

    /// The same back again.
    fn transpose_out(lines: &[Line], columns: usize, rows: &mut [f32]) {
        for first in (0..columns).step_by(LANES) {
            let count = LANES.min(columns - first);
            let lines = &lines[first..][..count];
            for (lane, row) in rows.chunks_exact_mut(columns).enumerate() {
                for (line, height) in lines.iter().zip(&mut row[first..][..count]) {
                    *height = line[lane];
                }
            }
        }
    }
}
