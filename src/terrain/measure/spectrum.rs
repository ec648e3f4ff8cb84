//! Radial power spectrum: distribution of the relief over wavelengths.
//!
//! ```text
//! h(x, z) = Σ c(k, l)·e^(2πi(kx + lz))       power of a wave: |c|², in squared half tiles
//!
//! ring i: waves of frequency f = √(k² + l²), 2^((i − ½)/4) < f ≤ 2^((i + ½)/4)
//! ```
//! Frequencies count waves along the longer side. Fractional Brownian motion has power ∝ f^(−(2H+2)), in
//! a profile f^(−(2H+1)). The slope of the log-log plot is fitted to estimate H (Voss 1985; Saupe 1988).
//!
//! **Edges.** A map that wraps is one period and is used unchanged. Any other is weighted by a Hann
//! window, which hides the jump between opposite edges but blurs the lowest two frequencies.
//! **Large maps** are reduced to at most 1025 samples a side by averaging blocks. Taking every k-th
//! sample instead would alias finer detail into the spectrum. The attenuation of each wave by the
//! averaging is known and compensated. Rows and columns that fill no block are left out. In a profile all
//! samples are used.
//! **The fit** covers rings from 3 waves a side up to wavelengths of 8 samples (on a large map, of 8
//! blocks), each weighted by its number of waves. Shorter waves are left out: aliased power of waves
//! beyond the Nyquist frequency bends the plot upwards there. Single maps at n = 9 are within 0.1 of the
//! theoretical slope for Fourier and 0.15 for wrapped diamond-square maps.
//! **Cost.** O(N² log N) at N = 1024, and one more pass over the heights of larger maps; 17 MB.
//! **Exactness.** The bits are the same for any number of threads and any instruction set.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use rustfft::algorithm::{BluesteinsAlgorithm, Radix4};
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection};

use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Number of rings in an octave.
const RINGS: f64 = 4.0;

/// Maximum number of samples a side for the transform.
const MOST: usize = 1025;

/// Lowest frequency of the fit, in waves a side, and its shortest wavelength, in samples.
const LOWEST_FITTED: f64 = 3.0;
const SHORTEST_FITTED: f64 = 8.0;

/// Minimum number of rings for a fit.
const FEWEST_FITTED: usize = 4;

/// Ring of waves with similar frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Frequency in waves along the longer side: the geometric mean.
    pub frequency: f64,
    /// Mean power |c|², in squared half tiles.
    pub power: f64,
    /// Number of waves; a wave and its conjugate count as two.
    pub count: usize,
}

/// Radial power spectrum.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// Rings that hold waves, in ascending order of frequency; none for a map of fewer than three samples
    /// a side.
    pub rings: Vec<Ring>,
    /// Line through ln power against ln frequency; `None` for flat maps, and for maps of fewer than about
    /// 50 samples a side.
    pub line: Option<Line>,
    /// Lowest and highest frequency of the fitted rings.
    pub fitted: (f64, f64),
}

/// Theoretical slope of the spectrum for a Hurst exponent: −(2H+2), or −(2H+1) for a profile.
#[must_use]
pub fn spectral_slope(hurst: f64, is_profile: bool) -> f64 {
    -(2.0 * hurst + if is_profile { 1.0 } else { 2.0 })
}

impl Spectrum {
    /// Hurst exponent from the slope, the inverse of [`spectral_slope`]. It is less precise than that of
    /// [`super::hurst`], and not confined to 0…1.
    #[must_use]
    pub fn hurst(&self, is_profile: bool) -> Option<f64> {
        let line = self.line?;
        Some((spectral_slope(0.0, is_profile) - line.slope) / 2.0)
    }
}

/// Compute the radial power spectrum of a map of any size.
///
/// # Errors
/// The job was cancelled.
pub fn spectrum(map: &Heightmap, job: &Job) -> Result<Spectrum, Cancelled> {
    let samples = Samples::of(map, job)?;
    let longer = samples.rows.max(samples.columns);
    let rings = match longer {
        ..=2 => Vec::new(),
        _ => rings(samples, job)?,
    };
    let highest = longer as f64 / SHORTEST_FITTED;
    let fitted: Vec<_> = rings
        .iter()
        .filter(|ring| (LOWEST_FITTED..=highest).contains(&ring.frequency))
        .collect();
    let points: Vec<_> = fitted
        .iter()
        .map(|ring| (ring.count as f64, ring.frequency.ln(), ring.power.ln()))
        .collect();
    let line = Line::through(&points).filter(|_| points.len() >= FEWEST_FITTED);
    let end = |ring: Option<&&Ring>| ring.map_or(0.0, |ring| ring.frequency);
    let fitted = (end(fitted.first()), end(fitted.last()));
    Ok(Spectrum {
        rings,
        line,
        fitted,
    })
}

