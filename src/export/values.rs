//! What the numbers in a file mean: the choice of their range and unit.

use serde::{Deserialize, Serialize};

use super::ExportError;
use crate::formats::sidecar::{HALF_TILES, METRES, ONE};

/// Which heights the numbers of a file span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// Whole numbers: from the map's lowest height to its highest, which takes a pass of its own.
    /// Floats: the heights as they are (GeoTIFF and ASC: in metres).
    #[default]
    Own,
    /// Whole numbers: from one height to the other; of a map with holes, whose number is 0, no
    /// height becomes less than 1. Floats as with [`Span::Own`].
    Heights(f32, f32),
    /// Whole numbers: from one height to the other, both in metres. Floats: metres.
    MetresBetween(f32, f32),
    /// Whole numbers: a step a metre, 0 at the whole metre below the lowest height. Floats: metres.
    Metres,
    /// Whole numbers as with [`Span::Own`]. Floats: 0 at the map's lowest height, 1 at its highest.
    Unit,
}

impl Span {
    /// Lowest and highest number, if they are given and are not in metres.
    pub(super) fn heights(self) -> Option<(f32, f32)> {
        match self {
            Self::Heights(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// Whether the map's own range must be known before a file of so many `levels` is begun.
    pub(super) fn needs_range(self, levels: Option<u32>) -> bool {
        match self {
            Self::Own | Self::Metres => levels.is_some(),
            Self::Unit => true,
            Self::Heights(..) | Self::MetresBetween(..) => false,
        }
    }

    /// The heights that [`Span::range`] says for a map with holes, of whose data `own` is the range.
    /// The whole number 0 stands for no data, so the lowest height becomes 1: a range that is not
    /// given begins a step lower.
    ///
    /// # Errors
    /// The map does not fit into a step a metre.
    pub(super) fn range_above_holes(
        self,
        own: (f32, f32),
        levels: Option<u32>,
        metres_per_unit: f64,
        above: f64,
    ) -> Result<(f32, f32), ExportError> {
        let Some(steps) = levels else {
            return self.range(own, levels, metres_per_unit, above);
        };
        let (low, high) = (f64::from(own.0), f64::from(own.1));
        let lower = match self {
            Self::Own | Self::Unit => low - (high - low) / f64::from(steps.max(2) - 1),
            Self::Metres => low - 1.0 / metres_per_unit,
            Self::Heights(..) | Self::MetresBetween(..) => low,
        };
        self.range((lower as f32, own.1), levels, metres_per_unit, above)
    }

    /// The heights of the lowest and the highest whole number of a file of so many `levels`; of
    /// floats in 0…1 those of 0 and 1. `own` is the map's range; it and what is returned are above
    /// the height `above`.
    ///
    /// # Errors
    /// The map does not fit into a step a metre.
    pub(super) fn range(
        self,
        own: (f32, f32),
        levels: Option<u32>,
        metres_per_unit: f64,
        above: f64,
    ) -> Result<(f32, f32), ExportError> {
        let given = |height: f64| (height - above) as f32;
        let of_metres = |metres: f64| given(metres / metres_per_unit);
        Ok(match self {
            Self::Own | Self::Unit => own,
            Self::Heights(low, high) => (given(low.into()), given(high.into())),
            Self::MetresBetween(low, high) => (of_metres(low.into()), of_metres(high.into())),
            Self::Metres => {
                let Some(levels) = levels else {
                    return Ok(own);
                };
                let metres = |height: f32| (above + f64::from(height)) * metres_per_unit;
                let lowest = metres(own.0).floor();
                let highest = metres(own.1);
                if highest - lowest > f64::from(levels) {
                    return Err(ExportError::Steps {
                        metres: (highest - lowest).ceil() as u64,
                        levels,
                    });
                }
                (of_metres(lowest), of_metres(lowest + f64::from(levels)))
            }
        })
    }
}

/// The unit of a file of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightUnit {
    /// Half tiles, as in the scene.
    HalfTiles,
    /// Metres.
    Metres,
    /// Nothing: 0 is the lowest height, 1 the highest.
    One,
}

impl HeightUnit {
    /// What a file whose floats have the unit `usual` by default has with a span.
    pub(super) fn of(usual: Self, span: Span) -> Self {
        match span {
            Span::Own | Span::Heights(..) => usual,
            Span::MetresBetween(..) | Span::Metres => Self::Metres,
            Span::Unit => Self::One,
        }
    }

    /// Its name in a sidecar.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::HalfTiles => HALF_TILES,
            Self::Metres => METRES,
            Self::One => ONE,
        }
    }
}

/// From heights to the numbers of a file of floats.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    factor: f64,
}

impl Scale {
    /// The way for a file that has this `unit`, of a map with this range.
    pub fn new(unit: HeightUnit, range: (f32, f32), metres_per_unit: f64) -> Self {
        let (low, high) = (f64::from(range.0), f64::from(range.1));
        let (low, factor) = match unit {
            HeightUnit::HalfTiles => (0.0, 1.0),
            HeightUnit::Metres => (0.0, metres_per_unit),
            HeightUnit::One if high > low => (low, 1.0 / (high - low)),
            HeightUnit::One => (low, 0.0),
        };
        Self { low, factor }
    }

    /// The number for a height; with the unit half tiles the height itself, bit for bit.
    pub fn value(self, height: f32) -> f32 {
        ((f64::from(height) - self.low) * self.factor) as f32
    }

    /// The height for a number; of a flat map with the unit one its only height.
    pub fn height(self, number: f64) -> f64 {
        if self.factor == 0.0 {
            return self.low;
        }
        self.low + number / self.factor
    }

    /// Whether every number is the height itself.
    pub fn is_identity(self) -> bool {
        self.low == 0.0 && self.factor == 1.0
    }
}
