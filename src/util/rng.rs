//! Counter-based random numbers: a value depends on its position alone, never on earlier draws.
//!
//! Every random number of a landscape belongs to a point, identified by (seed, stage, pass, row, column).
//! [`Stream::row`] hashes the first four into a `Pcg32` (O'Neill 2014); the column is a jump ahead in it.
//! So any rectangle of any pass can be computed alone, on any thread, and further passes do not change the
//! numbers of others.
//!
//! [`Lanes`] gives the same numbers many times faster, sixteen at once.

use std::hash::{BuildHasher, RandomState};

pub use rand::Rng;
use rand_pcg::Pcg32;

/// Purpose of random numbers. Each stage has its own stream, so a change of one never changes the numbers of
/// another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum Stage {
    /// Corners and other values that are drawn once.
    Start = 1,
    /// Midpoints of a profile.
    Midpoint = 2,
    /// Centres of squares (diamond step).
    Diamond = 3,
    /// Midpoints of edges (square step).
    Square = 4,
    /// Points of an edge-midpoint lattice.
    EdgeMidpoint = 5,
    /// Old points displaced again after a diamond step.
    Addition = 6,
    /// Rectangles that are raised.
    Rectangle = 7,
    /// Cuts through the map.
    Fault = 8,
    /// Hills.
    Hill = 9,
    /// Lattice gradients of the modifier `perlin-blend`; the pass is 8 × variation + grid.
    PerlinBlend = 20,
    /// Lattice gradients of masks by noise; the pass is 8 × variation + grid.
    MaskNoise = 21,
    /// Beds of rock and their folds; the pass is 8 × variation + the number of the fold grid.
    Strata = 22,
    /// Lattice gradients of the modifier `domain-warp`; the pass is 16 × variation + 8 × axis + grid.
    DomainWarp = 23,
    /// Shuffle of Perlin's gradient table.
    PerlinTable = 40,
    /// Lattice points of Perlin noise; the pass is the octave.
    PerlinLattice = 41,
    /// Points of square-square; the pass is the level.
    SquareSquare = 42,
    /// Coefficients of a Fourier spectrum.
    Fourier = 43,
    /// Detail coefficients of wavelets; the pass is the level.
    Wavelet = 44,
    /// Flow directions of erosion; the pass is 64 × level + step.
    Erosion = 60,
    /// Softness of rock; the pass is the level.
    Rock = 61,
    /// Lattice points of the waves of gullies; the pass is the octave.
    Gullies = 62,
    /// Beds of rock at all levels of detail; the pass is 0 for the beds, 1 for folds, 2 for joints, 3 for
    /// tones, 4 for the first bed of each size.
    Bedrock = 63,
    /// Unevenness of the snow line; the pass is its size.
    Snow = 64,
    /// Plants; the pass is the index of the layer.
    Plants = 65,
    /// Models of plants; the pass is the kind, the row the variant.
    PlantModels = 66,
    /// Values of settings that vary; the row is the variation.
    Variation = 80,
}

/// Hash a number with the finaliser of SplitMix64 (Steele, Lea and Flood 2014): every input bit affects every
/// output bit.
#[must_use]
pub const fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Derive the seed of a secondary map, such as the clouds above a landscape.
#[must_use]
pub const fn derived_seed(seed: u64, what: u64) -> u64 {
    mix(mix(seed) ^ what)
}

/// Random stream of one (seed, stage, pass), with a `Pcg32` for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
}

impl Stream {
    /// Create the stream of one stage and pass.
    #[must_use]
    pub const fn new(seed: u64, stage: Stage, pass: u32) -> Self {
        Self {
            key: mix(mix(mix(seed) ^ stage as u64) ^ pass as u64),
        }
    }

    /// Initial (state, stream) of the `Pcg32` of row `row`.
    #[must_use]
    pub const fn row_key(&self, row: u64) -> (u64, u64) {
        let state = mix(self.key ^ row);
        (state, mix(state ^ self.key))
    }

