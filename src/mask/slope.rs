//! A mask by how steep the ground is, in degrees, after Horn (1981): as the map `slope` has it.

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of slopes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Gentlest slope that counts in full, in degrees, 0…90; default 30.
    pub low: f32,
    /// Steepest slope that counts in full, in degrees, `low`…90; default 90.
    pub high: f32,
    /// Degrees over which either end fades, 0…90; default 10.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 30.0,
            high: 90.0,
            soft: 10.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "°",
            0.0,
            90.0,
            slider(0.0, 90.0),
            "The slope from which on the mask counts in full."
        ),
        float_param!(
            high,
            "Mask high",
            "°",
            0.0,
            90.0,
            slider(0.0, 90.0),
            "The slope up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "°",
            0.0,
            90.0,
            slider(0.0, 45.0),
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
        let fill = |_: usize, window: &Window<'_>, out: &mut [f32]| window.slope(out);
        Ok(Box::new(fill))
    }
}
