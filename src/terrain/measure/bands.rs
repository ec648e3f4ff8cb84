//! Deterministic parallel sums: a map is always cut into the same bands of rows, so that no result
//! depends on the number of threads.

use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Approximate number of samples in a band.
const SAMPLES: usize = 1 << 14;

/// Number of rows in a band of a map with `columns` columns.
pub fn rows(columns: usize) -> usize {
    (SAMPLES / columns.max(1)).max(1)
}

/// Number of samples in a band of whole rows with `columns` samples each.
pub fn samples(columns: usize) -> usize {
    rows(columns) * columns.max(1)
}

/// Sum of `of` over all heights with data, always added in the same order.
pub fn sum_data(map: &Heightmap, of: impl Fn(f32) -> f64 + Sync) -> f64 {
    let Some(valid) = map.valid() else {
        return sum_rows(map, |row| row.iter().map(|height| of(*height)).sum());
    };
    let rows = parallel::par_items(0..map.rows()).at_least(16);
    let of_row = |_, row| valid.data(row, map.row(row)).map(&of).sum::<f64>();
    rows.map(of_row).iter().sum()
}

/// Sum of `of` over all rows, always added in the same order.
pub fn sum_rows(map: &Heightmap, of: impl Fn(&[f32]) -> f64 + Sync) -> f64 {
    let rows = parallel::par_items(map.heights().chunks(map.columns())).at_least(16);
    rows.map(|_, row| of(row)).iter().sum()
}
