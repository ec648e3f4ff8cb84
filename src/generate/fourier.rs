//! `fourier`: spectral synthesis (Voss 1985; Saupe 1988).
//!
//! The map is a sum of waves of every length and direction, with random phases and normal
//! amplitudes whose mean power falls with the frequency as that of fractional Brownian motion:
//!
//! ```text
//! h(x, z) = Σ c(k, l)·e^(2πi(kx + lz)/N)     |k|, |l| < N/2, c(−k, −l) = conj c(k, l), c(0, 0) = 0
//!
//! c = C·f^(−H−1)·(X + iY)/√2                 f² = k² + l², X and Y standard normal
//! C = 0.15·A·2^(−2H/3)                      so mean |c|² = C²·f^(−2H−2)
//! ```
//! An inverse FFT sums the waves: along z while the spectrum is filled, then along x into the map.
//!
//! **Range.** Heights are normal and centred on 0 exactly; their mean square is on average
//! C²·Σ f^(−2H−2), and C makes that the variance of diamond-square to within 5 % of the standard
//! deviation for H ≥ 0.25. Hardly any height is beyond five standard deviations.
//! **Resolution.** The random coefficient of a wave depends on (k, l), so more iterations keep every
//! wave and add shorter ones. The landscape is the same, but no sample is bit-equal. A map of one
//! iteration can show none of the waves and is flat.
//! **Edges.** The map always wraps.
//! **Exactness.** The spectrum is the same on every machine, bit for bit. The FFT is not: its
//! rounding depends on the instruction set, so machines differ by about 10⁻⁶ of the standard
//! deviation. On one machine the map has the same bits for any number of threads.
//! **Cost.** O(N² log N), about 3 ns a sample. It takes as much memory again as the map.
//! **Known artefacts.** Waves span the map, so nothing is local: no valley differs in kind from
//! any other. The spectrum fills a square, so the finest detail along diagonals is √2 finer than
//! along the axes. Measured H reads high, since a sample holds no wave shorter than two samples.

pub use realfft::num_complex::Complex;
use realfft::{ComplexToReal, RealFftPlanner};
use rustfft::{Fft, FftPlanner};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::normal::{direction, exp2, ln, radius};
use super::{Generate, GenerateError, Request};
use crate::generate::rows::Progress;
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};
use crate::util::param::{Param, Params};
use crate::util::rng::{Jump, LANES, Lanes, Stage, Stream};

/// Options of `fourier`, which has none of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FourierOptions {}

impl Params for FourierOptions {
    const PARAMS: &'static [Param<Self>] = &[];
}

impl Generate for FourierOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let spectrum = Spectrum::new(surface.seed, surface.hurst, surface.height_scale);
        let cells = 1usize << surface.iterations;
        let mut heights = request.buffer((cells + 1) * (cells + 1))?;
        let fill = |k, waves: &mut [Complex<f32>]| spectrum.fill(k, waves);
        sum_waves(cells, fill, &mut heights, request.job)?;
        Ok(Heightmap::new(cells + 1, cells + 1, true, heights))
    }
}

/// Random spectrum: the coefficients of all waves.
#[derive(Clone, Debug)]
pub struct Spectrum {
    seed: u64,
    /// Factor C/√2.
    scale: f32,
    /// Exponent in f^(−H−1) = 2^(exponent · ln f²).
    exponent: f32,
}

impl Spectrum {
    /// Create a spectrum of mean power C²·f^(−2H−2), for a height scale in half tiles.
    #[must_use]
    pub fn new(seed: u64, hurst: f32, height_scale: f32) -> Self {
        let hurst = f64::from(hurst);
        let scale = 0.15 * f64::from(height_scale) * libm::exp2(-hurst * 2.0 / 3.0);
        Self {
            seed,
            scale: (scale * std::f64::consts::FRAC_1_SQRT_2) as f32,
            exponent: (-(hurst + 1.0) / 2.0 * std::f64::consts::LOG2_E) as f32,
        }
    }

