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

use bytemuck::zeroed_vec;

use crate::terrain::drainage;
use crate::terrain::drainage::flow::{self, Flow, MOST_CELLS, Shape};
use crate::terrain::heightmap::{MOST_HEIGHT, Worn};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::rng::{Jump, LANES, Stage, Stream, uniform};
use pyramid::{Source, blur};
use scree::{creep, each_row, slide};

mod pyramid;
pub mod scree;

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
    let whole = (0..=coarsest).map(|step| work(step, steps(depth(step))));
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
        before += work(step, steps(depth));
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

// One level of the erosion pyramid: its state, and the steps of the stream power law on it.

/// Number of steps of the coarsest level, and of every other.
const STEPS: (u32, u32) = (20, 4);
/// Number of steps of a level; `depth` is 0 at the coarsest.
fn steps(depth: u32) -> u32 {
    if depth == 0 { STEPS.0 } else { STEPS.1 }
}

/// Largest age for which rivers incise on all levels. Without hillslope erosion further incision would
/// leave the land between rivers as ever narrower towers.
const MATURE: f32 = 2.0;
/// Number of creep passes in each step, per unit of age above [`MATURE`]: slopes retreat from rivers, so
/// that valleys widen and the smallest ones disappear.
const OLD_CREEP: f32 = 0.25;
/// Decay of the detail added by finer levels, per unit of age above [`MATURE`].
const OLD_DETAIL: f32 = 0.5;
/// Age of the first finer level relative to the coarsest, and of each further one relative to the one
/// before, so that finer levels change the result of coarser ones less and less.
const FINE_AGE: (f32, f32) = (0.3, 0.7);
/// Uplift of a finer level relative to that of the coarsest.
const FINE_UPLIFT: f32 = 0.4;
/// Number of blurs of the change of a step, the coarsest level first; finer levels are not blurred.
/// Without blur the large valleys would follow the grid.
const BLURS: [usize; 2] = [2, 1];
/// Number of thermal erosion passes after each level.
const SLIDES: usize = 6;
/// Number of rows per parallel task.
const ROWS: usize = 8;
/// Slope below which rivers deposit sediment.
const FAN_SLOPE: f32 = 0.1;
/// Amplitude of the rock variation that each finer level adds.
const ROCK_DETAIL: f32 = 0.4;
/// Creep of the sea bed in a step, as a share of the way to the mean around it.
const SEABED_CREEP: f32 = 0.7;

struct Level {
    shape: Shape,
    base: f32,
    heights: Vec<f32>,
    /// Height of bedrock, below sediment.
    bed: Vec<f32>,
    /// Effective flow length to the receiver, in cells; between steps, scratch memory.
    reach: Vec<f32>,
    flow: Flow,
    /// Drainage area of each cell in cells, itself included.
    area: Vec<AtomicU32>,
    /// Heights after incision, as bits.
    carved: Vec<AtomicU32>,
    /// Sediment load, as bits; during depression routing, basin labels; during incision, cut fractions.
    cargo: Vec<AtomicU32>,
    /// Softness of the rock, about −1 to 1.
    rock: Vec<f32>,
    uplift: Uplift,
}

/// Result of the finest level.
struct Eroded {
    pub shape: Shape,
    pub heights: Vec<f32>,
    /// Height of bedrock, below sediment.
    pub bed: Vec<f32>,
    pub uplift: Uplift,
    /// Base level.
    pub base: f32,
}

impl Level {
    /// Allocate for the finest level. The system provides the memory when it is first written.
    pub fn new(finest: Shape) -> Self {
        let cells = finest.cells();
        Self {
            shape: finest,
            base: 0.0,
            heights: zeroed_vec(cells),
            bed: zeroed_vec(cells),
            reach: zeroed_vec(cells),
            flow: Flow::new(cells),
            area: zeroed_vec(cells),
            carved: zeroed_vec(cells),
            cargo: zeroed_vec(cells),
            rock: zeroed_vec(cells),
            uplift: Uplift::default(),
        }
    }

    /// Extract the result.
    pub fn into_result(self) -> Eroded {
        Eroded {
            shape: self.shape,
            heights: self.heights,
            bed: self.bed,
            uplift: self.uplift,
            base: self.base,
        }
    }

