//! What sediment leaves of the roughness of the ground below it.

use crate::grid::Grid;
use crate::parallel;

/// By how much thicker than rough ground is high sediment counts.
const COVERS: f32 = 2.0;

/// Lessens the roughness of each sample of a map by the sediment that lies on it, both in half tiles:
/// half as thick as the ground is rough it leaves half of it, and ten times as thick nearly none.
pub(super) fn bury(roughness: &mut Grid<f32>, sediment: &[f32]) {
    const PART: usize = 1 << 14;
    let parts = roughness.as_mut_slice().chunks_mut(PART);
    parallel::over(parts.zip(sediment.chunks(PART))).each(|_, (roughness, sediment)| {
        for (rough, thick) in roughness.iter_mut().zip(sediment) {
            let covered = *rough + COVERS * thick;
            *rough *= *rough / covered.max(f32::MIN_POSITIVE);
        }
    });
}
