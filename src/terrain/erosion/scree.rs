//! Thermal erosion: material on slopes steeper than the angle of repose slides down and forms scree.
//!
//! Slides move material from cell to cell, so on a fine map alone they would take as many passes as a
//! mountain has cells. They are solved coarse to fine instead, like a multigrid method: each level holds
//! the means of the finer one, and the change of a level is passed on to the finer one, which keeps its
//! detail where slopes are stable. A pass is a gradient step on a convex energy, the squared excess of all
//! slopes, so it is accelerated with momentum (Nesterov 1983): twenty passes replace hundreds.
//!
//! Volume is conserved: exchanges between neighbours are symmetric, and gains and losses that a level
//! passes on are scaled to the same sum. If all slopes are stable, no height changes.

use bytemuck::zeroed_vec;

use crate::terrain::drainage::flow::Shape;
use crate::terrain::erosion::Land;
use crate::terrain::erosion::pyramid::{self, Source};
use crate::terrain::heightmap::{Heights, MOST_HEIGHT};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Memory of [`settle`] in bytes a sample, besides the map.
pub const BYTES_A_SAMPLE: u64 = 16;

/// Largest number of cells along the longer side of the coarsest level.
const COARSEST: usize = 4;
/// Number of passes of the finest level. Each coarser one has twice as many, up to [`MOST_PASSES`].
const PASSES: usize = 20;
const MOST_PASSES: usize = 64;
/// Number of cells per parallel task.
const PART: usize = 1 << 14;

