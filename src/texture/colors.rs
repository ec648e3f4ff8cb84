//! A map's colours by height, as an image.

use rayon::prelude::*;

use super::Palette;
use crate::grid::Grid;
use crate::heightmap::Heightmap;

/// Entries of the table that heights are looked up in.
const TABLE: usize = 1024;

/// The colours (sRGB) of a map's heights, the palette from its lowest to its highest.
#[derive(Clone, Debug)]
pub struct ByHeight {
    table: Vec<[u8; 3]>,
    low: f32,
    scale: f32,
}

impl ByHeight {
    /// The colours of that map; a look at every height.
    #[must_use]
    pub fn new(map: &Heightmap, palette: &Palette) -> Self {
        Self::over(map.range(), palette)
    }

    /// The palette over a range of heights.
    #[must_use]
    pub fn over((low, high): (f32, f32), palette: &Palette) -> Self {
        let scale = match high > low {
            true => TABLE as f32 / (high - low),
            false => 0.0,
        };
        Self {
            table: palette.table(TABLE),
            low,
            scale,
        }
    }

    /// The colour of a height.
    #[must_use]
    pub fn color(&self, height: f32) -> [u8; 3] {
        self.table[(((height - self.low) * self.scale) as usize).min(TABLE - 1)]
    }
}

/// The colour (sRGB) of every `stride`-th sample of every `stride`-th row, the palette from the
/// map's lowest height to its highest.
#[must_use]
pub fn by_height(map: &Heightmap, palette: &Palette, stride: usize) -> Grid<[u8; 3]> {
    let colors = ByHeight::new(map, palette);
    let (rows, columns) = (map.rows().div_ceil(stride), map.columns().div_ceil(stride));
    let row = |row: usize| {
        let heights = map.row(row * stride).iter().step_by(stride);
        heights.map(|h| colors.color(*h)).collect::<Vec<_>>()
    };
    let pixels: Vec<[u8; 3]> = (0..rows).into_par_iter().flat_map_iter(row).collect();
    Grid::from_vec(rows, columns, pixels).expect("rows × columns colours")
}
