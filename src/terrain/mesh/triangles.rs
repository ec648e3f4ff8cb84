//! Triangle mesh of a heightfield at full detail: two triangles a cell, counter-clockwise as seen from
//! above.
//!
//! ```text
//! a───b      north
//! │ ╱ │      a c b and b c d
//! c───d      south
//! ```

/// Two triangles of the cell whose north-western sample is (row, column), as vertex indices in a map of
/// `columns` columns.
#[must_use]
pub fn cell(row: usize, column: usize, columns: usize) -> [[u32; 3]; 2] {
    let north = (row * columns + column) as u32;
    let south = north + columns as u32;
    [[north, south, north + 1], [north + 1, south, south + 1]]
}

/// All triangles of a map of rows × columns samples, cell by cell, row by row: 2·(rows−1)·(columns−1)
/// triangles.
pub fn indices(rows: usize, columns: usize) -> impl Iterator<Item = [u32; 3]> {
    (1..rows).flat_map(move |south| {
        (1..columns).flat_map(move |east| cell(south - 1, east - 1, columns))
    })
}
