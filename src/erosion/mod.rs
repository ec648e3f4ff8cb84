//! Erosion by the stream power law: rivers cut valleys, slopes slide, valleys fill with sediment.
//!
//! Rivers follow the stream power law dz/dt = U − K·√A·S, A the area that drains through a point and
//! S its slope, in the implicit form that is stable for any time step (Braun and Willett 2013). It is
//! solved coarse to fine: the large valleys on every 2^k-th sample, then finer and finer ones
//! together with the detail of the map that the coarse levels lack. So the large valleys are the same
//! at any number of iterations. With the exponent ½ the law has no length in it: the land looks the
//! same at any size.
//!
//! Up to an age of 2 the land between rivers wears by slides alone. From there on its slopes creep back,
//! the further the older it is, and finer levels cut no deeper and add less detail; so valleys widen
//! and mountains become hills (hillslope diffusion beside stream power, cf. Perron et al. 2009).
//!
//! Slopes of scree alone, without water, are made by [`scree`].
//!
//! All of it is + − × ÷ √ on numbers that depend on the place alone, so the bits are the same on any
//! number of threads and any processor.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::drainage::flow::MOST_CELLS;
use crate::drainage::shape::Shape;
use crate::heightmap::{MOST_HEIGHT, Worn};
use crate::job::{Cancelled, Job};
use crate::parallel;
use crate::rng::{Stage, Stream};

mod blur;
mod level;
mod pyramid;
pub mod scree;
mod slopes;
mod uplift;

use level::{Eroded, Level};

/// How water works on land.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// How long rivers cut, 0 and up: age times hardness is K·t of the stream power law. Above 2
    /// slopes wear away as well.
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
pub const MOST_SAMPLES: usize = MOST_CELLS;

/// The cells of the longer side of the coarsest level, at most.
const COARSEST: usize = 128;

/// Erodes the land in place, on the threads of the rayon pool that this runs in, and returns what
/// erosion has done to each sample, and the height of the sea. The job's progress is the share of the
/// work that is done. With the same seed the result is the same on any number of them.
///
/// Cost: about 300 ns a sample on one thread, [`BYTES_A_SAMPLE`], and the 8 bytes a sample of what it
/// returns.
///
/// # Panics
/// The land has fewer than two rows or columns, or more than [`MOST_SAMPLES`] samples.
///
/// # Errors
/// The job was cancelled; what the heights are then is unspecified.
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

/// Makes the finest level, of which each `step`-th cell is one of the coarsest, the land's heights.
/// Returns what is worn and what is sediment.
fn take(land: &mut Land<'_>, eroded: &Eroded, step: usize) -> Worn {
    let (columns, shape) = (land.columns, eroded.shape);
    let mut wear = vec![0.0; land.heights.len()];
    let mut sediment = vec![0.0; land.heights.len()];
    let rows = land.heights.chunks_mut(columns);
    let rows = rows.zip(wear.chunks_mut(columns));
    let rows = rows.zip(sediment.chunks_mut(columns));
    let rows = parallel::over(rows).at_least(8);
    rows.each(|row, ((heights, wear), sediment)| {
        let row = row % shape.rows;
        let all = eroded.uplift.age;
        let mut uplift = vec![0.0; shape.columns];
        eroded.uplift.row(step, all, row, &mut uplift);
        let first = row * shape.columns;
        let (new, bed) = (&eroded.heights[first..], &eroded.bed[first..]);
        for column in 0..shape.columns {
            let risen = heights[column] + uplift[column];
            // Land that rose for long may be higher than a map may be.
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
        let rows = parallel::over(self.heights.chunks_mut(self.columns));
        rows.each(|row, out| {
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
