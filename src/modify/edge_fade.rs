//! `edge-fade`: lower the land smoothly towards the border of the map (article 002 on real-time
//! landscapes), down to its lowest height l. With the distance d to a side, as a share of the map:
//!
//! ```text
//! k = 1 − amount · (1 − s(d_x/width) · s(d_z/width)),  s(t) = 3t² − 2t³
//! h' = l + (h − l) · k
//! ```
//!
//! Heights only decrease. At full amount the whole border is at l, so the map wraps afterwards, even
//! if it did not before; otherwise a wrapped map stays wrapped. A profile fades at its two ends.
//! Cost: two passes, one that reads and one that writes.

use crate::util::numbers::smoothstep;
use crate::util::param::{Param, Params, float_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `edge-fade`.
    pub struct EdgeFadeOptions {
        /// Width of the border as a share of the map's side, 0…0.5; default 0.2.
        pub width: f32 = 0.2,
        /// Depth of the fade: 0 changes nothing, 1 brings the border down to the lowest height; default
        /// 1.
        pub amount: f32 = 1.0,
    }
}

impl Params for EdgeFadeOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(width, "Width", "× side", 0.0, 0.5, slider: (0.0, 0.5),
            "Width of the border that sinks, as a share of the map's side."),
        float_param!(amount, "Amount", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How far the border sinks: 1 is down to the map's lowest height."),
    ];
}

impl Modify for EdgeFadeOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.width == 0.0 || self.amount == 0.0 {
            return Ok(());
        }
        let (lowest, _) = canvas.range()?;
        let across = shares(canvas.columns, self.width);
        let down = shares(canvas.rows, self.width);
        canvas.each_row(|row, heights| {
            sink(heights, lowest, &across, down[row], self.amount);
        })?;
        canvas.wraps |= self.amount == 1.0;
        Ok(())
    }
}

/// Share of the relative height kept at each of `count` samples: 0 at both ends, and 1 farther in than
/// `width`. A single sample has no border.
fn shares(count: usize, width: f32) -> Vec<f32> {
    let last = count - 1;
    let reach = width * last as f32;
    let share = |index: usize| match last {
        0 => 1.0,
        _ => smoothstep(index.min(last - index) as f32 / reach),
    };
    (0..count).map(share).collect()
}

vectorized! {
    fn sink(heights: &mut [f32], lowest: f32, across: &[f32], down: f32, amount: f32) {
        for (height, across) in heights.iter_mut().zip(across) {
            let h = *height;
            let kept = 1.0 - amount * (1.0 - across * down);
            let sunk = lowest + (h - lowest) * kept;
            *height = if kept == 1.0 { h } else { sunk };
        }
    }
}
