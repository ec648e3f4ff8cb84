//! Formatting of setting values.

use crate::app::controls::figures::short;
use crate::util::language::tr;
use crate::util::param::{Kind, Value};

/// Value as shown in the panel.
pub fn words(kind: &Kind, value: &Value) -> String {
    match (kind, value) {
        (Kind::Float { slider, .. }, Value::Float(value)) => short(
            shortest(*value),
            0,
            decimals(f64::from(slider.1 - slider.0)),
        ),
        (_, Value::Switch(value)) => if *value { tr("on") } else { tr("off") }.to_owned(),
        (Kind::Choice { names, .. }, Value::Choice(index)) => tr(names[*index]).to_owned(),
        _ => kind.words(value),
    }
}

/// `f64` with the same decimal digits as the `f32`: 0.7, not 0.699999988.
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Number of significant decimals on a scale of this length: a thousandth of it or finer.
pub fn decimals(span: f64) -> usize {
    (3.0 - span.abs().max(1e-6).log10().floor()).clamp(0.0, 6.0) as usize
}
