//! The whole land lifted or sunk: h' = h + shift. Height 0 is where the water is, so this moves the
//! water level: it is the way from hills to lakes and islands in article 001.
//!
//! A wrapped map stays wrapped. Cost: one pass.

use serde::{Deserialize, Serialize};

use crate::param::{Param, Params, float_param};

use super::ModifyError;
use super::canvas::Canvas;

/// The options of `level`: how far the land moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Height added to every height, −1000…1000; below 0 the land sinks; default 0.1.
    pub shift: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self { shift: 0.1 }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[float_param!(
        shift,
        "Shift",
        "half tiles",
        -1000.0,
        1000.0,
        slider(-1.0, 1.0),
        "Added to every height: above 0 the land rises out of the water, below 0 it sinks."
    )];
}

pub(super) fn apply(options: &Options, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    // Adding 0 would turn −0 into 0.
    if options.shift != 0.0 {
        canvas.each_band(|_, heights| lift(heights, options.shift))?;
    }
    Ok(())
}

vectorized! {
    fn lift(heights: &mut [f32], shift: f32) {
        for height in heights {
            *height += shift;
        }
    }
}
