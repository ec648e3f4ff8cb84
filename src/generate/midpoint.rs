//! `midpoint`: midpoint displacement on squares (Fournier, Fussell and Carpenter 1982). Each new point
//! depends only on the ends of its edge or the corners of its square.
//!
//! ```text
//! a  n  b     n = mean(a, b) + U         the middle of an edge: its two ends
//! w  m  e     m = mean(a, b, c, d) + U   the centre: the four corners
//! c  s  d     pass k: U in ±A·r^k, r = 2^(−H)
//! ```
//! Corners start in ±A. More iterations keep all existing points. With `wrap` the map tiles (then all
//! corners are equal). Range: within ±A·(1 + Σ r^k). Cost: one random number and about four additions a
//! point, O(4^n). Known artefact: stronger creases than diamond-square, since the midpoint of an edge
//! does not depend on the squares on either side.

use super::{Generate, GenerateError, Request};
use crate::fractal::rows::RoughRow;
use crate::fractal::{Edges, Known, amplitude};
use crate::generate::pins::known_points;
use crate::generate::rows::{Progress, each_row};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::param::{Param, Params, choice_param, int_param, options};
use crate::util::rng::{Jump, Stage, Stream, uniform};

options! {
    /// Options of `midpoint`.
    #[derive(Copy)]
    pub struct MidpointOptions {
        /// Border handling; default free.
        pub edges: Edges = Edges::Free,
        /// Level of the lattice of 2^level cells a side whose heights come from an input image or formula,
        /// 1…12; default 6.
        pub input_level: u32 = 6,
    }
}

impl Params for MidpointOptions {
    const KEPT: &'static [&'static str] = &["edges", "input_level"];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
        int_param!(input_level, "Input level", "", 1, 12, slider 12,
            "With an input image or formula: it sets the heights of the first 2^level cells along each side; later passes add finer detail."),
    ];
}

impl Generate for MidpointOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let known = known_points(request, self.edges, self.input_level)?;
        let wraps = self.edges == Edges::Wrap;
        let side = (1usize << surface.iterations) + 1;
        let mut heights = request.buffer(side * side)?;
        let mut lattice = corners(surface.seed, surface.height_scale, wraps);
        place_known(known.as_ref(), 0, &mut lattice, 2, request.job)?;
        // Sum of the samples that the passes make.
        let total = (1..=surface.iterations).map(|pass| ((1u64 << pass) + 1).pow(2));
        let progress = Progress::new(request.job, total.sum());
        for pass in 0..surface.iterations {
            let finer = (2usize << pass) + 1;
            let range = amplitude(surface.height_scale, 1.0, surface.hurst, f64::from(pass));
            let stream = Stream::new(surface.seed, Stage::EdgeMidpoint, pass);
            let refine = |coarse: &[f32], fine: &mut [f32]| {
                refine(coarse, fine, finer, &stream, range, wraps, &progress)?;
                place_known(known.as_ref(), pass + 1, fine, finer, request.job)
            };
            if pass + 1 == surface.iterations {
                refine(&lattice, &mut heights)?;
            } else {
                let mut fine = vec![0.0; finer * finer];
                refine(&lattice, &mut fine)?;
                lattice = fine;
            }
        }
        progress.finish();
        Ok(Heightmap::new(side, side, wraps, heights))
    }

    fn takes_image(&self) -> bool {
        true
    }

    fn takes_known_points(&self) -> bool {
        true
    }
}

/// Heights of the four corners in ±A, all equal if the map wraps.
fn corners(seed: u64, height_scale: f32, wraps: bool) -> Vec<f32> {
    let stream = Stream::new(seed, Stage::Start, 0);
    let corner = |index: u64| {
        let column = if wraps { 0 } else { index };
        height_scale * uniform(stream.number(0, Jump::over(column)))
    };
    (0..4).map(corner).collect()
}

fn place_known(
    known: Option<&Known>,
    level: u32,
    heights: &mut [f32],
    side: usize,
    job: &Job,
) -> Result<(), Cancelled> {
    let Some(known) = known.filter(|known| level <= known.level()) else {
        return Ok(());
    };
    let rows = parallel::par_items(heights.chunks_mut(side)).at_least(16);
    rows.for_each_in(job, |row, heights| {
        for (column, height) in heights.iter_mut().enumerate() {
            if let Some(known) = known.at(level, row, column) {
                *height = known;
            }
        }
    })
}

/// Run one pass: make `fine`, of `side` samples a side, from `coarse`, of (side + 1)/2.
fn refine(
    coarse: &[f32],
    fine: &mut [f32],
    side: usize,
    stream: &Stream,
    range: f32,
    wraps: bool,
    progress: &Progress<'_>,
) -> Result<(), Cancelled> {
    let coarse_side = side.div_ceil(2);
    let coarse_row = |row: usize| &coarse[row * coarse_side..][..coarse_side];
    let start = || RoughRow::new(side);
    each_row(fine, side, 16, start, |rough, row, out| {
        progress.advance(side as u64)?;
        // On a wrapped map the last row repeats the first, so it must draw the same numbers.
        let key = if wraps { row % (side - 1) } else { row };
        let displacements = rough.draw(stream, key, range);
        let north = coarse_row(row / 2);
        if row % 2 == 0 {
            even_row(north, displacements, out);
        } else {
            odd_row(north, coarse_row(row / 2 + 1), displacements, out);
        }
        if wraps {
            out[side - 1] = out[0];
        }
        Ok(())
    })
}

vectorized! {
    /// Write a coarse row and the midpoints of its edges.
    fn even_row(coarse: &[f32], displacements: &[f32], out: &mut [f32]) {
        let cells = coarse.len() - 1;
        let (west, east) = (&coarse[..cells], &coarse[1..][..cells]);
        let (displacements, _) = displacements.as_chunks::<2>();
        let (pairs, last) = out.as_chunks_mut::<2>();
        for (column, pair) in pairs[..cells].iter_mut().enumerate() {
            let mean = (west[column] + east[column]) * 0.5;
            *pair = [west[column], mean + displacements[column][1]];
        }
        last[0] = coarse[cells];
    }

    /// Write the midpoints of the edges between two coarse rows, and the centres between them.
    fn odd_row(north: &[f32], south: &[f32], displacements: &[f32], out: &mut [f32]) {
        let cells = north.len() - 1;
        let (north_west, north_east) = (&north[..cells], &north[1..][..cells]);
        let (south_west, south_east) = (&south[..cells], &south[1..][..cells]);
        let (pairs, last) = out.as_chunks_mut::<2>();
        let (drawn, last_drawn) = displacements.as_chunks::<2>();
        for (column, pair) in pairs[..cells].iter_mut().enumerate() {
            let edge = (north_west[column] + south_west[column]) * 0.5;
            let sum =
                (north_west[column] + north_east[column]) + (south_west[column] + south_east[column]);
            *pair = [edge + drawn[column][0], sum * 0.25 + drawn[column][1]];
        }
        last[0] = (north[cells] + south[cells]) * 0.5 + last_drawn[0];
    }
}
