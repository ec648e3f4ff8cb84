//! Meaning of the numbers in a file: their range and unit.

use serde::{Deserialize, Serialize};

use super::error::ExportError;
use crate::files::formats::sidecar::{HALF_TILES, METRES, ONE};

/// Range and unit of the numbers in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// Whole numbers span the map's heights, which takes an extra pass. Floats are the heights (GeoTIFF
    /// and ASC: in metres).
    #[default]
    Own,
    /// Whole numbers span a range of heights; in a map with holes, 0 marks a hole and heights start at 1.
    /// Floats are as with [`Span::Own`].
    Heights(f32, f32),
    /// Whole numbers span a range in metres. Floats are metres.
    MetresBetween(f32, f32),
    /// Whole numbers are metres, with 0 at the whole metre below the lowest height. Floats are metres.
    Metres,
    /// Whole numbers are as with [`Span::Own`]. Floats are 0 at the map's lowest height and 1 at its
    /// highest.
    Unit,
}

impl Span {
    /// Given lowest and highest number, if not in metres.
    pub(super) fn heights(self) -> Option<(f32, f32)> {
        match self {
            Self::Heights(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// True if the map's range must be known before a file with these `levels` can be begun.
    pub(super) fn needs_range(self, levels: Option<u32>) -> bool {
        match self {
            Self::Own | Self::Metres => levels.is_some(),
            Self::Unit => true,
            Self::Heights(..) | Self::MetresBetween(..) => false,
        }
    }

    /// As [`Span::range`], for a map with holes; `own` is the range of its data. The number 0 marks
    /// holes, so the lowest height becomes 1: a range that is not given begins one step lower.
    ///
    /// # Errors
    /// The heights exceed the steps of one metre each.
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

    /// Heights of the lowest and the highest whole number, or of the floats 0 and 1. `own` is the range
    /// of the map. Both ranges are relative to the height `above`.
    ///
    /// # Errors
    /// The heights exceed the steps of one metre each.
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

/// Unit of floats in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightUnit {
    /// Half tiles, as in the scene.
    HalfTiles,
    /// Metres.
    Metres,
    /// Normalized: 0 is the lowest height, 1 the highest.
    One,
}

impl HeightUnit {
    /// Unit for a span, in a format whose default unit is `usual`.
    pub(super) fn of(usual: Self, span: Span) -> Self {
        match span {
            Span::Own | Span::Heights(..) => usual,
            Span::MetresBetween(..) | Span::Metres => Self::Metres,
            Span::Unit => Self::One,
        }
    }

    /// Name in a sidecar.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::HalfTiles => HALF_TILES,
            Self::Metres => METRES,
            Self::One => ONE,
        }
    }
}

/// Linear conversion from heights to floats in a file.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    factor: f64,
}

impl Scale {
    /// Conversion to a `unit`, for a map with this range.
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

    /// Number for a height. With the unit half tiles it is the height itself, bit for bit.
    pub fn value(self, height: f32) -> f32 {
        ((f64::from(height) - self.low) * self.factor) as f32
    }

    /// Height for a number. A flat map with the unit one has only one height.
    pub fn height(self, number: f64) -> f64 {
        if self.factor == 0.0 {
            return self.low;
        }
        self.low + number / self.factor
    }

    /// True if numbers are equal to heights.
    pub fn is_identity(self) -> bool {
        self.low == 0.0 && self.factor == 1.0
    }
}