/// Input of the transform: windowed samples with mean 0.
struct Samples {
    rows: usize,
    columns: usize,
    /// Rows and columns of map samples that are averaged into one sample.
    block: (usize, usize),
    values: Vec<f64>,
    /// Mean square of the window.
    window: f64,
}

impl Samples {
    fn of(map: &Heightmap, job: &Job) -> Result<Self, Cancelled> {
        // A single column is a profile too; its heights are stored in the same order.
        let (rows, columns) = match map.columns() {
            1 => (1, map.rows()),
            columns => (map.rows(), columns),
        };
        let step = match rows {
            1 => 1,
            _ => rows.max(columns).div_ceil(MOST),
        };
        let own = |samples: usize| samples - usize::from(map.wraps() && samples > 1);
        let block = (step.min(own(rows)), step.min(own(columns)));
        let fits = own(rows).is_multiple_of(block.0) && own(columns).is_multiple_of(block.1);
        let periodic = map.wraps() && fits;
        let count = |samples: usize, block: usize| {
            if periodic {
                own(samples) / block
            } else {
                samples / block
            }
        };
        let mut samples = Self {
            rows: count(rows, block.0),
            columns: count(columns, block.1),
            block,
            values: Vec::new(),
            window: 1.0,
        };
        samples.values = samples.means(map.heights(), columns, job)?;
        let mean = samples.values.iter().sum::<f64>() / samples.values.len() as f64;
        samples.values.iter_mut().for_each(|value| *value -= mean);
        if !periodic {
            samples.apply_window();
        }
        Ok(samples)
    }

    /// Means of all blocks.
    fn means(&self, heights: &[f32], width: usize, job: &Job) -> Result<Vec<f64>, Cancelled> {
        let (down, along) = self.block;
        let area = (down * along) as f64;
        // Makes a flat map exactly 0, whatever its height.
        let origin = f64::from(heights[0]);
        let mut values = vec![0.0; self.rows * self.columns];
        parallel::par_items(values.chunks_mut(self.columns)).for_each_in(job, |row, means| {
            for line in heights[row * down * width..].chunks(width).take(down) {
                for (mean, block) in means.iter_mut().zip(line.chunks_exact(along)) {
                    *mean += block.iter().map(|h| f64::from(*h) - origin).sum::<f64>() / area;
                }
            }
        })?;
        Ok(values)
    }

    fn apply_window(&mut self) {
        let (down, along) = (hann(self.rows), hann(self.columns));
        for (row, down) in self.values.chunks_exact_mut(self.columns).zip(&down) {
            for (value, along) in row.iter_mut().zip(&along) {
                *value *= down * along;
            }
        }
        let mean_square =
            |window: &[f64]| window.iter().map(|w| w * w).sum::<f64>() / window.len() as f64;
        self.window = mean_square(&down) * mean_square(&along);
    }
}

/// Hann window of `count` samples, highest in the middle and never 0; a single sample has weight 1.
fn hann(count: usize) -> Vec<f64> {
    let at = |index: usize| match count {
        1 => 1.0,
        _ => 0.5 - 0.5 * (TAU * (index as f64 + 0.5) / count as f64).cos(),
    };
    (0..count).map(at).collect()
}

/// Columns that a thread transforms together: two cache lines of each row.
const COLUMNS: usize = 8;

/// Fourier transform of a given length. It uses no special instructions, so its bits are the same on
/// every machine. It chooses between two algorithms; a planner would link a dozen, a twentieth of the
/// library.
fn fft_of(length: usize) -> Arc<dyn Fft<f64>> {
    let of_power = |length: usize| Arc::new(Radix4::new(length, FftDirection::Forward));
    if length.is_power_of_two() {
        of_power(length)
    } else {
        let inner = of_power((2 * length - 1).next_power_of_two());
        Arc::new(BluesteinsAlgorithm::new(length, inner))
    }
}

