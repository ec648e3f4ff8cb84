//! `curve`: piecewise cubic curve of the heights within the map's own range l…L, through points (tₖ, yₖ):
//!
//! ```text
//! t = (h − l) / (L − l)      h' = l·(1 − c(t)) + L·c(t)
//! ```
//!
//! c is a cubic Hermite spline. With `monotone` its slopes are those of Fritsch and Butland (1984), so that
//! it never overshoots: it rises where the points rise, and has its extremes at points. With `free` they
//! are those of parabolas through three neighbouring points, which is smoother, but may overshoot. Beyond the
//! first and the last point the curve goes on straight.
//!
//! Heights at points are exact. A wrapped map stays wrapped. Cost: two passes, one that reads and one that
//! writes.

use crate::util::param::{Field, Param, Params, choice, choice_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};
use super::scalar::mix;

choice! {
    /// Slopes of the curve at its points.
    pub enum Slopes: "curve" {
        #[default]
        Monotone = "monotone", "The curve stays between the heights of neighbouring points.";
        Free = "free", "The curve is smoother, and may overshoot between points.";
    }
}

options! {
    /// Options of `curve`.
    pub struct CurveOptions {
        /// Points as text: pairs of a height before and after, as shares of the map's range, with rising heights
        /// before; 2 to 32 points, each number −10…10; default `0 0, 0.5 0.2, 1 1`.
        pub points: String = "0 0, 0.5 0.2, 1 1".to_owned(),
        /// Slopes at the points; default `monotone`.
        pub slopes: Slopes,
    }
}

impl Params for CurveOptions {
    const PARAMS: &'static [Param<Self>] = &[
        Param {
            key: "points",
            label: "Points",
            unit: "",
            help: "Points of the curve, such as 0 0, 0.5 0.2, 1 1: the height before and after of each, as \
                   shares from the lowest to the highest height.",
            field: Field::Text {
                get: |options| options.points.clone(),
                set: |options, text| options.points = text.to_owned(),
                check: |_, text| points(text).map(|_| ()),
            },
        },
        choice_param!(slopes: Slopes, "Curve", "How the curve goes from point to point."),
    ];
}

/// Parse the points of a curve.
fn points(text: &str) -> Result<Vec<[f64; 2]>, String> {
    let pairs = text.split(',').map(|pair| {
        let mut numbers = pair.split_whitespace().map(str::parse::<f64>);
        match [numbers.next(), numbers.next(), numbers.next()] {
            [Some(Ok(before)), Some(Ok(after)), None] => Some([before, after]),
            _ => None,
        }
    });
    let points: Option<Vec<_>> = pairs.collect();
    let points = points.ok_or("pairs of numbers separated by commas, such as 0 0, 0.5 0.2, 1 1")?;
    if !(2..=32).contains(&points.len()) {
        return Err("2 to 32 points".to_owned());
    }
    if !points.iter().flatten().all(|number| number.abs() <= 10.0) {
        return Err("numbers from -10 to 10".to_owned());
    }
    // Closer points would make slopes that are no numbers.
    if points.windows(2).any(|pair| pair[1][0] - pair[0][0] < 1e-6) {
        return Err("points whose first numbers rise".to_owned());
    }
    Ok(points)
}

impl Modify for CurveOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        let range = canvas.range()?;
        // The options have been checked.
        let points = points(&self.points).unwrap_or_default();
        if range.0 == range.1 || points.len() < 2 {
            return Ok(());
        }
        let pieces = pieces(&points, self.slopes);
        canvas.each_band(|_, heights| bend(heights, range, &pieces))?;
        Ok(())
    }
}

/// Polynomial of a piece of the curve, in powers of the distance from `at`.
#[derive(Clone, Copy)]
struct Piece {
    /// First position of the piece.
    from: f32,
    at: f32,
    coefficients: [f32; 4],
}

/// Pieces of the curve in order, the straight ones at both ends included.
fn pieces(points: &[[f64; 2]], slopes: Slopes) -> Vec<Piece> {
    let last = points.len() - 1;
    let widths: Vec<f64> = points.windows(2).map(|p| p[1][0] - p[0][0]).collect();
    let rises: Vec<f64> = points.windows(2).map(|p| p[1][1] - p[0][1]).collect();
    let secants: Vec<f64> = rises.iter().zip(&widths).map(|(y, x)| y / x).collect();
    let inner = |k: usize| {
        let ([w, next_w], [d, next_d]) = ([widths[k - 1], widths[k]], [secants[k - 1], secants[k]]);
        match slopes {
            Slopes::Free => (next_w * d + w * next_d) / (w + next_w),
            Slopes::Monotone if d * next_d <= 0.0 => 0.0,
            Slopes::Monotone => {
                let (a, b) = (2.0 * next_w + w, next_w + 2.0 * w);
                (a + b) / (a / d + b / next_d)
            }
        }
    };
    // At an end, the slope of the parabola through the three nearest points.
    let outer = |w: f64, next_w: f64, d: f64, next_d: f64| {
        let slope = ((2.0 * w + next_w) * d - w * next_d) / (w + next_w);
        match slopes {
            Slopes::Free => slope,
            Slopes::Monotone if slope * d <= 0.0 => 0.0,
            Slopes::Monotone if slope.abs() > 3.0 * d.abs() => 3.0 * d,
            Slopes::Monotone => slope,
        }
    };
    let slope = |k: usize| match k {
        _ if last == 1 => secants[0],
        0 => outer(widths[0], widths[1], secants[0], secants[1]),
        k if k == last => outer(widths[k - 1], widths[k - 2], secants[k - 1], secants[k - 2]),
        k => inner(k),
    };
    let piece = |from: f64, k: usize, coefficients: [f64; 4]| Piece {
        from: from as f32,
        at: points[k][0] as f32,
        coefficients: coefficients.map(|c| c as f32),
    };
    let straight = |from: f64, k: usize| piece(from, k, [points[k][1], slope(k), 0.0, 0.0]);
    let cubic = |k: usize| {
        let (w, d, m, next_m) = (widths[k], secants[k], slope(k), slope(k + 1));
        let second = (3.0 * d - 2.0 * m - next_m) / w;
        let third = (m + next_m - 2.0 * d) / (w * w);
        piece(points[k][0], k, [points[k][1], m, second, third])
    };
    let mut pieces = vec![straight(f64::NEG_INFINITY, 0)];
    pieces.extend((0..last).map(cubic));
    pieces.push(straight(points[last][0], last));
    pieces
}

/// Bend heights by the curve.
fn bend(heights: &mut [f32], (low, high): (f32, f32), pieces: &[Piece]) {
    for height in heights {
        let t = (*height - low) / (high - low);
        let next = pieces.iter().position(|piece| t < piece.from);
        let piece = pieces[next.unwrap_or(pieces.len()) - 1];
        let [a, b, c, d] = piece.coefficients;
        let x = t - piece.at;
        *height = mix(low, high, a + x * (b + x * (c + x * d)));
    }
}
