//! The values of one setting over time.
//!
//! Numbers go along a monotone cubic (Fritsch and Carlson, 1980): through each key frame at its time,
//! without a leap in their speed, and never beyond the two key frames that they are between, so never
//! out of their range. Numbers whose sliders are logarithmic go along the cubic of their logarithms.
//! A full circle's degrees take the shorter way round from key frame to key frame. Whole numbers go step
//! by step and reach each key frame's number at its time. Seeds, switches, names and texts change at
//! their key frame.

use crate::param::{Kind, Value};
use crate::spline::{hermite, monotone, segment, shorter_way, within};

/// What a setting is at any time.
pub(super) struct Track {
    kind: Kind,
    times: Vec<f64>,
    values: Vec<Value>,
    curve: Option<Curve>,
}

/// The cubic of numbers.
struct Curve {
    scale: Scale,
    heights: Vec<f64>,
    slopes: Vec<f64>,
}

/// What the cubic counts.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    /// The number itself.
    Plain,
    /// Its natural logarithm.
    Logarithm,
    /// Degrees, which go on beyond a full circle.
    Turn,
}

impl Track {
    /// The track through values at times, which rise; `None` if there are none.
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

    /// The value at a time: before the first key frame its value, after the last one's that.
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

    /// The number at the part `t` of a segment of so many seconds.
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
        // A logarithm needs all of the range above zero.
        Kind::Float { min, .. } if *min > 0.0 && kind.is_logarithmic() => Scale::Logarithm,
        _ => Scale::Plain,
    }
}

/// A number of a setting within its range: by whole turns where it turns, by rounding elsewhere.
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
