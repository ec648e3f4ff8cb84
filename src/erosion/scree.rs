//! Slopes of scree: what is steeper than the angle of repose slides down until nothing is.
//!
//! Slides move land from cell to cell, so on a fine map alone they would take as many passes as a
//! mountain has cells. They are made coarse to fine instead: each level has the means of the finer
//! one below it, and what slides there is handed to the finer level, whose detail stays where it
//! holds. The exchange of slopes is a step down a convex energy, the excess of all slopes squared,
//! so the passes of a level gain momentum (Nesterov 1983): twenty of them do what takes hundreds
//! without.
//!
//! Nothing is lost: neighbours exchange as much as both say, and of what a level hands on, gains
//! and losses are brought to the same sum. Where all slopes hold, nothing is written anew.

use bytemuck::zeroed_vec;

use super::Land;
use super::pyramid::{self, Source};
use super::slopes::slide;
use crate::drainage::shape::Shape;
use crate::heightmap::{Heights, MOST_HEIGHT};
use crate::job::{Cancelled, Job};
use crate::parallel;

/// The bytes of memory that [`settle`] takes for a sample, beside the map.
pub const BYTES_A_SAMPLE: u64 = 16;

/// The cells of the longer side of the coarsest level, at most.
const COARSEST: usize = 4;
/// The passes of the finest level. Each coarser one has twice as many, up to the most.
const PASSES: usize = 20;
const MOST_PASSES: usize = 64;
/// The cells that a thread takes together.
const PART: usize = 1 << 14;

/// Lets the land slide until it holds. `repose` is the tangent of the steepest slope that does, and
/// `amount` the share of the way there that each height goes, 0…1. The heights stay within what a
/// map may have. The result is the same on any number of threads.
///
/// Between neighbours along rows, columns and diagonals hardly a slope is left that is steeper by
/// more than two degrees, at any number of samples and however steep the land was. A profile, land
/// of one row, slides along that row.
///
/// Cost: 50 to 80 ns a sample on one thread, and [`BYTES_A_SAMPLE`].
///
/// # Panics
/// The land has no rows or no columns.
///
/// # Errors
/// The job was cancelled; what the heights are then is unspecified.
pub fn settle(land: &mut Land<'_>, repose: f32, amount: f32, job: &Job) -> Result<(), Cancelled> {
    assert!(!land.heights.is_empty(), "nothing to slide");
    let source = Source {
        heights: land.heights,
        columns: land.columns,
    };
    let mut slopes = Slopes::new(land.shape(), repose * land.spacing);
    // On the pool's own threads the many small passes need not be handed over one by one.
    rayon::scope(|_| slopes.settle(&source, job))?;
    let (columns, heights) = (slopes.shape.columns, &slopes.now);
    land.each_row(|row, out| {
        for (out, height) in out.iter_mut().zip(&heights[row * columns..]) {
            let height = height.clamp(-MOST_HEIGHT, MOST_HEIGHT);
            *out = match amount {
                1.0 => height,
                share => *out + share * (height - *out),
            };
        }
    });
    Ok(())
}

/// The heights of one level while they slide.
struct Slopes {
    shape: Shape,
    /// The step between neighbours of the finest level that holds.
    limit: f32,
    now: Heights,
    /// The heights before the last pass.
    before: Heights,
    scratch: Heights,
}

impl Slopes {
    /// Room for the finest level.
    fn new(shape: Shape, limit: f32) -> Self {
        let cells = shape.cells();
        let room = || Heights::zeros(cells).unwrap_or_else(|| zeroed_vec(cells).into());
        Self {
            shape,
            limit,
            now: room(),
            before: room(),
            scratch: room(),
        }
    }

