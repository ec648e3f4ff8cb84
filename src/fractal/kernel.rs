//! SIMD kernels of the row pipeline: the diamond step and the square step of one row in plain slices,
//! compiled for several instruction sets and chosen at run time.
//!
//! The kernels add in the order of [`scalar`](super::scalar), and no instruction set rounds
//! differently, so all of them give the same bits.

use multiversion::{multiversion, target::match_target};

use super::Distribution;
use crate::util::rng::{Jump, LANES, Lanes, Stream, gaussian_in_loop, uniform};

use super::{GAUSSIAN_UNIT, variate};

/// Number of columns processed at once: their displacements stay in the first-level cache.
const CHUNK: usize = 512;

/// Displacements of one half step, drawn a chunk of a row at a time.
#[derive(Clone, Debug)]
pub(super) struct Displacements {
    stream: Stream,
    range: f32,
    distribution: Distribution,
    drawn: [[f32; LANES]; CHUNK / LANES],
    bits: [[u32; LANES]; CHUNK / LANES],
}

impl Displacements {
    pub fn new(stream: Stream, range: f32, distribution: Distribution) -> Self {
        Self {
            stream,
            range,
            distribution,
            drawn: [[0.0; LANES]; CHUNK / LANES],
            bits: [[0; LANES]; CHUNK / LANES],
        }
    }

    #[inline(always)]
    fn numbers(&self, row: u64) -> Lanes {
        self.stream.lanes(row, Jump::over(0))
    }

    /// Draw the next `count` displacements of the row whose numbers are `numbers`.
    #[inline(always)]
    fn draw(&mut self, numbers: &mut Lanes, count: usize) -> &[f32] {
        // Whole blocks are drawn, so only the last chunk of a row may leave numbers over.
        let blocks = &mut self.drawn[..count.div_ceil(LANES)];
        let range = self.range;
        // The branch is taken once a chunk, not once a point.
        match self.distribution {
            Distribution::Uniform => {
                numbers.fill(blocks, |bits| range * uniform(bits));
            }
            // The Gaussian is too long for the loop that advances the lanes, so bits are drawn first.
            Distribution::Gaussian => {
                let all_bits = &mut self.bits[..blocks.len()];
                numbers.fill(all_bits, |bits| bits);
                let points = blocks.as_flattened_mut().iter_mut();
                for (out, bits) in points.zip(all_bits.as_flattened()) {
                    *out = range * (gaussian_in_loop(*bits) * GAUSSIAN_UNIT);
                }
            }
        }
        &blocks.as_flattened()[..count]
    }

    /// Displacement of a single point.
    pub fn at(&self, row: u64, column: Jump) -> f32 {
        let bits = self.stream.number(row, column);
        self.range * variate(self.distribution, bits)
    }
}

/// Chunks of a row, each as its first column and its number of columns.
#[inline(always)]
fn chunks(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..columns).step_by(CHUNK);
    starts.map(move |first| (first, CHUNK.min(columns - first)))
}

// The loops below are plain functions that are always inlined: a closure around them would be compiled
// for the baseline, and a slice that is not cut to `count` would keep its bounds checks. Either costs more
// than half of the speed.

/// Diamond step: compute the centres of the squares between the lattice rows `north` and `south`.
#[inline(always)]
fn centre_row(
    [north, south]: [&[f32]; 2],
    displacements: &mut Displacements,
    row: u64,
    centres: &mut [f32],
) {
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(centres.len()) {
        let displacements = displacements.draw(&mut numbers, count);
        let centres = &mut centres[first..][..count];
        let (north_west, north_east) = (&north[first..][..count], &north[first + 1..][..count]);
        let (south_west, south_east) = (&south[first..][..count], &south[first + 1..][..count]);
        for column in 0..count {
            let sum = (north_west[column] + north_east[column])
                + (south_west[column] + south_east[column]);
            centres[column] = sum * 0.25 + displacements[column];
        }
    }
}

/// Square step, even rows: write a lattice row and the midpoints of its west-east edges, which lie between
/// two rows of centres.
#[inline(always)]
fn west_east_row(
    [lattice, above, below]: [&[f32]; 3],
    displacements: &mut Displacements,
    row: u64,
    fine: &mut [f32],
) {
    let cells = lattice.len() - 1;
    let (pairs, last) = fine.as_chunks_mut::<2>();
    last[0] = lattice[cells];
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(cells) {
        let displacements = displacements.draw(&mut numbers, count);
        let pairs = &mut pairs[first..][..count];
        let (west, east) = (&lattice[first..][..count], &lattice[first + 1..][..count]);
        let (north, south) = (&above[first..][..count], &below[first..][..count]);
        for column in 0..count {
            let sum = (north[column] + south[column]) + (west[column] + east[column]);
            pairs[column] = [west[column], sum * 0.25 + displacements[column]];
        }
    }
}