    /// Start at the coarsest level, with every `step`-th sample of the source.
    pub fn start(
        &mut self,
        shape: Shape,
        source: &Source<'_>,
        step: usize,
        rule: &Rule,
        rock: &Stream,
    ) {
        self.set_shape(shape);
        let cells = shape.cells();
        pyramid::thin(source, shape, step, &mut self.heights);
        let mut sorted = self.heights[..cells].to_vec();
        sorted.sort_unstable_by(f32::total_cmp);
        self.base = match rule.base {
            // The lowest cell is at or below the base level in any case, so that water has an outlet.
            Base::Height(height) => height.max(sorted[0]),
            Base::Share(share) => sorted[(share * (cells - 1) as f32) as usize],
        };
        self.bed[..cells].copy_from_slice(&self.heights[..cells]);
        self.uplift = Uplift::new(shape, &self.heights[..cells], self.base);
        for (row, out) in self.rock[..cells].chunks_mut(shape.columns).enumerate() {
            draw(rock, row, out);
        }
        blur(shape, &mut self.rock[..cells], 1);
    }

    fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
        self.flow.set_shape(shape);
    }

    /// Proceed to the next finer level, with every `step`-th sample of the source. The source's detail is
    /// added, reduced where the land has become level, and with age.
    pub fn refine(
        &mut self,
        shape: Shape,
        source: &Source<'_>,
        step: usize,
        rule: &Rule,
        rock: &Stream,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let kept = 1.0 / (1.0 + OLD_DETAIL * above_mature(rule.age));
        let (coarse, cells) = (self.shape, self.shape.cells());
        // About a quarter of each buffer is in use so far, so the rest serves as scratch memory.
        let before = &mut self.bed[cells..2 * cells];
        pyramid::thin(source, coarse, 2 * step, before);
        let share = &mut self.rock[cells..2 * cells];
        share_of_detail(coarse, &self.heights[..cells], self.base, share, job)?;
        let maps = [&self.heights[..cells], before, share];
        let out = &mut self.reach;
        pyramid::refine(
            coarse,
            maps,
            shape,
            out,
            job,
            |row, [now, before, share], out| {
                let detail = source.row(row, step).zip(before);
                for (((out, now), share), (detail, before)) in
                    out.iter_mut().zip(now).zip(share).zip(detail)
                {
                    *out = now + kept * share.clamp(0.0, 1.0) * (detail - before);
                }
            },
        )?;
        let bed = self.bed[..cells].chunks_mut(1 << 14);
        let heights = self.heights[..cells].chunks(1 << 14);
        parallel::par_items(bed.zip(heights)).for_each(|_, (bed, heights)| {
            for (bed, height) in bed.iter_mut().zip(heights) {
                *bed = height - *bed;
            }
        });
        std::mem::swap(&mut self.heights, &mut self.reach);
        let (heights, out) = (&self.heights, &mut self.reach);
        pyramid::refine(
            coarse,
            [&self.bed[..cells]],
            shape,
            out,
            job,
            |row, [sediment], out| {
                let heights = &heights[row * shape.columns..];
                for ((out, sediment), height) in out.iter_mut().zip(sediment).zip(heights) {
                    *out = height - sediment.max(0.0);
                }
            },
        )?;
        std::mem::swap(&mut self.bed, &mut self.reach);
        let out = &mut self.reach;
        pyramid::refine(
            coarse,
            [&self.rock[..cells]],
            shape,
            out,
            job,
            |row, [coarser], out| {
                draw(rock, row, out);
                for (out, coarser) in out.iter_mut().zip(coarser) {
                    *out = coarser + ROCK_DETAIL * *out;
                }
            },
        )?;
        std::mem::swap(&mut self.rock, &mut self.reach);
        self.set_shape(shape);
        Ok(())
    }

    /// Run all steps of a level; `depth` is 0 at the coarsest, `spacing` the distance of its cells. `done` is
    /// called with the number of finished [`steps`].
    pub fn erode(
        &mut self,
        rule: &Rule,
        depth: u32,
        spacing: f32,
        stream: &impl Fn(u32) -> Stream,
        done: &impl Fn(u32),
        job: &Job,
    ) -> Result<(), Cancelled> {
        let steps = steps(depth);
        let (age, uplift) = match depth {
            0 => (rule.age, rule.uplift),
            _ => {
                let share = (1..depth).fold(FINE_AGE.0, |share, _| share * FINE_AGE.1);
                (rule.age.min(MATURE) * share, rule.uplift * FINE_UPLIFT)
            }
        };
        let age = age / steps as f32;
        let blurs = BLURS.get(depth as usize).copied().unwrap_or(0);
        for step in 0..steps {
            self.lift(uplift * age, depth);
            self.route(&stream(step), job)?;
            self.carve(age, rule.variation, job)?;
            let drops = step + 1 == steps || (depth == 0 && (step + 1) % 5 == 0);
            if drops && rule.deposition > 0.0 {
                self.deposit(rule.deposition, spacing, job)?;
            }
            self.take_carved(blurs);
            self.creep(rule.creep, job)?;
            let mut passes = OLD_CREEP * above_mature(rule.age);
            while passes > 0.0 {
                self.creep(passes.min(1.0), job)?;
                passes -= 1.0;
            }
            self.settle();
            done(step + 1);
        }
        for _ in 0..SLIDES {
            slide(
                self.shape,
                &self.heights,
                &mut self.reach,
                rule.repose * spacing,
                job,
            )?;
            std::mem::swap(&mut self.heights, &mut self.reach);
        }
        self.settle();
        Ok(())
    }

    /// Run one pass of creep, by a share of the way to the mean of the heights around.
    fn creep(&mut self, share: f32, job: &Job) -> Result<(), Cancelled> {
        let (heights, out, base) = (&self.heights, &mut self.reach, self.base);
        creep(self.shape, heights, out, share, base, SEABED_CREEP, job)?;
        std::mem::swap(&mut self.heights, &mut self.reach);
        Ok(())
    }

    /// Lower the bedrock to the ground where erosion has cut below it; material above it is sediment.
    fn settle(&mut self) {
        let cells = self.shape.cells();
        let bed = self.bed[..cells].chunks_mut(1 << 14);
        let heights = self.heights[..cells].chunks(1 << 14);
        parallel::par_items(bed.zip(heights)).for_each(|_, (bed, heights)| wear(bed, heights));
    }

    /// Apply uplift for a time.
    fn lift(&mut self, time: f32, depth: u32) {
        if time == 0.0 {
            return;
        }
        self.uplift.age += time;
        let (shape, uplift) = (self.shape, &self.uplift);
        let columns = shape.columns;
        let heights = self.heights[..shape.cells()].chunks_mut(ROWS * columns);
        let bands = heights.zip(self.bed.chunks_mut(ROWS * columns));
        parallel::par_items(bands).for_each(|band, (heights, bed)| {
            let mut line = vec![0.0; columns];
            let rows = heights.chunks_mut(columns).zip(bed.chunks_mut(columns));
            for (row, (heights, bed)) in (band * ROWS..).zip(rows) {
                uplift.row(1 << depth, time, row, &mut line);
                add(heights, &line);
                add(bed, &line);
            }
        });
    }

    /// Route the flow: receivers, depression routing, and flow accumulation.
    fn route(&mut self, stream: &Stream, job: &Job) -> Result<(), Cancelled> {
        let (flow, heights) = (&mut self.flow, &self.heights);
        flow::find_receivers(flow, heights, self.base, stream, &mut self.reach, job)?;
        flow.find_donors(job)?;
        drainage::drain(flow, heights, self.base, &mut self.reach, &self.cargo, job)?;
        self.flow.accumulate(&self.area, job)
    }

    /// Incise rivers for a time by the implicit stream power law.
    fn carve(&mut self, age: f32, variation: f32, job: &Job) -> Result<(), Cancelled> {
        let cells = self.shape.cells();
        // Fraction of the drop to its receiver that each cell loses.
        let shares = self.cargo[..cells].chunks_mut(1 << 14);
        let shares = shares.zip(self.area[..cells].chunks_mut(1 << 14));
        let shares = shares.zip(self.rock.chunks(1 << 14));
        let shares = shares.zip(self.reach.chunks(1 << 14));
        parallel::par_items(shares).for_each(|_, (((shares, area), rock), reach)| {
            cuts(shares, area, rock, reach, (age, variation));
        });
        let (heights, shares) = (&self.heights, &self.cargo);
        self.flow.upstream(&self.carved, job, |cell, below| {
            let height = heights[cell];
            let cut = match below.map(f32::from_bits) {
                Some(below) if height > below => load(shares, cell) * (height - below),
                _ => 0.0,
            };
            (height - cut).to_bits()
        })
    }

    /// Deposit sediment where rivers are slow.
    fn deposit(&self, readiness: f32, spacing: f32, job: &Job) -> Result<(), Cancelled> {
        let (flow, carved, cargo) = (&self.flow, &self.carved, &self.cargo);
        flow.downstream(job, |cell| {
            let height = load(carved, cell);
            let mut carried = (self.heights[cell] - height).max(0.0);
            let mut lowest = f32::INFINITY;
            flow.each_donor(cell, |donor| {
                carried += load(cargo, donor);
                lowest = lowest.min(load(carved, donor));
            });
            if let Some(receiver) = flow.receiver(cell) {
                let area = self.area[cell].load(Ordering::Relaxed) as f32;
                let fan = load(carved, receiver) + FAN_SLOPE * spacing * self.reach[cell] - height;
                let dropped = (readiness * carried / area)
                    .min(fan)
                    .min(0.9 * (lowest - height))
                    .min(carried);
                if dropped > 0.0 && dropped.is_finite() {
                    store(carved, cell, height + dropped);
                    carried -= dropped;
                }
            }
            store(cargo, cell, carried);
        })
    }

    /// Replace the heights by the incised ones; the change is blurred `blurs` times.
    fn take_carved(&mut self, blurs: usize) {
        let cells = self.shape.cells();
        if blurs > 0 {
            let pairs = self.heights[..cells].iter().zip(&mut self.carved);
            let mut change: Vec<f32> = pairs
                .map(|(height, carved)| f32::from_bits(*carved.get_mut()) - height)
                .collect();
            blur(self.shape, &mut change, blurs);
            for (height, change) in self.heights.iter_mut().zip(change) {
                *height += change;
            }
            return;
        }
        let heights = self.heights[..cells].chunks_mut(1 << 14);
        let carved = self.carved[..cells].chunks_mut(1 << 14);
        parallel::par_items(heights.zip(carved)).for_each(|_, (heights, carved)| {
            for (height, carved) in heights.iter_mut().zip(carved) {
                *height = f32::from_bits(*carved.get_mut());
            }
        });
    }

    /// Fill the remaining depressions.
    pub fn finish(&mut self, rule: &Rule, job: &Job) -> Result<(), Cancelled> {
        if rule.lakes {
            return Ok(());
        }
        let still = Stream::new(0, Stage::Erosion, u32::MAX);
        self.route(&still, job)?;
        self.flow.upstream(&self.carved, job, |cell, below| {
            let mut height = self.heights[cell];
            if let Some(below) = below.map(f32::from_bits) {
                let least = (below.abs() * 4.8e-7).max(2.0e-7);
                height = height.max(below + least);
            }
            height.to_bits()
        })?;
        self.take_carved(0);
        Ok(())
    }
}