    /// Slides on all levels of the source, the finest last.
    fn settle(&mut self, source: &Source<'_>, job: &Job) -> Result<(), Cancelled> {
        let coarser = |shape: &Shape| (shape.longer() > COARSEST).then(|| shape.halved());
        let shapes: Vec<Shape> = std::iter::successors(Some(self.shape), coarser).collect();
        pyramid::thin(source, self.shape, 1, &mut self.now);
        // Those of the coarser levels as they were, the coarsest last.
        let mut originals: Vec<Vec<f32>> = Vec::new();
        for pair in shapes.windows(2) {
            let finer = originals.last().map_or(&self.now[..], |original| original);
            originals.push(pyramid::means(pair[0], finer, pair[1], job)?);
        }
        if let Some(original) = originals.last() {
            self.now[..original.len()].copy_from_slice(original);
        }
        for (step, shape) in shapes.iter().enumerate().rev() {
            if let Some(coarse) = shapes.get(step + 1) {
                let cells = shape.cells();
                let before = originals.pop().expect("one for each coarser level");
                let balance = self.refine_change(*coarse, before, *shape, job)?;
                match originals.last() {
                    Some(original) => self.now[..original.len()].copy_from_slice(original),
                    None => pyramid::thin(source, *shape, 1, &mut self.now),
                }
                each_part(&mut self.now[..cells], &self.scratch, job, |now, change| {
                    add_balanced(now, change, balance);
                })?;
            }
            self.slide(*shape, step, job)?;
        }
        Ok(())
    }

    /// Leaves in `scratch` the change since `before`, as a finer level has it. Returns by what gains
    /// and losses are to be multiplied so that their sums are the same.
    fn refine_change(
        &mut self,
        coarse: Shape,
        before: Vec<f32>,
        fine: Shape,
        job: &Job,
    ) -> Result<[f32; 2], Cancelled> {
        let mut change = before;
        each_part(&mut change, &self.now, job, |change, now| {
            for (change, now) in change.iter_mut().zip(now) {
                *change = now - *change;
            }
        })?;
        let out = &mut self.scratch;
        pyramid::refine(coarse, [&change], fine, out, job, |_, [line], out| {
            out.copy_from_slice(line);
        })?;
        let parts = parallel::over(self.scratch[..fine.cells()].chunks(PART));
        let sums = parts.map(|_, change| gains_and_losses(change));
        let [gains, losses] = sums
            .iter()
            .fold([0.0, 0.0], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
        Ok(match gains.min(losses) {
            0.0 => [0.0; 2],
            both => [(both / gains) as f32, (both / losses) as f32],
        })
    }

    /// All passes of the level so many steps above the finest.
    fn slide(&mut self, shape: Shape, step: usize, job: &Job) -> Result<(), Cancelled> {
        let limit = self.limit * (1u64 << step) as f32;
        let passes = (PASSES << step.min(8)).min(MOST_PASSES);
        let cells = shape.cells();
        for pass in 0..passes {
            // None at first, whatever the heights before are.
            let momentum = pass as f32 / (pass + 3) as f32;
            each_part(&mut self.before[..cells], &self.now, job, |before, now| {
                go_on(before, now, momentum);
            })?;
            slide(shape, &self.before, &mut self.scratch, limit, job)?;
            std::mem::swap(&mut self.before, &mut self.now);
            std::mem::swap(&mut self.now, &mut self.scratch);
        }
        Ok(())
    }
}

/// Calls `work` for each part of `to` and the same part of `from`.
fn each_part(
    to: &mut [f32],
    from: &[f32],
    job: &Job,
    work: impl Fn(&mut [f32], &[f32]) + Sync,
) -> Result<(), Cancelled> {
    let parts = to.chunks_mut(PART).zip(from.chunks(PART));
    parallel::over(parts).try_each(|_, (to, from)| {
        job.check()?;
        work(to, from);
        Ok(())
    })
}

vectorized! {
    /// Makes of the heights before those that lie ahead, if all goes on as in the last pass.
    fn go_on(before: &mut [f32], now: &[f32], momentum: f32) {
        for (before, now) in before.iter_mut().zip(now) {
            *before = now + momentum * (now - *before);
        }
    }

    fn add_balanced(now: &mut [f32], change: &[f32], [gains, losses]: [f32; 2]) {
        for (now, change) in now.iter_mut().zip(change) {
            *now += change * if *change > 0.0 { gains } else { losses };
        }
    }

    fn gains_and_losses(change: &[f32]) -> [f64; 2] {
        const LANES: usize = 16;
        let (mut gains, mut losses) = ([0.0; LANES], [0.0; LANES]);
        for block in change.chunks(LANES) {
            for (lane, change) in block.iter().enumerate() {
                let change = f64::from(*change);
                gains[lane] += if change > 0.0 { change } else { 0.0 };
                losses[lane] -= if change < 0.0 { change } else { 0.0 };
            }
        }
        [gains.iter().sum(), losses.iter().sum()]
    }
}