    /// Fill `waves` with the coefficients of the waves (k, l) for l = 0, 1 … N/2 − 1, then 0 for N/2, then
    /// those for l = −N/2 + 1 … −1, where N is the length of `waves`.
    pub fn fill(&self, k: usize, waves: &mut [Complex<f32>]) {
        let half = waves.len() / 2;
        let zero = Complex::new(0.0, 0.0);
        if half == k {
            return waves.fill(zero);
        }
        let (south, north) = waves.split_at_mut(half);
        self.fill_half(k, 0, south);
        if k == 0 {
            south[0] = zero;
            for (l, wave) in north.iter_mut().rev().enumerate().take(half - 1) {
                *wave = south[l + 1].conj();
            }
        } else {
            self.fill_half(k, 1, north);
            // north[l] is the wave (k, −l): reversing the order puts it in place, after l = N/2.
            north[1..].reverse();
        }
        north[0] = zero;
    }

    /// Fill `waves` with the waves (k, l) if `side` is 0, with (k, −l) if it is 1.
    fn fill_half(&self, k: usize, side: u32, waves: &mut [Complex<f32>]) {
        let numbers = |pass| {
            let stream = Stream::new(self.seed, Stage::Fourier, pass);
            stream.lanes(k as u64, Jump::over(0))
        };
        let [radii, angles] = [numbers(2 * side), numbers(2 * side + 1)];
        fill_waves(k, radii, angles, self.scale, self.exponent, waves);
    }
}

/// Number of waves processed at once: their random numbers stay in the first-level cache.
const CHUNK: usize = 256;

vectorized! {
    fn fill_waves(
        k: usize,
        mut radii: Lanes,
        mut angles: Lanes,
        scale: f32,
        exponent: f32,
        waves: &mut [Complex<f32>],
    ) {
        let mut bits = [[[0u32; LANES]; CHUNK / LANES]; 2];
        let k_square = (k * k) as f32;
        for (chunk, waves) in waves.chunks_mut(CHUNK).enumerate() {
            let blocks = waves.len().div_ceil(LANES);
            radii.fill(&mut bits[0][..blocks], |number| number);
            angles.fill(&mut bits[1][..blocks], |number| number);
            let count = waves.len();
            let radius_bits = &bits[0].as_flattened()[..count];
            let angle_bits = &bits[1].as_flattened()[..count];
            let first = (chunk * CHUNK) as f32;
            for index in 0..count {
                let l = first + index as f32;
                // The wave (0, 0) is dropped later; 1 only avoids the logarithm of 0.
                let f_square = k_square + l * l + if k == 0 && l == 0.0 { 1.0 } else { 0.0 };
                let falloff = exp2(exponent * ln(f_square));
                let amplitude = scale * falloff * radius(radius_bits[index]);
                let (x, y) = direction(angle_bits[index]);
                waves[index] = Complex::new(amplitude * x, amplitude * y);
            }
        }
    }
}

/// Number of rows that are gathered and transformed together: one or two cache lines of each column.
const BLOCK_ROWS: usize = 16;

