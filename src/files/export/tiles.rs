//! Tiling: a map cut into a grid of tiles, each in a file of its own.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::ExportError;
use super::names::{filled, has_word};
use super::resolution::Resolution;
use crate::fractal::region::Region;

/// Grid of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tiles {
    /// Number of tiles from north to south.
    pub rows: u32,
    /// Number of tiles from west to east.
    pub columns: u32,
    /// True if neighbours share the samples on their border. Without overlap, a map that does not wrap is
    /// cut by samples if their number can be divided. Otherwise the map's last row and column are in no
    /// tile; in a map that wraps they repeat the first.
    pub overlap: bool,
}

/// Unit in which a map is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// By cells, the intervals between samples.
    Cells,
    /// By samples.
    Samples,
}

impl Tiles {
    /// File name of a tile.
    pub(super) fn file(self, pattern: &Path, (row, column): (u32, u32)) -> PathBuf {
        let (row, column) = (row.to_string(), column.to_string());
        filled(pattern, &[("row", &row), ("column", &column)])
    }

    /// Refuse a pattern that gives several tiles the same name.
    pub(super) fn check_name(self, pattern: &Path) -> Result<(), ExportError> {
        let is_missing = |tiles: u32, word: &str| tiles > 1 && !has_word(pattern, word);
        if is_missing(self.rows, "row") || is_missing(self.columns, "column") {
            return Err(ExportError::TileName {
                path: pattern.to_owned(),
            });
        }
        Ok(())
    }

    /// Row and column of every tile.
    pub(super) fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| (row, column)))
    }

    /// Rectangle of a tile in a map of this size.
    pub(super) fn region(self, (row, column): (u32, u32), size: [usize; 2], cut: Cut) -> Region {
        let [rows, columns] = size.map(|side| match cut {
            Cut::Cells => side as u64 - 1,
            Cut::Samples => side as u64,
        });
        let steps = [
            rows / u64::from(self.rows),
            columns / u64::from(self.columns),
        ];
        let side = steps.map(|steps| (steps + u64::from(self.overlap)) as usize);
        Region {
            row: u64::from(row) * steps[0],
            column: u64::from(column) * steps[1],
            rows: side[0],
            columns: side[1],
        }
    }

    /// Rows and columns of the resampled map, so that each tile has the number of samples that
    /// `resolution` gives for an even share of the map. Also returns the unit of division.
    ///
    /// # Errors
    /// The tiles do not divide the unchanged map.
    pub(super) fn fitted(
        self,
        size: [usize; 2],
        resolution: Resolution,
        wraps: bool,
    ) -> Result<([usize; 2], Cut), ExportError> {
        if resolution == Resolution::AsIs {
            return Ok((size, self.cut(size.map(|side| side as u64), wraps)?));
        }
        let (tiles, overlap) = ([self.rows, self.columns], usize::from(self.overlap));
        let share = |axis: usize| {
            let cells = (size[axis] - 1) as f64 / f64::from(tiles[axis]);
            (cells.round() as usize).max(1) + overlap
        };
        let of_tile = resolution.of(share(0), share(1));
        let size = [0, 1].map(|axis| {
            let cells = of_tile[axis].saturating_sub(overlap).max(1);
            cells.saturating_mul(tiles[axis] as usize).saturating_add(1)
        });
        Ok((size, Cut::Cells))
    }

    /// Unit of division for a map that is not resampled.
    fn cut(self, samples: [u64; 2], wraps: bool) -> Result<Cut, ExportError> {
        let divides = |tiles: u32, steps: u64| {
            tiles > 0 && u64::from(tiles) <= steps && steps.is_multiple_of(u64::from(tiles))
        };
        let divide =
            |[rows, columns]: [u64; 2]| divides(self.rows, rows) && divides(self.columns, columns);
        let cells = samples.map(|side| side - 1);
        if !wraps && !self.overlap && divide(samples) {
            return Ok(Cut::Samples);
        }
        if divide(cells) {
            return Ok(Cut::Cells);
        }
        Err(ExportError::Tiles {
            tiles: format!("{}x{}", self.rows, self.columns),
            cells,
            samples: (!wraps).then_some(samples),
        })
    }
}
