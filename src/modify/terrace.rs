//! `terrace`: cut slopes into steps of equal height, within the map's own range l…L. With x = steps ·
//! (h − l)/(L − l) = k + f, where k is a whole number:
//!
//! ```text
//! f' = max(0, f − sharpness) / (1 − sharpness)      h' = l + (L − l) · (k + f') / steps
//! ```
//!
//! `sharpness` is the level share of each step; the rest is a ramp up to the next step. At 0 nothing
//! changes, at 1 the steps are cliffs. The lowest and the highest height stay.
//!
//! A wrapped map stays wrapped. Cost: two passes, one that reads and one that writes.

use crate::util::param::{Param, Params, float_param, int_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};
use super::scalar::{floor, mix};

options! {
    /// Options of `terrace`.
    pub struct TerraceOptions {
        /// Number of steps from the lowest to the highest height, 1…1000; default 8.
        pub steps: u32 = 8,
        /// Level share of each step, 0 (none) … 1 (cliffs between steps); default 0.7.
        pub sharpness: f32 = 0.7,
    }
}

impl Params for TerraceOptions {
    const PARAMS: &'static [Param<Self>] = &[
        int_param!(steps, "Steps", "", 1, 1000, slider 32,
            "Number of steps from the lowest to the highest height."),
        float_param!(sharpness, "Sharpness", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Share of each step that is level: 0 changes nothing, at 1 the steps are cliffs."),
    ];
}

impl Modify for TerraceOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.sharpness == 0.0 {
            return Ok(());
        }
        let range = canvas.range()?;
        if range.0 < range.1 {
            canvas.each_band(|_, heights| cut(heights, range, self))?;
        }
        Ok(())
    }
}

vectorized! {
    fn cut(heights: &mut [f32], range: (f32, f32), options: &TerraceOptions) {
        let (low, high) = range;
        let (steps, sharpness) = (options.steps as f32, options.sharpness);
        // Cliffs have no ramp, so the factor does not matter.
        let steepness = if sharpness < 1.0 { 1.0 / (1.0 - sharpness) } else { 0.0 };
        for height in heights {
            let x = steps * ((*height - low) / (high - low));
            let whole = floor(x);
            let ramp = (x - whole - sharpness).max(0.0) * steepness;
            *height = mix(low, high, (whole + ramp.min(1.0)) / steps);
        }
    }
}
