//! Thermal erosion: what is steeper than the angle of repose slides down and comes to
//! rest below, until hardly a slope is steeper by more than two degrees. See
//! [`crate::erosion::scree`] for the method.
//!
//! No land is lost, and land that holds already stays as it is. A wrapped map stays wrapped; a
//! profile slides along its row. Cost: some twenty passes over the array and as much again on
//! coarser ones, 50 to 80 ns a sample on one thread, and [`BYTES_A_SAMPLE`] bytes a sample while it
//! runs.

use serde::{Deserialize, Serialize};

use crate::erosion::scree::{BYTES_A_SAMPLE, settle};
use crate::param::{Param, Params, float_param};

use super::ModifyError;
use super::canvas::Canvas;

/// The options of `thermal`: what holds, and how far the rest slides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The steepest slope that holds, in degrees, 1…89; default 35.
    pub repose: f32,
    /// Share of the way to slopes that hold, 0 (changes nothing) … 1; default 1.
    pub amount: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            repose: 35.0,
            amount: 1.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            repose,
            "Angle of repose",
            "°",
            1.0,
            89.0,
            slider(20.0, 70.0),
            "The steepest slope that holds; what is steeper slides down as scree."
        ),
        float_param!(
            amount,
            "Amount",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "How far slopes that are too steep slide: 0 changes nothing, 1 goes all the way."
        ),
    ];
}

pub(super) fn apply(options: &Options, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    if options.amount == 0.0 {
        return Ok(());
    }
    canvas.check_memory(BYTES_A_SAMPLE)?;
    let (repose, job) = (libm::tanf(options.repose.to_radians()), canvas.context.job);
    Ok(settle(&mut canvas.land(), repose, options.amount, job)?)
}
