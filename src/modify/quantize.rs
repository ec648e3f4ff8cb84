//! `quantize`: clamp heights to `low`…`high` and round them to equally spaced levels. This shows the
//! loss of a map stored in bytes, as Martz suggests to save memory (256 levels), but without the
//! overflow of a byte.
//!
//! ```text
//! k = round((levels − 1) · (h − low)/(high − low)), clamped to 0…levels − 1
//! h' = low + (high − low) · k/(levels − 1)
//! ```
//!
//! A second application changes nothing. A wrapped map stays wrapped. Cost: one pass.

use crate::util::param::{OutOfRange, Param, Params, float_param, int_param, options};
use crate::util::power::round;

use super::canvas::{Canvas, Modify};
use super::scalar::mix;
use super::{ModifyError, check_band};

options! {
    /// Options of `quantize`.
    pub struct QuantizeOptions {
        /// Number of levels, 2…65,536; default 256, a byte.
        pub levels: u32 = 256,
        /// Lowest level, −1000…1000; default −1.
        pub low: f32 = -1.0,
        /// Highest level, `low`…1000; default 1.
        pub high: f32 = 1.0,
    }
}

impl Params for QuantizeOptions {
    const PARAMS: &'static [Param<Self>] = &[
        int_param!(levels, "Levels", "", 2, 65_536, slider 256,
            "Number of different heights that remain: 256 as in a byte, 65,536 as in a 16-bit \
             file."),
        float_param!(low, "Low", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "The lowest level: heights below become this height."),
        float_param!(high, "High", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "The highest level: heights above become this height."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_band(self, table, [self.low, self.high])
    }
}

impl Modify for QuantizeOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.low < self.high {
            canvas.each_band(|_, heights| step(heights, self))?;
        } else {
            canvas.each_band(|_, heights| heights.fill(self.low))?;
        }
        Ok(())
    }
}

vectorized! {
    fn step(heights: &mut [f32], options: &QuantizeOptions) {
        let (low, high) = (options.low, options.high);
        let most = (options.levels - 1) as f32;
        for height in heights {
            let t = (height.clamp(low, high) - low) / (high - low);
            let level = round(t * most);
            *height = mix(low, high, level / most);
        }
    }
}