    /// Generator of one row; its k-th number belongs to column k.
    #[must_use]
    pub fn row(&self, row: u64) -> Pcg32 {
        let (state, stream) = self.row_key(row);
        Pcg32::new(state, stream)
    }

    /// Numbers of one row from column `from` on, sixteen at once.
    #[must_use]
    #[inline(always)]
    pub fn lanes(&self, row: u64, from: Jump) -> Lanes {
        let (state, increment) = self.row_start(row);
        let first = from.apply(state, increment);
        let mut states = [0; LANES];
        for (state, jump) in states.iter_mut().zip(LANE_JUMPS) {
            *state = jump.apply(first, increment);
        }
        Lanes {
            states,
            step: increment.wrapping_mul(STRIDE_JUMP.sum),
        }
    }

    /// Number of one point, in row `row` and at the column that `at` leads to.
    #[must_use]
    pub fn number(&self, row: u64, at: Jump) -> u32 {
        let (state, increment) = self.row_start(row);
        permute(at.apply(state, increment))
    }

    /// State and increment with which the `Pcg32` of row `row` draws its first number.
    #[inline(always)]
    fn row_start(&self, row: u64) -> (u64, u64) {
        let (state, stream) = self.row_key(row);
        let increment = stream << 1 | 1;
        let state = STEP.apply(state.wrapping_add(increment), increment);
        (state, increment)
    }
}

/// Number of random numbers that [`Lanes`] draws at once.
pub const LANES: usize = 16;

/// Multiplier of `Pcg32` (O'Neill 2014).
const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// Jump ahead by any number of steps of `Pcg32`'s state, for any increment: state · multiplier + increment
/// · sum (Brown 1994).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    multiplier: u64,
    sum: u64,
}

const STEP: Jump = Jump::over(1);
const STRIDE_JUMP: Jump = Jump::over(LANES as u64);
const LANE_JUMPS: [Jump; LANES] = {
    let mut jumps = [Jump::over(0); LANES];
    let mut lane = 0;
    while lane < LANES {
        jumps[lane] = Jump::over(lane as u64);
        lane += 1;
    }
    jumps
};

impl Jump {
    /// Create the jump over `count` numbers, from column 0 to column `count`.
    #[must_use]
    pub const fn over(mut count: u64) -> Self {
        let mut whole = Self {
            multiplier: 1,
            sum: 0,
        };
        // Repeated squaring: the jump over 1, 2, 4 … numbers.
        let mut part = Self {
            multiplier: MULTIPLIER,
            sum: 1,
        };
        while count > 0 {
            if count & 1 == 1 {
                whole = whole.then(part);
            }
            part = part.then(part);
            count >>= 1;
        }
        whole
    }

    const fn then(self, next: Self) -> Self {
        Self {
            multiplier: self.multiplier.wrapping_mul(next.multiplier),
            sum: self
                .sum
                .wrapping_mul(next.multiplier)
                .wrapping_add(next.sum),
        }
    }

    #[inline(always)]
    const fn apply(self, state: u64, increment: u64) -> u64 {
        state
            .wrapping_mul(self.multiplier)
            .wrapping_add(increment.wrapping_mul(self.sum))
    }
}

/// Output function XSH RR of `Pcg32`: xorshift of the high bits, and rotation by the highest.
#[inline(always)]
const fn permute(state: u64) -> u32 {
    let shifted = (((state >> 18) ^ state) >> 27) as u32;
    shifted.rotate_right((state >> 59) as u32)
}

/// Numbers of one row, sixteen at once: lane l yields the numbers l, l + 16, l + 32 …, so that all lanes
/// advance alike and the loop is vectorized.
#[derive(Clone, Debug)]
pub struct Lanes {
    states: [u64; LANES],
    step: u64,
}

