//! One level of the land and all that is known about it while it erodes.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::zeroed_vec;
use rayon::prelude::*;

use super::flow::Flow;
use super::pyramid::{self, Source};
use super::shape::Shape;
use super::slopes::{creep, each_row, slide};
use super::{Base, Rule, load, pits, steepest, store};
use crate::job::{Cancelled, Job};
use crate::rng::{Jump, LANES, Stream, uniform};

/// The steps of the coarsest level, and of every other.
const STEPS: (u32, u32) = (20, 4);
/// The age of the first finer level, as a share of that of the coarsest, and that of each further
/// one, as a share of the one before. So finer levels move what coarser ones made less and less.
const FINE_AGE: (f32, f32) = (0.3, 0.7);
/// The uplift of a finer level, as a share of that of the coarsest.
const FINE_UPLIFT: f32 = 0.4;
/// How often the change of a step is blurred, the coarsest level first; that of all further ones is
/// not. Without it the large valleys would run along the grid.
const BLURS: [usize; 2] = [2, 1];
/// The passes of slides after each level.
const SLIDES: usize = 6;
/// The slope below which rivers drop what they carry.
const FAN_SLOPE: f32 = 0.1;
/// How much the rock of each finer level differs from that of the coarser one.
const ROCK_DETAIL: f32 = 0.4;
/// How far the bed of the sea goes towards the mean around it in a step.
const SEABED_CREEP: f32 = 0.7;

pub(super) struct Level {
    shape: Shape,
    base: f32,
    heights: Vec<f32>,
    /// The effective length of each way downstream; between steps, scratch memory.
    reach: Vec<f32>,
    flow: Flow,
    /// The number of cells that drain through each, itself included.
    area: Vec<AtomicU32>,
    /// The heights that rivers have cut, as bits.
    carved: Vec<AtomicU32>,
    /// What rivers carry, as bits; while pits are drained, labels.
    cargo: Vec<AtomicU32>,
    /// How soft the rock is, about −1 to 1.
    rock: Vec<f32>,
    /// The uplift in a unit of age at the coarsest level.
    uplift: Vec<f32>,
    coarsest: Shape,
}

impl Level {
    /// Room for the finest level. The system gives the memory when it is first written.
    pub fn new(finest: Shape) -> Self {
        let cells = finest.cells();
        Self {
            shape: finest,
            base: 0.0,
            heights: zeroed_vec(cells),
            reach: zeroed_vec(cells),
            flow: Flow::new(cells),
            area: zeroed_vec(cells),
            carved: zeroed_vec(cells),
            cargo: zeroed_vec(cells),
            rock: zeroed_vec(cells),
            uplift: Vec::new(),
            coarsest: finest,
        }
    }

    pub fn heights(&self) -> &[f32] {
        &self.heights[..self.shape.cells()]
    }

    /// Begins at the coarsest level, every `step`-th sample of the source.
    pub fn start(
        &mut self,
        shape: Shape,
        source: &Source<'_>,
        step: usize,
        rule: &Rule,
        rock: &Stream,
    ) {
        self.set_shape(shape);
        self.coarsest = shape;
        let cells = shape.cells();
        pyramid::thin(source, shape, step, &mut self.heights);
        let mut sorted = self.heights[..cells].to_vec();
        sorted.sort_unstable_by(f32::total_cmp);
        self.base = match rule.base {
            // The lowest cell is below the sea in any case.
            Base::Height(height) => height.max(sorted[0]),
            Base::Share(share) => sorted[(share * (cells - 1) as f32) as usize],
        };
        let above = |height: &f32| (height - self.base).max(0.0);
        self.uplift = self.heights[..cells].iter().map(above).collect();
        blur(shape, &mut self.uplift, 8);
        for (row, out) in self.rock[..cells].chunks_mut(shape.columns).enumerate() {
            draw(rock, row, out);
        }
        blur(shape, &mut self.rock[..cells], 1);
    }

    fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
        self.flow.set_shape(shape);
    }

    /// Goes on to the next finer level, of every `step`-th sample of the source. The detail that it
    /// adds is that of the source, less of it where the land has become level.
    pub fn refine(
        &mut self,
        shape: Shape,
        source: &Source<'_>,
        step: usize,
        rock: &Stream,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let (coarse, cells) = (self.shape, self.shape.cells());
        let share = self.share_of_detail(job)?;
        let mut before = vec![0.0; cells];
        pyramid::thin(source, coarse, 2 * step, &mut before);
        let maps = [&self.heights[..cells], &before, &share];
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
                    *out = now + share.clamp(0.0, 1.0) * (detail - before);
                }
            },
        )?;
        std::mem::swap(&mut self.heights, &mut self.reach);
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

    /// How much of the source's detail each cell takes: its slope by the slope of all land, at most 1.
    fn share_of_detail(&mut self, job: &Job) -> Result<Vec<f32>, Cancelled> {
        let shape = self.shape;
        let mut share = vec![0.0; shape.cells()];
        each_row(
            shape,
            &self.heights,
            &mut share,
            job,
            |[above, here, below], out| {
                let beside = above[1..].iter().zip(&below[1..]).zip(here.windows(3));
                for (out, ((north, south), line)) in out.iter_mut().zip(beside) {
                    let (along, down) = (line[2] - line[0], south - north);
                    *out = along * along + down * down;
                }
            },
        )?;
        let rows = share
            .par_chunks(shape.columns)
            .zip(self.heights.par_chunks(shape.columns));
        let sums: Vec<(f64, u64)> = rows
            .map(|(squares, heights)| {
                let land = squares.iter().zip(heights).filter(|(_, h)| **h > self.base);
                land.fold((0.0, 0), |(sum, count), (square, _)| {
                    (sum + f64::from(*square), count + 1)
                })
            })
            .collect();
        let (sum, count) = sums
            .iter()
            .fold((0.0, 0), |(sum, count), of| (sum + of.0, count + of.1));
        let typical = (sum / count.max(1) as f64) as f32;
        share
            .par_iter_mut()
            .with_min_len(1 << 14)
            .for_each(|share| {
                *share = if typical > 0.0 {
                    (*share / typical).sqrt().min(1.0)
                } else {
                    1.0
                };
            });
        Ok(share)
    }

    /// All steps of a level; `depth` is 0 at the coarsest, `spacing` the distance of its cells.
    pub fn erode(
        &mut self,
        rule: &Rule,
        depth: u32,
        spacing: f32,
        stream: &impl Fn(u32) -> Stream,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let (steps, age, uplift) = match depth {
            0 => (STEPS.0, rule.age, rule.uplift),
            _ => {
                let share = (1..depth).fold(FINE_AGE.0, |share, _| share * FINE_AGE.1);
                (STEPS.1, rule.age * share, rule.uplift * FINE_UPLIFT)
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
            let base = self.base;
            creep(
                self.shape,
                &self.heights,
                &mut self.reach,
                rule.creep,
                base,
                SEABED_CREEP,
                job,
            )?;
            std::mem::swap(&mut self.heights, &mut self.reach);
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
        Ok(())
    }

    /// Lifts the land by its uplift in that time.
    fn lift(&mut self, time: f32, depth: u32) {
        if time == 0.0 {
            return;
        }
        let (shape, coarsest, uplift, base) = (self.shape, self.coarsest, &self.uplift, self.base);
        let step = 1usize << depth;
        let rows = self.heights[..shape.cells()].par_chunks_mut(shape.columns);
        rows.enumerate().with_min_len(8).for_each_init(
            || vec![0.0; coarsest.columns + 1],
            |line, (row, heights)| {
                let (top, t) = (row / step, (row % step) as f32 / step as f32);
                let below = coarsest.row_beside(top, true);
                let of_row = |row: usize| &uplift[row * coarsest.columns..][..coarsest.columns];
                for ((out, a), b) in line.iter_mut().zip(of_row(top)).zip(of_row(below)) {
                    *out = time * (a + (b - a) * t);
                }
                line[coarsest.columns] = line[if shape.wraps { 0 } else { coarsest.columns - 1 }];
                for (heights, ends) in heights.chunks_mut(step).zip(line.windows(2)) {
                    raise(heights, ends[0], (ends[1] - ends[0]) / step as f32, base);
                }
            },
        );
    }

    /// Finds where water flows and how much.
    fn route(&mut self, stream: &Stream, job: &Job) -> Result<(), Cancelled> {
        let (flow, heights) = (&mut self.flow, &self.heights);
        steepest::find(flow, heights, self.base, stream, &mut self.reach, job)?;
        flow.find_donors(job)?;
        pits::drain(flow, heights, self.base, &mut self.reach, &self.cargo, job)?;
        self.flow.accumulate(&self.area, job)
    }

    /// Lets rivers cut for a time.
    fn carve(&self, age: f32, variation: f32, job: &Job) -> Result<(), Cancelled> {
        self.flow.upstream(&self.area, job, |cell, below| {
            let mut height = self.heights[cell];
            if let Some(below) = below
                && height > below
            {
                let area = self.area[cell].load(Ordering::Relaxed) as f32;
                let softness = 1.0 + variation * self.rock[cell];
                let power = age * softness * softness * area.sqrt() / self.reach[cell];
                height -= power / (1.0 + power) * (height - below);
            }
            store(&self.carved, cell, height);
            height
        })
    }

    /// Lets rivers drop what they carry where they are slow.
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

    /// Makes what was carved the heights; the change is blurred so many times.
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
        let heights = self.heights[..cells].par_chunks_mut(1 << 14);
        let carved = self.carved[..cells].par_chunks_mut(1 << 14);
        heights.zip(carved).for_each(|(heights, carved)| {
            for (height, carved) in heights.iter_mut().zip(carved) {
                *height = f32::from_bits(*carved.get_mut());
            }
        });
    }

    /// Fills the hollows that are left.
    pub fn finish(&mut self, rule: &Rule, job: &Job) -> Result<(), Cancelled> {
        if rule.lakes {
            return Ok(());
        }
        let still = Stream::new(0, crate::rng::Stage::Erosion, u32::MAX);
        self.route(&still, job)?;
        self.flow.upstream(&self.area, job, |cell, below| {
            let mut height = self.heights[cell];
            if let Some(below) = below {
                let least = (below.abs() * 4.8e-7).max(2.0e-7);
                height = height.max(below + least);
            }
            store(&self.carved, cell, height);
            height
        })?;
        self.take_carved(0);
        Ok(())
    }
}

