//! Signed distance to the edge of a region of a grid: exact Euclidean distances up to a limit, separable
//! by rows and columns (cf. Felzenszwalb and Huttenlocher 2012).

use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Maximum distance, in cells; larger ones are clamped.
pub const FARTHEST: usize = 15;
/// Steps of the result per cell of distance.
const STEPS: f32 = 8.0;
/// Value of the edge itself.
const EDGE: f32 = 128.0;

/// Signed distances from cell centres to the edge of the region of cells with `belongs`, encoded as 128
/// plus 8 per cell inwards, minus 8 per cell outwards, up to [`FARTHEST`] cells. The edge runs between
/// cells, so cells inside are above 128 and all others below. If the grid `wraps`, cells of opposite
/// borders are neighbours; else the border is no edge.
///
/// Distances are exact: first along rows, then along columns. Cost: 30 ns a cell and thread; runs in
/// parallel.
///
/// # Errors
/// The job was cancelled.
pub fn edge_distances(belongs: &Grid<bool>, wraps: bool, job: &Job) -> Result<Grid<u8>, Cancelled> {
    let (rows, columns) = (belongs.rows(), belongs.columns());
    let mut distances = Grid::filled(rows, columns, EDGE as u8);
    if rows == 0 || columns == 0 {
        return Ok(distances);
    }
    // Squared distance to the nearest cell of the other kind in the same row; the maximum if out of reach.
    let mut along = Grid::filled(rows, columns, u16::MAX);
    let lines = parallel::par_items(along.as_mut_slice().chunks_mut(columns));
    lines.at_least(8).for_each(|row, along| {
        squares_of_row(belongs.row(row), wraps, along);
    });
    let lines = parallel::par_items(distances.as_mut_slice().chunks_mut(columns));
    lines.at_least(8).try_each(|row, out| {
        job.check()?;
        let mut squares = along.row(row).to_vec();
        let own = belongs.row(row);
        for away in 1..=FARTHEST + 1 {
            let square = (away * away) as u16;
            for other in beside(row, away, rows, wraps).into_iter().flatten() {
                let there = belongs.row(other).iter().zip(along.row(other));
                for ((least, own), (other, along)) in squares.iter_mut().zip(own).zip(there) {
                    let along = if own == other { *along } else { 0 };
                    *least = (*least).min(along.saturating_add(square));
                }
            }
        }
        for ((out, square), own) in out.iter_mut().zip(squares).zip(own) {
            let distance = (f32::from(square).sqrt() - 0.5).min(FARTHEST as f32);
            let sign = if *own { 1.0 } else { -1.0 };
            *out = (EDGE + sign * distance * STEPS).round() as u8;
        }
        Ok(())
    })?;
    Ok(distances)
}

/// Squared distances to the nearest cell of the other kind along a row.
fn squares_of_row(belongs: &[bool], wraps: bool, squares: &mut [u16]) {
    let count = belongs.len();
    for (column, square) in squares.iter_mut().enumerate() {
        let differs = |away: &usize| {
            let mut both = beside(column, *away, count, wraps).into_iter().flatten();
            both.any(|other| belongs[other] != belongs[column])
        };
        if let Some(away) = (1..=FARTHEST + 1).find(differs) {
            *square = (away * away) as u16;
        }
    }
}

/// Indices at this distance before and after an index.
fn beside(index: usize, away: usize, count: usize, wraps: bool) -> [Option<usize>; 2] {
    if wraps {
        let away = away % count;
        [(index + count - away) % count, (index + away) % count].map(Some)
    } else {
        let after = Some(index + away).filter(|after| *after < count);
        [index.checked_sub(away), after]
    }
}