impl Lanes {
    /// Fill `blocks` with the next numbers of the row, each passed through `map`.
    // Inlining is forced, so that this is compiled for the instruction set of its caller.
    #[inline(always)]
    pub fn fill<T>(&mut self, blocks: &mut [[T; LANES]], map: impl Fn(u32) -> T) {
        let (mut states, step) = (self.states, self.step);
        for block in blocks {
            for (out, state) in block.iter_mut().zip(&mut states) {
                *out = map(permute(*state));
                *state = state
                    .wrapping_mul(STRIDE_JUMP.multiplier)
                    .wrapping_add(step);
            }
        }
        self.states = states;
    }
}

/// Convert a random number to a uniform value in [−1, 1): exactly its upper 24 bits.
#[must_use]
#[inline(always)]
pub fn uniform(bits: u32) -> f32 {
    (bits as i32 >> 8) as f32 * (1.0 / 8_388_608.0)
}

/// Convert a random number to a uniform value in [0, 1): exactly its upper 24 bits.
#[must_use]
#[inline(always)]
pub fn unit(bits: u32) -> f32 {
    (bits >> 8) as f32 * (1.0 / 16_777_216.0)
}

/// Convert a random number to a standard normal value by the inverse of the normal distribution (Wichura
/// 1988, algorithm AS 241); between −6.4 and 6.4.
#[must_use]
pub fn gaussian(bits: u32) -> f32 {
    let q = from_median(bits);
    let x = if q.abs() <= CENTRAL {
        quantile_near(q)
    } else {
        quantile_far(q)
    };
    x as f32
}

/// Branch-free version of [`gaussian`]: slower for one number, much faster in a vectorized loop.
#[must_use]
#[inline(always)]
pub fn gaussian_in_loop(bits: u32) -> f32 {
    let q = from_median(bits);
    let (near, far) = (quantile_near(q), quantile_far(q));
    let x = if q.abs() <= CENTRAL { near } else { far };
    x as f32
}

/// Convert a random number to a probability in (0, 1) less ½, exactly.
#[inline(always)]
fn from_median(bits: u32) -> f64 {
    (f64::from(bits) + 0.5) * (1.0 / 4_294_967_296.0) - 0.5
}

/// Distance from the median up to which `quantile_near` is valid.
const CENTRAL: f64 = 0.425;

/// Quantile of the standard normal distribution at the probability ½ + `q`, near the median.
#[inline(always)]
fn quantile_near(q: f64) -> f64 {
    q * ratio(0.180625 - q * q, NEAR)
}

/// Quantile of the standard normal distribution at the probability ½ + `q` in the tails, down to a tail
/// probability of 10⁻¹¹. A random number of 32 bits never needs the algorithm's third approximation.
#[inline(always)]
fn quantile_far(q: f64) -> f64 {
    let tail = 0.5 - q.abs();
    ratio((-log(tail)).sqrt() - 1.6, FAR).copysign(q)
}

#[inline(always)]
fn ratio(r: f64, (top, bottom): Rational) -> f64 {
    let up = top.iter().rev().fold(0.0, |sum, c| sum * r + c);
    let down = bottom.iter().rev().fold(0.0, |sum, c| sum * r + c) * r + 1.0;
    up / down
}

/// Natural logarithm of a normal, positive number, equal to that of fdlibm (Sun Microsystems 1993) to the
/// last bit, without its special cases.
#[inline(always)]
fn log(x: f64) -> f64 {
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const ODD: [f64; 4] = [
        6.666_666_666_666_735e-1,
        2.857_142_874_366_239e-1,
        1.818_357_216_161_805e-1,
        1.479_819_860_511_658_6e-1,
    ];
    const EVEN: [f64; 3] = [
        3.999_999_999_940_942e-1,
        2.222_219_843_214_978_4e-1,
        1.531_383_769_920_937_3e-1,
    ];
    // x = 2^exponent · mantissa, with the mantissa from √½ to √2.
    const ONE: u64 = 0x3FF0_0000_0000_0000;
    const ROOT_HALF: u64 = 0x3FE6_A09E_0000_0000;
    let shifted = x.to_bits() + (ONE - ROOT_HALF);
    let exponent = f64::from((shifted >> 52) as i32 - 1023);
    let mantissa = f64::from_bits((shifted & 0x000F_FFFF_FFFF_FFFF) + ROOT_HALF);
    let f = mantissa - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (EVEN[0] + w * (EVEN[1] + w * EVEN[2]));
    let odd = z * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * ODD[3])));
    s * (half_square + (odd + even)) + exponent * LN_2_LOW - half_square + f + exponent * LN_2_HIGH
}

