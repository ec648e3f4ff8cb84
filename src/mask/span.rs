//! Range of full weight of a mask, with soft ends.

use crate::numbers::smoothstep;

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

/// Declare the options of a mask of one number with nothing but its range: unit, limits and slider, then
/// the two ends and their softness, each with its documentation, default and help; and the scale, if the
/// mask depends on the shape of the ground.
macro_rules! range_options {
    (
        $(#[$about:meta])*
        unit $unit:literal from $least:literal to $most:literal, slider $slider:expr;
        $(#[$low_about:meta])*
        low = $low:literal, $low_help:literal;
        $(#[$high_about:meta])*
        high = $high:literal, $high_help:literal;
        $(#[$soft_about:meta])*
        soft = $soft:literal, slider $soft_slider:expr;
        $(
            $(#[$scale_about:meta])*
            scale = $scale:expr;
        )?
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Options {
            $(#[$low_about])*
            pub low: f32,
            $(#[$high_about])*
            pub high: f32,
            $(#[$soft_about])*
            pub soft: f32,
            $(
                $(#[$scale_about])*
                pub scale: f32,
            )?
        }

        impl Default for Options {
            fn default() -> Self {
                Self {
                    low: $low,
                    high: $high,
                    soft: $soft,
                    $(scale: $scale,)?
                }
            }
        }

        impl $crate::param::Params for Options {
            const PARAMS: &'static [$crate::param::Param<Self>] = &[
                $crate::param::float_param!(
                    low, "Mask low", $unit, $least, $most, slider $slider, $low_help
                ),
                $crate::param::float_param!(
                    high, "Mask high", $unit, $least, $most, slider $slider, $high_help
                ),
                $crate::param::float_param!(
                    soft, "Soft ends", $unit, 0.0, $most, slider $soft_slider,
                    "Beyond either end of the range the mask fades to nothing over this much."
                ),
                $(
                    $crate::param::float_param!(
                        scale, "Mask scale", "m", 0.0, 100_000.0, slider(0.0, 10.0 * $scale),
                        "The shape of the ground is measured over this distance and not from sample to sample, so that more iterations do not change the mask. 0: from sample to sample."
                    ),
                )?
            ];

            fn check(&self, table: &str) -> Result<(), $crate::param::OutOfRange> {
                $crate::param::check_all(self, table)?;
                $crate::param::check_order(table, ("low", self.low), ("high", self.high))
            }
        }

        impl Options {
            /// The range.
            fn range(&self) -> $crate::mask::span::Span {
                $crate::mask::span::Span {
                    low: self.low,
                    high: self.high,
                    soft: self.soft,
                    kind: $crate::mask::span::SpanKind::Linear,
                }
            }
        }
    };
}

pub(super) use range_options;

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
