//! `power`: gamma curve of the heights within the map's own range l…L (the "valleys" of article 001 on
//! real-time landscapes, which take the square root):
//!
//! ```text
//! t = (h − l) / (L − l)      h' = l·(1 − t^p) + L·t^p
//! ```
//!
//! p < 1 raises the middle heights, which gives broad tops and gentle slopes. p > 1 lowers them, which
//! gives wide valleys below sharp peaks. p = 0 gives a plain at L. The lowest and the highest height
//! stay exactly the same.
//!
//! Square roots and squares are exact; other powers are within 2·10⁻⁷ of the range. A wrapped map
//! stays wrapped. Cost: two passes, one that reads and one that writes.

use crate::util::param::{Param, Params, float_param, options};
use crate::util::power::power;

use super::ModifyError;
use super::canvas::{Canvas, Modify};
use super::scalar::mix;

options! {
    /// Options of `power`.
    pub struct PowerOptions {
        /// Exponent p, 0…16; 1 changes nothing; default 0.5, the square root.
        pub exponent: f32 = 0.5,
    }
}

impl Params for PowerOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(exponent, "Exponent", "", 0.0, 16.0, slider: (0.1, 4.0),
        "Below 1 slopes become gentle and tops broad (0.5 is the square root); above 1 valleys become wide. 1 changes nothing."),
    ];
}

impl Modify for PowerOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.exponent == 1.0 {
            return Ok(());
        }
        let range = canvas.range()?;
        if range.0 == range.1 {
            return Ok(());
        }
        if self.exponent == 0.0 {
            canvas.each_band(|_, heights| heights.fill(range.1))?;
        } else if self.exponent == 0.5 {
            canvas.each_band(|_, heights| root(heights, range))?;
        } else if self.exponent == 2.0 {
            canvas.each_band(|_, heights| square(heights, range))?;
        } else {
            canvas.each_band(|_, heights| raise(heights, range, self.exponent))?;
        }
        Ok(())
    }
}

vectorized! {
    fn root(heights: &mut [f32], range: (f32, f32)) {
        let (low, high) = range;
        for height in heights {
            *height = mix(low, high, ((*height - low) / (high - low)).sqrt());
        }
    }

    fn square(heights: &mut [f32], range: (f32, f32)) {
        let (low, high) = range;
        for height in heights {
            let t = (*height - low) / (high - low);
            *height = mix(low, high, t * t);
        }
    }

    fn raise(heights: &mut [f32], range: (f32, f32), exponent: f32) {
        let (low, high) = range;
        for height in heights {
            *height = mix(low, high, power((*height - low) / (high - low), exponent));
        }
    }
}
