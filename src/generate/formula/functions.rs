//! Names in formulas: variables, constants and functions, with a line of help each.
//!
//! All functions use `libm` in `f64`, so a formula gives the same bits on every machine.

use std::num::ParseFloatError;
use std::str::FromStr;

/// Number of samples evaluated at once, because walking the expression costs more than its
/// arithmetic.
pub const LANES: usize = 8;

/// One number for each of [`LANES`] neighbouring samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lanes(pub [f64; LANES]);

impl Lanes {
    /// Fill every lane with the same number.
    #[must_use]
    pub fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    /// Apply `f` to each lane.
    #[must_use]
    #[inline]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self(self.0.map(f))
    }

    /// Apply `f` to each pair of lanes of `self` and `other`.
    #[must_use]
    #[inline]
    pub fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

impl FromStr for Lanes {
    type Err = ParseFloatError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::splat)
    }
}

/// Function of one number.
pub type OfOne = fn(Lanes) -> Lanes;
/// Function of two numbers.
pub type OfTwo = fn(Lanes, Lanes) -> Lanes;

/// Meaning of a name in a formula.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// Coordinate of the sample.
    Variable,
    /// Named number.
    Constant(f64),
    /// Function of one number: `sin(x)`.
    One(OfOne),
    /// Function of two numbers: `max(x, z)`.
    Two(OfTwo),
}

/// Name in a formula, with help and meaning.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Spelling in a formula.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// Meaning of the name.
    pub meaning: Meaning,
}

const fn name(name: &'static str, meaning: Meaning, help: &'static str) -> Name {
    Name {
        name,
        help,
        meaning,
    }
}

use Meaning::{Constant, Variable};

macro_rules! one {
    ($f:expr) => {
        Meaning::One(|a| a.map($f))
    };
}

macro_rules! two {
    ($f:expr) => {
        Meaning::Two(|a, b| a.with(b, $f))
    };
}

/// Table of all names, in the order of help pages.
pub const NAMES: &[Name] = &[
    name("x", Variable, "West −1 to east 1."),
    name("z", Variable, "North −1 to south 1."),
    name("r", Variable, "Distance from the middle, √(x² + z²)."),
    name("pi", Constant(std::f64::consts::PI), "3.14159…"),
    name("e", Constant(std::f64::consts::E), "2.71828…"),
    name("sin", one!(libm::sin), "Sine of an angle in radians."),
    name("cos", one!(libm::cos), "Cosine."),
    name("tan", one!(libm::tan), "Tangent."),
    name("asin", one!(libm::asin), "Angle of that sine, for −1 to 1."),
    name(
        "acos",
        one!(libm::acos),
        "Angle of that cosine, for −1 to 1.",
    ),
    name("atan", one!(libm::atan), "Angle of that tangent."),
    name("sinh", one!(libm::sinh), "Hyperbolic sine."),
    name("cosh", one!(libm::cosh), "Hyperbolic cosine."),
    name("tanh", one!(libm::tanh), "Hyperbolic tangent: −1 to 1."),
    name("exp", one!(libm::exp), "e to that power."),
    name("ln", one!(libm::log), "Natural logarithm, for more than 0."),
    name("log2", one!(libm::log2), "Logarithm to base 2."),
    name("log10", one!(libm::log10), "Logarithm to base 10."),
    name("sqrt", one!(libm::sqrt), "Square root, for 0 or more."),
    name("cbrt", one!(libm::cbrt), "Cube root."),
    name(
        "abs",
        one!(libm::fabs),
        "Absolute value: the number without its sign.",
    ),
    name("sign", one!(sign), "−1, 0 or 1."),
    name("floor", one!(libm::floor), "The whole number at or below."),
    name("ceil", one!(libm::ceil), "The whole number at or above."),
    name(
        "round",
        one!(libm::round),
        "The nearest whole number, halves away from 0.",
    ),
    name(
        "fract",
        one!(fract),
        "Fractional part: what is above the whole number below, 0 to 1.",
    ),
    name("min", two!(smaller), "The smaller: min(x, z)."),
    name("max", two!(larger), "The larger: max(x, z)."),
    name(
        "atan2",
        two!(libm::atan2),
        "Angle of the point: atan2(z, x) is 0 east, pi/2 south.",
    ),
    name(
        "mod",
        two!(floored_mod),
        "Remainder of a division, never below 0 if the divisor is above 0: mod(x, 0.5).",
    ),
    name("pow", two!(libm::pow), "Power, also written x^2."),
];

/// Binary operators, by their sign.
pub const OPERATORS: &[(&str, OfTwo)] = &[
    ("*", |a, b| a.with(b, |a, b| a * b)),
    ("/", |a, b| a.with(b, |a, b| a / b)),
    ("+", |a, b| a.with(b, |a, b| a + b)),
];

/// Minus sign, as binary and as unary operator.
pub const MINUS: (&str, OfTwo, OfOne) = ("-", |a, b| a.with(b, |a, b| a - b), |a| a.map(|a| -a));

/// Look up the entry of the name `word`.
#[must_use]
pub fn named(word: &str) -> Option<&'static Name> {
    NAMES.iter().find(|entry| entry.name == word)
}

fn sign(value: f64) -> f64 {
    if value > 0.0 {
        1.0
    } else if value < 0.0 {
        -1.0
    } else {
        value
    }
}

/// Smaller of two numbers, or NaN if one of them is NaN: a missing value must not vanish.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

fn fract(value: f64) -> f64 {
    value - libm::floor(value)
}

/// Floored remainder: periodic through 0, unlike `%`, so that patterns continue across 0.
fn floored_mod(value: f64, divisor: f64) -> f64 {
    value - divisor * libm::floor(value / divisor)
}
