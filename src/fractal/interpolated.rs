//! Bilinear interpolation of a window of a coarser level for the samples of a window of a finer one.

use super::patch::Window;
use crate::terrain::grid::Grid;

/// Window of a coarser level, prepared for the columns of a finer one.
pub(super) struct Interpolated {
    values: Grid<f64>,
    first_row: i64,
    /// Levels from the coarser window to the finer one.
    by: u32,
    /// The two columns around each column of the finer window, and the weight of the second.
    across: Vec<(usize, usize, f64)>,
}

impl Interpolated {
    /// Prepare the values of `around`, a window that encloses `window` of a level `by` levels finer.
    pub(super) fn new(values: Grid<f64>, around: Window, by: u32, window: Window) -> Self {
        let columns = (window.column..).take(window.columns);
        Self {
            across: columns
                .map(|column| between(column, by, around.column, around.columns))
                .collect(),
            first_row: around.row,
            values,
            by,
        }
    }

    /// Subtract the interpolated values from those of a row of the finer level. At samples of the coarser level the rest
    /// of equal values is 0 to the last bit.
    pub(super) fn subtract_from(&self, row: i64, line: &mut [f64]) {
        let (north, south, down) = between(row, self.by, self.first_row, self.values.rows());
        let pairs = self.values.row(north).iter().zip(self.values.row(south));
        let mixed: Vec<f64> = pairs
            .map(|(north, south)| north + down * (south - north))
            .collect();
        for (value, (west, east, part)) in line.iter_mut().zip(&self.across) {
            let (west, east) = (mixed[*west], mixed[*east]);
            *value -= west + part * (east - west);
        }
    }
}

/// The two samples of a coarser window around a row or column `by` levels finer, and the weight of the second.
fn between(at: i64, by: u32, first: i64, count: usize) -> (usize, usize, f64) {
    let (whole, part) = split(at, by);
    let before = (whole - first) as usize;
    (before, (before + 1).min(count - 1), part)
}

/// Row or column of a coarser level at or before one `by` levels finer, and the exact distance between them, 0…1.
pub(super) fn split(at: i64, by: u32) -> (i64, f64) {
    let whole = at >> by;
    (
        whole,
        libm::ldexp((at - (whole << by)) as f64, -(by as i32)),
    )
}
