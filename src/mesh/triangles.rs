//! A map as triangles: two a cell, counter-clockwise seen from above.
//!
//! ```text
//! a───b      north
//! │ ╱ │      a c b and b c d
//! c───d      south
//! ```

/// The two triangles of the cell whose north-west sample is (row, column), as vertex indices within
/// a map of `columns` columns.
#[must_use]
pub fn cell(row: usize, column: usize, columns: usize) -> [[u32; 3]; 2] {
    let north = (row * columns + column) as u32;
    let south = north + columns as u32;
    [[north, south, north + 1], [north + 1, south, south + 1]]
}

/// All triangles of a map of rows × columns samples, cell by cell, row by row; there are
/// 2·(rows−1)·(columns−1) of them.
pub fn indices(rows: usize, columns: usize) -> impl Iterator<Item = [u32; 3]> {
    (1..rows).flat_map(move |south| {
        (1..columns).flat_map(move |east| cell(south - 1, east - 1, columns))
    })
}
