//! Powers and rounding by + − × ÷ alone: the same bits on every processor, and vectorized in loops.

const ROUND: f32 = 12_582_912.0;

/// Round to the nearest whole number, halves to even, for |x| ≤ 2²². Adding and subtracting 1.5 · 2²³
/// rounds this way on every processor, without a special instruction.
#[inline(always)]
pub(crate) fn round(x: f32) -> f32 {
    (x + ROUND) - ROUND
}

/// Power t^exponent for t in 0…1 and exponent ≥ 0: 2^(exponent · log₂ t) by series, with an error of at
/// most 2·10⁻⁷. It is exactly 0 at 0 and 1 at 1.
#[inline(always)]
pub(crate) fn power(t: f32, exponent: f32) -> f32 {
    let normal = if t < f32::MIN_POSITIVE {
        f32::MIN_POSITIVE
    } else {
        t
    };
    let product = exponent * log2(normal);
    let value = exp2(if product < -126.0 { -126.0 } else { product });
    if t > 0.0 { value } else { 0.0 }
}

/// Binary logarithm of a normal, positive number: t = 2^e · m with m from √½ to √2, and
/// ln m = 2 (z + z³/3 + z⁵/5 …) with z = (m − 1)/(m + 1).
#[inline(always)]
fn log2(t: f32) -> f32 {
    const ONE: u32 = 0x3F80_0000;
    const ROOT_HALF: u32 = 0x3F35_04F3;
    const SCALE: f32 = 2.0 * std::f32::consts::LOG2_E;
    let shifted = t.to_bits() + (ONE - ROOT_HALF);
    let exponent = (shifted >> 23) as i32 - 127;
    let mantissa = f32::from_bits((shifted & 0x007F_FFFF) + ROOT_HALF);
    let z = (mantissa - 1.0) / (mantissa + 1.0);
    let s = z * z;
    let series = 1.0 / 9.0;
    let series = series * s + 1.0 / 7.0;
    let series = series * s + 1.0 / 5.0;
    let series = series * s + 1.0 / 3.0;
    let series = series * s + 1.0;
    exponent as f32 + z * series * SCALE
}

/// Power of two 2^x for x in −126…0: 2^n · e^(f ln 2), where n is the whole number nearest to x.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    let whole = round(x);
    let f = (x - whole) * std::f32::consts::LN_2;
    let series = 1.0 / 5040.0;
    let series = series * f + 1.0 / 720.0;
    let series = series * f + 1.0 / 120.0;
    let series = series * f + 1.0 / 24.0;
    let series = series * f + 1.0 / 6.0;
    let series = series * f + 0.5;
    let series = series * f + 1.0;
    let series = series * f + 1.0;
    // The low bits of whole + ROUND hold the whole number.
    let bits = ((whole + ROUND).to_bits() as i32 - ROUND.to_bits() as i32 + 127) << 23;
    series * f32::from_bits(bits as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_is_within_its_tolerance() {
        for exponent in [0.01f32, 0.1, 0.3, 0.5, 1.0, 1.7, 2.0, 4.0, 16.0] {
            let mut worst = 0.0f64;
            for step in 0..=200_000 {
                let t = step as f32 / 200_000.0;
                let expected = f64::from(t).powf(f64::from(exponent));
                worst = worst.max((f64::from(power(t, exponent)) - expected).abs());
            }
            assert!(worst < 2.0e-7, "error {worst:e} at exponent {exponent}");
            assert_eq!(power(0.0, exponent), 0.0);
            assert_eq!(power(1.0, exponent), 1.0);
        }
    }
}
