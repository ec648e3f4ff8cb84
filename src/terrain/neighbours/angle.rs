//! Polynomial arctangent in degrees with + − × ÷ alone. The bits are the same on every machine, and whole
//! rows are vectorized, unlike calls of a library's arctangent.

/// Coefficients of atan(t) / t in degrees for t² of 0…1: the polynomial of degree 8 through the Chebyshev
/// points. Including rounding errors the angle is within 0.00001°.
const ARCTANGENT: [f32; 9] = [
    57.295_78,
    -19.098_423,
    11.454_499,
    -8.134_739,
    6.083_878,
    -4.272_463_3,
    2.414_308,
    -0.901_334_17,
    0.158_496_36,
];

/// Angle of a right triangle opposite one of its legs, 0…90 degrees. The legs must not be negative; if both
/// are 0, so is the angle.
#[inline(always)]
pub fn degrees(opposite: f32, adjacent: f32) -> f32 {
    let (less, more) = (opposite.min(adjacent), opposite.max(adjacent));
    let t = less / more.max(f32::MIN_POSITIVE);
    let square = t * t;
    let series = ARCTANGENT.iter().rev();
    let angle = t * series.fold(0.0, |sum, factor| sum * square + factor);
    if opposite > adjacent {
        90.0 - angle
    } else {
        angle
    }
}

#[cfg(test)]
mod tests {
    use super::degrees;

    #[test]
    fn angles_are_right() {
        for step in 0..=9000 {
            let angle = f64::from(step) / 100.0;
            let (sin, cos) = angle.to_radians().sin_cos();
            let found = degrees((3.0 * sin) as f32, (3.0 * cos) as f32);
            assert!(
                (f64::from(found) - angle).abs() < 2e-5,
                "{found} for {angle}"
            );
        }
        for (legs, angle) in [((0.0, 0.0), 0.0), ((1.0, 0.0), 90.0), ((2.0, 2.0), 45.0)] {
            assert_eq!(degrees(legs.0, legs.1), angle);
        }
    }
}
