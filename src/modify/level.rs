//! `level`: vertical shift, h' = h + shift. With the sea level at height 0 this changes the coastline:
//! it turns hills into lakes and islands (article 001 on real-time landscapes).
//!
//! A wrapped map stays wrapped. Cost: one pass.

use crate::util::param::{Param, Params, float_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `level`.
    pub struct LevelOptions {
        /// Shift of every height, −1000…1000; negative values lower the land; default 0.1.
        pub shift: f32 = 0.1,
    }
}

impl Params for LevelOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(shift, "Shift", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
        "Added to every height: above 0 the land rises out of the water, below 0 it sinks."),
    ];
}

impl Modify for LevelOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        // Adding 0 would turn −0 into 0.
        if self.shift != 0.0 {
            canvas.each_band(|_, heights| lift(heights, self.shift))?;
        }
        Ok(())
    }
}

vectorized! {
    fn lift(heights: &mut [f32], shift: f32) {
        for height in heights {
            *height += shift;
        }
    }
}
