//! Cubic splines through key frames, for camera paths and animated settings.

/// Index of the segment that contains `at`, where `ends` are the ends of all segments in order.
pub(crate) fn segment(ends: &[f64], at: f64) -> usize {
    let after = ends.partition_point(|end| *end <= at);
    after.clamp(1, ends.len() - 1) - 1
}

/// Relative position of `at` between two ends: 0 at `from`, 1 at `to`.
pub(crate) fn within(at: f64, from: f64, to: f64) -> f64 {
    let t = (at - from) / (to - from);
    // NaN counts as the start, because every comparison with it is false.
    if t > 0.0 { t.min(1.0) } else { 0.0 }
}

/// Cubic Hermite interpolation at the fraction `t` of an interval of `width`, for the values a, b and the
/// slopes m, n at its ends.
pub(crate) fn hermite(t: f64, width: f64, [a, b]: [f64; 2], [m, n]: [f64; 2]) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    a * (2.0 * t3 - 3.0 * t2 + 1.0)
        + m * width * (t3 - 2.0 * t2 + t)
        + b * (3.0 * t2 - 2.0 * t3)
        + n * width * (t3 - t2)
}

/// Slopes of a monotone cubic spline (Fritsch and Carlson 1980), which never overshoots its points: level
/// where the values turn back. At both ends the slope is that of the nearest segment.
pub(crate) fn monotone(places: &[f64], values: &[f64]) -> Vec<f64> {
    let last = places.len() - 1;
    let chord =
        |index: usize| (values[index + 1] - values[index]) / (places[index + 1] - places[index]);
    (0..=last)
        .map(|index| match index {
            0 => chord(0),
            _ if index == last => chord(last - 1),
            _ => {
                let (a, b) = (chord(index - 1), chord(index));
                // The harmonic mean is below three times the smaller chord, so the cubic is monotone.
                if a * b > 0.0 {
                    2.0 * a * b / (a + b)
                } else {
                    0.0
                }
            }
        })
        .collect()
}

/// Reduce an angle to the equivalent one within −180…180 degrees.
pub(crate) fn shorter_way(degrees: f64) -> f64 {
    (degrees + 180.0).rem_euclid(360.0) - 180.0
}
