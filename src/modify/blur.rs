//! `blur`: box blur or Gaussian blur of the heights.
//!
//! The Gaussian is approximated by three box filters of the same total spread (see `means`); unlike a
//! single box it leaves no visible squares.
//!
//! The radius is a share of the map's longer side, not a number of samples, so that it does not depend
//! on the number of iterations. A map that wraps is blurred across its border and stays wrapped;
//! otherwise border heights are repeated.
//!
//! Cost: two passes over the array, whatever the radius.

use crate::terrain::means::{Filter, filter};
use crate::util::param::{Param, Params, choice, choice_param, float_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

choice! {
    /// Filter kernel.
    pub enum Shape: "shape" {
        #[default]
        Gaussian = "gaussian", "A bell curve: near samples count most.";
        Box = "box", "All samples within the radius count equally.";
    }
}

options! {
    /// Options of `blur`.
    pub struct BlurOptions {
        /// Radius as a share of the map's longer side, 0 (changes nothing) … 0.5; default 0.01.
        pub radius: f32 = 0.01,
        /// Filter kernel, box or Gaussian; default `gaussian`.
        pub shape: Shape,
    }
}

impl Params for BlurOptions {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(radius, "Radius", "× side", 0.0, 0.5, slider: (0.0, 0.1),
            "How far the blur reaches, as a share of the map's side: 0 changes nothing."),
        choice_param!(shape: Shape, "Shape", "How near and far samples are weighted."),
    ];
}

impl Modify for BlurOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.radius == 0.0 {
            return Ok(());
        }
        let longer = canvas.rows.max(canvas.columns) - 1;
        let radius = f64::from(self.radius) * longer as f64;
        let shape = match self.shape {
            Shape::Box => Filter::Box,
            Shape::Gaussian => Filter::Bell,
        };
        let (columns, wraps, job) = (canvas.columns, canvas.wraps, canvas.context.job);
        let heights = &mut canvas.heights;
        Ok(filter(shape, heights, columns, wraps, radius, job)?)
    }
}
