//! How a map is cut into tiles, each a file of its own.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::ExportError;
use super::pattern::{filled, has_word};
use super::resolution::Resolution;
use super::written::Written;
use crate::fractal::region::Region;

/// How a map is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tiles {
    /// Tiles from north to south.
    pub rows: u32,
    /// Tiles from west to east.
    pub columns: u32,
    /// Whether neighbours share the samples on their border. If not, the map's last row and
    /// column are in no tile: of a wrapped map they are its first.
    pub overlap: bool,
}

impl Tiles {
    /// The name of a tile's file.
    pub(super) fn file(self, pattern: &Path, (row, column): (u32, u32)) -> PathBuf {
        let (row, column) = (row.to_string(), column.to_string());
        filled(pattern, &[("row", &row), ("column", &column)])
    }

    /// Refuses a name that several tiles would have.
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

    /// The rectangle of one tile of a map of so many samples.
    pub(super) fn region(self, (row, column): (u32, u32), size: [usize; 2]) -> Region {
        let cells = [
            (size[0] as u64 - 1) / u64::from(self.rows),
            (size[1] as u64 - 1) / u64::from(self.columns),
        ];
        let side = cells.map(|cells| (cells + u64::from(self.overlap)) as usize);
        Region {
            row: u64::from(row) * cells[0],
            column: u64::from(column) * cells[1],
            rows: side[0],
            columns: side[1],
        }
    }

    /// Rows and columns of every tile of what was written.
    #[must_use]
    pub fn size(self, written: &Written) -> [usize; 2] {
        let tile = self.region((0, 0), [written.rows, written.columns]);
        [tile.rows, tile.columns]
    }

    /// Rows and columns of the map that is cut, so that its tiles have as many samples as wanted:
    /// every tile has what `resolution` makes of an even share of a map of this size.
    ///
    /// # Errors
    /// The tiles do not divide the map as it is.
    pub(super) fn fitted(
        self,
        size: [usize; 2],
        resolution: Resolution,
    ) -> Result<[usize; 2], ExportError> {
        if resolution == Resolution::AsIs {
            self.check(size.map(|side| side as u64))?;
            return Ok(size);
        }
        let (tiles, overlap) = ([self.rows, self.columns], usize::from(self.overlap));
        let share = |axis: usize| {
            let cells = (size[axis] - 1) as f64 / f64::from(tiles[axis]);
            (cells.round() as usize).max(1) + overlap
        };
        let of_tile = resolution.of(share(0), share(1));
        Ok([0, 1].map(|axis| {
            let cells = of_tile[axis].saturating_sub(overlap).max(1);
            cells.saturating_mul(tiles[axis] as usize).saturating_add(1)
        }))
    }

    fn check(self, samples: [u64; 2]) -> Result<(), ExportError> {
        let fits = |tiles: u32, samples: u64| {
            let cells = samples - 1;
            tiles > 0 && u64::from(tiles) <= cells && cells.is_multiple_of(u64::from(tiles))
        };
        if fits(self.rows, samples[0]) && fits(self.columns, samples[1]) {
            return Ok(());
        }
        Err(ExportError::Tiles {
            tiles: format!("{}x{}", self.rows, self.columns),
            rows: samples[0] - 1,
            columns: samples[1] - 1,
        })
    }
}
