//! The inner loops of the row pipeline: one row each, plain slices, compiled for several
//! instruction sets and chosen at run time.
//!
//! The loops add in the order of [`scalar`](super::scalar), and no instruction set rounds
//! differently, so all of them give the same bits.

use multiversion::{multiversion, target::match_target};

use crate::generate::diamond_square::Distribution;
use crate::rng::{LANES, Lanes, gaussian, uniform};

use super::GAUSSIAN_UNIT;

/// Columns worked on at once: their displacements stay in the first-level cache.
const CHUNK: usize = 512;

/// The displacements of one row, first column first.
#[derive(Clone, Debug)]
pub(super) struct Displacements {
    pub numbers: Lanes,
    pub range: f32,
    pub distribution: Distribution,
}

/// Room for the displacements of one chunk.
type Buffer = [[f32; LANES]; CHUNK / LANES];

const BUFFER: Buffer = [[0.0; LANES]; CHUNK / LANES];

impl Displacements {
    /// The next `count` displacements, of which only a row's last chunk may have fewer than
    /// [`CHUNK`].
    #[inline(always)]
    fn next<'a>(&mut self, count: usize, buffer: &'a mut Buffer) -> &'a [f32] {
        let blocks = &mut buffer[..count.div_ceil(LANES)];
        let range = self.range;
        match self.distribution {
            Distribution::Uniform => self.numbers.fill(blocks, |bits| range * uniform(bits)),
            Distribution::Gaussian => self
                .numbers
                .fill(blocks, |bits| range * (gaussian(bits) * GAUSSIAN_UNIT)),
        }
        &blocks.as_flattened()[..count]
    }
}

/// The chunks of a row: first column and number of columns.
#[inline(always)]
fn chunks(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..columns).step_by(CHUNK);
    starts.map(move |first| (first, CHUNK.min(columns - first)))
}

// The loops below stand in plain functions that are always inlined: a closure around them would
// be compiled for the baseline, and a slice that is not cut to `count` would keep its bounds
// checks. Either costs more than half of the speed.

/// Diamond step: the centres of the squares between the lattice rows `north` and `south`.
#[inline(always)]
fn centre_row(north: &[f32], south: &[f32], mut numbers: Displacements, centres: &mut [f32]) {
    let mut buffer = BUFFER;
    for (first, count) in chunks(centres.len()) {
        let displacements = numbers.next(count, &mut buffer);
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

/// Square step, even rows: a lattice row and the middles of its west-east edges, which lie
/// between two rows of centres.
#[inline(always)]
fn west_east_row(
    lattice: &[f32],
    [above, below]: [&[f32]; 2],
    mut numbers: Displacements,
    fine: &mut [f32],
) {
    let cells = lattice.len() - 1;
    let (pairs, last) = fine.as_chunks_mut::<2>();
    last[0] = lattice[cells];
    let mut buffer = BUFFER;
    for (first, count) in chunks(cells) {
        let displacements = numbers.next(count, &mut buffer);
        let pairs = &mut pairs[first..][..count];
        let (west, east) = (&lattice[first..][..count], &lattice[first + 1..][..count]);
        let (north, south) = (&above[first..][..count], &below[first..][..count]);
        for column in 0..count {
            let sum = (north[column] + south[column]) + (west[column] + east[column]);
            pairs[column] = [west[column], sum * 0.25 + displacements[column]];
        }
    }
}

/// The same at a free border, which has centres on one side only.
#[inline(always)]
fn border_row(lattice: &[f32], inner: &[f32], mut numbers: Displacements, fine: &mut [f32]) {
    let cells = lattice.len() - 1;
    let (pairs, last) = fine.as_chunks_mut::<2>();
    last[0] = lattice[cells];
    let mut buffer = BUFFER;
    for (first, count) in chunks(cells) {
        let displacements = numbers.next(count, &mut buffer);
        let pairs = &mut pairs[first..][..count];
        let (west, east) = (&lattice[first..][..count], &lattice[first + 1..][..count]);
        let inner = &inner[first..][..count];
        for column in 0..count {
            let sum = (west[column] + east[column]) + inner[column];
            pairs[column] = [west[column], sum / 3.0 + displacements[column]];
        }
    }
}

/// Square step, odd rows: the middles of the north-south edges between two lattice rows, and
/// the centres between them. `centres` starts with the one beyond the western border. The last
/// column is not written.
#[inline(always)]
fn north_south_row(
    north: &[f32],
    south: &[f32],
    centres: &[f32],
    mut numbers: Displacements,
    fine: &mut [f32],
) {
    let (pairs, _) = fine.as_chunks_mut::<2>();
    let mut buffer = BUFFER;
    for (first, count) in chunks(north.len() - 1) {
        let displacements = numbers.next(count, &mut buffer);
        let pairs = &mut pairs[first..][..count];
        let (north, south) = (&north[first..][..count], &south[first..][..count]);
        let (west, east) = (&centres[first..][..count], &centres[first + 1..][..count]);
        for column in 0..count {
            let sum = (north[column] + south[column]) + (west[column] + east[column]);
            pairs[column] = [sum * 0.25 + displacements[column], east[column]];
        }
    }
}

/// The row loops, compiled for one choice of instruction sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel {
    pub centre_row: fn(&[f32], &[f32], Displacements, &mut [f32]),
    pub west_east_row: fn(&[f32], [&[f32]; 2], Displacements, &mut [f32]),
    pub border_row: fn(&[f32], &[f32], Displacements, &mut [f32]),
    pub north_south_row: fn(&[f32], &[f32], &[f32], Displacements, &mut [f32]),
}

/// Compiles the row loops under `$dispatch`, an attribute.
macro_rules! kernel {
    ($(#[$dispatch:meta])?) => {{
        $(#[$dispatch])?
        fn centre(north: &[f32], south: &[f32], displacements: Displacements, out: &mut [f32]) {
            centre_row(north, south, displacements, out);
        }
        $(#[$dispatch])?
        fn west_east(row: &[f32], centres: [&[f32]; 2], displacements: Displacements, out: &mut [f32]) {
            west_east_row(row, centres, displacements, out);
        }
        $(#[$dispatch])?
        fn border(row: &[f32], inner: &[f32], displacements: Displacements, out: &mut [f32]) {
            border_row(row, inner, displacements, out);
        }
        $(#[$dispatch])?
        fn north_south(
            north: &[f32],
            south: &[f32],
            centres: &[f32],
            displacements: Displacements,
            out: &mut [f32],
        ) {
            north_south_row(north, south, centres, displacements, out);
        }
        Kernel {
            centre_row: centre,
            west_east_row: west_east,
            border_row: border,
            north_south_row: north_south,
        }
    }};
}

/// The instruction set that the row loops use on this machine.
#[must_use]
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
pub fn instruction_set() -> &'static str {
    match_target! {
        "x86_64+avx512f+avx512bw+avx512dq+avx512vl" => "AVX-512",
        "x86_64+avx2" => "AVX2",
        "x86_64" => "SSE2",
        "aarch64" => "NEON",
        _ => "baseline",
    }
}

/// Which instruction sets the row loops may use. All give the same bits.
///
/// Hidden: the best is always right, but a test must be able to ask for the others, and
/// `multiversion` has no switch. So the loops are compiled once more for each lesser choice.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// The best that the machine has.
    #[default]
    Best,
    /// At most AVX2.
    Avx2,
    /// What every processor of the architecture has: SSE2 on x86-64, NEON on aarch64.
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
