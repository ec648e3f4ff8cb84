//! Conversion between half tiles and metres in files.

use crate::util::numbers::metres_per_unit;

/// Tile size in metres, the longer side of a map with this sample spacing; `None` if it is outside the
/// range of a scene.
#[must_use]
pub fn tile_size_m(step_m: f64, rows: u64, columns: u64) -> Option<f32> {
    let cells = rows.max(columns).saturating_sub(1);
    let size = (step_m.abs() * cells as f64) as f32;
    (0.001..=1.0e9).contains(&size).then_some(size)
}

/// Convert metres to half tiles, the unit of heights. This conversion restores written heights bit for bit.
#[must_use]
pub fn in_half_tiles(metres: f64, tile_size_m: f32) -> f32 {
    (metres / metres_per_unit(tile_size_m)) as f32
}
