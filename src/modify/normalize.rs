//! `normalize`: linear contrast stretch of the heights to a range (also called "auto levels"). With the
//! lowest height l and the highest L:
//!
//! ```text
//! t = (h − l) / (L − l)      h' = low·(1 − t) + high·t
//! ```
//!
//! Both ends are exact. A flat map is moved to `low`. A wrapped map stays wrapped. Cost: two
//! passes, one that reads and one that writes.

use crate::util::param::{OutOfRange, Param, Params, float_param, options};

use super::canvas::{Canvas, Modify};
use super::scalar::mix;
use super::{ModifyError, check_band};

options! {
    /// Options of `normalize`.
    pub struct NormalizeOptions {
        /// Lowest height afterwards, −1000…1000; default 0.
        pub low: f32 = 0.0,
        /// Highest height afterwards, `low`…1000; default 1.
        pub high: f32 = 1.0,
    }
}

impl Params for NormalizeOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(low, "Low", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "The lowest height afterwards."),
        float_param!(high, "High", "half tiles", -1000.0, 1000.0, slider: (-1.0, 1.0),
            "The highest height afterwards."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_band(self, table, [self.low, self.high])
    }
}

impl Modify for NormalizeOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        let from = canvas.range()?;
        let to = (self.low, self.high);
        if from == to {
            return Ok(());
        }
        if from.0 == from.1 {
            canvas.each_band(|_, heights| heights.fill(to.0))?;
        } else {
            canvas.each_band(|_, heights| stretch(heights, from, to))?;
        }
        Ok(())
    }
}

vectorized! {
    fn stretch(heights: &mut [f32], from: (f32, f32), to: (f32, f32)) {
        let span = from.1 - from.0;
        for height in heights {
            *height = mix(to.0, to.1, (*height - from.0) / span);
        }
    }
}
