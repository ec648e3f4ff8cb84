//! The range of a quantity in which a mask counts, with soft ends.

use crate::numbers::smoothstep;

/// From `low` to `high` a mask counts in full. Beyond either end it fades smoothly, over a distance
/// of `soft`, to nothing.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub low: f32,
    pub high: f32,
    pub soft: f32,
    /// Whether the quantity is a direction in degrees, 0…360, so that the range goes clockwise
    /// from `low` to `high`. What is below 0 is no direction and does not count.
    pub is_round: bool,
}

impl Span {
    /// Turns quantities into weights, 0…1.
    pub fn weigh(self, values: &mut [f32], invert: bool) {
        match self.is_round {
            false => along(values, self),
            true => around(values, self),
        }
        if invert {
            values.iter_mut().for_each(|weight| *weight = 1.0 - *weight);
        }
    }

    /// The steepness of the ends. Without soft ones everything outside is infinitely far from the
    /// range.
    fn steepness(self) -> f32 {
        if self.soft > 0.0 {
            1.0 / self.soft
        } else {
            f32::INFINITY
        }
    }
}

vectorized! {
    fn along(values: &mut [f32], span: Span) {
        let (low, high, steepness) = (span.low, span.high, span.steepness());
        for value in values {
            let v = *value;
            let rise = smoothstep(1.0 - (low - v) * steepness);
            let fall = smoothstep(1.0 - (v - high) * steepness);
            let rise = if v >= low { 1.0 } else { rise };
            let fall = if v <= high { 1.0 } else { fall };
            *value = rise * fall;
        }
    }

    fn around(values: &mut [f32], span: Span) {
        let (low, steepness) = (span.low, span.steepness());
        let wide = span.high - span.low;
        let wide = if wide < 0.0 { wide + 360.0 } else { wide };
        for value in values {
            let v = *value;
            // The way clockwise from the range's start.
            let way = if v < low { v - low + 360.0 } else { v - low };
            let way = if way < 360.0 { way } else { 0.0 };
            let rise = smoothstep(1.0 - (360.0 - way) * steepness);
            let fall = smoothstep(1.0 - (way - wide) * steepness);
            let outside = if rise > fall { rise } else { fall };
            let weight = if way <= wide { 1.0 } else { outside };
            *value = if v < 0.0 { 0.0 } else { weight };
        }
    }
}
