//! A map's colours by height, as an image.

use rayon::prelude::*;

use super::Palette;
use crate::grid::Grid;
use crate::heightmap::Heightmap;

/// Entries of the table that heights are looked up in.
const TABLE: usize = 1024;

/// The colour (sRGB) of every `stride`-th sample of every `stride`-th row, the palette from the
/// map's lowest height to its highest.
#[must_use]
pub fn by_height(map: &Heightmap, palette: &Palette, stride: usize) -> Grid<[u8; 3]> {
    let table = palette.table(TABLE);
    let (low, high) = map.range();
    let scale = if high > low {
        TABLE as f32 / (high - low)
    } else {
        0.0
    };
    let (rows, columns) = (map.rows().div_ceil(stride), map.columns().div_ceil(stride));
    let row = |row: usize| {
        let heights = map.row(row * stride).iter().step_by(stride);
        let color = |h: &f32| table[(((h - low) * scale) as usize).min(TABLE - 1)];
        heights.map(color).collect::<Vec<_>>()
    };
    let pixels: Vec<[u8; 3]> = (0..rows).into_par_iter().flat_map_iter(row).collect();
    Grid::from_vec(rows, columns, pixels).expect("rows × columns colours")
}
