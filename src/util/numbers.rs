//! Numeric helper functions.

/// Range of an empty set: lowest, highest.
pub(crate) const EMPTY_RANGE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

/// Lowest and highest of the values, or [`EMPTY_RANGE`] if there are none.
pub(crate) fn range(values: &[f32]) -> (f32, f32) {
    values.iter().fold(EMPTY_RANGE, |(low, high), value| {
        (low.min(*value), high.max(*value))
    })
}

/// Smoothstep: 0 at t ≤ 0, 1 at t ≥ 1, level at both ends: 3t² − 2t³.
#[inline(always)]
pub(crate) fn smoothstep(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Linear interpolation from `a` (t = 0) to `b` (t = 1).
pub(crate) fn mix_colors(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// Power of two by which `side` samples are subsampled to at most `most`, 2 or more: every second, fourth
/// … sample remains, and the last.
pub(crate) fn thinning(side: usize, most: usize) -> usize {
    let mut step = 1;
    while (side - 1).div_ceil(step) + 1 > most {
        step *= 2;
    }
    step
}

/// Metres of a height or distance of 1, which is half the side of a tile.
pub(crate) fn metres_per_unit(tile_size_m: f32) -> f64 {
    f64::from(tile_size_m) / 2.0
}

/// Format a number with a fixed number of decimals, without negative zero.
#[must_use]
pub fn fixed(value: impl Into<f64>, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.into());
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| byte == b'0' || byte == b'.') => {
            digits.to_owned()
        }
        _ => text,
    }
}

/// Format a length in millimetres to kilometres, with three or four digits.
#[must_use]
pub fn length_words(metres: f64) -> String {
    let (number, decimals, unit) = match metres.abs() {
        size if size > 0.0 && size < 0.01 => (metres * 1000.0, 2, "mm"),
        size if size > 0.0 && size < 1.0 => (metres * 100.0, 1, "cm"),
        size if size < 10.0 => (metres, 2, "m"),
        size if size < 100.0 => (metres, 1, "m"),
        size if size < 10_000.0 => (metres, 0, "m"),
        _ => (metres / 1000.0, 2, "km"),
    };
    format!("{} {unit}", fixed(number, decimals))
}

/// Format an area in square metres, from 0.1 km² on in square kilometres, with three digits or more.
#[must_use]
pub fn area_words(square_metres: f64) -> String {
    match square_metres / 1e6 {
        km if km < 0.1 => format!("{square_metres:.0} m²"),
        km if km < 10.0 => format!("{km:.3} km²"),
        km if km < 100.0 => format!("{km:.1} km²"),
        km => format!("{km:.0} km²"),
    }
}

/// Index of a row or column after wrapping; in a map that wraps the last one repeats the first.
#[must_use]
pub fn wrapped(index: i64, side: usize) -> usize {
    match side as i64 - 1 {
        cells if (0..=cells).contains(&index) => index as usize,
        cells => index.rem_euclid(cells) as usize,
    }
}

// Cubic splines through key frames, for camera paths and animated settings.

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
