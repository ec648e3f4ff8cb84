//! A mask by the way the ground falls, in degrees clockwise from north, after Horn (1981): as the map
//! `aspect` has it.
//!
//! The range goes clockwise from `low` to `high`, also across north: from 315 to 45 are the slopes
//! that face north. From 0 to 360 is every direction. Level ground has none, so it never counts,
//! and a profile falls to the east or to the west.

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::param::{Param, Params, float_param};

/// The range of directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Direction in which the range begins, in degrees, 0…360; default 315.
    pub low: f32,
    /// Direction in which the range ends, in degrees, 0…360; default 45.
    pub high: f32,
    /// Degrees over which either end fades, 0…180; default 30.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 315.0,
            high: 45.0,
            soft: 30.0,
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
            360.0,
            slider(0.0, 360.0),
            "The range goes clockwise from this direction: 0 is north, 90 east."
        ),
        float_param!(
            high,
            "Mask high",
            "°",
            0.0,
            360.0,
            slider(0.0, 360.0),
            "The range goes clockwise to this direction, past north if it is below the lower end."
        ),
        float_param!(
            soft,
            "Soft ends",
            "°",
            0.0,
            180.0,
            slider(0.0, 90.0),
            "Beyond either end of the range the mask fades to nothing over this much."
        ),
    ];
}

impl Source for Options {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            is_round: true,
        }
    }

    fn quantity<'a>(
        &'a self,
        _: &'a Heightmap,
        _: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError> {
        let fill = |_: usize, window: &Window<'_>, out: &mut [f32]| window.aspect(out);
        Ok(Box::new(fill))
    }
}
