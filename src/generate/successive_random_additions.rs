//! `successive-random-additions`: successive random additions, a diamond-square in which every point
//! is displaced again at every half step, to reduce creases (Voss 1985; Saupe 1988).
//!
//! ```text
//! pass k   centres = mean of four corners + U      then displace the corners:            + U
//!          midpoints of edges = mean of four + U   then displace corners and centres:    + U
//!          U in ±A·2^(−Hk) at the diamond step, ±A·2^(−H(k + ½)) at the square step
//! ```
//! Points move, so the map of n iterations is not part of that of n + 1. The map wraps or has free
//! edges. Range: unbounded in principle, about ±1.5·A·Σ 2^(−Hk/2). Cost: two random numbers a point,
//! O(4^n). Known artefacts: measured over few samples the map is smoother than its H, since coarse
//! lattices carry all finer additions. Creases remain, because additions to old points are
//! interpolated onto the same lattice (see [`crate::terrain::measure::crease()`]).

use serde::{Deserialize, Serialize};

use super::{Generate, GenerateError, Request};
use crate::fractal::rows::RoughRow;
use crate::fractal::{Edges, amplitude};
use crate::generate::rows::{Progress, each_row};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Cancelled;
use crate::util::param::{Param, Params, choice_param};
use crate::util::rng::{Stage, Stream};

/// Options of `successive-random-additions`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SuccessiveRandomAdditionsOptions {
    /// Border handling; default wrap.
    pub edges: Edges,
}

impl Params for SuccessiveRandomAdditionsOptions {
    const KEPT: &'static [&'static str] = &["edges"];

    const PARAMS: &'static [Param<Self>] =
        &[choice_param!(edges: Edges, "Edges", "What happens at the border of the map.")];
}

impl Generate for SuccessiveRandomAdditionsOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let wraps = self.edges == Edges::Wrap;
        let side = (1usize << surface.iterations) + 1;
        let mut heights = request.buffer(side * side)?;
        let mut lattice = vec![0.0; 4];
        // Sum of the samples that the passes make.
        let total = (1..=surface.iterations).map(|pass| ((1u64 << pass) + 1).pow(2));
        let progress = Progress::new(request.job, total.sum());
        for pass in 0..surface.iterations {
            let range = |steps: f64| amplitude(surface.height_scale, 1.0, surface.hurst, steps);
            let pass = Pass {
                cells: 1 << pass,
                wraps,
                ranges: [range(f64::from(pass)), range(f64::from(pass) + 0.5)],
                streams: [Stage::Diamond, Stage::Addition, Stage::Square]
                    .map(|stage| Stream::new(surface.seed, stage, pass)),
            };
            if pass.cells * 2 + 1 == side {
                pass.refine(&mut lattice, &mut heights, &progress)?;
            } else {
                let finer = pass.cells * 2 + 1;
                let mut fine = vec![0.0; finer * finer];
                pass.refine(&mut lattice, &mut fine, &progress)?;
                lattice = fine;
            }
        }
        progress.finish();
        Ok(Heightmap::new(side, side, wraps, heights))
    }
}

/// One pass: makes a lattice of 2 · `cells` a side from one of `cells`.
struct Pass {
    cells: usize,
    wraps: bool,
    /// Displacement ranges of the diamond step and of the square step.
    ranges: [f32; 2],
    /// Random streams for the centres, for the old points at the diamond step, and for all points at the
    /// square step.
    streams: [Stream; 3],
}

impl Pass {
    fn refine(
        &self,
        lattice: &mut [f32],
        fine: &mut [f32],
        progress: &Progress<'_>,
    ) -> Result<(), Cancelled> {
        let centres = self.centres(lattice, progress)?;
        self.move_lattice(lattice, progress)?;
        self.square_step(lattice, &centres, fine, progress)
    }

    /// Run the diamond step: make the centres of the squares, `cells` × `cells`.
    fn centres(&self, lattice: &[f32], progress: &Progress<'_>) -> Result<Vec<f32>, Cancelled> {
        let (cells, side) = (self.cells, self.cells + 1);
        let mut centres = vec![0.0; cells * cells];
        let start = || RoughRow::new(cells);
        each_row(&mut centres, cells, 16, start, |rough, row, out| {
            progress.advance(0)?;
            let displacements = rough.draw(&self.streams[0], row, self.ranges[0]);
            let (north, south) = lattice[row * side..][..2 * side].split_at(side);
            centre_row(north, south, displacements, out);
            Ok(())
        })?;
        Ok(centres)
    }

    /// Displace every old point within the range of the diamond step.
    fn move_lattice(&self, lattice: &mut [f32], progress: &Progress<'_>) -> Result<(), Cancelled> {
        let side = self.cells + 1;
        let start = || RoughRow::new(side);
        each_row(lattice, side, 16, start, |rough, row, heights| {
            progress.advance(0)?;
            let row = if self.wraps { row % self.cells } else { row };
            let displacements = rough.draw(&self.streams[1], row, self.ranges[0]);
            displace(heights, displacements);
            if self.wraps {
                heights[side - 1] = heights[0];
            }
            Ok(())
        })
    }

