//! Row-major 2-D array, the common data type between stages.

use crate::util::numbers::range;

/// Continuation of a grid beyond its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Periodic: column −1 is the last column.
    Wrap,
    /// Clamped: the border value is repeated.
    Clamp,
}

/// Row-major 2-D array of `rows × columns` cells.
///
/// Row index is z (north to south), column index is x (west to east).
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    rows: usize,
    columns: usize,
    cells: Vec<T>,
}

impl<T: Copy> Grid<T> {
    /// Create a grid of `rows × columns` cells with the same value.
    #[must_use]
    pub fn filled(rows: usize, columns: usize, value: T) -> Self {
        Self {
            rows,
            columns,
            cells: vec![value; rows * columns],
        }
    }

    /// Create a grid over `cells` in row-major order; `None` if their number is not `rows × columns`.
    #[must_use]
    pub fn from_vec(rows: usize, columns: usize, cells: Vec<T>) -> Option<Self> {
        (rows.checked_mul(columns)? == cells.len()).then_some(Self {
            rows,
            columns,
            cells,
        })
    }

    /// Number of rows (along z).
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns (along x).
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells in row-major order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }

    /// Mutable cells in row-major order.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Convert into the vector of cells, in row-major order.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// Cells of a row.
    ///
    /// # Panics
    /// There is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[T] {
        &self.cells[row * self.columns..][..self.columns]
    }

    /// Cell at (row, column).
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> T {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.cells[row * self.columns + column]
    }

    /// Set the cell at (row, column).
    ///
    /// # Panics
    /// There is no such cell.
    pub fn set(&mut self, row: usize, column: usize, value: T) {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.cells[row * self.columns + column] = value;
    }

    /// Cell at any integer position; beyond the border the grid is continued by `edge`.
    #[must_use]
    pub fn beyond(&self, row: isize, column: isize, edge: Edge) -> T {
        let place = |index: isize, count: usize| match edge {
            Edge::Wrap => index.rem_euclid(count as isize) as usize,
            Edge::Clamp => index.clamp(0, count as isize - 1) as usize,
        };
        self.cells[place(row, self.rows) * self.columns + place(column, self.columns)]
    }
}

impl Grid<f32> {
    /// Lowest and highest cell.
    #[must_use]
    pub fn range(&self) -> (f32, f32) {
        range(&self.cells)
    }

    /// Bilinear interpolation at a fractional position, in samples from the first cell.
    #[must_use]
    pub fn bilinear(&self, row: f64, column: f64, edge: Edge) -> f32 {
        let (row_floor, column_floor) = (row.floor(), column.floor());
        let (v, u) = ((row - row_floor) as f32, (column - column_floor) as f32);
        let (r, c) = (row_floor as isize, column_floor as isize);
        let mix = |a: f32, b: f32, t: f32| if t == 0.0 { a } else { a + (b - a) * t };
        let north = mix(self.beyond(r, c, edge), self.beyond(r, c + 1, edge), u);
        let south = mix(
            self.beyond(r + 1, c, edge),
            self.beyond(r + 1, c + 1, edge),
            u,
        );
        mix(north, south, v)
    }
}

/// Rectangle of a map, counted in samples from its north-west corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Region {
    /// First row.
    pub row: u64,
    /// First column.
    pub column: u64,
    /// Number of rows, at least 1.
    pub rows: usize,
    /// Number of columns, at least 1.
    pub columns: usize,
}
