//! `island`: radial falloff mask. The land is lowered smoothly all around, down to its lowest height l.
//! With the distance ρ from the centre, which is 1 in the middle of each side (so the island of a map
//! that is not square is an ellipse):
//!
//! ```text
//! k = 1 − amount · (1 − s((radius − ρ)/(radius · shore))),  s(t) = 3t² − 2t³
//! h' = l + (h − l) · k
//! ```
//!
//! Heights only decrease. A wrapped map stays wrapped: the formula is the same on opposite edges, bit
//! for bit. A map that does not wrap is not marked as wrapped, even if its whole border is at l.
//! Cost: two passes, one that reads and one that writes.

use crate::util::numbers::smoothstep;
use crate::util::param::{Param, Params, float_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `island`.
    pub struct IslandOptions {
        /// Distance from the centre at which the island ends, 0.01…2; 1 touches the sides; default 1.
        pub radius: f32 = 1.0,
        /// Share of the radius over which the land falls, 0 (a cliff) … 1 (from the centre on); default 0.6.
        pub shore: f32 = 0.6,
        /// Strength: 0 changes nothing, 1 brings the sea floor down to the lowest height; default 1.
        pub amount: f32 = 1.0,
    }
}

impl Params for IslandOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(radius, "Radius", "× half side", 0.01, 2.0, slider: (0.1, 1.5),
            "Distance from the centre where the island ends: 1 touches the sides of the map."),
        float_param!(shore, "Shore", "× radius", 0.0, 1.0, slider: (0.0, 1.0),
            "Share of the radius over which the land sinks: 0 is a cliff."),
        float_param!(amount, "Amount", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How far the land around the island sinks: 1 is down to the map's lowest height."),
    ];
}

impl Modify for IslandOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.amount == 0.0 {
            return Ok(());
        }
        let (lowest, _) = canvas.range()?;
        let across = squares(canvas.columns);
        let down = squares(canvas.rows);
        canvas.each_row(|row, heights| sink(heights, lowest, &across, down[row], self))?;
        Ok(())
    }
}

/// Squared distance of each sample from the middle, which is 1 at both ends.
fn squares(count: usize) -> Vec<f32> {
    let last = count - 1;
    let square = |index: usize| {
        let t = (2 * index).abs_diff(last) as f32 / last.max(1) as f32;
        t * t
    };
    (0..count).map(square).collect()
}

vectorized! {
    fn sink(heights: &mut [f32], lowest: f32, across: &[f32], down: f32, options: &IslandOptions) {
        let (radius, amount) = (options.radius, options.amount);
        // The bound turns a shore of no width into a cliff without a division by 0.
        let steepness = 1.0 / (radius * options.shore).max(1.0e-6);
        for (height, across) in heights.iter_mut().zip(across) {
            let h = *height;
            let distance = (across + down).sqrt();
            let kept = 1.0 - amount * (1.0 - smoothstep((radius - distance) * steepness));
            let sunk = lowest + (h - lowest) * kept;
            *height = if kept == 1.0 { h } else { sunk };
        }
    }
}
