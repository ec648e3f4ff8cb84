//! Grid lines of a heightfield: every pair of neighbouring samples is joined once.
//!
//! ```text
//! •───•───•
//! │   │   │
//! •───•───•
//! ```

/// Vertex index pairs for a map of rows × columns samples: row by row, first along the row, then down to
/// the next. There are rows·(columns−1) + (rows−1)·columns pairs.
pub fn indices(rows: usize, columns: usize) -> impl Iterator<Item = [u32; 2]> {
    (0..rows).flat_map(move |row| {
        let at = move |row: usize, column: usize| (row * columns + column) as u32;
        let along = (1..columns).map(move |column| [at(row, column - 1), at(row, column)]);
        let down = (0..columns)
            .filter(move |_| row + 1 < rows)
            .map(move |column| [at(row, column), at(row + 1, column)]);
        along.chain(down)
    })
}
