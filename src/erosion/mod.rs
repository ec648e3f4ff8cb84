//! Land that water has made: rivers cut valleys, slopes slide, valleys fill with sediment.
//!
//! Rivers follow the stream power law dz/dt = U − K·√A·S, A the area that drains through a point and
//! S its slope, in the implicit form that is stable for any time step (Braun and Willett 2013). It is
//! solved coarse to fine: the large valleys on every 2^k-th sample, then finer and finer ones
//! together with the detail of the map that the coarse levels lack. So the large valleys are the same
//! at any number of iterations. With the exponent ½ the law has no length in it: the land looks the
//! same at any size.
//!
//! Slopes of scree alone, without water, are made by [`scree`].
//!
//! All of it is + − × ÷ √ on numbers that depend on the place alone, so the bits are the same on any
//! number of threads and any processor.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use crate::heightmap::MOST_HEIGHT;
use crate::job::{Cancelled, Job};
use crate::rng::{Stage, Stream};

mod flow;
mod level;
mod pits;
mod pyramid;
pub mod scree;
mod shape;
mod slopes;
mod steepest;

use level::Level;
use shape::Shape;

/// How water works on land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// How long rivers cut, 0 and up: age times hardness is K·t of the stream power law.
    pub age: f32,
    /// How fast the land rises, as a share of its smoothed height in a unit of age.
    pub uplift: f32,
    /// How much the hardness of rock varies from place to place, 0…1.
    pub variation: f32,
    /// How readily rivers drop what they carry, 0 and up.
    pub deposition: f32,
    /// The tangent of the steepest slope that scree holds.
    pub repose: f32,
    /// How far heights creep towards the mean around them in a step, 0…1.
    pub creep: f32,
    /// The height of the sea, in which rivers end.
    pub base: Base,
    /// Whether hollows stay, as the beds of lakes. Otherwise they are filled.
    pub lakes: bool,
}

/// Where rivers end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// At the height below which this share of the land lies.
    Share(f32),
    /// At this height, in the unit of the heights.
    Height(f32),
}

/// The heights of a map while it erodes: all samples, row-major.
#[derive(Debug)]
pub struct Land<'a> {
    /// The number of rows, 1 or more.
    pub rows: usize,
    /// The number of columns, 1 or more.
    pub columns: usize,
    /// Whether the last row and column repeat the first.
    pub wraps: bool,
    /// The distance of two samples in the unit of the heights.
    pub spacing: f32,
    /// The heights.
    pub heights: &'a mut [f32],
}

/// The bytes of memory that [`erode`] takes for a sample, beside the map.
pub const BYTES_A_SAMPLE: u64 = 32;

/// The most samples of a map that can erode: 23,170² or so.
pub const MOST_SAMPLES: usize = flow::MOST_CELLS;

/// The cells of the longer side of the coarsest level, at most.
const COARSEST: usize = 128;

/// Erodes the land in place, on the threads of the rayon pool that this runs in. With the same seed
/// the result is the same on any number of them.
///
/// Cost: about 400 ns a sample on one thread, and [`BYTES_A_SAMPLE`].
///
/// # Panics
/// The land has fewer than two rows or columns, or more than [`MOST_SAMPLES`] samples.
///
/// # Errors
/// The job was cancelled; what the heights are then is unspecified.
pub fn erode(land: &mut Land<'_>, rule: &Rule, seed: u64, job: &Job) -> Result<(), Cancelled> {
    assert!(land.rows >= 2 && land.columns >= 2, "nothing to erode");
    assert!(land.heights.len() <= MOST_SAMPLES, "too many samples");
    let finest = land.shape();
    let shapes = pyramid::shapes(finest, COARSEST);
    let coarsest = shapes.len() - 1;
    let source = pyramid::Source {
        heights: land.heights,
        columns: land.columns,
    };
    let mut level = Level::new(finest);
    let rock = |depth| Stream::new(seed, Stage::Rock, depth);
    level.start(shapes[coarsest], &source, 1 << coarsest, rule, &rock(0));
    let spacing = |step: usize| land.spacing * (1u32 << step) as f32;
    for step in (0..=coarsest).rev() {
        let depth = (coarsest - step) as u32;
        if depth > 0 {
            level.refine(shapes[step], &source, 1 << step, &rock(depth), job)?;
        }
        let stream = |pass| Stream::new(seed, Stage::Erosion, depth * 64 + pass);
        level.erode(rule, depth, spacing(step), &stream, job)?;
    }
    level.finish(rule, job)?;
    let (columns, heights) = (finest.columns, level.heights());
    land.each_row(|row, out| {
        for (out, height) in out.iter_mut().zip(&heights[row * columns..][..columns]) {
            // Land that rose for long may be higher than a map may be.
            *out = height.clamp(-MOST_HEIGHT, MOST_HEIGHT);
        }
    });
    Ok(())
}

impl Land<'_> {
    /// The cells of the land: of rows and columns that are there twice one.
    fn shape(&self) -> Shape {
        let cells = |count: usize| count - usize::from(self.wraps && count > 1);
        Shape {
            rows: cells(self.rows),
            columns: cells(self.columns),
            wraps: self.wraps,
        }
    }

    /// Calls `write` with the index and the heights of each row of cells, and repeats those that
    /// are there twice.
    fn each_row(&mut self, write: impl Fn(usize, &mut [f32]) + Sync) {
        let shape = self.shape();
        let rows = self.heights.par_chunks_mut(self.columns).enumerate();
        rows.for_each(|(row, out)| {
            write(row % shape.rows, &mut out[..shape.columns]);
            let first = out[0];
            out[shape.columns..].fill(first);
        });
    }
}

fn load(values: &[AtomicU32], cell: usize) -> f32 {
    f32::from_bits(values[cell].load(Ordering::Relaxed))
}

fn store(values: &[AtomicU32], cell: usize, value: f32) {
    values[cell].store(value.to_bits(), Ordering::Relaxed);
}
