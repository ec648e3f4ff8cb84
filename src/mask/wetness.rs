//! A mask by how wet the ground is, ln(area that drains through a metre / slope) after Beven and Kirkby
//! (1979): as the map `wetness` has it; it costs a [`Drainage`].

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::drainage::Drainage;
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::numbers::metres_per_unit;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of wetness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Least wetness that counts in full, in ln m, −100…100; default 7.
    pub low: f32,
    /// Most wetness that counts in full, in ln m, `low`…100; default 100.
    pub high: f32,
    /// How much of it either end fades over, in ln m, 0…100; default 2.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 7.0,
            high: 100.0,
            soft: 2.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "ln m",
            -100.0,
            100.0,
            slider(0.0, 20.0),
            "The wetness from which on the mask counts in full."
        ),
        float_param!(
            high,
            "Mask high",
            "ln m",
            -100.0,
            100.0,
            slider(0.0, 20.0),
            "The wetness up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "ln m",
            0.0,
            100.0,
            slider(0.0, 20.0),
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
        map: &'a Heightmap,
        context: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError> {
        let drainage = Drainage::of(map, context.water, context.job)?;
        let metres = metres_per_unit(context.tile_size_m) as f32;
        let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| {
            for (column, out) in out.iter_mut().enumerate() {
                *out = drainage.wetness(drainage.cell(row, column), metres);
            }
        };
        Ok(Box::new(fill))
    }

    fn uses_water(&self) -> bool {
        true
    }
}