/// Fill `heights`, a wrapped map of (cells + 1)², with the inverse FFT of a spectrum. `fill` gives the
/// coefficients for k = 0, 1 … cells/2 − 1 and l as in [`Spectrum::fill`]; their conjugates are added.
/// For k = 0 the coefficients must be conjugate-symmetric: c(0, −l) = conj c(0, l).
///
/// # Errors
/// The job was cancelled, or there is no memory for the spectrum.
///
/// # Panics
/// `cells` is odd or less than 2, or the number of heights is not (cells + 1)².
pub fn sum_waves(
    cells: usize,
    fill: impl Fn(usize, &mut [Complex<f32>]) + Send + Sync,
    heights: &mut [f32],
    job: &Job,
) -> Result<(), GenerateError> {
    assert!(cells >= 2 && cells.is_multiple_of(2), "{cells} cells");
    assert_eq!(heights.len(), (cells + 1) * (cells + 1));
    let numbers = cells * cells;
    let mut columns = Heights::zeros(numbers).ok_or(GenerateError::OutOfMemory {
        bytes: numbers as u64 * 4,
    })?;
    let progress = Progress::new(job, 2 * cells as u64);
    let column_fft = FftPlanner::new().plan_fft_inverse(cells);
    let transforms = Tools::new(|| Column::new(&column_fft));
    parallel::par_items(columns.chunks_mut(2 * cells)).try_each(|k, out| {
        progress.advance(2)?;
        transforms.with(|column| column.transform(|waves| fill(k, waves), out));
        Ok::<_, Cancelled>(())
    })?;
    let row_fft = RealFftPlanner::new().plan_fft_inverse(cells);
    let (rows, last) = heights.split_at_mut(cells * (cells + 1));
    let transforms = Tools::new(|| Rows::new(&row_fft));
    parallel::par_items(rows.chunks_mut(BLOCK_ROWS * (cells + 1))).try_each(|block, out| {
        progress.advance(BLOCK_ROWS as u64)?;
        transforms.with(|rows| rows.transform(&columns, block * BLOCK_ROWS, out));
        Ok::<_, Cancelled>(())
    })?;
    last.copy_from_slice(&rows[..cells + 1]);
    progress.finish();
    Ok(())
}

/// FFT along z of the waves of one k.
struct Column<'a> {
    fft: &'a Arc<dyn Fft<f32>>,
    waves: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
}

impl<'a> Column<'a> {
    fn new(fft: &'a Arc<dyn Fft<f32>>) -> Self {
        let zero = Complex::new(0.0, 0.0);
        Self {
            fft,
            waves: vec![zero; fft.len()],
            scratch: vec![zero; fft.get_inplace_scratch_len()],
        }
    }

    /// Transform the waves that `fill` gives; real and imaginary parts alternate in `out`.
    fn transform(&mut self, fill: impl Fn(&mut [Complex<f32>]), out: &mut [f32]) {
        fill(&mut self.waves);
        self.fft
            .process_with_scratch(&mut self.waves, &mut self.scratch);
        for (out, wave) in out.as_chunks_mut::<2>().0.iter_mut().zip(&self.waves) {
            *out = [wave.re, wave.im];
        }
    }
}

/// FFT along x of a block of rows.
struct Rows<'a> {
    fft: &'a Arc<dyn ComplexToReal<f32>>,
    waves: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
}

impl<'a> Rows<'a> {
    fn new(fft: &'a Arc<dyn ComplexToReal<f32>>) -> Self {
        let zero = Complex::new(0.0, 0.0);
        Self {
            fft,
            waves: vec![zero; BLOCK_ROWS * fft.complex_len()],
            scratch: fft.make_scratch_vec(),
        }
    }

    /// Write the rows from `first_row` on, as many as fit into `out`.
    fn transform(&mut self, columns: &[f32], first_row: usize, out: &mut [f32]) {
        let cells = self.fft.len();
        let count = out.len() / (cells + 1);
        let length = self.fft.complex_len();
        // The first transform left its results column by column, so they are transposed here.
        for (k, column) in columns.chunks_exact(2 * cells).enumerate() {
            let values = column[2 * first_row..][..2 * count].as_chunks::<2>().0;
            for (row, [re, im]) in values.iter().enumerate() {
                self.waves[row * length + k] = Complex::new(*re, *im);
            }
        }
        let rows = self.waves.chunks_exact_mut(length);
        for (waves, out) in rows.zip(out.chunks_exact_mut(cells + 1)) {
            // Both end coefficients are real; the imaginary part left by the first transform is rounding.
            waves[0].im = 0.0;
            waves[length - 1] = Complex::new(0.0, 0.0);
            let (last, heights) = out.split_last_mut().expect("a row has samples");
            self.fft
                .process_with_scratch(waves, heights, &mut self.scratch)
                .expect("lengths fit and the ends are real");
            *last = heights[0];
        }
    }
}
