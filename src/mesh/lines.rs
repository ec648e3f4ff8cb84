//! A map as lines: every neighbouring pair of samples joined once.
//!
//! ```text
//! •───•───•
//! │   │   │
//! •───•───•
//! ```

/// The pairs of vertex indices for a map of rows × columns samples. They come row by row, first
/// along the row, then down to the next; there are rows·(columns−1) + (rows−1)·columns of them.
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