fn rings(samples: Samples, job: &Job) -> Result<Vec<Ring>, Cancelled> {
    let row_fft = fft_of(samples.columns);
    let column_fft = fft_of(samples.rows);
    let waves = transform_rows(&samples, &row_fft, job)?;
    let scale = Scale::of(&samples);
    drop(samples.values);
    let length = distinct(scale.columns);
    let column = Tools::new(|| Transform::new(&column_fft));
    let of_columns = parallel::par_items((0..length).step_by(COLUMNS)).try_map(|_, first| {
        job.check()?;
        let mut sums = scale.empty();
        column.with(|column| {
            for k in (first..length).take(COLUMNS) {
                column.add_column(&waves, k, &scale, &mut sums);
            }
        });
        Ok(sums)
    })?;
    let mut sums = scale.empty();
    for of_column in of_columns {
        for (sum, other) in sums.iter_mut().zip(&of_column) {
            sum.merge(other);
        }
    }
    Ok(sums.iter().filter_map(Sum::ring).collect())
}

/// Number of waves of `count` real samples that are not conjugates of others.
fn distinct(count: usize) -> usize {
    count / 2 + 1
}

/// Transform every row; the distinct waves of a row are stored side by side.
fn transform_rows(
    samples: &Samples,
    fft: &Arc<dyn Fft<f64>>,
    job: &Job,
) -> Result<Vec<Complex<f64>>, Cancelled> {
    let columns = samples.columns;
    let length = distinct(columns);
    let mut waves = vec![Complex::new(0.0, 0.0); samples.rows * length];
    let transform = Tools::new(|| Transform::new(fft));
    let pairs = waves.chunks_mut(2 * length);
    let pairs = parallel::par_items(pairs.zip(samples.values.chunks(2 * columns)));
    pairs.for_each_in(job, |_, (waves, values)| {
        transform.with(|transform| transform.transform_pair(values, waves));
    })?;
    Ok(waves)
}

/// Conversion from wave indices to frequencies, and from coefficients to power.
struct Scale {
    rows: usize,
    columns: usize,
    block: (usize, usize),
    /// Frequency of the longest wave along a column and along a row.
    step: (f64, f64),
    /// Nyquist frequency: half a wave per sample, or per block.
    nyquist: f64,
    /// Factor from squared sums to mean squares.
    power: f64,
}

impl Scale {
    fn of(samples: &Samples) -> Self {
        let (rows, columns, block) = (samples.rows, samples.columns, samples.block);
        let sides = (rows * block.0, columns * block.1);
        let longer = sides.0.max(sides.1) as f64;
        let count = (rows * columns) as f64;
        Self {
            rows,
            columns,
            block,
            step: (longer / sides.0 as f64, longer / sides.1 as f64),
            nyquist: longer / (2 * block.0.max(block.1)) as f64,
            power: 1.0 / (count * count * samples.window),
        }
    }

    fn empty(&self) -> Vec<Sum> {
        let last = (self.nyquist.max(1.0).log2() * RINGS).round() as usize;
        vec![Sum::default(); last + 1]
    }

    /// Fraction of a wave's power that remains after averaging blocks, along one side: a squared
    /// Dirichlet kernel.
    fn left_by_blocks(wave: f64, count: usize, block: usize) -> f64 {
        let phase = PI * wave / (count * block) as f64;
        if block == 1 || wave == 0.0 {
            return 1.0;
        }
        let left = (phase * block as f64).sin() / (block as f64 * phase.sin());
        left * left
    }
}

/// Transform of one column of waves, or of two rows of samples.
struct Transform<'a> {
    fft: &'a Arc<dyn Fft<f64>>,
    waves: Vec<Complex<f64>>,
    scratch: Vec<Complex<f64>>,
}

impl<'a> Transform<'a> {
    fn new(fft: &'a Arc<dyn Fft<f64>>) -> Self {
        let zero = Complex::new(0.0, 0.0);
        Self {
            fft,
            waves: vec![zero; fft.len()],
            scratch: vec![zero; fft.get_inplace_scratch_len()],
        }
    }

    /// Compute the distinct waves of one or two rows of samples.
    ///
    /// Two real rows a and b are transformed as a + ib, whose waves are C(k) = A(k) + iB(k); since
    /// the wave −k of a real row is the conjugate of k, the conjugate of C(−k) is A(k) − iB(k).
    fn transform_pair(&mut self, values: &[f64], out: &mut [Complex<f64>]) {
        let columns = self.waves.len();
        let (first, second) = values.split_at(columns);
        for (column, (wave, value)) in self.waves.iter_mut().zip(first).enumerate() {
            *wave = Complex::new(*value, second.get(column).copied().unwrap_or(0.0));
        }
        self.fft
            .process_with_scratch(&mut self.waves, &mut self.scratch);
        let (first, second) = out.split_at_mut(distinct(columns));
        for (k, wave) in first.iter_mut().enumerate() {
            let mirrored = self.waves[(columns - k) % columns].conj();
            *wave = (self.waves[k] + mirrored) / 2.0;
            if let Some(wave) = second.get_mut(k) {
                let twice = self.waves[k] - mirrored;
                *wave = Complex::new(twice.im, -twice.re) / 2.0;
            }
        }
    }

