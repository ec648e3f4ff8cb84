//! `random-deposition`: again and again raise a random rectangle by a small amount (Martz 1996,
//! "other algorithms").
//!
//! ```text
//! differences          rows summed          columns summed: how many rectangles
//! +1 .  . −1           1 1 1 0              1 1 1 0
//! .  .  . .            0 0 0 0              1 1 1 0
//! −1 .  . +1          −1−1−1 0              0 0 0 0
//! ```
//! Each rectangle is four differences, whatever its size; one sweep then sums them. Heights are
//! the number of rectangles less its expectation, over its standard deviation, times A/4: the
//! relief does not depend on the count. On a torus rectangles go round the border (the map
//! wraps), else they end there. Range: unbounded in principle, mostly ±0.8·A. Cost: O(count)
//! plus O(4^n). Sizes and places are fractions of the map, so another resolution shows the same
//! rectangles, their borders rounded to samples. Known artefact: straight, axis-parallel steps.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::diamond_square::Edges;
use super::{GenerateError, Request};
use crate::heightmap::Heightmap;
use crate::param::{OutOfRange, Param, Params};
use crate::rng::{Jump, Stage, Stream, unit};
use crate::{choice_param, float_param, int_param};

/// Options of `random-deposition`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many rectangles, 1…1,000,000; default 3000.
    pub count: u32,
    /// Shortest side, as a fraction of the map's, 0.001…1; default 0.02.
    pub min_size: f32,
    /// Longest side, likewise; default 0.35.
    pub max_size: f32,
    /// What happens at the border; default wrap.
    pub edges: Edges,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            count: 3000,
            min_size: 0.02,
            max_size: 0.35,
            edges: Edges::Wrap,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        int_param!(count, "Rectangles", "", 1, 1_000_000, slider 20_000,
            "How many rectangles are raised."),
        float_param!(
            min_size,
            "Smallest side",
            "of the map",
            0.001,
            1.0,
            slider(0.001, 1.0),
            "Shortest side of a rectangle, as a fraction of the map's."
        ),
        float_param!(
            max_size,
            "Largest side",
            "of the map",
            0.001,
            1.0,
            slider(0.001, 1.0),
            "Longest side of a rectangle, as a fraction of the map's."
        ),
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::param::check_all(self, table)?;
        crate::param::check_order(
            table,
            ("min_size", self.min_size),
            ("max_size", self.max_size),
        )
    }
}

/// The map of (2^n + 1)² heights.
pub fn generate(options: &Options, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
    let surface = request.surface;
    let cells = 1usize << surface.iterations;
    let side = cells + 1;
    let wraps = options.edges == Edges::Wrap;
    let mut heights = request.buffer(side * side)?;
    // The differences live in the map itself: as many bits a sample, and whole numbers, so that
    // their sums are exact in any order.
    let counts: &mut [i32] = bytemuck::cast_slice_mut(&mut heights);
    counts.fill(0);
    let stream = Stream::new(surface.seed, Stage::Rectangle, 0);
    for index in 0..options.count {
        if index % 4096 == 0 {
            request.job.check()?;
        }
        let rectangle = Rectangle::draw(options, &stream, index, cells);
        rectangle.add_differences(counts, side, wraps);
    }
    sum_rows(counts, side, request)?;
    let (mean, deviation) = expectation(options, cells);
    let unit = 0.25 * surface.height_scale / deviation;
    sum_columns(counts, side, wraps, request)?;
    counts
        .par_iter_mut()
        .with_min_len(1 << 16)
        .for_each(|count| {
            let height = (*count as f32 - mean) * unit;
            *count = height.to_bits() as i32;
        });
    Ok(Heightmap::new(side, side, wraps, heights))
}

/// Rows and columns of one rectangle: the first, and how many.
struct Rectangle {
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
}

impl Rectangle {
    fn draw(options: &Options, stream: &Stream, index: u32, cells: usize) -> Self {
        let number = |column: u64| unit(stream.number(u64::from(index), Jump::over(column)));
        let samples = |fraction: f32| (fraction * cells as f32) as usize;
        let length = |fraction: f32| {
            let size = options.min_size + (options.max_size - options.min_size) * fraction;
            samples(size).clamp(1, cells)
        };
        Self {
            row: samples(number(0)),
            column: samples(number(1)),
            rows: length(number(2)),
            columns: length(number(3)),
        }
    }

    /// Adds the differences at the corners; on a torus a rectangle over the border is split.
    fn add_differences(&self, counts: &mut [i32], side: usize, wraps: bool) {
        let cells = side - 1;
        let parts = |first: usize, count: usize| {
            let last = first + count;
            let beyond = last.saturating_sub(cells);
            let rest = if wraps && beyond > 0 { beyond } else { 0 };
            [
                (first, last.min(if wraps { cells } else { side })),
                (0, rest),
            ]
        };
        for (north, south) in parts(self.row, self.rows) {
            for (west, east) in parts(self.column, self.columns) {
                let mut add = |row: usize, column: usize, amount: i32| {
                    if row < side && column < side {
                        counts[row * side + column] += amount;
                    }
                };
                if north < south && west < east {
                    add(north, west, 1);
                    add(north, east, -1);
                    add(south, west, -1);
                    add(south, east, 1);
                }
            }
        }
    }
}

/// Expected number of rectangles over a point, and its standard deviation, on the torus.
fn expectation(options: &Options, cells: usize) -> (f32, f32) {
    let smallest = 1.0 / cells as f32;
    let length = (0.5 * (options.min_size + options.max_size)).max(smallest);
    let (count, area) = (options.count as f32, length * length);
    let deviation = (count * area * (1.0 - area)).sqrt();
    (count * area, deviation.max(1.0))
}

fn sum_rows(counts: &mut [i32], side: usize, request: &Request<'_>) -> Result<(), GenerateError> {
    counts
        .par_chunks_mut(side)
        .with_min_len(16)
        .try_for_each(|row| {
            request.job.check()?;
            let mut sum = 0;
            for count in row {
                sum += *count;
                *count = sum;
            }
            Ok(())
        })
}

fn sum_columns(
    counts: &mut [i32],
    side: usize,
    wraps: bool,
    request: &Request<'_>,
) -> Result<(), GenerateError> {
    for row in 1..side {
        if row % 64 == 0 {
            request.job.check()?;
            request.job.advance(row as u64, side as u64);
        }
        let (above, here) = counts[(row - 1) * side..].split_at_mut(side);
        for (here, above) in here[..side].iter_mut().zip(above) {
            *here += *above;
        }
    }
    if wraps {
        let (first, rest) = counts.split_at_mut(side);
        rest[(side - 2) * side..].copy_from_slice(first);
        for row in counts.chunks_exact_mut(side) {
            row[side - 1] = row[0];
        }
    }
    Ok(())
}
