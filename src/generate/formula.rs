//! `formula`: explicit function. Each height is the value of a user's expression in x and z.
//!
//! ```text
//! h = A · f(x, z)      x, z: −1…1, r = √(x² + z²); west and north are −1
//! ```
//! More iterations keep all existing samples. With `wrap` the map tiles by repeating the first row and
//! column, which is right for expressions of period 2 such as sin(pi·x). Range: that of the expression.
//! Cost: O(4^n) evaluations, in `f64` and with `libm`, so the bits are the same on every machine. If the
//! expression has no finite value somewhere, the error reports the place. Finer levels of detail
//! evaluate the formula itself, in `f64`. Source: Martz 1996 ("use a sine").

use std::num::ParseFloatError;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::fractal::refinement::{Function, HeightFunction};
use crate::generate::{Detail, Generate, GenerateError, Request, Surface};
use crate::terrain::heightmap::{Heightmap, MOST_HEIGHT};
use crate::util::job::Job;
use crate::util::parallel;
use crate::util::param::{OutOfRange, Param, Params, options, switch_param, text_param};

mod expression;

pub use expression::{Expression, MOST_CHARACTERS, MOST_NESTING, SyntaxError};

options! {
    /// Options of `formula`.
    pub struct FormulaOptions {
        /// Height at x, z = −1…1, before the height scale; at most 1000 characters. The default is a tileable
        /// range of warped waves.
        pub expression: String = "0.2*sin(pi*x + 1.5*sin(pi*z))*cos(pi*z) + 0.08*sin(3*pi*x)*sin(2*pi*z + 2*sin(pi*x))".to_owned(),
        /// Wrap: the last row and column repeat the first, so that the map tiles bit for bit; otherwise they
        /// are evaluated at +1. Default on, since the default expression has period 2, and a sine of pi·x is
        /// equal at −1 and 1 only up to rounding.
        pub wrap: bool = true,
    }
}

impl Params for FormulaOptions {
    const KEPT: &'static [&'static str] = &["wrap"];

    const PARAMS: &'static [Param<Self>] = &[
        text_param!(expression, "Expression", check: |_, text| check(text),
            "The height as a formula of x (west −1, east 1), z (north −1, south 1) and r, the \
             distance from the middle: + - * / ^, pi, e, sin cos tan asin acos atan sinh cosh \
             tanh exp ln log2 log10 sqrt cbrt abs sign floor ceil round fract, and of two numbers \
             min max atan2 mod pow."),
        switch_param!(
            wrap,
            "Wrap",
            "On: the last row and column repeat the first, so the map tiles; suitable for \
             formulas with a period of 2, such as sin(pi*x). Off: they are calculated at 1."
        ),
    ];
}

/// Check that `text` is a valid formula.
///
/// # Errors
/// The text is not a formula; the message states the syntax error.
pub fn check(text: &str) -> Result<(), String> {
    let checked = expression::bracketed(text);
    checked
        .map_err(|error| format!("a formula: {error}"))
        .map(drop)
}

/// Key of the expression in a scene.
const KEY: &str = "surface.formula.expression";

impl Generate for FormulaOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let surface = request.surface;
        let formula = Formula::new(KEY, &self.expression)?;
        let side = (1usize << surface.iterations) + 1;
        let mut heights = request.buffer(side * side)?;
        let scale = surface.height_scale;
        formula.fill(&mut heights, side, self.wrap, scale, request.job)?;
        Ok(Heightmap::new(side, side, self.wrap, heights))
    }

    /// Formula as a function of position. It is exact at every depth, so displacements are added only if
    /// a Hurst exponent for them is set.
    fn function(
        &self,
        surface: &Surface,
        detail: &Detail,
    ) -> Result<Option<Function>, GenerateError> {
        let formula = Formula::new(KEY, &self.expression)?;
        Ok(Some(Function {
            heights: Arc::new(Ground {
                expression: formula.expression,
                height_scale: f64::from(surface.height_scale),
            }),
            own_to: detail.hurst.map_or(u32::MAX, |_| 0),
        }))
    }

    fn has_hurst(&self) -> bool {
        false
    }
}

/// Parsed expression, and the key of the scene that holds it, for errors.
pub(super) struct Formula {
    key: &'static str,
    expression: Expression,
}

impl Formula {
    pub(super) fn new(key: &'static str, text: &str) -> Result<Self, GenerateError> {
        let expression = Expression::parse(text).map_err(|error| OutOfRange {
            key: key.to_owned(),
            value: format!("{text:?}"),
            allowed: format!("a formula: {error}"),
        })?;
        Ok(Self { key, expression })
    }

