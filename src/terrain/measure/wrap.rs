//! Wrap error: mismatch of opposite edges.

use crate::terrain::heightmap::Heightmap;

/// Mismatch across opposite edges, visible as a seam between repeated tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WrapError {
    /// Largest height difference between opposite border points; exactly 0 if the map wraps.
    pub height: f32,
    /// Largest change of slope across the seam.
    pub slope: f32,
}

/// Compare opposite edges. Cost: only the border and its neighbours are read.
#[must_use]
pub fn wrap_error(map: &Heightmap) -> WrapError {
    let (rows, columns) = (map.rows(), map.columns());
    let mut error = WrapError::default();
    // Along one line from border to border: the height difference of its ends, and the difference between
    // the slopes of its first and last step.
    let mut line = |first: f32, second: f32, last_but_one: f32, last: f32| {
        error.height = error.height.max((first - last).abs());
        let bend = (second - first) - (last - last_but_one);
        error.slope = error.slope.max((bend / map.spacing()).abs());
    };
    if columns > 1 {
        for row in 0..rows {
            let h = map.row(row);
            line(h[0], h[1], h[columns - 2], h[columns - 1]);
        }
    }
    if rows > 1 {
        let (first, second) = (map.row(0), map.row(1));
        let (last_but_one, last) = (map.row(rows - 2), map.row(rows - 1));
        for column in 0..columns {
            line(
                first[column],
                second[column],
                last_but_one[column],
                last[column],
            );
        }
    }
    error
}
