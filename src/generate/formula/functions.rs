//! The names that a formula may contain: variables, constants, functions, with a line of help each.
//!
//! All are worked out by `libm` in `f64`, so a formula gives the same bits on every machine.

use std::num::ParseFloatError;
use std::str::FromStr;

/// The number of samples evaluated at once: going through an expression costs more than its
/// arithmetic.
pub const LANES: usize = 8;

/// A number for each of [`LANES`] neighbouring samples.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lanes(pub [f64; LANES]);

impl Lanes {
    /// The same number in every lane.
    #[must_use]
    pub fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    /// The result of `f` for each number.
    #[must_use]
    #[inline]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self(self.0.map(f))
    }

    /// The result of `f` for each number and the one beside it in `other`.
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

/// A function of one number.
pub type OfOne = fn(Lanes) -> Lanes;
/// A function of two numbers.
pub type OfTwo = fn(Lanes, Lanes) -> Lanes;

/// What a name stands for in a formula.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A coordinate of the sample's place.
    Variable,
    /// A number with a name.
    Constant(f64),
    /// A function of one number: `sin(x)`.
    One(OfOne),
    /// A function of two numbers: `max(x, z)`.
    Two(OfTwo),
}

/// One name of a formula.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// The name as written in a formula.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What the name stands for.
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

/// Every name, in the order in which they are listed.
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

/// The operators between two numbers, by their sign.
pub const OPERATORS: &[(&str, OfTwo)] = &[
    ("*", |a, b| a.with(b, |a, b| a * b)),
    ("/", |a, b| a.with(b, |a, b| a / b)),
    ("+", |a, b| a.with(b, |a, b| a + b)),
];

/// The minus sign, between two numbers and before one.
pub const MINUS: (&str, OfTwo, OfOne) = ("-", |a, b| a.with(b, |a, b| a - b), |a| a.map(|a| -a));

/// The entry of the name `word`.
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

/// The smaller of two numbers, or NaN if one of them is NaN: a missing value must not vanish.
fn smaller(a: f64, b: f64) -> f64 {
    if a < b || a.is_nan() { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

fn fract(value: f64) -> f64 {
    value - libm::floor(value)
}

/// A remainder that is periodic through 0, unlike `%`, so that patterns made with it do not change
/// there.
fn floored_mod(value: f64, divisor: f64) -> f64 {
    value - divisor * libm::floor(value / divisor)
}
