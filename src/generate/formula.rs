//! `formula`: explicit function. Each height is the value of a user's expression in x and z.
//!
//! ```text
//! h = A · f(x, z)      x, z: −1…1, r = √(x² + z²); west and north are −1
//! ```
//! More iterations keep all existing samples. With `wrap` the map tiles by repeating the first row and
//! column, which is right for expressions of period 2 such as sin(pi·x). Range: that of the expression.
//! Cost: O(4^n) evaluations, in `f64` and with `libm`, so the bits are the same on every machine. If the
//! expression has no finite value somewhere, the error reports the place. Finer levels of detail
//! evaluate the formula itself, in `f64` (`function`). Source: Martz 1996 ("use a sine").

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use super::{Detail, Generate, GenerateError, Request, Surface};
use crate::fractal::function::Function;
use crate::terrain::heightmap::{Heightmap, MOST_HEIGHT};
use crate::util::job::Job;
use crate::util::parallel;
use crate::util::param::{Param, Params, switch_param, text_param};

mod expression;
mod function;
mod functions;
mod grammar;

pub use expression::Expression;
pub use functions::{LANES, Lanes, Meaning, NAMES, Name};
pub use grammar::{MOST_CHARACTERS, MOST_NESTING, SyntaxError};

/// Options of `formula`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Height at x, z = −1…1, before the height scale; at most 1000 characters. The default is a tileable
    /// range of warped waves.
    pub expression: String,
    /// Wrap: the last row and column repeat the first, so that the map tiles bit for bit; otherwise they
    /// are evaluated at +1. Default on, since the default expression has period 2, and a sine of pi·x is
    /// equal at −1 and 1 only up to rounding.
    pub wrap: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            expression: "0.2*sin(pi*x + 1.5*sin(pi*z))*cos(pi*z) + 0.08*sin(3*pi*x)*sin(2*pi*z + 2*sin(pi*x))".to_owned(),
            wrap: true,
        }
    }
}

impl Params for Options {
    const KEPT: &'static [&'static str] = &["wrap"];

    const PARAMS: &'static [Param<Self>] = &[
        text_param!(
            expression,
            "Expression",
            check | _,
            text | check(text),
            "The height as a formula of x (west −1, east 1), z (north −1, south 1) and r, the \
             distance from the middle: + - * / ^, pi, e, sin cos tan asin acos atan sinh cosh \
             tanh exp ln log2 log10 sqrt cbrt abs sign floor ceil round fract, and of two numbers \
             min max atan2 mod pow."
        ),
        switch_param!(
            wrap,
            "Wrap",
            "On: the last row and column repeat the first, so the map tiles; right for formulas \
             that repeat after 2, such as sin(pi*x). Off: they are calculated at 1."
        ),
    ];
}

/// Check that `text` is a valid formula.
///
/// # Errors
/// The text is not a formula; the message states the syntax error.
pub fn check(text: &str) -> Result<(), String> {
    let checked = grammar::bracketed(text);
    checked
        .map_err(|error| format!("a formula: {error}"))
        .map(drop)
}

/// Key of the expression in a scene.
const KEY: &str = "surface.formula.expression";

impl Generate for Options {
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
            heights: Arc::new(function::Ground {
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
        let expression =
            Expression::parse(text).map_err(|error| crate::util::param::OutOfRange {
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
