//! Types, ranges and values of parameters, independent of the struct that they belong to.

use super::OutOfRange;
use crate::util::language::tr;

/// Type of a parameter and its allowed values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Real number in `min..=max`; the slider spans `slider`.
    Float {
        /// Minimum value.
        min: f32,
        /// Maximum value.
        max: f32,
        /// Useful range, which the slider spans.
        slider: (f32, f32),
    },
    /// Whole number in `min..=max`; the slider ends at `slider_max`.
    Int {
        /// Minimum value.
        min: u32,
        /// Maximum value.
        max: u32,
        /// Maximum value of the slider.
        slider_max: u32,
    },
    /// Any 64-bit seed.
    Seed,
    /// Switch that is on or off.
    Switch,
    /// Choice from a list of names.
    Choice {
        /// Names, in display order.
        names: &'static [&'static str],
        /// Help line for each name.
        helps: &'static [&'static str],
    },
    /// Text with a syntax of its own.
    Text,
}

/// Value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Real number.
    Float(f32),
    /// Whole number.
    Int(u32),
    /// Seed.
    Seed(u64),
    /// State of a switch, true for on.
    Switch(bool),
    /// Index of a name in its list.
    Choice(usize),
    /// Text.
    Text(String),
}

impl Kind {
    /// Range of a number in words, such as "0 to 1"; `None` for other types.
    #[must_use]
    pub fn range(&self) -> Option<String> {
        match self {
            Self::Float { min, max, .. } => Some(tr!("{min} to {max}", min, max)),
            Self::Int { min, max, .. } => Some(tr!("{min} to {max}", min, max)),
            Self::Seed => Some(tr!("0 to {}", u64::MAX)),
            Self::Switch | Self::Choice { .. } | Self::Text => None,
        }
    }

    /// True if the slider is logarithmic, since its range spans several orders of magnitude.
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

    /// True if a number is finite and in the range; always true for other types.
    #[must_use]
    pub fn allows(&self, value: &Value) -> bool {
        match (self, value) {
            // NaN is in no range.
            (Self::Float { min, max, .. }, Value::Float(value)) => (*min..=*max).contains(value),
            (Self::Int { min, max, .. }, Value::Int(value)) => (*min..=*max).contains(value),
            _ => true,
        }
    }

    /// Value as text, as in a scene file: a switch is `true` or `false`.
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

/// True if a range spans so many orders of magnitude that a slider should be logarithmic.
pub(crate) fn spans_scales(low: f64, high: f64) -> bool {
    low > 0.0 && high / low >= 500.0
}

/// Check a value against its range; `text` is the result of the parameter's own check of a text.
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
