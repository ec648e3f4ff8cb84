//! A mask by how much rock erosion has taken, in metres: as the map `wear` has it, 0 on a map that has
//! not eroded.

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::numbers::metres_per_unit;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of depths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Least wear that counts in full, in metres, 0…10⁹; default 5.
    pub low: f32,
    /// Most wear that counts in full, in metres, `low`…10⁹; default 10⁹.
    pub high: f32,
    /// How much of it either end fades over, in metres, 0…10⁹; default 5.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 5.0,
            high: 1.0e9,
            soft: 5.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 100.0),
            "The depth of rock that is gone from which on the mask counts in full."
        ),
        float_param!(
            high,
            "Mask high",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 100.0),
            "The depth of rock that is gone up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 100.0),
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
        let metres = metres_per_unit(context.tile_size_m) as f32;
        let columns = map.columns();
        let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| match map.worn() {
            Some(worn) => {
                let row = &worn.wear[row * columns..][..columns];
                for (out, depth) in out.iter_mut().zip(row) {
                    *out = depth * metres;
                }
            }
            None => out.fill(0.0),
        };
        Ok(Box::new(fill))
    }
}
