//! What any parameter is without the struct that it belongs to: its type, range and value.

use super::OutOfRange;
use crate::language::tr;

/// The type of a parameter, and which values it may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number in `min..=max`; the slider spans `slider`.
    Float {
        /// The smallest value allowed.
        min: f32,
        /// The largest value allowed.
        max: f32,
        /// The useful range, which a slider spans.
        slider: (f32, f32),
    },
    /// A whole number in `min..=max`; the slider ends at `slider_max`.
    Int {
        /// The smallest value allowed.
        min: u32,
        /// The largest value allowed.
        max: u32,
        /// The largest value of the slider.
        slider_max: u32,
    },
    /// Any 64-bit seed.
    Seed,
    /// A switch that is on or off.
    Switch,
    /// One name of a list.
    Choice {
        /// The names, in the order in which they are shown.
        names: &'static [&'static str],
        /// One line about each name.
        helps: &'static [&'static str],
    },
    /// A text that means something.
    Text,
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Float(f32),
    /// A whole number.
    Int(u32),
    /// A seed.
    Seed(u64),
    /// Whether a switch is on.
    Switch(bool),
    /// The index of a name in its list.
    Choice(usize),
    /// A text.
    Text(String),
}

impl Kind {
    /// The range of a number in words, such as "0 to 1"; `None` for what is no number.
    #[must_use]
    pub fn range(&self) -> Option<String> {
        match self {
            Self::Float { min, max, .. } => Some(tr!("{min} to {max}", min, max)),
            Self::Int { min, max, .. } => Some(tr!("{min} to {max}", min, max)),
            Self::Seed => Some(tr!("0 to {}", u64::MAX)),
            Self::Switch | Self::Choice { .. } | Self::Text => None,
        }
    }

    /// Whether the number's steps are factors rather than sums: its range spans scales.
    #[must_use]
    pub fn is_logarithmic(&self) -> bool {
        match self {
            Self::Float {
                slider: (low, high),
                ..
            } => spans_scales((*low).into(), (*high).into()),
            _ => false,
        }
    }

    /// Whether a number is finite and in the range; whatever is no number is.
    #[must_use]
    pub fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            // Nothing that is not a number is in a range.
            (Self::Float { min, max, .. }, Value::Float(value)) => (*min..=*max).contains(value),
            (Self::Int { min, max, .. }, Value::Int(value)) => (*min..=*max).contains(value),
            _ => true,
        }
    }

    /// The value in the words of a scene file: a switch is `true` or `false`.
    #[must_use]
    pub fn words(&self, value: &Value) -> String {
        match (self, value) {
            (Self::Choice { names, .. }, Value::Choice(index)) => names[*index].to_owned(),
            (_, Value::Float(value)) => value.to_string(),
            (_, Value::Int(value)) => value.to_string(),
            (_, Value::Seed(value)) => value.to_string(),
            (_, Value::Switch(value)) => value.to_string(),
            (_, Value::Choice(index)) => index.to_string(),
            (_, Value::Text(text)) => text.clone(),
        }
    }
}

/// Whether a range spans so many scales that steps in it are factors rather than sums.
pub(crate) fn spans_scales(low: f64, high: f64) -> bool {
    low > 0.0 && high / low >= 500.0
}

/// Checks a value against its range; `text` is what its parameter says of a text.
pub(super) fn check_value(
    table: &str,
    key: &str,
    kind: Kind,
    value: &Value,
    text: Result<(), String>,
) -> Result<(), OutOfRange> {
    let (value, allowed) = match (text, value) {
        (Err(allowed), Value::Text(text)) => (format!("{text:?}"), allowed),
        _ if kind.allows(value) => return Ok(()),
        _ => (kind.words(value), kind.range().unwrap_or_default()),
    };
    let key = match table {
        "" => key.to_owned(),
        table => format!("{table}.{key}"),
    };
    Err(OutOfRange {
        key,
        value,
        allowed,
    })
}
