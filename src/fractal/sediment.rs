//! Reduction of local roughness by sediment.

use crate::terrain::grid::Grid;
use crate::util::parallel;

/// Weight of sediment thickness relative to roughness.
const COVERS: f32 = 2.0;

/// Reduce the roughness of each sample of a map by the sediment on it, both in half tiles: a thickness of
/// half the roughness halves it, and ten times the roughness removes nearly all of it.
pub(super) fn bury(roughness: &mut Grid<f32>, sediment: &[f32]) {
    const PART: usize = 1 << 14;
    let parts = roughness.as_mut_slice().chunks_mut(PART);
    parallel::par_items(parts.zip(sediment.chunks(PART))).for_each(|_, (roughness, sediment)| {
        for (rough, thick) in roughness.iter_mut().zip(sediment) {
            let covered = *rough + COVERS * thick;
            *rough *= *rough / covered.max(f32::MIN_POSITIVE);
        }
    });
}
