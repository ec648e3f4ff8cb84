//! Location of a rectangle of samples in its map.

use super::error::ExportError;
use crate::fractal::region::Region;

/// Location of a rectangle of samples in its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// First row.
    pub row: u64,
    /// First column.
    pub column: u64,
    /// Number of rows of the map.
    pub rows: u64,
    /// Number of columns of the map.
    pub columns: u64,
    /// Cells along the map's longer side.
    pub cells: u64,
}

impl Location {
    /// Location of a whole map.
    pub fn whole(rows: usize, columns: usize) -> Self {
        let (rows, columns) = (rows as u64, columns as u64);
        Self {
            row: 0,
            column: 0,
            rows,
            columns,
            cells: rows.max(columns) - 1,
        }
    }

    /// Location of a rectangle of the same map.
    ///
    /// # Errors
    /// The region reaches beyond the map.
    pub fn of(self, region: Region) -> Result<Self, ExportError> {
        let fits = |first: u64, count: usize, all: u64| {
            let last = first.checked_add(count as u64);
            count > 0 && last.is_some_and(|last| last <= all)
        };
        let Region {
            row,
            column,
            rows,
            columns,
        } = region;
        if fits(row, rows, self.rows) && fits(column, columns, self.columns) {
            return Ok(Self {
                row,
                column,
                ..self
            });
        }
        Err(ExportError::Region {
            region: format!("{column},{row},{columns},{rows}"),
            columns: self.columns,
            rows: self.rows,
        })
    }
}

/// Rectangle of the first rows and columns.
pub fn first_of([rows, columns]: [usize; 2]) -> Region {
    Region {
        row: 0,
        column: 0,
        rows,
        columns,
    }
}
