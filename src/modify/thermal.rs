//! `thermal`: thermal erosion (mass wasting). Ground steeper than the angle of repose slides down and
//! comes to rest as scree, until hardly a slope exceeds it by more than two degrees. See
//! [`crate::terrain::erosion::scree`] for the method.
//!
//! Volume is conserved, and slopes below the angle of repose are unchanged. A wrapped map stays
//! wrapped; in a profile material slides along the row. Cost: some twenty passes over the array and as
//! much again on coarser ones, 50 to 80 ns a sample on one thread, and [`BYTES_A_SAMPLE`] bytes a sample
//! while it runs.

use crate::terrain::erosion::scree::{BYTES_A_SAMPLE, settle};
use crate::util::param::{Param, Params, float_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `thermal`.
    pub struct ThermalOptions {
        /// Angle of repose in degrees, 1…89; default 35.
        pub repose: f32 = 35.0,
        /// Strength of the slide, as a share of the way to stable slopes, 0 (changes nothing) … 1; default 1.
        pub amount: f32 = 1.0,
    }
}

impl Params for ThermalOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(repose, "Angle of repose", "°", 1.0, 89.0, slider: (20.0, 70.0),
            "The steepest slope that holds; steeper ground slides down as scree."),
        float_param!(amount, "Amount", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How far slopes that are too steep slide: 0 changes nothing, 1 goes all the way."),
    ];
}

impl Modify for ThermalOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.amount == 0.0 {
            return Ok(());
        }
        canvas.check_memory(BYTES_A_SAMPLE)?;
        let (repose, job) = (libm::tanf(self.repose.to_radians()), canvas.context.job);
        Ok(settle(&mut canvas.land(), repose, self.amount, job)?)
    }

    fn smooths_mask(&self) -> bool {
        true
    }
}
