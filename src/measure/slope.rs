//! How steep a map is.

use super::bands::sum_rows;
use crate::heightmap::Heightmap;
use crate::parallel;

/// The root mean square of the slope between neighbouring samples; 0 for a single sample. Cost: two
/// passes.
#[must_use]
pub fn rms_slope(map: &Heightmap) -> f64 {
    let spacing = f64::from(map.spacing());
    let columns = map.columns();
    let difference = |a: &f32, b: &f32| (f64::from(*b) - f64::from(*a)).powi(2);
    let along = sum_rows(map, |row| {
        row.windows(2).map(|w| difference(&w[0], &w[1])).sum()
    });
    let across = parallel::over(1..map.rows()).map(|_, row| {
        let pairs = map.row(row - 1).iter().zip(map.row(row));
        pairs.map(|(a, b)| difference(a, b)).sum::<f64>()
    });
    let mean = |sum: f64, count: usize| {
        if count == 0 { 0.0 } else { sum / count as f64 }
    };
    let mean_along = mean(along, map.rows() * (columns - 1));
    let mean_across = mean(across.iter().sum(), (map.rows() - 1) * columns);
    (mean_along + mean_across).sqrt() / spacing
}
