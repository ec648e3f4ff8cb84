//! A mask by height, in half tiles.

use serde::{Deserialize, Serialize};

use super::source::{Quantity, Source};
use super::span::Span;
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of heights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Lowest height that counts in full, in half tiles, −1000…1000; default 0.
    pub low: f32,
    /// Highest height that counts in full, in half tiles, `low`…1000; default 1000, which is no end.
    pub high: f32,
    /// Height in half tiles over which either end fades, 0…1000; default 0.1.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 0.0,
            high: 1000.0,
            soft: 0.1,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "half tiles",
            -1000.0,
            1000.0,
            slider(-1.0, 1.0),
            "The height from which on the mask counts in full."
        ),
        float_param!(
            high,
            "Mask high",
            "half tiles",
            -1000.0,
            1000.0,
            slider(-1.0, 1.0),
            "The height up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "half tiles",
            0.0,
            1000.0,
            slider(0.0, 0.5),
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
        let fill = |_: usize, window: &Window<'_>, out: &mut [f32]| {
            out.copy_from_slice(&window.here[1..=out.len()]);
        };
        Ok(Box::new(fill))
    }
}
