//! What the sidecar of a file adds to its samples.

use super::samples::{Meaning, Samples};
use crate::formats::metres::{in_half_tiles, tile_size_m};
use crate::formats::sidecar::{METRES, ONE, SOUTH_FIRST, Sidecar};

/// Adds to samples what their file cannot say; what the numbers mean if `says_unit`.
pub fn apply(sidecar: &Sidecar, samples: &mut Samples, says_unit: bool) {
    let (rows, columns) = (samples.grid.rows(), samples.grid.columns());
    if sidecar.size() != Some((columns as u64, rows as u64)) {
        return;
    }
    if sidecar.row_order.as_deref() == Some(SOUTH_FIRST) {
        samples.turn();
    }
    if samples.tile_size_m.is_none() {
        let size = |step| tile_size_m(step, rows as u64, columns as u64);
        samples.tile_size_m = sidecar.step_m().and_then(size);
    }
    if !says_unit {
        return;
    }
    match &mut samples.meaning {
        Meaning::Levels { heights, .. } => {
            if heights.is_none() {
                *heights = sidecar.range;
                samples.steps_tile_m = sidecar.tile_size_m.map(|size| size as f32);
            }
        }
        meaning @ Meaning::Numbers => {
            *meaning = Meaning::Heights;
            if let (Some((at_0, span)), Some(size)) = (metres(sidecar), samples.tile_size_m) {
                for value in samples.grid.as_mut_slice() {
                    *value = in_half_tiles(at_0 + f64::from(*value) * span, size);
                }
            }
        }
        Meaning::Heights => {}
    }
}

/// Metres at the number 0, and from there to 1, of floats that are not half tiles.
fn metres(sidecar: &Sidecar) -> Option<(f64, f64)> {
    match sidecar.unit.as_deref()? {
        METRES => Some((0.0, 1.0)),
        ONE => sidecar.metres_at_0.zip(sidecar.metres_from_0_to_1),
        _ => None,
    }
}
