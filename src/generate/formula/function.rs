//! Continuous formula for levels of detail finer than its map.

use super::expression::Expression;
use super::functions::{LANES, Lanes};
use crate::fractal::function::HeightFunction;

/// Height function of a formula.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    pub(super) expression: Expression,
    pub(super) height_scale: f64,
}

impl HeightFunction for Ground {
    /// Evaluate a row. Cost: that of as many samples of the map.
    fn row(&self, level: u32, row: u64, first: u64, heights: &mut [f64]) {
        let z = place(level, row);
        let count = heights.len();
        for (part, heights) in heights.chunks_mut(LANES).enumerate() {
            let first = first + (part * LANES) as u64;
            let last = (count - part * LANES).min(LANES) as u64 - 1;
            let x = std::array::from_fn(|lane| place(level, first + last.min(lane as u64)));
            let values = self.expression.at(Lanes(x), z).0;
            for (height, value) in heights.iter_mut().zip(values) {
                *height = value * self.height_scale;
            }
        }
    }
}

/// Coordinate x of a column or z of a row of 2^level cells, −1…1: the nearest 64-bit number, so it is
/// the same at every level.
fn place(level: u32, index: u64) -> f64 {
    let from_the_middle = 2 * index as i64 - (1_i64 << level);
    libm::ldexp(from_the_middle as f64, -(level as i32))
}
