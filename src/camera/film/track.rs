//! Animation track of one setting: monotone cubic interpolation (Fritsch and Carlson 1980).
//!
//! Numbers pass through each key frame with a continuous rate and stay between adjacent key frames, so they
//! never leave their range. Settings with a logarithmic slider are interpolated in the logarithm. Degrees of
//! a full circle take the shorter way. Whole numbers change in steps and reach each key frame's number at its
//! time. Seeds, switches, names and texts change at their key frame.

use crate::util::numbers::{hermite, monotone, segment, shorter_way, within};
use crate::util::param::{Kind, Value};

/// Value of a setting as a function of time.
pub(super) struct Track {
    kind: Kind,
    times: Vec<f64>,
    values: Vec<Value>,
    curve: Option<Curve>,
}

/// Cubic through the numbers.
struct Curve {
    scale: Scale,
    heights: Vec<f64>,
    slopes: Vec<f64>,
}

/// Scale in which numbers are interpolated.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    /// The number itself.
    Plain,
    /// The natural logarithm.
    Logarithm,
    /// Degrees, unwrapped beyond a full circle.
    Turn,
}

impl Track {
    /// Build the track through values at ascending times. Returns `None` if there are none.
    pub(super) fn new(kind: Kind, unit: &str, points: Vec<(f64, Value)>) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let (times, values): (Vec<_>, Vec<_>) = points.into_iter().unzip();
        let numbers: Option<Vec<f64>> = values
            .iter()
            .map(|value| match value {
                Value::Float(number) => Some(f64::from(*number)),
                _ => None,
            })
            .collect();
        let curve = numbers.filter(|numbers| numbers.len() > 1);
        let curve = curve.map(|numbers| Curve::new(scale_of(&kind, unit), numbers, &times));
        Some(Self {
            kind,
            times,
            values,
            curve,
        })
    }

    /// Value at a time, clamped to the first and the last key frame.
    pub(super) fn at(&self, time: f64) -> Value {
        let last = self.times.len() - 1;
        if last == 0 || time <= self.times[0] {
            return self.values[0].clone();
        }
        if time >= self.times[last] {
            return self.values[last].clone();
        }
        let index = segment(&self.times, time);
        let t = within(time, self.times[index], self.times[index + 1]);
        let (from, to) = (&self.values[index], &self.values[index + 1]);
        if t <= 0.0 {
            return from.clone();
        }
        match (&self.curve, from, to) {
            (Some(curve), ..) => {
                let width = self.times[index + 1] - self.times[index];
                let number = curve.at(index, t, width);
                Value::Float(within_range(&self.kind, curve.scale, number))
            }
            (None, Value::Int(from), Value::Int(to)) => {
                // Truncated towards the start, so that a key frame's number is not reached early.
                let way = (f64::from(*to) - f64::from(*from)) * t;
                Value::Int((f64::from(*from) + way.trunc()) as u32)
            }
            _ => from.clone(),
        }
    }
}

impl Curve {
    fn new(scale: Scale, mut heights: Vec<f64>, times: &[f64]) -> Self {
        match scale {
            Scale::Plain => {}
            Scale::Logarithm => heights
                .iter_mut()
                .for_each(|height| *height = libm::log(*height)),
            Scale::Turn => {
                for index in 1..heights.len() {
                    let before = heights[index - 1];
                    heights[index] = before + shorter_way(heights[index] - before);
                }
            }
        }
        let slopes = monotone(times, &heights);
        Self {
            scale,
            heights,
            slopes,
        }
    }

    /// Number at the fraction `t` of a segment `width` seconds long.
    fn at(&self, index: usize, t: f64, width: f64) -> f64 {
        let ends = [self.heights[index], self.heights[index + 1]];
        let slopes = [self.slopes[index], self.slopes[index + 1]];
        let height = hermite(t, width, ends, slopes);
        match self.scale {
            Scale::Logarithm => libm::exp(height),
            Scale::Plain | Scale::Turn => height,
        }
    }
}

fn scale_of(kind: &Kind, unit: &str) -> Scale {
    match kind {
        Kind::Float { min, max, .. } if unit == "°" && max - min >= 360.0 => Scale::Turn,
        // The logarithm needs a range above zero.
        Kind::Float { min, .. } if *min > 0.0 && kind.is_logarithmic() => Scale::Logarithm,
        _ => Scale::Plain,
    }
}

/// Bring a number into the setting's range: by whole turns for angles, by clamping otherwise.
fn within_range(kind: &Kind, scale: Scale, number: f64) -> f32 {
    let Kind::Float { min, max, .. } = *kind else {
        return number as f32;
    };
    let (low, high) = (f64::from(min), f64::from(max));
    let turned = scale == Scale::Turn && !(low..=high).contains(&number);
    let number = if turned {
        low + (number - low).rem_euclid(360.0)
    } else {
        number
    };
    (number as f32).clamp(min, max)
}