/// Slide the land until it is stable. `repose` is the tangent of the angle of repose, and `amount` the
/// share of the change that each height takes, 0…1. Heights stay within the range of maps. The result is
/// the same on any number of threads.
///
/// Between neighbours along rows, columns and diagonals hardly a slope remains that exceeds the angle of
/// repose by more than two degrees, at any number of samples and however steep the land was. In a profile,
/// land of one row, material slides along that row.
///
/// Cost: 50 to 80 ns a sample on one thread, and [`BYTES_A_SAMPLE`].
///
/// # Panics
/// The land has no rows or no columns.
///
/// # Errors
/// The job was cancelled; the heights are then unspecified.
pub fn settle(land: &mut Land<'_>, repose: f32, amount: f32, job: &Job) -> Result<(), Cancelled> {
    assert!(!land.heights.is_empty(), "nothing to slide");
    let source = Source {
        heights: land.heights,
        columns: land.columns,
    };
    let mut slopes = Slopes::new(land.shape(), repose * land.spacing);
    // Inside the pool the many small passes need no hand-over from an outside thread.
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

/// State of the solver: heights of the current level.
struct Slopes {
    shape: Shape,
    /// Largest stable drop between neighbours of the finest level.
    limit: f32,
    now: Heights,
    /// Heights before the last pass.
    before: Heights,
    scratch: Heights,
}

impl Slopes {
    /// Allocate for the finest level.
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

    /// Solve all levels of the source, the finest last.
    fn settle(&mut self, source: &Source<'_>, job: &Job) -> Result<(), Cancelled> {
        let coarser = |shape: &Shape| (shape.longer() > COARSEST).then(|| shape.halved());
        let shapes: Vec<Shape> = std::iter::successors(Some(self.shape), coarser).collect();
        pyramid::thin(source, self.shape, 1, &mut self.now);
        // Unchanged coarser levels, the coarsest last.
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

    /// Upsample the change since `before` into `scratch`. Returns the factors of gains and losses that make
    /// their sums equal.
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
        let parts = parallel::par_items(self.scratch[..fine.cells()].chunks(PART));
        let sums = parts.map(|_, change| gains_and_losses(change));
        let [gains, losses] = sums
            .iter()
            .fold([0.0, 0.0], |sum, part| [sum[0] + part[0], sum[1] + part[1]]);
        Ok(match gains.min(losses) {
            0.0 => [0.0; 2],
            both => [(both / gains) as f32, (both / losses) as f32],
        })
    }

    /// Run all passes of the level `step` halvings above the finest.
    fn slide(&mut self, shape: Shape, step: usize, job: &Job) -> Result<(), Cancelled> {
        let limit = self.limit * (1u64 << step) as f32;
        let passes = (PASSES << step.min(8)).min(MOST_PASSES);
        let cells = shape.cells();
        for pass in 0..passes {
            // The first pass has none, so the content of `before` does not matter.
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

/// Call `work` for each part of `to` and the same part of `from`.
fn each_part(
    to: &mut [f32],
    from: &[f32],
    job: &Job,
    work: impl Fn(&mut [f32], &[f32]) + Sync,
) -> Result<(), Cancelled> {
    let parts = to.chunks_mut(PART).zip(from.chunks(PART));
    parallel::par_items(parts).for_each_in(job, |_, (to, from)| {
        work(to, from);
    })
}

vectorized! {
    /// Extrapolate from the heights before and now, with momentum (Nesterov's look-ahead point).
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

// Hillslope processes: soil creep (diffusion) and slides above the angle of repose. Exchanges between
// neighbours are symmetric, so volume is conserved and no direction is preferred.

/// Number of rows per parallel task.
const ROWS: usize = 16;

/// Call `work` for every row of `to` with the three rows of `from` around it.
pub(super) fn each_row(
    shape: Shape,
    from: &[f32],
    to: &mut [f32],
    job: &Job,
    work: impl Fn(&[Vec<f32>; 3], &mut [f32]) + Sync,
) -> Result<(), Cancelled> {
    let columns = shape.columns;
    let bands = to[..shape.cells()].chunks_mut(ROWS * columns);
    let around = Tools::new(Default::default);
    parallel::par_items(bands).for_each_in(job, |band, to| {
        around.with(|around| {
            for (row, to) in (band * ROWS..).zip(to.chunks_exact_mut(columns)) {
                shape.around(from, row, around);
                work(around, to);
            }
        });
    })
}

/// Run one pass of slides: material more than `limit` above a neighbour, or √2 times that above a diagonal
/// one, moves down.
pub(super) fn slide(
    shape: Shape,
    from: &[f32],
    to: &mut [f32],
    limit: f32,
    job: &Job,
) -> Result<(), Cancelled> {
    let diagonal = limit * std::f32::consts::SQRT_2;
    each_row(shape, from, to, job, |[above, here, below], to| {
        slide_row(above, here, below, limit, diagonal, to);
    })
}

/// Run one pass of creep: heights move by `share` of the way to the mean of those around, below `sea` by
/// `seabed` of it.
pub(super) fn creep(
    shape: Shape,
    from: &[f32],
    to: &mut [f32],
    share: f32,
    sea: f32,
    seabed: f32,
    job: &Job,
) -> Result<(), Cancelled> {
    each_row(shape, from, to, job, |[above, here, below], to| {
        creep_row(above, here, below, (share, sea, seabed), to);
    })
}

vectorized! {
    fn slide_row(above: &[f32], here: &[f32], below: &[f32], t: f32, d: f32, to: &mut [f32]) {
        let count = to.len();
        let (nw, n, ne) = (&above[..count], &above[1..][..count], &above[2..][..count]);
        let (w, c, e) = (&here[..count], &here[1..][..count], &here[2..][..count]);
        let (sw, s, se) = (&below[..count], &below[1..][..count], &below[2..][..count]);
        // Signed excess over the limit that a neighbour higher by `step` gives.
        let gives = |step: f32, limit: f32| {
            let down = step - limit;
            let up = step + limit;
            (if down > 0.0 { down } else { 0.0 }) + (if up < 0.0 { up } else { 0.0 })
        };
        for i in 0..count {
            let z = c[i];
            let straight = (gives(n[i] - z, t) + gives(s[i] - z, t))
                + (gives(e[i] - z, t) + gives(w[i] - z, t));
            let diagonal = (gives(nw[i] - z, d) + gives(se[i] - z, d))
                + (gives(ne[i] - z, d) + gives(sw[i] - z, d));
            to[i] = z + (0.15 * straight + 0.075 * diagonal);
        }
    }

    fn creep_row(above: &[f32], here: &[f32], below: &[f32], how: (f32, f32, f32), to: &mut [f32]) {
        let (land, sea, seabed) = how;
        let count = to.len();
        let (nw, n, ne) = (&above[..count], &above[1..][..count], &above[2..][..count]);
        let (w, c, e) = (&here[..count], &here[1..][..count], &here[2..][..count]);
        let (sw, s, se) = (&below[..count], &below[1..][..count], &below[2..][..count]);
        for i in 0..count {
            let straight = (n[i] + s[i]) + (e[i] + w[i]);
            let diagonal = (nw[i] + se[i]) + (ne[i] + sw[i]);
            let around = straight * 0.2 + diagonal * 0.05;
            let share = if c[i] <= sea { seabed } else { land };
            to[i] = c[i] + share * (around - c[i]);
        }
    }
}
