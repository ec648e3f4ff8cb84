//! Result of an export.

use crate::util::language::tr;

/// Summary of the written files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Number of rows; with tiles, of the whole map.
    pub rows: usize,
    /// Number of columns; with tiles, of the whole map.
    pub columns: usize,
    /// Rows and columns of each file.
    pub file: [usize; 2],
    /// Rows and columns of the map before resampling; `None` if not resampled.
    pub resampled_from: Option<[usize; 2]>,
    /// Lowest and highest number; heights are in half tiles. `None` for colours.
    pub range: Option<(f32, f32)>,
    /// Number of samples outside the requested range, which were clamped to its ends in formats with
    /// whole numbers. Tiles are counted together.
    pub clipped: u64,
}

impl Written {
    /// Summary of a map of this size, before its numbers are known.
    pub(super) fn of_size([rows, columns]: [usize; 2]) -> Self {
        Self {
            rows,
            columns,
            file: [rows, columns],
            resampled_from: None,
            range: None,
            clipped: 0,
        }
    }

    /// Add a tile to the summary.
    pub(super) fn add(&mut self, tile: &Self) {
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        self.range = match (self.range, tile.range) {
            (Some(range), Some(more)) => Some(wider(range, more)),
            (range, more) => range.or(more),
        };
        self.clipped += tile.clipped;
        self.file = tile.file;
    }

    /// Notices for the user, one line each.
    pub fn notices(&self) -> impl Iterator<Item = String> {
        let resampled = self.resampled_from.map(|[rows, columns]| {
            tr!(
                "resampled from {columns} × {rows} to {} × {} samples",
                self.columns,
                self.rows,
                columns,
                rows
            )
        });
        let clipped = self.clipped;
        let clipped = (clipped > 0).then(|| {
            tr!("1 sample lies beyond the range and became its end"
                | "{n} samples lie beyond the range and became its ends" % clipped)
        });
        resampled.into_iter().chain(clipped)
    }
}