/// Age in excess of [`MATURE`].
fn above_mature(age: f32) -> f32 {
    (age - MATURE).max(0.0)
}

/// Weight of the source's detail at each cell: its slope relative to the typical slope of land, at most 1.
fn share_of_detail(
    shape: Shape,
    heights: &[f32],
    base: f32,
    share: &mut [f32],
    job: &Job,
) -> Result<(), Cancelled> {
    each_row(shape, heights, share, job, |[above, here, below], out| {
        let beside = above[1..].iter().zip(&below[1..]).zip(here.windows(3));
        for (out, ((north, south), line)) in out.iter_mut().zip(beside) {
            let (along, down) = (line[2] - line[0], south - north);
            *out = along * along + down * down;
        }
    })?;
    let rows = share
        .chunks(shape.columns)
        .zip(heights.chunks(shape.columns));
    let sums = parallel::par_items(rows).map(|_, (squares, heights)| {
        let land = squares.iter().zip(heights).filter(|(_, h)| **h > base);
        land.fold((0.0, 0u64), |(sum, count), (square, _)| {
            (sum + f64::from(*square), count + 1)
        })
    });
    let (sum, count) = sums
        .iter()
        .fold((0.0, 0), |(sum, count), of| (sum + of.0, count + of.1));
    let typical = (sum / count.max(1) as f64) as f32;
    parallel::par_items(share.chunks_mut(1 << 14)).for_each(|_, share| {
        for share in share {
            *share = if typical > 0.0 {
                (*share / typical).sqrt().min(1.0)
            } else {
                1.0
            };
        }
    });
    Ok(())
}

