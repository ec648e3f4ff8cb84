//! `square-square`: square-square subdivision without creases (Miller 1986).
//!
//! Every pass doubles the grid. The four new points inside an old square lie a quarter of its side
//! from its corners, weight the nearest corner by 9/16, the next two by 3/16 and the far one by 1/16,
//! and are displaced by a random d:
//!
//! ```text
//! a ─────────── b       p = (9a + 3b + 3c +  d)/16 + d_p
//! │   p     q   │       q = (3a + 9b +  c + 3d)/16 + d_q
//! │             │       r = (3a +  b + 9c + 3d)/16 + d_r
//! │   r     s   │       s = ( a + 3b + 3c + 9d)/16 + d_s
//! c ─────────── d       d_… drawn from U[−A_k, A_k), A_k = A·2^(−H·k)
//! ```
//! The weights are those of biquadratic B-splines, so without displacements the limit is smooth.
//! The first lattice has 2^`start_level` points a side, drawn with A_0; the k-th pass after it
//! draws with A_k.
//!
//! **Range.** A pass takes convex means and adds displacements, so heights are within ±A·Σ 2^(−H·k),
//! k = 0 … n − `start_level`; the standard deviation is about 0.39·A at H = 0.7.
//! **Resolution.** Old points are not kept, and the grid moves by a quarter of a cell in each pass.
//! More iterations give a map of the same style with hills at the same places, shifted a little:
//! points do **not** stay.
//! **Edges.** With `wrap` opposite borders are equal bit for bit. With `free` the same subdivision
//! runs on a lattice that goes on beyond the border, of which the map shows a part.
//! **Cost.** A sample takes one random number and six operations a pass: about 0.4 ns a sample.
//! **Known artefacts.** It has none of diamond-square's creases. Faint steps along the axes remain,
//! since displacements of a pass lie on its grid. The first lattice is small: a `start_level` of 1
//! gives one hill and one valley. No pass smooths the displacements of the last one, so a map is
//! rougher at one or two samples than its H: measured H is 0.40 for 0.7, and approaches H at coarse
//! lags only.

use super::{Generate, GenerateError, Request};
use crate::fractal::{Edges, amplitude};
use crate::generate::rows::{Pyramid, Refine, fill_rows};
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{Param, Params, choice_param, int_param, options};
use crate::util::rng::{Jump, LANES, Lanes, Stage, Stream, uniform};

options! {
    /// Options of `square-square`.
    #[derive(Copy)]
    pub struct SquareSquareOptions {
        /// Border handling; default wrap.
        pub edges: Edges,
        /// Level of the first lattice, which has 2^level random points a side (fewer in a map of fewer
        /// samples), 0…8; default 2.
        pub start_level: u32 = 2,
    }
}

impl Params for SquareSquareOptions {
    const KEPT: &'static [&'static str] = &["edges"];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
        int_param!(start_level, "Start level", "", 0, 8, slider 6,
            "The first lattice has 2^level random points along each side: more points give more and smaller hills."),
    ];
}

impl Generate for SquareSquareOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let start_level = self.start_level.min(surface.iterations);
        let draw = |level: u32| Draw {
            stream: Stream::new(surface.seed, Stage::SquareSquare, level),
            range: {
                let pass = f64::from(level - start_level);
                amplitude(surface.height_scale, 1.0, surface.hurst, pass)
            },
        };
        let wraps = self.edges == Edges::Wrap;
        // A wrapped row repeats its first point; a free row needs two points beyond its cells.
        let columns = |level: u32| (1usize << level) + if wraps { 1 } else { 2 };
        let first = draw(start_level);
        let base = move |row: u64, out: &mut [f32]| {
            first.clone().write(row, out);
            if wraps {
                close(out);
            }
        };
        let passes = start_level..surface.iterations;
        let pyramid = Pyramid::new(
            base,
            wraps.then_some(1 << start_level),
            passes.map(|level| {
                (
                    Pass::new(draw(level + 1), columns(level), wraps),
                    columns(level),
                )
            }),
        );
        let side = (1 << surface.iterations) + 1;
        let mut heights = request.buffer(side * side)?;
        fill_rows(
            &mut heights,
            side,
            request.job,
            || pyramid.clone(),
            Pyramid::write,
        )?;
        Ok(Heightmap::new(side, side, wraps, heights))
    }
}

