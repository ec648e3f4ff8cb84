//! `flatten`: plains (the "flat zones" of article 003 on real-time landscapes). Heights near the upper
//! bound of a band stay, and the others are lowered smoothly towards its lower bound:
//!
//! ```text
//! t = (h − low) / (high − low)      h' = h − strength · (h − low) · (1 − (3t² − 2t³))
//! ```
//!
//! At the upper bound value and slope are continuous; at the lower bound the value is, and at full
//! strength the land is level there. Heights outside the band do not change.
//!
//! A wrapped map stays wrapped. Cost: one pass.

use crate::util::numbers::smoothstep;
use crate::util::param::{OutOfRange, Param, Params, float_param, options};

use super::canvas::{Canvas, Modify};
use super::{ModifyError, check_band};

options! {
    /// Options of `flatten`.
    pub struct FlattenOptions {
        /// Height of the plain, −1000…1000; default 0.
        pub low: f32 = 0.0,
        /// Height where the plain ends and the hills begin, `low`…1000; default 0.3.
        pub high: f32 = 0.3,
        /// Strength: 0 changes nothing, 1 makes the land level at `low`; default 1.
        pub strength: f32 = 1.0,
    }
}

impl Params for FlattenOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(low, "Low", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "The height of the plain: the band's lower bound."),
        float_param!(high, "High", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Where the hills begin: the band's upper bound."),
        float_param!(strength, "Strength", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How flat the plain becomes: 0 changes nothing."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_band(self, table, [self.low, self.high])
    }
}

impl Modify for FlattenOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.strength > 0.0 && self.low < self.high {
            canvas.each_band(|_, heights| sink(heights, self))?;
        }
        Ok(())
    }
}

vectorized! {
    fn sink(heights: &mut [f32], options: &FlattenOptions) {
        let (low, high, strength) = (options.low, options.high, options.strength);
        for height in heights {
            let h = *height;
            let above = h - low;
            let sunk = h - strength * above * (1.0 - smoothstep(above / (high - low)));
            let inside = (h > low) & (h < high);
            *height = if inside { sunk } else { h };
        }
    }
}
