//! Normally distributed random numbers in batches: the transform of Box and Muller (1958), with
//! polynomials for the logarithm, the sine and the cosine.
//!
//! Only + − × ÷ √ are used, always in the same order, so the bits are the same on every machine.
//! Values are within about 3·10⁻⁷ of exact functions, and within ±5.8.
//!
//! Everything here is inlined into its caller and compiled for the caller's instruction set.

use crate::util::rng::{LANES, Lanes};

/// Number of normal values drawn at once.
pub(super) const NORMALS: usize = 2 * LANES;

/// Fill `out` with the next normal values of a row of numbers, times `scale`. 32 numbers give 32
/// values; a partial last block consumes a whole one.
#[inline(always)]
pub(super) fn normals(numbers: &mut Lanes, scale: f32, out: &mut [f32]) {
    let mut bits = [[0; LANES]; 2];
    let (blocks, rest) = out.as_chunks_mut::<NORMALS>();
    for block in blocks {
        numbers.fill(&mut bits, |number| number);
        normal_block(&bits, scale, block);
    }
    if !rest.is_empty() {
        let mut block = [0.0; NORMALS];
        numbers.fill(&mut bits, |number| number);
        normal_block(&bits, scale, &mut block);
        rest.copy_from_slice(&block[..rest.len()]);
    }
}

#[inline(always)]
fn normal_block(bits: &[[u32; LANES]; 2], scale: f32, out: &mut [f32; NORMALS]) {
    let (first, second) = out.split_at_mut(LANES);
    let [radii, angles] = bits;
    for lane in 0..LANES {
        let radius = scale * radius(radii[lane]);
        let (x, y) = direction(angles[lane]);
        first[lane] = radius * x;
        second[lane] = radius * y;
    }
}

/// Distance of a pair of independent normal values from the origin: √(−2 ln u), u in (0, 1).
#[inline(always)]
pub(super) fn radius(bits: u32) -> f32 {
    let u = ((bits >> 9) as f32 + 0.5) * (1.0 / 8_388_608.0);
    (-2.0 * ln(u)).sqrt()
}

/// Random direction, as a point of the unit circle.
#[inline(always)]
pub(super) fn direction(bits: u32) -> (f32, f32) {
    // The angle lies within an eighth of the circle from the x axis; the highest two bits then
    // choose the half axis.
    let angle = ((bits << 2) as i32 >> 8) as f32 * (std::f32::consts::FRAC_PI_2 / 16_777_216.0);
    let square = angle * angle;
    let sine = angle
        * (1.0
            + square
                * (-1.0 / 6.0
                    + square * (1.0 / 120.0 + square * (-1.0 / 5040.0 + square / 362_880.0))));
    let cosine = 1.0
        + square
            * (-0.5 + square * (1.0 / 24.0 + square * (-1.0 / 720.0 + square * (1.0 / 40_320.0))));
    let (x, y) = if bits >> 31 == 0 {
        (cosine, sine)
    } else {
        (sine, cosine)
    };
    if bits >> 30 & 1 == 0 {
        (x, y)
    } else {
        (-x, -y)
    }
}

/// Natural logarithm of a positive normal number.
#[inline(always)]
pub(super) fn ln(x: f32) -> f32 {
    // x = 2^exponent · mantissa, with the mantissa in [√½, √2).
    const SQRT_HALF: i32 = 0x3F35_04F3;
    let exponent = (x.to_bits() as i32 - SQRT_HALF) >> 23;
    let mantissa = f32::from_bits((x.to_bits() as i32 - (exponent << 23)) as u32);
    // ln m = 2 artanh s.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = 1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * (s + s * (square * series))
}

/// Power of two 2^x for x in −120 … 120.
#[inline(always)]
pub(super) fn exp2(x: f32) -> f32 {
    // Adding and subtracting this constant rounds to a whole number.
    const ROUND: f32 = 12_582_912.0;
    let whole = (x + ROUND) - ROUND;
    let y = (x - whole) * std::f32::consts::LN_2;
    let series = 1.0 / 6.0 + y * (1.0 / 24.0 + y * (1.0 / 120.0 + y * (1.0 / 720.0)));
    let power = 1.0 + y * (1.0 + y * (0.5 + y * series));
    // A whole number in this range plus ROUND differs from ROUND in the lowest bits alone.
    let exponent = (x + ROUND).to_bits().wrapping_sub(ROUND.to_bits());
    power * f32::from_bits(exponent.wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::rng::{Jump, Stage, Stream};

    #[test]
    fn ln_and_exp2_are_accurate_to_few_ulps() {
        for step in 1..200_000u32 {
            let x = step as f32 * 1e-3;
            let error = f64::from(ln(x)) - f64::from(x).ln();
            assert!(
                error.abs() < 3e-7 * f64::from(x).ln().abs().max(0.5),
                "ln {x}"
            );
            let y = step as f32 * 1e-3 - 100.0;
            let exact = f64::from(y).exp2();
            assert!((f64::from(exp2(y)) / exact - 1.0).abs() < 3e-7, "2^{y}");
        }
    }

    #[test]
    fn directions_lie_on_unit_circle_in_every_quadrant() {
        let mut quadrants = [0; 4];
        for step in 0..4096u32 {
            let (x, y) = direction(step << 20 | 0x7_FFFF);
            assert!((x.hypot(y) - 1.0).abs() < 2e-7);
            quadrants[usize::from(x < 0.0) + 2 * usize::from(y < 0.0)] += 1;
        }
        assert_eq!(quadrants, [1024; 4]);
    }

    #[test]
    fn normals_have_the_moments_of_the_normal_distribution() {
        let mut values = vec![0.0; 1 << 18];
        let stream = Stream::new(1, Stage::Wavelet, 0);
        normals(&mut stream.lanes(0, Jump::over(0)), 1.0, &mut values);
        let moment = |power: i32| {
            let sum: f64 = values.iter().map(|v| f64::from(*v).powi(power)).sum();
            sum / values.len() as f64
        };
        // The standard errors here are 0.002, 0.003, 0.008 and 0.02.
        for (power, expected, tolerance) in [
            (1, 0.0, 0.008),
            (2, 1.0, 0.012),
            (3, 0.0, 0.03),
            (4, 3.0, 0.08),
        ] {
            let found = moment(power);
            assert!((found - expected).abs() < tolerance, "{power}: {found}");
        }
    }

    #[test]
    fn partial_block_holds_first_values_of_whole_one() {
        let stream = Stream::new(1, Stage::Wavelet, 3);
        let mut long = [0.0; 96];
        let mut short = [0.0; 71];
        normals(&mut stream.lanes(5, Jump::over(0)), 0.5, &mut long);
        normals(&mut stream.lanes(5, Jump::over(0)), 0.5, &mut short);
        assert_eq!(short, long[..71]);
    }
}
