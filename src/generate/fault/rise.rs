//! Profile of the ground across a fault: step, ramp or cosine, for many samples at once.

use super::Profile;

/// Step function: 0 before t = 0, and 1 from there on.
pub(super) fn step(t: f64) -> f64 {
    if t >= 0.0 { 1.0 } else { 0.0 }
}

/// Share of the raise reached at `t`, which is 0 at the foot and 1 at the top.
#[inline(always)]
pub(super) fn rise(profile: Profile, t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    match profile {
        Profile::Step => step(t - 0.5),
        Profile::Ramp => t,
        Profile::Cosine => 0.5 - 0.5 * cos(t * std::f64::consts::PI),
    }
}

/// Row of sums of raises, in whole units, so that they are exact in any order.
pub(super) struct Sums {
    /// Differences from sample to sample, and one more for rises that begin beyond the last sample.
    pub differences: Vec<i32>,
    /// Extra values of single samples within a rise.
    besides: Vec<i32>,
}

impl Sums {
    pub fn new(count: usize) -> Self {
        Self {
            differences: vec![0; count + 1],
            besides: vec![0; count],
        }
    }

    pub fn clear(&mut self) {
        self.differences.fill(0);
        self.besides.fill(0);
    }

    /// Index of the first sample at or beyond `x`, or the number of samples if there is none.
    fn place(&self, x: f64) -> usize {
        x.ceil().clamp(0.0, self.besides.len() as f64) as usize
    }

    /// Raise every sample from `middle` on, with a transition over `reach` samples to both sides.
    pub fn add_rise(&mut self, profile: Profile, middle: f64, reach: f64, raise: i32) {
        let (first, end) = (self.place(middle - reach), self.place(middle + reach));
        if first < end {
            let samples = &mut self.besides[first..end];
            let foot = first as f64 - middle;
            match profile {
                Profile::Step => (),
                Profile::Ramp => add_ramp(samples, foot, reach, raise),
                Profile::Cosine => add_cosine(samples, foot, reach, raise),
            }
        }
        let after = &mut self.differences[end];
        *after = after.wrapping_add(raise);
    }

    /// Sums of the samples in order.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        let mut sum = 0i32;
        let samples = self.differences.iter().zip(&self.besides);
        samples.map(move |(difference, besides)| {
            sum = sum.wrapping_add(*difference);
            sum.wrapping_add(*besides)
        })
    }
}

vectorized! {
    fn add_ramp(samples: &mut [i32], foot: f64, reach: f64, raise: i32) {
        add(Profile::Ramp, samples, foot, reach, raise);
    }

    fn add_cosine(samples: &mut [i32], foot: f64, reach: f64, raise: i32) {
        add(Profile::Cosine, samples, foot, reach, raise);
    }
}

/// Add the share of the raise reached at each sample; the first sample lies `foot` from the middle.
#[inline(always)]
fn add(profile: Profile, samples: &mut [i32], foot: f64, reach: f64, raise: i32) {
    let raise = f64::from(raise);
    for (index, sample) in samples.iter_mut().enumerate() {
        let t = 0.5 + (foot + f64::from(index as i32)) / (2.0 * reach);
        *sample = sample.wrapping_add(round(raise * rise(profile, t)));
    }
}

/// Round to the nearest whole number, halves away from 0; |x| < 2³¹.
#[inline(always)]
fn round(x: f64) -> i32 {
    // Largest number below a half: with a half itself, 0.49999999999999994 would become 1.
    const NEARLY_HALF: f64 = 0.499_999_999_999_999_94;
    let whole = (x + NEARLY_HALF.copysign(x)).trunc();
    // Adding 1.5·2^52 to a whole number, even a negative one, puts it into the lowest bits.
    const BITS: f64 = 6_755_399_441_055_744.0;
    (whole + BITS).to_bits() as i32
}

/// Cosine of x in 0…π: that of fdlibm (Sun Microsystems 1993) without branches, and with fewer digits
/// where the cosine is almost 0; a rise computed with it has the same bits.
#[inline(always)]
fn cos(x: f64) -> f64 {
    // π/2 in two parts, and the bounds between the multiples of π/2 nearest to x.
    const HALF_PI_HIGH: f64 = 1.570_796_326_734_125_6;
    const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;
    const ONE_FROM: f64 = f64::from_bits(0x3FE9_21FC << 32);
    const TWO_FROM: f64 = f64::from_bits(0x4002_D97D << 32);
    let beyond_one = if x >= ONE_FROM { 1.0 } else { 0.0 };
    let turns = if x >= TWO_FROM { 2.0 } else { beyond_one };
    let rough = x - turns * HALF_PI_HIGH;
    let rest = turns * HALF_PI_LOW;
    let y = rough - rest;
    let error = (rough - y) - rest;
    let (sine, cosine) = (sin_near(y, error), cos_near(y, error));
    if turns == 1.0 {
        -sine
    } else if turns == 0.0 {
        cosine
    } else {
        -cosine
    }
}

/// Cosine of x + error, for |x| ≤ π/4.
#[inline(always)]
fn cos_near(x: f64, error: f64) -> f64 {
    const C: [f64; 6] = [
        4.166_666_666_666_66e-2,
        -1.388_888_888_887_411e-3,
        2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7,
        2.087_572_321_298_175e-9,
        -1.135_964_755_778_819_5e-11,
    ];
    let z = x * x;
    let w = z * z;
    let series = z * (C[0] + z * (C[1] + z * C[2])) + w * w * (C[3] + z * (C[4] + z * C[5]));
    let half = 0.5 * z;
    let near = 1.0 - half;
    near + (((1.0 - near) - half) + (z * series - x * error))
}

/// Sine of x + error, for |x| ≤ π/4.
#[inline(always)]
fn sin_near(x: f64, error: f64) -> f64 {
    const S: [f64; 6] = [
        -1.666_666_666_666_663_2e-1,
        8.333_333_333_322_49e-3,
        -1.984_126_982_985_795e-4,
        2.755_731_370_707_006_8e-6,
        -2.505_076_025_340_686_3e-8,
        1.589_690_995_211_55e-10,
    ];
    let z = x * x;
    let w = z * z;
    let series = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * x;
    x - ((z * (0.5 * error - v * series) - error) - v * S[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_rise_is_bit_identical_to_library_cosine() {
        let steps = 400_000;
        for step in 0..=steps {
            let t = f64::from(step) / f64::from(steps);
            let expected = 0.5 - 0.5 * libm::cos(t * std::f64::consts::PI);
            let found = rise(Profile::Cosine, t);
            assert_eq!(found.to_bits(), expected.to_bits(), "{t}");
        }
    }

    #[test]
    fn halves_round_away_from_zero() {
        let near = [
            0.0,
            0.499_999_999_999_999_94,
            0.5,
            1.5,
            2.5,
            3.49,
            999_999_999.5,
        ];
        for x in near.into_iter().flat_map(|x| [x, -x]) {
            assert_eq!(round(x), x.round() as i32, "{x}");
        }
    }
}