/// Uniform numbers in [−1, 1) for the cells of a row.
fn draw(stream: &Stream, row: usize, out: &mut [f32]) {
    let mut lanes = stream.lanes(row as u64, Jump::over(0));
    let mut block = [[0.0; LANES]];
    for out in out.chunks_mut(LANES) {
        lanes.fill(&mut block, uniform);
        out.copy_from_slice(&block[0][..out.len()]);
    }
}

/// Blurs with the kernel 1 4 6 4 1 in both directions, so many times.
fn blur(shape: Shape, values: &mut [f32], times: usize) {
    let (rows, columns) = (shape.rows, shape.columns);
    let mut across = vec![0.0; shape.cells()];
    let beside = |index: usize, by: isize, count: usize| {
        let (index, count) = (index as isize + by, count as isize);
        let inside = if shape.wraps {
            index.rem_euclid(count)
        } else {
            index.clamp(0, count - 1)
        };
        inside as usize
    };
    for _ in 0..times {
        let lines = across
            .par_chunks_mut(columns)
            .zip(values.par_chunks(columns));
        lines.with_min_len(8).for_each_init(
            || vec![0.0; columns + 4],
            |wider, (out, line)| {
                wider[2..columns + 2].copy_from_slice(line);
                for (at, by) in [(0, -2), (1, -1), (columns + 2, 1), (columns + 3, 2)] {
                    let end = if by < 0 { 0 } else { columns - 1 };
                    wider[at] = line[beside(end, by, columns)];
                }
                let ends = [0, 1, 2, 3, 4].map(|from| &wider[from..]);
                binomial(ends, out);
            },
        );
        let lines = values.par_chunks_mut(columns).enumerate();
        lines.with_min_len(8).for_each(|(row, out)| {
            let line = |by| &across[beside(row, by, rows) * columns..];
            binomial([-2, -1, 0, 1, 2].map(line), out);
        });
    }
}

vectorized! {
    fn binomial(lines: [&[f32]; 5], out: &mut [f32]) {
        let [a, b, c, d, e] = lines.map(|line| &line[..out.len()]);
        for i in 0..out.len() {
            out[i] = ((a[i] + e[i]) + 4.0 * (b[i] + d[i]) + 6.0 * c[i]) * 0.0625;
        }
    }

    fn raise(heights: &mut [f32], first: f32, step: f32, base: f32) {
        for (index, height) in heights.iter_mut().enumerate() {
            let by = first + step * index as f32;
            *height += if *height > base { by } else { 0.0 };
        }
    }
}
