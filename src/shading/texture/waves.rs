//! Ocean wave texture by an inverse FFT of a wave spectrum (Tessendorf 2001); it tiles.
//!
//! It is a sum of sine waves of all lengths and directions. Their height falls with the square of the wave
//! number, so that every octave is as steep as the next (Phillips 1958); waves across the wind are lower.
//! The phase of each advances by the dispersion relation of deep water (w² = g k), so that another time
//! shows the same sea a little later.
//!
//! Besides slopes a texel has the square of its slope. The mean of this over many texels, less the square
//! of the mean slope, is the variance that gives the roughness of a distant sea, where single waves are too
//! small to be resolved (Olano and Baker 2010, "LEAN mapping").

use crate::generate::GenerateError;
use crate::generate::fourier::{Complex, Spectrum, sum_waves};
use crate::terrain::grid::Grid;
use crate::util::job::Job;
use crate::util::parallel;

/// Number of texels along each side.
pub const SIDE: usize = 256;
/// Length of the longest waves, as a fraction of the side.
pub const LONGEST: f32 = 1.0 / 5.0;
/// Ripples are so much smaller than waves, and the finest than them.
pub const FINER: f32 = 7.3;
/// Largest slope that a texel can hold, in multiples of the standard deviation.
pub const SLOPES: f32 = 3.0;
/// Largest squared slope that a texel can hold, in units of [`SLOPES`]².
pub const SLOPES_SQUARE: f32 = 2.0;
/// Direction in which the wind blows, as for the clouds.
pub(crate) const WIND: [f32; 2] = [0.94, 0.34];
const SEED: u64 = 0x7761_7665_7321;
const GRAVITY: f32 = 9.81;

/// Waves of all lengths and directions, for textures of them at any time. The spectrum does not change with time, so
/// a film computes it once.
#[derive(Clone, Debug)]
pub struct Waves {
    /// Coefficients at the time 0: a row of [`SIDE`] for each k.
    still: Vec<Complex<f32>>,
    /// Angular frequencies.
    speeds: Vec<f32>,
}

impl Waves {
    /// Create waves of which the longest have `longest_m` metres. It takes about 2 ms.
    #[must_use]
    pub fn new(longest_m: f32) -> Self {
        let side_m = longest_m / LONGEST;
        let spectrum = Spectrum::new(SEED, 1.0, 1.0);
        let mut still = vec![Complex::new(0.0, 0.0); SIDE / 2 * SIDE];
        let mut speeds = vec![0.0; still.len()];
        let rows = still
            .chunks_exact_mut(SIDE)
            .zip(speeds.chunks_exact_mut(SIDE));
        parallel::par_items(rows).for_each(|k, (still, speeds)| {
            spectrum.fill(k, still);
            for (index, (wave, its_speed)) in still.iter_mut().zip(speeds).enumerate() {
                let (k, l) = (k as f32, along(index));
                *wave *= wind(k, l);
                *its_speed = speed(k.hypot(l), side_m);
            }
        });
        Self { still, speeds }
    }

    /// Create the texture at a time in seconds; [`SIDE`] × [`SIDE`], row 0 is north. A texel holds the slopes
    /// eastwards and southwards in units of [`SLOPES`] standard deviations and the height in units of 2.5,
    /// each with 128 as 0 and 1…255 as −1…1; and the squared slope, with 0…255 as 0…[`SLOPES_SQUARE`]. It
    /// takes about 2 ms.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn texture(&self, seconds: f32, job: &Job) -> Result<Grid<[u8; 4]>, GenerateError> {
        let waves = self.at(seconds);
        let sum = |part: fn(Complex<f32>, f32, f32) -> Complex<f32>| {
            let fill = |k: usize, out: &mut [Complex<f32>]| {
                let row = &waves[k * SIDE..][..SIDE];
                for (index, (out, wave)) in out.iter_mut().zip(row).enumerate() {
                    *out = part(*wave, k as f32, along(index));
                }
            };
            let mut map = vec![0.0; (SIDE + 1) * (SIDE + 1)];
            sum_waves(SIDE, fill, &mut map, job)?;
            Ok::<_, GenerateError>(map)
        };
        let height = sum(|wave, _, _| wave)?;
        let east = sum(|wave, k, _| wave * Complex::new(0.0, k))?;
        let south = sum(|wave, _, l| wave * Complex::new(0.0, l))?;
        let slope = deviation(east.iter().chain(&south)) * SLOPES;
        let high = deviation(height.iter()) * 2.5;
        let places = (0..SIDE).flat_map(|row| (0..SIDE).map(move |i| row * (SIDE + 1) + i));
        let texels = places.map(|at| {
            let (x, z) = (east[at] / slope, south[at] / slope);
            let square = (x * x + z * z) / SLOPES_SQUARE;
            [
                byte(x),
                byte(z),
                byte(height[at] / high),
                (square.min(1.0) * 255.0 + 0.5) as u8,
            ]
        });
        Ok(Grid::from_vec(SIDE, SIDE, texels.collect()).expect("one texel a place"))
    }

    /// Coefficients after `seconds`.
    fn at(&self, seconds: f32) -> Vec<Complex<f32>> {
        let mut waves = self.still.clone();
        let rows = waves
            .chunks_exact_mut(SIDE)
            .zip(self.speeds.chunks_exact(SIDE));
        parallel::par_items(rows).for_each(|k, (waves, speeds)| {
            for (index, (wave, speed)) in waves.iter_mut().zip(speeds).enumerate() {
                // Waves of k = 0 are conjugate pairs, so one of each pair must run backwards.
                let runs_back = k == 0 && along(index) < 0.0;
                *wave *= turned(*speed, if runs_back { -seconds } else { seconds });
            }
        });
        waves
    }
}

/// Wave number l of a coefficient in its row.
fn along(index: usize) -> f32 {
    if index > SIDE / 2 {
        index as f32 - SIDE as f32
    } else {
        index as f32
    }
}

/// Height of waves of a direction and wave number, relative to fractional Brownian motion.
fn wind(k: f32, l: f32) -> f32 {
    let number = k.hypot(l).max(1e-3);
    let along = (k * WIND[0] + l * WIND[1]) / number;
    let longest = 1.0 / LONGEST;
    // No waves much longer than the longest, and none so short that texels would show.
    let (long, short) = ((longest / number).powi(4), (number / 80.0).powi(2));
    let ends = libm::expf(-long - short);
    ends * (0.25 + 0.75 * along * along)
}

/// Angular frequency of a wave of a wave number.
fn speed(number: f32, side_m: f32) -> f32 {
    (GRAVITY * std::f32::consts::TAU * number / side_m).sqrt()
}

/// Phase rotation of a wave of an angular frequency after `seconds`, as a unit complex number.
fn turned(speed: f32, seconds: f32) -> Complex<f32> {
    let angle = f64::from(speed) * f64::from(seconds) % std::f64::consts::TAU;
    let (sine, cosine) = libm::sincosf(-angle as f32);
    Complex::new(cosine, sine)
}

fn deviation<'a>(values: impl Iterator<Item = &'a f32> + Clone) -> f32 {
    let count = values.clone().count() as f64;
    let squares: f64 = values.map(|v| f64::from(*v) * f64::from(*v)).sum();
    ((squares / count).sqrt() as f32).max(f32::MIN_POSITIVE)
}

/// Quantize a value: 1…255 for −1…1.
fn byte(value: f32) -> u8 {
    (128.5 + value.clamp(-1.0, 1.0) * 127.0) as u8
}
