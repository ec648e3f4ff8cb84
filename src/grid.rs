//! A row-major 2-D array, the form in which every stage passes on its values.

use crate::numbers::range;

/// What lies beyond the border of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The grid repeats: column −1 is the last column.
    Wrap,
    /// The border value goes on for ever.
    Clamp,
}

/// A row-major 2-D array of `rows × columns` cells.
///
/// Row index is z (north to south), column index is x (west to east).
#[derive(Clone, Debug, PartialEq)]
pub struct Grid<T> {
    rows: usize,
    columns: usize,
    cells: Vec<T>,
}

impl<T: Copy> Grid<T> {
    /// A grid of `rows × columns` cells that are all `value`.
    #[must_use]
    pub fn filled(rows: usize, columns: usize, value: T) -> Self {
        Self {
            rows,
            columns,
            cells: vec![value; rows * columns],
        }
    }

    /// A grid over `cells` in row-major order; `None` if their number is not `rows × columns`.
    #[must_use]
    pub fn from_vec(rows: usize, columns: usize, cells: Vec<T>) -> Option<Self> {
        (rows.checked_mul(columns)? == cells.len()).then_some(Self {
            rows,
            columns,
            cells,
        })
    }

    /// The number of rows (along z).
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns (along x).
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All cells in row-major order.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.cells
    }

    /// All cells in row-major order, to be written.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// The vector of all cells, in row-major order.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.cells
    }

    /// One row.
    ///
    /// # Panics
    /// There is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[T] {
        &self.cells[row * self.columns..][..self.columns]
    }

    /// The cell at (row, column).
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> T {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.cells[row * self.columns + column]
    }

    /// Sets the cell at (row, column).
    ///
    /// # Panics
    /// There is no such cell.
    pub fn set(&mut self, row: usize, column: usize, value: T) {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.cells[row * self.columns + column] = value;
    }

    /// The cell at any integer position; beyond the border the grid is continued as `edge` says.
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
    /// The lowest and the highest cell.
    #[must_use]
    pub fn range(&self) -> (f32, f32) {
        range(&self.cells)
    }

    /// The bilinear value at a fractional position, in samples from the first cell.
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
