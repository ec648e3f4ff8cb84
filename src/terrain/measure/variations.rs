//! Hurst exponent from quadratic variations (Istas and Lang 1997).

use super::line::Line;
use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Quadratic variation at one lag, a point of the fit of H.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variation {
    /// Distance of the compared samples, in samples.
    pub lag: usize,
    /// Mean square of the second differences at this lag, in squared half tiles.
    pub mean_square: f64,
    /// Number of second differences.
    pub count: usize,
}

/// Quadratic variations for the lags 1, 2, 4 … up to a sixteenth of the shorter side: mean square second
/// differences on the lattice of each lag, along rows and along columns, across the border if the map
/// wraps.
#[must_use]
pub fn variations(map: &Heightmap) -> Vec<Variation> {
    let cells = if map.is_profile() {
        map.columns() - 1
    } else {
        map.rows().min(map.columns()) - 1
    };
    std::iter::successors(Some(1), |lag| Some(lag * 2))
        .take_while(|lag| lag * 16 <= cells)
        .map(|lag| variation(map, lag))
        .collect()
}

fn variation(map: &Heightmap, lag: usize) -> Variation {
    // On the lattice, the last row of a wrapped map repeats the first, so it is left out.
    let lattice = |samples: usize| (samples - 1) / lag + usize::from(!map.wraps());
    let (rows, columns) = (lattice(map.rows()).max(1), lattice(map.columns()));
    let row = |index: usize| map.row(index % rows * lag);
    // If the map wraps, all lattice points are centres of second differences, else all but those on the
    // border.
    let margin = usize::from(!map.wraps());
    let square = |before: f32, at: f32, after: f32| {
        let second = f64::from(before) - 2.0 * f64::from(at) + f64::from(after);
        second * second
    };
    let along_row = |line: &[f32]| -> f64 {
        let at = |column: usize| line[column % columns * lag];
        (margin..columns - margin)
            .map(|c| square(at(c + columns - 1), at(c), at(c + 1)))
            .sum()
    };
    let across_rows = |index: usize| -> f64 {
        let (north, here, south) = (row(index + rows - 1), row(index), row(index + 1));
        (0..columns)
            .map(|c| square(north[c * lag], here[c * lag], south[c * lag]))
            .sum()
    };
    let of_rows = parallel::par_items(0..rows).map(|_, index| {
        let inside = rows > 1 && (margin..rows - margin).contains(&index);
        along_row(row(index)) + if inside { across_rows(index) } else { 0.0 }
    });
    let count_across = if rows > 1 {
        (rows - 2 * margin) * columns
    } else {
        0
    };
    let count = rows * (columns - 2 * margin) + count_across;
    Variation {
        lag,
        mean_square: of_rows.iter().sum::<f64>() / count as f64,
        count,
    }
}

/// Hurst exponent: half the slope of the [`variation_line`]. `None` for fewer than two lags or a flat map.
#[must_use]
pub fn hurst(variations: &[Variation]) -> Option<f64> {
    variation_line(variations).map(|line| line.slope / 2.0)
}

/// Line through log mean square against log lag, with slope 2H. `None` for fewer than two lags or a flat
/// map.
///
/// Each lag is weighted by its number of differences, since the variance of a log mean square falls with
/// that number. Without weights the few coarse differences would spoil the fit: at n = 8 single maps
/// would be off by up to 0.03, with weights by less than 0.02.
#[must_use]
pub fn variation_line(variations: &[Variation]) -> Option<Line> {
    if variations.len() < 2 || variations.iter().any(|v| v.mean_square <= 0.0) {
        return None;
    }
    let point = |v: &Variation| (v.count as f64, (v.lag as f64).ln(), v.mean_square.ln());
    Line::through(&variations.iter().map(point).collect::<Vec<_>>())
}