/// Draw uniform numbers in [−1, 1) for the cells of a row.
fn draw(stream: &Stream, row: usize, out: &mut [f32]) {
    let mut lanes = stream.lanes(row as u64, Jump::over(0));
    let mut block = [[0.0; LANES]];
    for out in out.chunks_mut(LANES) {
        lanes.fill(&mut block, uniform);
        out.copy_from_slice(&block[0][..out.len()]);
    }
}

vectorized! {
    /// Fraction of its drop that each cell loses to its river in a time, by the implicit scheme.
    fn cuts(
        shares: &mut [AtomicU32],
        area: &mut [AtomicU32],
        rock: &[f32],
        reach: &[f32],
        how: (f32, f32),
    ) {
        let (age, variation) = how;
        let (area, rock, reach) =
            (&mut area[..shares.len()], &rock[..shares.len()], &reach[..shares.len()]);
        for (cell, share) in shares.iter_mut().enumerate() {
            let softness = 1.0 + variation * rock[cell];
            let area = *area[cell].get_mut() as f32;
            let power = age * softness * softness * area.sqrt() / reach[cell];
            *share.get_mut() = (power / (1.0 + power)).to_bits();
        }
    }

    fn add(heights: &mut [f32], by: &[f32]) {
        for (height, by) in heights.iter_mut().zip(by) {
            *height += by;
        }
    }

    fn wear(bed: &mut [f32], heights: &[f32]) {
        for (bed, height) in bed.iter_mut().zip(heights) {
            *bed = if *height < *bed { *height } else { *bed };
        }
    }
}

