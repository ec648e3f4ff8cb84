//! Range of full weight of a mask, with soft ends.

use crate::util::numbers::smoothstep;

/// Range of full weight from `low` to `high`. Beyond either end the weight fades smoothly to 0 over a
/// distance of `soft`.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub low: f32,
    pub high: f32,
    pub soft: f32,
    pub kind: SpanKind,
}

/// Type of the numbers of a range.
#[derive(Clone, Copy, Debug)]
pub enum SpanKind {
    /// Real numbers.
    Linear,
    /// Directions in degrees, 0…360: the range goes clockwise from `low` to `high`. Negative numbers mean no
    /// direction, with weight 0.
    Round,
    /// Weights themselves, without a range.
    Weights,
}

impl Span {
    /// Blend `before` and `after` by the weights of the quantities. Weights of 0 and 1 reproduce either of
    /// them bit for bit.
    pub fn mix(self, share: Share, quantities: &[f32], before: &[f32], after: &mut [f32]) {
        let rows = (quantities, before, after);
        match self.kind {
            SpanKind::Linear => along(self, share, rows),
            SpanKind::Round => around(self, share, rows),
            SpanKind::Weights => directly(share, rows),
        }
    }

    /// Identity: the quantities are the weights.
    pub fn weights() -> Self {
        Self {
            low: 1.0,
            high: 1.0,
            soft: 1.0,
            kind: SpanKind::Weights,
        }
    }

    /// Steepness of the ends; infinite if they are hard.
    fn steepness(self) -> f32 {
        if self.soft > 0.0 {
            1.0 / self.soft
        } else {
            f32::INFINITY
        }
    }
}

/// Conversion from the position within the range to a weight.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// Invert the weights: outside counts, and inside does not.
    pub invert: bool,
    /// Largest weight, 0…1.
    pub strength: f32,
}

impl Share {
    /// Unchanged weights.
    pub const WHOLE: Self = Self {
        invert: false,
        strength: 1.0,
    };
}

/// Rows of quantities, of heights before and of heights after a step.
type Rows<'a> = (&'a [f32], &'a [f32], &'a mut [f32]);

vectorized! {
    fn along(span: Span, share: Share, (quantities, before, after): Rows<'_>) {
        let (low, high, steepness) = (span.low, span.high, span.steepness());
        for ((v, before), after) in quantities.iter().zip(before).zip(after) {
            let v = *v;
            // A value is outside of at most one end.
            let beyond = if v < low { low - v } else { v - high };
            let outside = smoothstep(1.0 - beyond * steepness);
            let weight = if beyond <= 0.0 { 1.0 } else { outside };
            *after = mixed(*before, *after, weight, share);
        }
    }

    fn around(span: Span, share: Share, (quantities, before, after): Rows<'_>) {
        let (low, steepness) = (span.low, span.steepness());
        let wide = span.high - span.low;
        let wide = if wide < 0.0 { wide + 360.0 } else { wide };
        for ((v, before), after) in quantities.iter().zip(before).zip(after) {
            let v = *v;
            // Clockwise angle from the start of the range.
            let way = if v < low { v - low + 360.0 } else { v - low };
            let way = if way < 360.0 { way } else { 0.0 };
            let (past, short) = (way - wide, 360.0 - way);
            let beyond = if past < short { past } else { short };
            let outside = smoothstep(1.0 - beyond * steepness);
            let weight = if way <= wide { 1.0 } else { outside };
            let weight = if v < 0.0 { 0.0 } else { weight };
            *after = mixed(*before, *after, weight, share);
        }
    }

    fn directly(share: Share, (weights, before, after): Rows<'_>) {
        for ((weight, before), after) in weights.iter().zip(before).zip(after) {
            *after = mixed(*before, *after, *weight, share);
        }
    }
}

#[inline(always)]
fn mixed(before: f32, after: f32, weight: f32, share: Share) -> f32 {
    let w = if share.invert { 1.0 - weight } else { weight };
    let w = w * share.strength;
    let mixed = before + w * (after - before);
    let kept = if w > 0.0 { mixed } else { before };
    if w < 1.0 { kept } else { after }
}
