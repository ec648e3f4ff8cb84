//! The value of a setting, whatever its type, and the words for it.

use crate::app::controls::figures::short;
use crate::param::{Field, Param};

/// The value of a parameter, whatever its type.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Float(f32),
    Int(u32),
    Seed(u64),
    Switch(bool),
    Choice(usize),
    Text(String),
}

impl Value {
    /// The value that `owner` has.
    pub fn of<T>(param: &Param<T>, owner: &T) -> Self {
        match &param.field {
            Field::Float { get, .. } => Self::Float(get(owner)),
            Field::Int { get, .. } => Self::Int(get(owner)),
            Field::Seed { get, .. } => Self::Seed(get(owner)),
            Field::Switch { get, .. } => Self::Switch(get(owner)),
            Field::Choice { get, .. } => Self::Choice(get(owner)),
            Field::Text { get, .. } => Self::Text(get(owner)),
        }
    }

    /// Gives `owner` the value.
    pub fn put<T>(self, param: &Param<T>, owner: &mut T) {
        match (&param.field, self) {
            (Field::Float { set, .. }, Self::Float(value)) => set(owner, value),
            (Field::Int { set, .. }, Self::Int(value)) => set(owner, value),
            (Field::Seed { set, .. }, Self::Seed(value)) => set(owner, value),
            (Field::Switch { set, .. }, Self::Switch(value)) => set(owner, value),
            (Field::Choice { set, .. }, Self::Choice(value)) => set(owner, value),
            (Field::Text { set, .. }, Self::Text(value)) => set(owner, &value),
            // A value only ever comes from its own parameter.
            _ => {}
        }
    }

    /// The value as the panel writes it.
    pub fn words<T>(self, param: &Param<T>) -> String {
        match (self, &param.field) {
            (Self::Float(value), Field::Float { slider, .. }) => {
                short(shortest(value), 0, decimals(f64::from(slider.1 - slider.0)))
            }
            (Self::Float(value), _) => value.to_string(),
            (Self::Int(value), _) => value.to_string(),
            (Self::Seed(value), _) => value.to_string(),
            (Self::Switch(value), _) => if value { "on" } else { "off" }.to_owned(),
            (Self::Choice(index), Field::Choice { names, .. }) => names[index].to_owned(),
            (Self::Choice(index), _) => index.to_string(),
            (Self::Text(text), _) => text,
        }
    }
}

/// The `f64` that shows the same digits as the `f32`: 0.7, not 0.699999988.
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// Decimals that mean something on a scale that long: at least a thousandth of it.
pub fn decimals(span: f64) -> usize {
    (3.0 - span.abs().max(1e-6).log10().floor()).clamp(0.0, 6.0) as usize
}
