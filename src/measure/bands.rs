//! The rows of a map in bands: what one thread measures at a time, always cut the same way, so
//! that no result depends on the number of threads.

use rayon::prelude::*;

use crate::heightmap::Heightmap;

/// Samples that a band has about.
const SAMPLES: usize = 1 << 14;

/// Rows of `columns` samples in a band.
pub fn rows(columns: usize) -> usize {
    (SAMPLES / columns.max(1)).max(1)
}

/// Samples in a band of whole rows of `columns` samples.
pub fn samples(columns: usize) -> usize {
    rows(columns) * columns.max(1)
}

/// The sum over all rows of what `of` gives for one, always added in the same order.
pub fn sum_rows(map: &Heightmap, of: impl Fn(&[f32]) -> f64 + Sync + Send) -> f64 {
    let rows: Vec<f64> = map
        .heights()
        .par_chunks(map.columns())
        .with_min_len(16)
        .map(of)
        .collect();
    rows.iter().sum()
}
