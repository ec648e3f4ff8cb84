//! Root mean square slope of a map.

use super::bands::sum_rows;
use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Root mean square slope between neighbouring samples with data; 0 for a single sample. Cost: two passes.
#[must_use]
pub fn rms_slope(map: &Heightmap) -> f64 {
    let spacing = f64::from(map.spacing());
    let columns = map.columns();
    let difference = |a: &f32, b: &f32| (f64::from(*b) - f64::from(*a)).powi(2);
    let mean = |sum: f64, count: usize| {
        if count == 0 { 0.0 } else { sum / count as f64 }
    };
    if let Some(valid) = map.valid() {
        let is_valid = |row, column| valid.is_valid(row, column);
        let of_rows = parallel::par_items(0..map.rows()).map(|_, row| {
            // Sums and counts of differences along the row, and to the previous row.
            let ([mut along, mut across], [mut pairs, mut steps]) = ([0.0; 2], [0; 2]);
            for column in (0..columns).filter(|column| is_valid(row, *column)) {
                let height = map.at(row, column);
                if column > 0 && is_valid(row, column - 1) {
                    along += difference(&map.at(row, column - 1), &height);
                    pairs += 1;
                }
                if row > 0 && is_valid(row - 1, column) {
                    across += difference(&map.at(row - 1, column), &height);
                    steps += 1;
                }
            }
            ([along, across], [pairs, steps])
        });
        let mean = |axis: usize| {
            let sum = of_rows.iter().map(|(sums, _)| sums[axis]).sum();
            mean(sum, of_rows.iter().map(|(_, counts)| counts[axis]).sum())
        };
        return (mean(0) + mean(1)).sqrt() / spacing;
    }
    let along = sum_rows(map, |row| {
        row.windows(2).map(|w| difference(&w[0], &w[1])).sum()
    });
    let across = parallel::par_items(1..map.rows()).map(|_, row| {
        let pairs = map.row(row - 1).iter().zip(map.row(row));
        pairs.map(|(a, b)| difference(a, b)).sum::<f64>()
    });
    let mean_along = mean(along, map.rows() * (columns - 1));
    let mean_across = mean(across.iter().sum(), (map.rows() - 1) * columns);
    (mean_along + mean_across).sqrt() / spacing
}
