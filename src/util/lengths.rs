//! Lengths in metres, millimetres or kilometres, as suits the size of the tile, for the window; a scene
//! holds them in half tiles.

use super::language::mark;
use super::numbers::metres_per_unit;
use super::param::{Kind, Value};

/// Unit in which the window shows the lengths of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lengths {
    /// Abbreviation, such as `m`.
    pub unit: &'static str,
    /// The same for speeds, such as `m/s`.
    speed: &'static str,
    /// Length of a half tile in this unit.
    pub half_tile: f64,
}

impl Lengths {
    /// Unit for a tile size.
    #[must_use]
    pub fn of(tile_size_m: f32) -> Self {
        let metres = metres_per_unit(tile_size_m);
        let (unit, speed, half_tile) = match metres {
            ..1.0 => (mark("mm"), mark("mm/s"), metres * 1000.0),
            1.0..20_000.0 => (mark("m"), mark("m/s"), metres),
            _ => (mark("km"), mark("km/s"), metres / 1000.0),
        };
        Self {
            unit,
            speed,
            half_tile,
        }
    }

    /// Unit in which a setting is shown whose own unit is `unit`, and its scale: 1 of the setting's unit
    /// is so many of the other.
    #[must_use]
    pub fn unit_of(&self, kind: &Kind, unit: &'static str) -> (&'static str, f64) {
        match (kind, unit) {
            (Kind::Float { .. }, "half tiles") => (self.unit, self.half_tile),
            (Kind::Float { .. }, "half tiles/s") => (self.speed, self.half_tile),
            _ => (unit, 1.0),
        }
    }
}

/// Multiply a number by `scale`, and round it to seven digits, the precision of the setting: 300, not
/// 299.99997. Other values stay.
#[must_use]
pub fn scaled(value: &Value, scale: f64) -> Value {
    match value {
        Value::Float(value) if scale != 1.0 => Value::Float(scale_number(*value, scale)),
        value => value.clone(),
    }
}

/// Multiply the range of a number by `scale`.
#[must_use]
pub fn scaled_range(kind: Kind, scale: f64) -> Kind {
    let by = |value| scale_number(value, scale);
    match kind {
        Kind::Float { min, max, slider } if scale != 1.0 => Kind::Float {
            min: by(min),
            max: by(max),
            slider: (by(slider.0), by(slider.1)),
        },
        kind => kind,
    }
}

fn scale_number(value: f32, scale: f64) -> f32 {
    rounded(shortest(value) * scale) as f32
}

/// Round a number to seven digits.
#[must_use]
pub fn rounded(value: f64) -> f64 {
    let digits = format!("{value:.6e}");
    digits.parse().unwrap_or(value)
}

/// `f64` with the same decimal digits as the `f32`: 0.7, not 0.699999988.
#[must_use]
pub fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}