    /// Add the waves (k, l) of all l, and their conjugates, to their rings.
    fn add_column(&mut self, rows: &[Complex<f64>], k: usize, scale: &Scale, sums: &mut [Sum]) {
        let length = rows.len() / scale.rows;
        for (wave, row) in self.waves.iter_mut().zip(rows.chunks_exact(length)) {
            *wave = row[k];
        }
        self.fft
            .process_with_scratch(&mut self.waves, &mut self.scratch);
        // These columns contain their own conjugates; of all other conjugate pairs only one is stored.
        let alone = k == 0 || 2 * k == scale.columns;
        let left = Scale::left_by_blocks(k as f64, scale.columns, scale.block.1);
        for (l, wave) in self.waves.iter().enumerate() {
            let l = l.min(scale.rows - l) as f64;
            let frequency = (k as f64 * scale.step.1).hypot(l * scale.step.0);
            if frequency == 0.0 || frequency >= scale.nyquist {
                continue;
            }
            let octave = frequency.log2();
            let left = left * Scale::left_by_blocks(l, scale.rows, scale.block.0);
            let power = wave.norm_sqr() * scale.power / left;
            // Rounding may give a ring below 0 in the lowest octave.
            let ring = (octave * RINGS).round().max(0.0) as usize;
            sums[ring].add(octave, power, if alone { 1 } else { 2 });
        }
    }
}

/// Partial sums of a ring.
#[derive(Clone, Copy, Default)]
struct Sum {
    octaves: f64,
    power: f64,
    count: usize,
}

impl Sum {
    fn add(&mut self, octave: f64, power: f64, count: usize) {
        self.octaves += octave * count as f64;
        self.power += power * count as f64;
        self.count += count;
    }

    fn merge(&mut self, other: &Self) {
        self.octaves += other.octaves;
        self.power += other.power;
        self.count += other.count;
    }

    fn ring(&self) -> Option<Ring> {
        let mean = |sum: f64| sum / self.count as f64;
        (self.count > 0).then(|| Ring {
            frequency: mean(self.octaves).exp2(),
            power: mean(self.power),
            count: self.count,
        })
    }
}

// Hurst exponent from quadratic variations (Istas and Lang 1997).

/// Quadratic variation at one lag, a point of the fit of H.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variation {
    /// Distance of the compared samples, in samples.
    pub lag: usize,
    /// Mean square of the second differences at this lag, in squared half tiles.
    pub mean_square: f64,
    /// Number of second differences.
    pub count: usize,
}

/// Quadratic variations for the lags 1, 2, 4 … up to a sixteenth of the shorter side: mean square second
/// differences on the lattice of each lag, along rows and along columns, across the border if the map
/// wraps.
#[must_use]
pub fn variations(map: &Heightmap) -> Vec<Variation> {
    let cells = if map.is_profile() {
        map.columns() - 1
    } else {
        map.rows().min(map.columns()) - 1
    };
    std::iter::successors(Some(1), |lag| Some(lag * 2))
        .take_while(|lag| lag * 16 <= cells)
        .map(|lag| variation(map, lag))
        .collect()
}

fn variation(map: &Heightmap, lag: usize) -> Variation {
    // On the lattice, the last row of a wrapped map repeats the first, so it is left out.
    let lattice = |samples: usize| (samples - 1) / lag + usize::from(!map.wraps());
    let (rows, columns) = (lattice(map.rows()).max(1), lattice(map.columns()));
    let row = |index: usize| map.row(index % rows * lag);
    // If the map wraps, all lattice points are centres of second differences, else all but those on the
    // border.
    let margin = usize::from(!map.wraps());
    let square = |before: f32, at: f32, after: f32| {
        let second = f64::from(before) - 2.0 * f64::from(at) + f64::from(after);
        second * second
    };
    let along_row = |line: &[f32]| -> f64 {
        let at = |column: usize| line[column % columns * lag];
        (margin..columns - margin)
            .map(|c| square(at(c + columns - 1), at(c), at(c + 1)))
            .sum()
    };
    let across_rows = |index: usize| -> f64 {
        let (north, here, south) = (row(index + rows - 1), row(index), row(index + 1));
        (0..columns)
            .map(|c| square(north[c * lag], here[c * lag], south[c * lag]))
            .sum()
    };
    let of_rows = parallel::par_items(0..rows).map(|_, index| {
        let inside = rows > 1 && (margin..rows - margin).contains(&index);
        along_row(row(index)) + if inside { across_rows(index) } else { 0.0 }
    });
    let count_across = if rows > 1 {
        (rows - 2 * margin) * columns
    } else {
        0
    };
    let count = rows * (columns - 2 * margin) + count_across;
    Variation {
        lag,
        mean_square: of_rows.iter().sum::<f64>() / count as f64,
        count,
    }
}

