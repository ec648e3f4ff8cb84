//! Fluvial erosion by the stream power law, with deposition, thermal erosion and soil creep.
//!
//! The stream power law dz/dt = U − K·√A·S, with the drainage area A and the slope S of a point, is
//! integrated by the implicit scheme that is stable for any time step (Braun and Willett 2013). It is
//! solved coarse to fine: the large valleys on every 2^k-th sample, then finer and finer levels together
//! with the detail of the map that the coarse ones lack. So the large valleys are the same at any number
//! of iterations. With the exponent ½ the law is independent of length: the land looks the same at any
//! size.
//!
//! Up to an age of 2 the land between rivers erodes by slides alone. Above it slopes retreat by creep, the
//! further the older they are, and finer levels cut no deeper and add less detail; so valleys widen and
//! mountains become hills (hillslope diffusion with stream power, cf. Perron et al. 2009).
//!
//! Thermal erosion alone, without water, is in [`scree`].
//!
//! All operations are + − × ÷ √ on numbers that depend on the position alone, so the bits are the same for
//! any number of threads and on any processor.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::terrain::drainage::flow::MOST_CELLS;
use crate::terrain::drainage::shape::Shape;
use crate::terrain::heightmap::{MOST_HEIGHT, Worn};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::rng::{Stage, Stream};

mod blur;
mod level;
mod pyramid;
pub mod scree;
mod slopes;
mod uplift;

use level::{Eroded, Level};

/// Parameters of erosion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Duration of incision, 0 and up: age times hardness is K·t of the stream power law. Above 2 slopes
    /// erode as well.
    pub age: f32,
    /// Rate of uplift, as a share of the land's smoothed height per unit of age.
    pub uplift: f32,
    /// Spatial variation of rock hardness, 0…1.
    pub variation: f32,
    /// Rate of deposition, 0 and up.
    pub deposition: f32,
    /// Tangent of the angle of repose.
    pub repose: f32,
    /// Soil creep in a step, as a share of the way to the mean of the heights around, 0…1.
    pub creep: f32,
    /// Base level: the height of the sea, in which rivers end.
    pub base: Base,
    /// Keep depressions as the beds of lakes instead of filling them.
    pub lakes: bool,
}

/// Base level, at which rivers end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Base {
    /// Height below which this share of the land lies.
    Share(f32),
    /// Absolute height, in the unit of the heights.
    Height(f32),
}

/// Heightfield under erosion: all samples, row-major.
#[derive(Debug)]
pub struct Land<'a> {
    /// Number of rows, 1 or more.
    pub rows: usize,
    /// Number of columns, 1 or more.
    pub columns: usize,
    /// True if the last row and column repeat the first.
    pub wraps: bool,
    /// Distance of two samples in the unit of the heights.
    pub spacing: f32,
    /// Heights of the samples.
    pub heights: &'a mut [f32],
}

/// Memory of [`erode`] in bytes a sample, besides the map.
pub const BYTES_A_SAMPLE: u64 = 32;

/// Largest number of samples of a map that can erode: about 23,170².
pub const MOST_SAMPLES: usize = MOST_CELLS;

/// Largest number of cells along the longer side of the coarsest level.
const COARSEST: usize = 128;

/// Erode the land in place, on the threads of the current rayon pool. Returns the eroded and deposited
/// depths of each sample, and the base level. The job's progress is the finished share of the work. With
/// the same seed the result is the same on any number of threads.
///
/// Cost: about 300 ns a sample on one thread, [`BYTES_A_SAMPLE`], and the 8 bytes a sample of the result.
///
///
/// # Panics
/// The land has fewer than two rows or columns, or more than [`MOST_SAMPLES`] samples.
///
/// # Errors
/// The job was cancelled; the heights are then unspecified.
pub fn erode(
    land: &mut Land<'_>,
    rule: &Rule,
    seed: u64,
    job: &Job,
) -> Result<(Worn, f32), Cancelled> {
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
    let depth = |step: usize| (coarsest - step) as u32;
    let work = |step: usize, steps: u32| shapes[step].cells() as u64 * u64::from(steps);
    let whole = (0..=coarsest).map(|step| work(step, level::steps(depth(step))));
    let (mut before, whole) = (0, whole.sum());
    let spacing = |step: usize| land.spacing * (1u32 << step) as f32;
    for step in (0..=coarsest).rev() {
        let depth = depth(step);
        if depth > 0 {
            level.refine(shapes[step], &source, 1 << step, rule, &rock(depth), job)?;
        }
        let stream = |pass| Stream::new(seed, Stage::Erosion, depth * 64 + pass);
        let done = |steps: u32| job.advance(before + work(step, steps), whole);
        level.erode(rule, depth, spacing(step), &stream, &done, job)?;
        before += work(step, level::steps(depth));
    }
    level.finish(rule, job)?;
    let eroded = level.into_result();
    Ok((take(land, &eroded, 1 << coarsest), eroded.base))
}

/// Copy the finest level into the land's heights; each `step`-th of its cells is one of the coarsest
/// level. Returns the eroded and deposited depths.
fn take(land: &mut Land<'_>, eroded: &Eroded, step: usize) -> Worn {
    let (columns, shape) = (land.columns, eroded.shape);
    let mut wear = vec![0.0; land.heights.len()];
    let mut sediment = vec![0.0; land.heights.len()];
    let rows = land.heights.chunks_mut(columns);
    let rows = rows.zip(wear.chunks_mut(columns));
    let rows = rows.zip(sediment.chunks_mut(columns));
    let rows = parallel::par_items(rows).at_least(8);
    rows.for_each(|row, ((heights, wear), sediment)| {
        let row = row % shape.rows;
        let all = eroded.uplift.age;
        let mut uplift = vec![0.0; shape.columns];
        eroded.uplift.row(step, all, row, &mut uplift);
        let first = row * shape.columns;
        let (new, bed) = (&eroded.heights[first..], &eroded.bed[first..]);
        for column in 0..shape.columns {
            let risen = heights[column] + uplift[column];
            // Uplift over a long time may exceed the range of heights.
            let height = new[column].clamp(-MOST_HEIGHT, MOST_HEIGHT);
            let bed = bed[column].min(risen).min(height);
            wear[column] = risen - bed;
            sediment[column] = height - bed;
            heights[column] = height;
        }
        if land.wraps {
            let last = columns - 1;
            (heights[last], wear[last], sediment[last]) = (heights[0], wear[0], sediment[0]);
        }
    });
    Worn {
        wear: wear.into(),
        sediment: sediment.into(),
    }
}

impl Land<'_> {
    /// Grid of cells: rows and columns without the repeated ones.
    fn shape(&self) -> Shape {
        let cells = |count: usize| count - usize::from(self.wraps && count > 1);
        Shape {
            rows: cells(self.rows),
            columns: cells(self.columns),
            wraps: self.wraps,
        }
    }

    /// Call `write` with the index and the heights of each row of cells, and fill the repeated row and
    /// column.
    fn each_row(&mut self, write: impl Fn(usize, &mut [f32]) + Sync) {
        let shape = self.shape();
        let rows = parallel::par_items(self.heights.chunks_mut(self.columns));
        rows.for_each(|row, out| {
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
