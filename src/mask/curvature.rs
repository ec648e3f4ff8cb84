//! A mask by how the ground bends: its mean curvature, 1 / radius in metres, as the map `curvature` has
//! it. It is above 0 on ridges and below 0 in valleys.
//!
//! Fractal ground bends more the finer it is sampled, so with more iterations the same range counts
//! more places.

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of curvatures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Least curvature that counts in full, in 1/m, −1000…1000; default 0.
    pub low: f32,
    /// Highest curvature that counts in full, in 1/m, `low`…1000; default 1000, which is no end.
    pub high: f32,
    /// Curvature in 1/m over which either end fades, 0…1000; default 0.002.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 0.0,
            high: 1000.0,
            soft: 0.002,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "1/m",
            -1000.0,
            1000.0,
            slider(-0.02, 0.02),
            "The curvature from which on the mask counts in full: above 0 are ridges, below 0 valleys."
        ),
        float_param!(
            high,
            "Mask high",
            "1/m",
            -1000.0,
            1000.0,
            slider(-0.02, 0.02),
            "The curvature up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "1/m",
            0.0,
            1000.0,
            slider(0.0, 0.02),
            "Beyond either end of the range the mask fades to nothing over this much."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("low", self.low), ("high", self.high))
    }
}

impl Source for Options {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            is_round: false,
        }
    }

    fn quantity<'a>(
        &'a self,
        _: &'a Heightmap,
        _: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError> {
        let fill = |_: usize, window: &Window<'_>, out: &mut [f32]| window.curvature(out);
        Ok(Box::new(fill))
    }
}
