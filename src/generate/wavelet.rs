//! `wavelet`: wavelet synthesis of fractional noise, by random wavelets of every size (Wornell 1993;
//! Flandrin 1992).
//!
//! A map is built by an inverse wavelet transform, level after level. The lattice of level j has
//! 2^j points a side, and each level adds three random details a point: for changes along x, along
//! z and along both. With orthonormal wavelets their variance is ∝ 2^(−(2H+2)·j), which in heights
//! is
//!
//! ```text
//! σ_j = A/5 · 2^(−2H/3) · 2^(−H·j)      for details along x and along z
//! σ_j · 2^(−(H+1)/2)                    for details along both, whose frequency is √2 as high
//! ```
//! The wavelet is Daubechies' least asymmetric one of 16 taps (1993; "symlet 8"): orthogonal, eight
//! vanishing moments. A fine row or column is
//! f(2i + φ) = Σ_t low(2t + φ)·a(i + 4 − t) + high(2t + φ)·d(i + 4 − t), t = 0 … 7, with
//! indices taken round the map, high(k) = (−1)^k·low(15 − k). Shorter wavelets leave visible
//! artefacts: eight taps give walls along the axes, four a pattern like a street map.
//!
//! **Range.** Heights are normal and centred on 0. The mean of their squares over a map is that
//! of all its details, on average Σ σ_j²·(2 + 2^(−H−1)); the first factor of σ_j makes that the
//! standard deviation of diamond-square to within 5 % for H ≥ 0.25. No detail is beyond 5.8 σ_j.
//! **Resolution.** More iterations add details and keep the coarser ones: the map of n is the
//! low-pass half of the map of n + 1. It is the same landscape, but no sample is bit-equal.
//! **Edges.** The map always wraps.
//! **Cost.** A sample takes a random detail and 32 multiplications, and a third more for the
//! coarser levels: about 1 ns.
//! **Known artefacts.** The wavelets sit on a dyadic grid, so the statistics are the same only
//! after moves by whole cells of a level, and slopes favour the axes slightly. The largest
//! wavelets span the whole map.

use serde::{Deserialize, Serialize};

use super::normal::normals;
use super::{Generate, GenerateError, Request};
use crate::generate::rows::{Pyramid, Refine, fill_rows};
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{Param, Params};
use crate::util::rng::{Jump, Lanes, Stage, Stream};

/// Options of `wavelet`, which has none of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WaveletOptions {}

impl Params for WaveletOptions {
    const PARAMS: &'static [Param<Self>] = &[];
}

/// Number of taps of each filter.
pub const TAPS: usize = 16;

/// Taps of the low-pass filter, times √2, so that it keeps constants: the even and the odd taps each
/// sum to 1.
pub const LOW: [f32; TAPS] = [
    2.672_793_4e-3,
    -4.283_943e-4,
    -2.114_568_7e-2,
    5.386_389e-3,
    6.949_046e-2,
    -3.849_352e-2,
    -7.346_251e-2,
    0.515_398_7,
    1.099_106_7,
    0.680_745_36,
    -8.665_361e-2,
    -0.202_648_65,
    1.075_861_1e-2,
    4.482_362_4e-2,
    -7.666_909e-4,
    -4.783_458_5e-3,
];

/// Taps of the high-pass filter: those of the low-pass filter reversed, every other one negated.
pub const HIGH: [f32; TAPS] = {
    let mut high = [0.0; TAPS];
    let mut tap = 0;
    while tap < TAPS {
        let sign = if tap % 2 == 0 { 1.0 } else { -1.0 };
        high[tap] = sign * LOW[TAPS - 1 - tap];
        tap += 1;
    }
    high
};

/// Padding after each row. Rows a power of two apart would all map to the same few lines of the
/// first-level cache.
const STAGGER: usize = 80;

/// Number of coarse values that contribute to a fine one.
const REACH: usize = TAPS / 2;
/// Number of coarse values before the one next to the fine value.
const BEFORE: usize = REACH / 2 - 1;
const AFTER: usize = REACH / 2;

/// Standard deviations σ_j of the details of level `level`, in half tiles: along x or along z, and
/// along both.
#[must_use]
pub fn deviations(height_scale: f32, hurst: f32, level: u32) -> [f32; 2] {
    let hurst = f64::from(hurst);
    let scale = f64::from(height_scale) / 5.0;
    let along = scale * libm::exp2(-hurst * (2.0 / 3.0 + f64::from(level)));
    let both = along * libm::exp2(-(hurst + 1.0) / 2.0);
    [along as f32, both as f32]
}

impl Generate for WaveletOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let level = |level| {
            let stream = Stream::new(surface.seed, Stage::Wavelet, level);
            let deviations = deviations(surface.height_scale, surface.hurst, level);
            (
                Synthesis::new(stream, deviations, 1 << level),
                (1 << level) + 1,
            )
        };
        let flat = |_row: u64, out: &mut [f32]| out.fill(0.0);
        let pyramid = Pyramid::new(flat, Some(1), (0..surface.iterations).map(level));
        let side = (1 << surface.iterations) + 1;
        let mut heights = request.buffer(side * side)?;
        fill_rows(
            &mut heights,
            side,
            request.job,
            || pyramid.clone(),
            Pyramid::write,
        )?;
        Ok(Heightmap::new(side, side, true, heights))
    }
}

