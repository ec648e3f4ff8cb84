//! What sediment leaves of the roughness of the ground below it.

use rayon::prelude::*;

use crate::grid::Grid;

/// By how much thicker than rough ground is high sediment counts.
const COVERS: f32 = 2.0;

/// Lessens the roughness of each sample of a map by the sediment that lies on it, both in half tiles:
/// half as thick as the ground is rough it leaves half of it, and ten times as thick nearly none.
pub(super) fn bury(roughness: &mut Grid<f32>, sediment: &[f32]) {
    let pairs = roughness.as_mut_slice().par_iter_mut().zip(sediment);
    pairs.with_min_len(1 << 14).for_each(|(rough, thick)| {
        let covered = *rough + COVERS * thick;
        *rough *= *rough / covered.max(f32::MIN_POSITIVE);
    });
}
