//! Tectonic uplift, proportional to the smoothed height of the land above the base level.

use super::blur::blur;
use crate::terrain::drainage::shape::Shape;

/// Number of blurs of the heights that determine the uplift.
const BLURS: usize = 8;

/// Uplift rate of the coarsest level, and its duration so far.
#[derive(Default)]
pub(super) struct Uplift {
    shape: Shape,
    /// Uplift of each cell per unit of age.
    rate: Vec<f32>,
    /// Duration of the uplift so far, in units of age.
    pub age: f32,
}

impl Uplift {
    /// Create the uplift of land with these heights above the level `base`.
    pub fn new(shape: Shape, heights: &[f32], base: f32) -> Self {
        let above = |height: &f32| (height - base).max(0.0);
        let mut rate: Vec<f32> = heights.iter().map(above).collect();
        blur(shape, &mut rate, BLURS);
        for (rate, height) in rate.iter_mut().zip(heights) {
            *rate = if *height > base { *rate } else { 0.0 };
        }
        Self {
            shape,
            rate,
            age: 0.0,
        }
    }

    /// Fill a row of a level with the uplift in a time, interpolated from the coarsest level, of which the
    /// row's level has `step` cells per cell.
    pub fn row(&self, step: usize, time: f32, row: usize, out: &mut [f32]) {
        let (shape, top) = (self.shape, row / step);
        let below = shape.row_beside(top, true);
        let t = (row % step) as f32 / step as f32;
        let of_row = |row: usize| &self.rate[row * shape.columns..][..shape.columns];
        let (above, below) = (of_row(top), of_row(below));
        let at = |column: usize| time * (above[column] + (below[column] - above[column]) * t);
        for (column, out) in out.chunks_mut(step).enumerate() {
            let east = match column + 1 {
                east if east < shape.columns => east,
                _ if shape.wraps => 0,
                _ => column,
            };
            let (first, last) = (at(column), at(east));
            ramp(out, first, (last - first) / step as f32);
        }
    }
}

vectorized! {
    fn ramp(out: &mut [f32], first: f32, step: f32) {
        for (index, out) in out.iter_mut().enumerate() {
            *out = first + step * index as f32;
        }
    }
}