/// Coefficients of a rational function: numerator, and denominator without its leading 1; lowest power first.
type Rational = ([f64; 8], [f64; 7]);

const NEAR: Rational = (
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_545,
    ],
);
const FAR: Rational = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);
/// Draw a seed from the system, short enough to be read aloud: 0…999,999.
#[must_use]
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(()) % 1_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::Rng;

    proptest! {
        #[test]
        fn lanes_are_pcg32(
            seed: u64,
            pass in 0u32..20,
            row in 0u64..1 << 40,
            column in 0u64..1 << 40,
            blocks in 0usize..9,
        ) {
            let stream = Stream::new(seed, Stage::Square, pass);
            let mut expected = stream.row(row);
            expected.advance(column);
            prop_assert_eq!(stream.number(row, Jump::over(column)), expected.clone().next_u32());
            let mut lanes = stream.lanes(row, Jump::over(column));
            let mut drawn = vec![[0; LANES]; blocks];
            // The numbers are drawn in two goes, since the second must go on where the first ended.
            let (first, second) = drawn.split_at_mut(blocks / 2);
            lanes.fill(first, |bits| bits);
            lanes.fill(second, |bits| bits);
            for bits in drawn.into_iter().flatten() {
                prop_assert_eq!(bits, expected.next_u32());
            }
        }
    }

    #[test]
    fn log_is_the_library_s() {
        let mut numbers = Stream::new(0, Stage::Start, 0).row(0);
        for _ in 0..100_000 {
            let bits = numbers.next_u32();
            // This covers every order of magnitude down to 2⁻³³.
            let x = (f64::from(bits) + 0.5) / 4_294_967_296.0 * libm::exp2(-f64::from(bits % 34));
            assert_eq!(log(x).to_bits(), libm::log(x).to_bits(), "{x}");
        }
    }

    #[test]
    fn gaussian_quantiles_are_the_published_ones() {
        // These are Wichura's own test values for AS 241 (0.25, 0.001), and values of common
        // tables.
        let published = [
            (0.5, 0.0),
            (0.975, 1.959_963_985),
            (0.25, -0.674_489_750),
            (0.075, -1.439_531_471),
            (0.001, -3.090_232_306),
            (1e-6, -4.753_424_309),
            (0.999_999, 4.753_424_309),
        ];
        for (p, quantile) in published {
            // These are the two numbers whose probabilities, (bits + ½)/2³², enclose p.
            let below = (p * 4_294_967_296.0 - 0.5f64).floor() as u32;
            let (low, high) = (f64::from(gaussian(below)), f64::from(gaussian(below + 1)));
            let rounding = 1e-7 * (1.0 + f64::abs(quantile));
            assert!(
                low - rounding <= quantile && quantile <= high + rounding,
                "{p}: {low} {high}"
            );
            assert!(high - low < 6e-5, "{p}: {low} {high}");
        }
        assert!((-6.5..-6.3).contains(&gaussian(0)));
        assert_eq!(gaussian(u32::MAX), -gaussian(0));
    }

    #[test]
    fn gaussian_in_loop_is_gaussian() {
        let mut numbers = Stream::new(1, Stage::Start, 0).row(0);
        for _ in 0..100_000 {
            let bits = numbers.next_u32();
            assert_eq!(
                gaussian_in_loop(bits).to_bits(),
                gaussian(bits).to_bits(),
                "{bits}"
            );
        }
    }
}