/// Hurst exponent: half the slope of the [`variation_line`]. `None` for fewer than two lags or a flat map.
#[must_use]
pub fn hurst(variations: &[Variation]) -> Option<f64> {
    variation_line(variations).map(|line| line.slope / 2.0)
}

/// Line through log mean square against log lag, with slope 2H. `None` for fewer than two lags or a flat
/// map.
///
/// Each lag is weighted by its number of differences, since the variance of a log mean square falls with
/// that number. Without weights the few coarse differences would spoil the fit: at n = 8 single maps
/// would be off by up to 0.03, with weights by less than 0.02.
#[must_use]
pub fn variation_line(variations: &[Variation]) -> Option<Line> {
    if variations.len() < 2 || variations.iter().any(|v| v.mean_square <= 0.0) {
        return None;
    }
    let point = |v: &Variation| (v.count as f64, (v.lag as f64).ln(), v.mean_square.ln());
    Line::through(&variations.iter().map(point).collect::<Vec<_>>())
}

// Deterministic parallel sums: a map is always cut into the same bands of rows, so that no result
// depends on the number of threads.

/// Approximate number of samples in a band.
const SAMPLES: usize = 1 << 14;

/// Number of rows in a band of a map with `columns` columns.
pub fn rows(columns: usize) -> usize {
    (SAMPLES / columns.max(1)).max(1)
}

/// Number of samples in a band of whole rows with `columns` samples each.
pub fn samples(columns: usize) -> usize {
    rows(columns) * columns.max(1)
}

/// Sum of `of` over all heights with data, always added in the same order.
pub fn sum_data(map: &Heightmap, of: impl Fn(f32) -> f64 + Sync) -> f64 {
    let Some(valid) = map.valid() else {
        return sum_rows(map, |row| row.iter().map(|height| of(*height)).sum());
    };
    let rows = parallel::par_items(0..map.rows()).at_least(16);
    let of_row = |_, row| valid.data(row, map.row(row)).map(&of).sum::<f64>();
    rows.map(of_row).iter().sum()
}

/// Sum of `of` over all rows, always added in the same order.
pub fn sum_rows(map: &Heightmap, of: impl Fn(&[f32]) -> f64 + Sync) -> f64 {
    let rows = parallel::par_items(map.heights().chunks(map.columns())).at_least(16);
    rows.map(|_, row| of(row)).iter().sum()
}

// Weighted least-squares line, for slopes in log-log plots.

/// Line with a slope through (x, y). In a log-log plot the coordinates are natural logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Slope: change of y when x grows by 1.
    pub slope: f64,
    /// Weighted mean of the points' x.
    pub x: f64,
    /// Weighted mean of the points' y, the value of the line at `x`.
    pub y: f64,
}

impl Line {
    /// Weighted least-squares line through points (weight, x, y); `None` if there are fewer than two
    /// different x, or if a number is not finite.
    #[must_use]
    pub fn through(points: &[(f64, f64, f64)]) -> Option<Self> {
        let total: f64 = points.iter().map(|(weight, ..)| weight).sum();
        let points = points.iter().map(|(weight, x, y)| (weight / total, *x, *y));
        let mean_x: f64 = points.clone().map(|(weight, x, _)| weight * x).sum();
        let mean_y: f64 = points.clone().map(|(weight, _, y)| weight * y).sum();
        let (covariance, variance) =
            points.fold((0.0, 0.0), |(covariance, variance), (w, x, y)| {
                let (x, y) = (x - mean_x, y - mean_y);
                (covariance + w * x * y, variance + w * x * x)
            });
        let line = Self {
            slope: covariance / variance,
            x: mean_x,
            y: mean_y,
        };
        line.slope.is_finite().then_some(line)
    }

    /// Value of the line at `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.y + self.slope * (x - self.x)
    }

    /// Line with another slope through the mean of the points.
    #[must_use]
    pub fn with_slope(self, slope: f64) -> Self {
        Self { slope, ..self }
    }
}
