//! A map's colours by height, as an image.

use super::Palette;
use crate::heightmap::Heightmap;

/// The number of entries in the table that heights are looked up in.
const TABLE: usize = 1024;

/// The colours (sRGB) of a map's heights, with the palette from the lowest to the highest.
#[derive(Clone, Debug)]
pub struct ByHeight {
    table: Vec<[u8; 3]>,
    low: f32,
    scale: f32,
}

impl ByHeight {
    /// The colours of that map, for which every height is read.
    #[must_use]
    pub fn new(map: &Heightmap, palette: &Palette) -> Self {
        Self::over(map.range(), palette)
    }

    /// The palette over a range of heights.
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

    /// The colour (sRGB) of a height.
    #[must_use]
    pub fn color(&self, height: f32) -> [u8; 3] {
        self.table[(((height - self.low) * self.scale) as usize).min(TABLE - 1)]
    }
}