/// Inverse transform of one level: doubles the 2^j points a side.
#[derive(Clone, Debug)]
struct Synthesis {
    stream: Stream,
    deviations: [f32; 2],
    cells: usize,
    /// Last rows taken, oldest first, already transformed along x.
    low: [Vec<f32>; REACH],
    /// Same rows for the details along z.
    high: [Vec<f32>; REACH],
    /// Fine row with the odd index, made together with the one before it.
    odd: Vec<f32>,
    odd_is_made: bool,
    /// Row of coefficients, continued periodically at both ends.
    means: Vec<f32>,
    details: Vec<f32>,
}

impl Synthesis {
    fn new(stream: Stream, deviations: [f32; 2], cells: usize) -> Self {
        let fine = || vec![0.0; 2 * cells + STAGGER];
        Self {
            stream,
            deviations,
            cells,
            low: std::array::from_fn(|_| fine()),
            high: std::array::from_fn(|_| fine()),
            odd: fine(),
            odd_is_made: false,
            means: vec![0.0; cells + REACH - 1],
            details: vec![0.0; cells + REACH - 1],
        }
    }

    /// Random details of one kind in one row.
    fn numbers(&self, row: u64, kind: u64) -> Lanes {
        self.stream.lanes(3 * row + kind, Jump::over(0))
    }
}

impl Refine for Synthesis {
    const FIRST: isize = -(BEFORE as isize);
    const LAST: isize = AFTER as isize;

    fn take(&mut self, coarse: &[f32], row: u64) {
        self.odd_is_made = false;
        self.low.rotate_left(1);
        self.high.rotate_left(1);
        let [along, both] = self.deviations;
        let inner = BEFORE..BEFORE + self.cells;
        let [along_x, along_z, along_both] = [0, 1, 2].map(|kind| self.numbers(row, kind));
        self.means[inner.clone()].copy_from_slice(&coarse[..self.cells]);
        draw(along_x, along, &mut self.details[inner.clone()]);
        close(&mut self.means, self.cells);
        close(&mut self.details, self.cells);
        synthesise_row(
            &self.means,
            &self.details,
            &mut self.low[REACH - 1][..2 * self.cells],
        );
        draw(along_z, along, &mut self.means[inner.clone()]);
        draw(along_both, both, &mut self.details[inner]);
        close(&mut self.means, self.cells);
        close(&mut self.details, self.cells);
        synthesise_row(
            &self.means,
            &self.details,
            &mut self.high[REACH - 1][..2 * self.cells],
        );
    }

    fn write(&mut self, row: u64, fine: &mut [f32]) {
        let (last, heights) = fine.split_last_mut().expect("a row has samples");
        // Both rows are made at once, since reading the coarse rows dominates the cost.
        if row.is_multiple_of(2) || !self.odd_is_made {
            synthesise_columns(&self.low, &self.high, heights, &mut self.odd);
            self.odd_is_made = true;
        }
        if !row.is_multiple_of(2) {
            heights.copy_from_slice(&self.odd[..2 * self.cells]);
        }
        *last = heights[0];
    }
}

/// Continue `cells` coefficients, which begin at index `BEFORE`, periodically.
fn close(row: &mut [f32], cells: usize) {
    for index in (0..BEFORE).rev() {
        row[index] = row[index + cells];
    }
    for index in BEFORE + cells..row.len() {
        row[index] = row[index - cells];
    }
}

vectorized! {
    fn draw(mut numbers: Lanes, deviation: f32, out: &mut [f32]) {
        normals(&mut numbers, deviation, out);
    }
}

/// Sum Σ_t filter(2t + phase)·x(last − t), where x are the coefficients at `index` of each row.
#[inline(always)]
fn convolve(filter: &[f32; TAPS], phase: usize, x: &[&[f32]; REACH], index: usize) -> f32 {
    let mut sum = filter[phase] * x[REACH - 1][index];
    for tap in 1..REACH {
        sum += filter[2 * tap + phase] * x[REACH - 1 - tap][index];
    }
    sum
}

vectorized! {
    /// Inverse transform along x: two fine values from each coefficient and its neighbours.
    fn synthesise_row(means: &[f32], details: &[f32], fine: &mut [f32]) {
        let pairs = fine.as_chunks_mut::<2>().0;
        let count = pairs.len();
        let (mut a, mut d) = ([&means[..count]; REACH], [&details[..count]; REACH]);
        for shift in 1..REACH {
            a[shift] = &means[shift..][..count];
            d[shift] = &details[shift..][..count];
        }
        for (column, pair) in pairs.iter_mut().enumerate() {
            *pair = [
                convolve(&LOW, 0, &a, column) + convolve(&HIGH, 0, &d, column),
                convolve(&LOW, 1, &a, column) + convolve(&HIGH, 1, &d, column),
            ];
        }
    }

    /// Inverse transform along z: the two fine rows that the coarse rows determine.
    fn synthesise_columns(
        low: &[Vec<f32>; REACH],
        high: &[Vec<f32>; REACH],
        even: &mut [f32],
        odd: &mut [f32],
    ) {
        let count = even.len();
        let odd = &mut odd[..count];
        let (mut a, mut d) = ([&low[0][..count]; REACH], [&high[0][..count]; REACH]);
        for row in 1..REACH {
            a[row] = &low[row][..count];
            d[row] = &high[row][..count];
        }
        for (column, (even, odd)) in even.iter_mut().zip(odd).enumerate() {
            *even = convolve(&LOW, 0, &a, column) + convolve(&HIGH, 0, &d, column);
            *odd = convolve(&LOW, 1, &a, column) + convolve(&HIGH, 1, &d, column);
        }
    }
}