    /// Fill `heights`, `side`² samples over −1…1, with the expression's value times `height_scale`. If the
    /// map wraps, the last row and column repeat the first.
    pub(super) fn fill(
        &self,
        heights: &mut [f32],
        side: usize,
        wraps: bool,
        height_scale: f32,
        job: &Job,
    ) -> Result<(), GenerateError> {
        let cells = side - 1;
        let done = AtomicU64::new(0);
        // First sample in row-major order that is not finite. Rows after it may be skipped, but rows
        // before it may not, so that the result does not depend on the order of threads.
        let first_bad = AtomicUsize::new(usize::MAX);
        parallel::par_items(heights.chunks_mut(side)).try_each(|row, out| {
            job.check()?;
            if row * side > first_bad.load(Ordering::Relaxed) {
                return Ok(());
            }
            let z = place(if wraps { row % cells } else { row }, cells);
            let made = if wraps { cells } else { side };
            if let Some(column) = self.row(&mut out[..made], cells, z, height_scale) {
                first_bad.fetch_min(row * side + column, Ordering::Relaxed);
            }
            if wraps {
                out[cells] = out[0];
            }
            job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, side as u64);
            Ok::<(), GenerateError>(())
        })?;
        match first_bad.into_inner() {
            usize::MAX => Ok(()),
            index => {
                let (row, column) = (index / side, index % side);
                let (x, z) = (place(column, cells), place(row, cells));
                Err(GenerateError::NotFinite {
                    key: self.key,
                    value: heights[index],
                    x,
                    z,
                    row,
                    column,
                })
            }
        }
    }

    /// Evaluate one row; return the first column whose height is not allowed.
    fn row(&self, out: &mut [f32], cells: usize, z: f64, height_scale: f32) -> Option<usize> {
        let mut bad = None;
        for (part, heights) in out.chunks_mut(LANES).enumerate() {
            let first = part * LANES;
            let x = std::array::from_fn(|lane| place((first + lane).min(cells), cells));
            let values = self.expression.at(Lanes(x), z).0;
            for (lane, (height, value)) in heights.iter_mut().zip(values).enumerate() {
                let value = value as f32;
                let scaled = value * height_scale;
                *height = if value.is_finite() { scaled } else { value };
                if !(-MOST_HEIGHT..=MOST_HEIGHT).contains(height) && bad.is_none() {
                    bad = Some(first + lane);
                }
            }
        }
        bad
    }
}

/// Coordinate x of a column or z of a row, −1…1, exact.
fn place(index: usize, cells: usize) -> f64 {
    2.0 * index as f64 / cells as f64 - 1.0
}

// Names in formulas: variables, constants and functions, with a line of help each.
//
// All functions use `libm` in `f64`, so a formula gives the same bits on every machine.

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
type OfOne = fn(Lanes) -> Lanes;
/// Function of two numbers.
type OfTwo = fn(Lanes, Lanes) -> Lanes;

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
    name(
        "asin",
        one!(libm::asin),
        "Arcsine: the angle with that sine, for −1 to 1.",
    ),
    name(
        "acos",
        one!(libm::acos),
        "Arccosine: the angle with that cosine, for −1 to 1.",
    ),
    name(
        "atan",
        one!(libm::atan),
        "Arctangent: the angle with that tangent.",
    ),
    name("sinh", one!(libm::sinh), "Hyperbolic sine."),
    name("cosh", one!(libm::cosh), "Hyperbolic cosine."),
    name("tanh", one!(libm::tanh), "Hyperbolic tangent: −1 to 1."),
    name("exp", one!(libm::exp), "Exponential: e to that power."),
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
    name(
        "floor",
        one!(libm::floor),
        "Rounded down to a whole number.",
    ),
    name("ceil", one!(libm::ceil), "Rounded up to a whole number."),
    name(
        "round",
        one!(libm::round),
        "The nearest whole number; halves are rounded away from 0.",
    ),
    name(
        "fract",
        one!(fract),
        "Fractional part: the number minus its floor, 0 to 1.",
    ),
    name(
        "min",
        two!(smaller),
        "The smaller of two numbers: min(x, z).",
    ),
    name("max", two!(larger), "The larger of two numbers: max(x, z)."),
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
const OPERATORS: &[(&str, OfTwo)] = &[
    ("*", |a, b| a.with(b, |a, b| a * b)),
    ("/", |a, b| a.with(b, |a, b| a / b)),
    ("+", |a, b| a.with(b, |a, b| a + b)),
];

/// Minus sign, as binary and as unary operator.
const MINUS: (&str, OfTwo, OfOne) = ("-", |a, b| a.with(b, |a, b| a - b), |a| a.map(|a| -a));

/// Look up the entry of the name `word`.
#[must_use]
fn named(word: &str) -> Option<&'static Name> {
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

// Continuous formula for levels of detail finer than its map.

/// Height function of a formula.
#[derive(Clone, Debug)]
struct Ground {
    expression: Expression,
    height_scale: f64,
}

impl HeightFunction for Ground {
    /// Evaluate a row. Cost: that of as many samples of the map.
    fn row(&self, level: u32, row: u64, first: u64, heights: &mut [f64]) {
        let z = function_place(level, row);
        let count = heights.len();
        for (part, heights) in heights.chunks_mut(LANES).enumerate() {
            let first = first + (part * LANES) as u64;
            let last = (count - part * LANES).min(LANES) as u64 - 1;
            let x =
                std::array::from_fn(|lane| function_place(level, first + last.min(lane as u64)));
            let values = self.expression.at(Lanes(x), z).0;
            for (height, value) in heights.iter_mut().zip(values) {
                *height = value * self.height_scale;
            }
        }
    }
}

/// Coordinate x of a column or z of a row of 2^level cells, −1…1: the nearest 64-bit number, so it is
/// the same at every level.
fn function_place(level: u32, index: u64) -> f64 {
    let from_the_middle = 2 * index as i64 - (1_i64 << level);
    libm::ldexp(from_the_middle as f64, -(level as i32))
}
