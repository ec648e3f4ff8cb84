//! A mask by how much land drains through a sample, in m²: rivers and their banks. As the map `flow`
//! has it; it costs a [`Drainage`].

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::drainage::Drainage;
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::numbers::metres_per_unit;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of areas.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Smallest area that counts in full, in m², 0…10¹⁵; default 10,000.
    pub low: f32,
    /// Largest area that counts in full, in m², `low`…10¹⁵; default 10¹⁵.
    pub high: f32,
    /// How much of it either end fades over, in m², 0…10¹⁵; default 5,000.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 10_000.0,
            high: 1.0e15,
            soft: 5_000.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "m²",
            0.0,
            1.0e15,
            slider(0.0, 1.0e5),
            "The area that drains from which on the mask counts in full."
        ),
        float_param!(
            high,
            "Mask high",
            "m²",
            0.0,
            1.0e15,
            slider(0.0, 1.0e5),
            "The area that drains up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "m²",
            0.0,
            1.0e15,
            slider(0.0, 1.0e5),
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
        let side = f64::from(drainage.spacing()) * metres_per_unit(context.tile_size_m);
        let sample = (side * side) as f32;
        let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| {
            for (column, out) in out.iter_mut().enumerate() {
                *out = drainage.area(drainage.cell(row, column)) as f32 * sample;
            }
        };
        Ok(Box::new(fill))
    }

    fn uses_water(&self) -> bool {
        true
    }
}
