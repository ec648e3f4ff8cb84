//! Heights and places in metres, as files hold them.

use crate::numbers::metres_per_unit;

/// The metres along the longer side of a map whose samples lie `step_m` apart, if a scene can
/// say them.
#[must_use]
pub fn tile_size_m(step_m: f64, rows: u64, columns: u64) -> Option<f32> {
    let cells = rows.max(columns).saturating_sub(1);
    let size = (step_m.abs() * cells as f64) as f32;
    (0.001..=1.0e9).contains(&size).then_some(size)
}

/// Metres in half tiles, the unit of heights. By this rule heights that were written in metres
/// come back to the last bit.
#[must_use]
pub fn in_half_tiles(metres: f64, tile_size_m: f32) -> f32 {
    (metres / metres_per_unit(tile_size_m)) as f32
}
