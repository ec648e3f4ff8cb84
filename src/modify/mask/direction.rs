//! Mask by aspect: the downslope direction at a scale, in degrees clockwise from north (Horn 1981).
//!
//! The range goes clockwise from `low` to `high`, also across north: from 315 to 45 are the slopes that
//! face north. From 0 to 360 is every direction. Level ground has no aspect, so its weight is 0, and a
//! profile faces east or west.

use serde::{Deserialize, Serialize};

use super::Context;
use super::shape::{SCALE_M, derivative};
use super::source::{MadeQuantity, Source};
use super::span::{Span, SpanKind};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::neighbours::Measure;
use crate::util::param::{Param, Params, float_param};

/// Range of directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Start of the range in degrees, 0…360; default 315.
    pub low: f32,
    /// End of the range in degrees, 0…360; default 45.
    pub high: f32,
    /// Width of the fade at either end, in degrees, 0…180; default 30.
    pub soft: f32,
    /// Scale in metres at which the terrain's shape is measured, 0 (sample spacing) … 100,000; default 20.
    pub scale: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 315.0,
            high: 45.0,
            soft: 30.0,
            scale: SCALE_M,
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
        float_param!(
            scale,
            "Mask scale",
            "m",
            0.0,
            100_000.0,
            slider(0.0, 10.0 * SCALE_M),
            "The shape of the ground is measured over this distance and not from sample to sample, so that more iterations do not change the mask. 0: from sample to sample."
        ),
    ];
}

impl Source for Options {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            kind: SpanKind::Round,
        }
    }

    fn quantity<'a>(&'a self, map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
        derivative(Measure::Aspect, self.scale, map, context)
    }

    fn scale_m(&self) -> Option<f32> {
        Some(self.scale)
    }
}