/// Random displacements of one level.
#[derive(Clone, Debug)]
struct Draw {
    stream: Stream,
    range: f32,
}

impl Draw {
    fn row(&self, row: u64) -> Lanes {
        self.stream.lanes(row, Jump::over(0))
    }

    fn write(&self, row: u64, out: &mut [f32]) {
        let mut numbers = self.row(row);
        for chunk in out.chunks_mut(LANES) {
            let mut block = [[0.0; LANES]];
            numbers.fill(&mut block, |bits| self.range * uniform(bits));
            chunk.copy_from_slice(&block[0][..chunk.len()]);
        }
    }
}

/// Set the last point of a wrapped row to its first.
fn close(row: &mut [f32]) {
    row[row.len() - 1] = row[0];
}

/// One pass: two rows of the coarse lattice, and the fine rows made between them.
#[derive(Clone, Debug)]
struct Pass {
    draw: Draw,
    wraps: bool,
    north: Vec<f32>,
    south: Vec<f32>,
}

impl Pass {
    fn new(draw: Draw, columns: usize, wraps: bool) -> Self {
        Self {
            draw,
            wraps,
            north: vec![0.0; columns],
            south: vec![0.0; columns],
        }
    }
}

impl Refine for Pass {
    const FIRST: isize = 0;
    const LAST: isize = 1;

    fn take(&mut self, coarse: &[f32], _row: u64) {
        std::mem::swap(&mut self.north, &mut self.south);
        self.south.copy_from_slice(coarse);
    }

    fn write(&mut self, row: u64, fine: &mut [f32]) {
        let (near, far) = match row % 2 {
            0 => (&self.north, &self.south),
            _ => (&self.south, &self.north),
        };
        refine(near, far, self.draw.row(row), self.draw.range, fine);
        if self.wraps {
            close(fine);
        }
    }
}

/// Number of columns processed at once: their displacements stay in the first-level cache.
const CHUNK: usize = 256;

vectorized! {
    /// Write the fine row a quarter of a cell from the coarse row `near`: two points a square. A last
    /// odd point is written as the first point of the next square, if there is one.
    fn refine(near: &[f32], far: &[f32], mut numbers: Lanes, range: f32, fine: &mut [f32]) {
        let squares = near.len() - 1;
        let mut buffer = [[0.0; LANES]; 2 * CHUNK / LANES];
        let points = fine.len().min(2 * squares);
        for first in (0..squares).step_by(CHUNK) {
            let count = CHUNK.min(squares - first);
            let blocks = &mut buffer[..(2 * count).div_ceil(LANES)];
            numbers.fill(blocks, |bits| range * uniform(bits));
            let displacements = &blocks.as_flattened().as_chunks::<2>().0[..count];
            let (west_near, east_near) = (&near[first..][..count], &near[first + 1..][..count]);
            let (west_far, east_far) = (&far[first..][..count], &far[first + 1..][..count]);
            let (pairs, odd) = fine[2 * first..points.min(2 * (first + count))].as_chunks_mut::<2>();
            let whole = pairs.len();
            let displaced = &displacements[..whole];
            let (a, b) = (&west_near[..whole], &east_near[..whole]);
            let (c, d) = (&west_far[..whole], &east_far[..whole]);
            for square in 0..whole {
                let west = 3.0 * a[square] + c[square];
                let east = 3.0 * b[square] + d[square];
                let [left, right] = displaced[square];
                pairs[square] = [
                    (3.0 * west + east) * 0.0625 + left,
                    (west + 3.0 * east) * 0.0625 + right,
                ];
            }
            if let [last] = odd {
                let west = 3.0 * west_near[whole] + west_far[whole];
                let east = 3.0 * east_near[whole] + east_far[whole];
                *last = (3.0 * west + east) * 0.0625 + displacements[whole][0];
            }
        }
    }
}