/// Square step, even rows at a free border, which has centres on one side only.
#[inline(always)]
fn border_row(
    [lattice, inner]: [&[f32]; 2],
    displacements: &mut Displacements,
    row: u64,
    fine: &mut [f32],
) {
    let cells = lattice.len() - 1;
    let (pairs, last) = fine.as_chunks_mut::<2>();
    last[0] = lattice[cells];
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(cells) {
        let displacements = displacements.draw(&mut numbers, count);
        let pairs = &mut pairs[first..][..count];
        let (west, east) = (&lattice[first..][..count], &lattice[first + 1..][..count]);
        let inner = &inner[first..][..count];
        for column in 0..count {
            let sum = (west[column] + east[column]) + inner[column];
            pairs[column] = [west[column], sum / 3.0 + displacements[column]];
        }
    }
}

/// Square step, odd rows: write the midpoints of the north-south edges between two lattice rows, and the
/// centres between them. `centres` starts with the one beyond the western border. The last column is not
/// written.
#[inline(always)]
fn north_south_row(
    [north, south, centres]: [&[f32]; 3],
    displacements: &mut Displacements,
    row: u64,
    fine: &mut [f32],
) {
    let (pairs, _) = fine.as_chunks_mut::<2>();
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(north.len() - 1) {
        let displacements = displacements.draw(&mut numbers, count);
        let pairs = &mut pairs[first..][..count];
        let (north, south) = (&north[first..][..count], &south[first..][..count]);
        let (west, east) = (&centres[first..][..count], &centres[first + 1..][..count]);
        for column in 0..count {
            let sum = (north[column] + south[column]) + (west[column] + east[column]);
            pairs[column] = [sum * 0.25 + displacements[column], east[column]];
        }
    }
}

/// Row kernel: takes the rows of neighbours, the displacements, the row of the random stream that they come
/// from, and the row to write.
type RowLoop<const ROWS: usize> = fn([&[f32]; ROWS], &mut Displacements, u64, &mut [f32]);

/// Row kernels, compiled for one choice of instruction sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    pub centre_row: RowLoop<2>,
    pub west_east_row: RowLoop<3>,
    pub border_row: RowLoop<2>,
    pub north_south_row: RowLoop<3>,
}

/// Compile the row kernels once more, under the attribute given.
macro_rules! kernel {
    ($($dispatch:tt)*) => {{
        $($dispatch)*
        fn centre(rows: [&[f32]; 2], from: &mut Displacements, row: u64, out: &mut [f32]) {
            centre_row(rows, from, row, out);
        }
        $($dispatch)*
        fn west_east(rows: [&[f32]; 3], from: &mut Displacements, row: u64, out: &mut [f32]) {
            west_east_row(rows, from, row, out);
        }
        $($dispatch)*
        fn border(rows: [&[f32]; 2], from: &mut Displacements, row: u64, out: &mut [f32]) {
            border_row(rows, from, row, out);
        }
        $($dispatch)*
        fn north_south(rows: [&[f32]; 3], from: &mut Displacements, row: u64, out: &mut [f32]) {
            north_south_row(rows, from, row, out);
        }
        Kernel {
            centre_row: centre,
            west_east_row: west_east,
            border_row: border,
            north_south_row: north_south,
        }
    }};
}

vectorized! {
    /// Name of the instruction set that the row kernels use on this machine.
    #[must_use]
    pub fn instruction_set() -> &'static str {
        match_target! {
            "x86_64+avx512f+avx512bw+avx512dq+avx512vl" => "AVX-512",
            "x86_64+avx2" => "AVX2",
            "x86_64" => "SSE2",
            "aarch64" => "NEON",
            _ => "baseline",
        }
    }
}

/// Allowed instruction sets of the row kernels. All give the same bits.
///
/// This is hidden because the best one is always right. Tests need the others, and `multiversion` has no
/// switch at run time, so the kernels are compiled once more for each lesser choice.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// Best instruction set of the machine.
    #[default]
    Best,
    /// At most AVX2.
    Avx2,
    /// Instruction set of every processor of the architecture: SSE2 on x86-64, NEON on aarch64.
    Baseline,
}

impl Instructions {
    pub(super) fn kernel(self) -> Kernel {
        match self {
            Self::Best => kernel!(#[multiversion(targets(
                "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
                "x86_64+avx2",
            ))]),
            Self::Avx2 => kernel!(#[multiversion(targets("x86_64+avx2"))]),
            Self::Baseline => kernel!(),
        }
    }
}