    /// Run the square step: make the midpoints of the edges, and displace every point.
    fn square_step(
        &self,
        lattice: &[f32],
        centres: &[f32],
        fine: &mut [f32],
        progress: &Progress<'_>,
    ) -> Result<(), Cancelled> {
        let (cells, side) = (self.cells, 2 * self.cells + 1);
        let lattice_row = |row: usize| &lattice[row * (cells + 1)..][..cells + 1];
        // Row of centres above or below a lattice row; on a wrapped map it may be at the opposite
        // border.
        let centre_row = |row: usize, below: bool| {
            let index = match (row, below) {
                (0, false) if self.wraps => Some(cells - 1),
                (row, false) => row.checked_sub(1),
                (row, true) if row == cells => self.wraps.then_some(0),
                (row, true) => Some(row),
            };
            index.map(|index| &centres[index * cells..][..cells])
        };
        let start = || RoughRow::new(side);
        each_row(fine, side, 16, start, |rough, row, out| {
            progress.advance(side as u64)?;
            let key = if self.wraps { row % (side - 1) } else { row };
            let displacements = rough.draw(&self.streams[2], key, self.ranges[1]);
            let north = lattice_row(row / 2);
            if row % 2 == 0 {
                let around = [centre_row(row / 2, false), centre_row(row / 2, true)];
                edges_along(north, around, out);
            } else {
                let centres = &centres[row / 2 * cells..][..cells];
                edges_across(north, lattice_row(row / 2 + 1), centres, self.wraps, out);
            }
            displace(out, displacements);
            if self.wraps {
                out[side - 1] = out[0];
            }
            Ok(())
        })
    }
}

vectorized! {
    /// Write the centres between two lattice rows.
    fn centre_row(north: &[f32], south: &[f32], displacements: &[f32], out: &mut [f32]) {
        let cells = out.len();
        let (north_west, north_east) = (&north[..cells], &north[1..][..cells]);
        let (south_west, south_east) = (&south[..cells], &south[1..][..cells]);
        let displacements = &displacements[..cells];
        for column in 0..cells {
            let sum =
                (north_west[column] + north_east[column]) + (south_west[column] + south_east[column]);
            out[column] = sum * 0.25 + displacements[column];
        }
    }

    fn displace(heights: &mut [f32], displacements: &[f32]) {
        for (height, displacement) in heights.iter_mut().zip(displacements) {
            *height += displacement;
        }
    }

    /// Write a lattice row and the midpoints of its west-east edges, between two rows of centres; at a
    /// free border there is only one such row.
    fn edges_along(lattice: &[f32], around: [Option<&[f32]>; 2], out: &mut [f32]) {
        let cells = lattice.len() - 1;
        match around.map(|row| row.map(|row| &row[..cells])) {
            [Some(above), Some(below)] => fill_along(lattice, out, |column, ends| {
                ((above[column] + below[column]) + ends) * 0.25
            }),
            [Some(inner), None] | [None, Some(inner)] => {
                fill_along(lattice, out, |column, ends| (ends + inner[column]) / 3.0);
            }
            [None, None] => fill_along(lattice, out, |_, ends| ends * 0.5),
        }
    }
}

#[inline(always)]
fn fill_along(lattice: &[f32], out: &mut [f32], mean: impl Fn(usize, f32) -> f32) {
    let cells = lattice.len() - 1;
    let (west, east) = (&lattice[..cells], &lattice[1..][..cells]);
    let (pairs, last) = out.as_chunks_mut::<2>();
    for (column, pair) in pairs[..cells].iter_mut().enumerate() {
        *pair = [west[column], mean(column, west[column] + east[column])];
    }
    last[0] = lattice[cells];
}

vectorized! {
    /// Write the midpoints of the north-south edges between two lattice rows, and the centres between
    /// them.
    fn edges_across(north: &[f32], south: &[f32], centres: &[f32], wraps: bool, out: &mut [f32]) {
        let cells = centres.len();
        let (pairs, last) = out.as_chunks_mut::<2>();
        let pairs = &mut pairs[..cells];
        let ends = |column: usize| north[column] + south[column];
        // The western neighbour of the first midpoint lies across the border, or does not exist.
        let first = if wraps {
            (ends(0) + (centres[cells - 1] + centres[0])) * 0.25
        } else {
            (ends(0) + centres[0]) / 3.0
        };
        pairs[0] = [first, centres[0]];
        let (north_inner, south_inner) = (&north[1..cells], &south[1..cells]);
        let (west, east) = (&centres[..cells - 1], &centres[1..]);
        for (column, pair) in pairs[1..].iter_mut().enumerate() {
            let ends = north_inner[column] + south_inner[column];
            *pair = [(ends + (west[column] + east[column])) * 0.25, east[column]];
        }
        last[0] = (ends(cells) + centres[cells - 1]) / 3.0;
    }
}
