//! Hypsometric colours: lookup table from heights to palette colours.

use super::Palette;
use crate::terrain::heightmap::Heightmap;

/// Number of entries in the lookup table.
const TABLE: usize = 1024;

/// Lookup table of colours (sRGB), with the palette from the lowest height to the highest.
#[derive(Clone, Debug)]
pub struct ByHeight {
    table: Vec<[u8; 3]>,
    low: f32,
    scale: f32,
}

impl ByHeight {
    /// Create the table for the heights of a map, which are all read.
    #[must_use]
    pub fn new(map: &Heightmap, palette: &Palette) -> Self {
        Self::over(map.range(), palette)
    }

    /// Create the table for a range of heights.
    #[must_use]
    pub fn over((low, high): (f32, f32), palette: &Palette) -> Self {
        let scale = if high > low {
            TABLE as f32 / (high - low)
        } else {
            0.0
        };
        Self {
            table: palette.table(TABLE),
            low,
            scale,
        }
    }

    /// Colour (sRGB) of a height.
    #[must_use]
    pub fn color(&self, height: f32) -> [u8; 3] {
        self.table[(((height - self.low) * self.scale) as usize).min(TABLE - 1)]
    }
}
