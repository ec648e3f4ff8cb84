//! Unevenness of the snow line.

use crate::terrain::grid::Grid;
use crate::util::numbers::smoothstep;
use crate::util::rng::{Rng as _, Stage, Stream, unit};

/// Cells across a tile of the two sizes of unevenness of the snow line.
const SPOTS: [usize; 2] = [9, 31];
/// Smooth unevenness, 0…1, that wraps: the mean of two sizes.
pub(super) struct Spots {
    sizes: [Grid<f32>; 2],
    /// Positions of the rows and of the columns in each.
    rows: [Vec<(usize, f32)>; 2],
    columns: [Vec<(usize, f32)>; 2],
}

impl Spots {
    pub(super) fn new(seed: u64, [rows, columns]: [usize; 2]) -> Self {
        let sizes = [0, 1].map(|size| {
            let cells = SPOTS[size];
            let stream = Stream::new(seed, Stage::Snow, size as u32);
            let mut values = Grid::filled(cells, cells, 0.0);
            for (row, line) in values.as_mut_slice().chunks_mut(cells).enumerate() {
                let mut numbers = stream.row(row as u64);
                line.fill_with(|| unit(numbers.next_u32()));
            }
            values
        });
        let along = |cells: usize, count: usize| {
            let place = |index: usize| {
                let at = index as f32 * (cells as f32 / count as f32);
                let cell = (at as usize).min(cells - 1);
                // A fraction that leaves both its ends slowly makes no creases.
                (cell, smoothstep(at - cell as f32))
            };
            (0..count).map(place).collect()
        };
        Self {
            sizes,
            rows: SPOTS.map(|cells| along(cells, rows)),
            columns: SPOTS.map(|cells| along(cells, columns)),
        }
    }

    /// Unevenness along a row: of each size, that at the cells' borders.
    pub(super) fn row(&self, row: usize) -> LineOfSpots<'_> {
        let values = [0, 1].map(|size| {
            let grid = &self.sizes[size];
            let (north, part) = self.rows[size][row];
            let lines = [north, (north + 1) % grid.rows()].map(|row| grid.row(row));
            let [north, south] = lines.map(|line| line.iter());
            let mixed = north
                .zip(south)
                .map(|(north, south)| north + part * (south - north));
            mixed.collect()
        });
        LineOfSpots {
            values,
            columns: &self.columns,
        }
    }
}

/// One row of unevenness.
pub(super) struct LineOfSpots<'a> {
    values: [Vec<f32>; 2],
    columns: &'a [Vec<(usize, f32)>; 2],
}

impl LineOfSpots<'_> {
    pub(super) fn at(&self, column: usize) -> f32 {
        let each = self.values.iter().zip(self.columns).map(|(line, columns)| {
            let (west, part) = columns[column];
            let east = if west + 1 == line.len() { 0 } else { west + 1 };
            line[west] + part * (line[east] - line[west])
        });
        0.5 * each.sum::<f32>()
    }
}
