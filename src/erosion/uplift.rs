//! How the land rises: where it was high on a large scale it rises fast, and the sea does not.

use super::blur::blur;
use crate::drainage::shape::Shape;

/// How often the heights that uplift follows are blurred.
const BLURS: usize = 8;

/// The uplift of the coarsest level, and for how long it has been at work.
#[derive(Default)]
pub(super) struct Uplift {
    shape: Shape,
    /// The uplift of each cell in a unit of age.
    rate: Vec<f32>,
    /// For how many units of age the land has risen.
    pub age: f32,
}

impl Uplift {
    /// The uplift of land of these heights above the level `base`.
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

    /// Fills a row of a level, of which each `step`-th cell is one of the coarsest, with the uplift in
    /// that time.
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
