//! Heights smoothed over a distance, by a box or by a bell; the bell leaves no squares behind.
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
//! Running sums make the cost independent of the radius: first sixteen rows at once, turned into
//! columns, then 64 columns at once. The sums are f64, so that no error accumulates and a plain
//! stays exactly as it was. Cost: two passes over the array.

use serde::{Deserialize, Serialize};

use crate::parallel::{self, Tools};
use crate::param::{Param, Params, choice, choice_param, float_param};

use super::ModifyError;
use super::canvas::Canvas;
use super::running_mean::{Buffers, RunningMean, Window, running_means};
use super::transpose::{ROWS, transpose_in, transpose_out};

choice! {
    /// How samples are weighted by their distance.
    pub enum Shape: "shape" {
        #[default]
        Gaussian = "gaussian", "A bell curve: near samples count most.";
        Box = "box", "All samples within the radius count equally.";
    }
}

/// The options of `blur`: how far, and in what shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Radius as a share of the map's longer side, 0 (changes nothing) … 0.5; default 0.01.
    pub radius: f32,
    /// Shape of the weights, box or bell; default `gaussian`.
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
        choice_param!(shape: Shape, "Shape", "How near and far samples are weighted."),
    ];
}

/// The columns worked on at once: several cache lines in a row are quicker to fetch than one.
const COLUMNS: usize = 64;

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
    let buffers = Tools::new(|| Buffers::<ROWS>::new(mean, columns));
    let groups = parallel::over(canvas.heights.chunks_mut(ROWS * columns));
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

fn blur_columns(mean: RunningMean, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (rows, columns, job) = (canvas.rows, canvas.columns, canvas.context.job);
    // Columns are not neighbours in memory, so each strip is a list of pieces of rows.
    let mut strips: Vec<Vec<&mut [f32]>> = Vec::new();
    strips.resize_with(columns.div_ceil(COLUMNS), || Vec::with_capacity(rows));
    for row in canvas.heights.chunks_exact_mut(columns) {
        job.check()?;
        for (strip, piece) in strips.iter_mut().zip(row.chunks_mut(COLUMNS)) {
            strip.push(piece);
        }
    }
    let buffers = Tools::new(|| Buffers::<COLUMNS>::new(mean, rows));
    parallel::over(strips).at_least(2).try_each(|_, mut strip| {
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
