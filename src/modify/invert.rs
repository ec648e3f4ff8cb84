//! `invert`: exchange hills and hollows. With the lowest height l and the highest L, h' = (l + L) − h,
//! so that the range stays.
//!
//! A wrapped map stays wrapped. Cost: two passes, one that reads and one that writes.

use serde::{Deserialize, Serialize};

use crate::util::param::{Param, Params};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

/// Options of `invert`, which has none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InvertOptions {}

impl Params for InvertOptions {
    const PARAMS: &'static [Param<Self>] = &[];
}

impl Modify for InvertOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        let (low, high) = canvas.range()?;
        if low < high {
            canvas.each_band(|_, heights| mirror(heights, low + high))?;
        }
        Ok(())
    }
}

vectorized! {
    fn mirror(heights: &mut [f32], sum: f32) {
        for height in heights {
            *height = sum - *height;
        }
    }
}