// Tectonic uplift, proportional to the smoothed height of the land above the base level.

/// Number of blurs of the heights that determine the uplift.
const UPLIFT_BLURS: usize = 8;

/// Uplift rate of the coarsest level, and its duration so far.
#[derive(Default)]
struct Uplift {
    shape: Shape,
    /// Uplift of each cell per unit of age.
    rate: Vec<f32>,
    /// Duration of the uplift so far, in units of age.
    pub age: f32,
}

impl Uplift {
    /// Create the uplift of land with these heights above the level `base`.
    pub fn new(shape: Shape, heights: &[f32], base: f32) -> Self {
        let above = |height: &f32| (height - base).max(0.0);
        let mut rate: Vec<f32> = heights.iter().map(above).collect();
        blur(shape, &mut rate, UPLIFT_BLURS);
        for (rate, height) in rate.iter_mut().zip(heights) {
            *rate = if *height > base { *rate } else { 0.0 };
        }
        Self {
            shape,
            rate,
            age: 0.0,
        }
    }

    /// Fill a row of a level with the uplift in a time, interpolated from the coarsest level, of which the
    /// row's level has `step` cells per cell.
    pub fn row(&self, step: usize, time: f32, row: usize, out: &mut [f32]) {
        let (shape, top) = (self.shape, row / step);
        let below = shape.row_beside(top, true);
        let t = (row % step) as f32 / step as f32;
        let of_row = |row: usize| &self.rate[row * shape.columns..][..shape.columns];
        let (above, below) = (of_row(top), of_row(below));
        let at = |column: usize| time * (above[column] + (below[column] - above[column]) * t);
        for (column, out) in out.chunks_mut(step).enumerate() {
            let east = match column + 1 {
                east if east < shape.columns => east,
                _ if shape.wraps => 0,
                _ => column,
            };
            let (first, last) = (at(column), at(east));
            ramp(out, first, (last - first) / step as f32);
        }
    }
}

vectorized! {
    fn ramp(out: &mut [f32], first: f32, step: f32) {
        for (index, out) in out.iter_mut().enumerate() {
            *out = first + step * index as f32;
        }
    }
}
