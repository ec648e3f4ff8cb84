//! Metadata from a JSON sidecar, added to the samples of its file.

use super::samples::{Meaning, Samples};
use crate::files::formats::metres::{in_half_tiles, tile_size_m};
use crate::files::formats::sidecar::{METRES, ONE, SOUTH_FIRST, Sidecar};

/// Add row order and tile size from the sidecar and, if `says_unit`, the meaning of the numbers.
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

/// Metres at the value 0, and metres per unit, of floats that are not half tiles.
fn metres(sidecar: &Sidecar) -> Option<(f64, f64)> {
    match sidecar.unit.as_deref()? {
        METRES => Some((0.0, 1.0)),
        ONE => sidecar.metres_at_0.zip(sidecar.metres_from_0_to_1),
        _ => None,
    }
}
