//! `clamp`: cut off heights below `low` and above `high`, which gives flat water and flat tops.
//!
//! A wrapped map stays wrapped. Cost: one pass.

use crate::util::param::{OutOfRange, Param, Params, float_param, options};

use super::canvas::{Canvas, Modify};
use super::{ModifyError, check_band};

options! {
    /// Options of `clamp`.
    pub struct ClampOptions {
        /// Lowest height that remains, −1000…1000; default 0.
        pub low: f32 = 0.0,
        /// Highest height that remains, `low`…1000; default 1.
        pub high: f32 = 1.0,
    }
}

impl Params for ClampOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(low, "Low", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Heights below become this height."),
        float_param!(high, "High", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "Heights above become this height."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_band(self, table, [self.low, self.high])
    }
}

impl Modify for ClampOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        canvas.each_band(|_, heights| cut(heights, self.low, self.high))?;
        Ok(())
    }
}

vectorized! {
    fn cut(heights: &mut [f32], low: f32, high: f32) {
        for height in heights {
            *height = height.clamp(low, high);
        }
    }
}
