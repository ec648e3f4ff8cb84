//! Visualization of the passes: diamond-square after any diamond step or square step.
//!
//! ```text
//! pass 0      pass 0.5    pass 1      pass 1.5        pass 2
//! •       •   •       •   •   x   •   • . • . •   • x • x •
//!                           x         . x . x .   x • x • x
//!               x         x   •   x   • . • . •   • x • x •     x new   • old
//!                                     . x . x .   x • x • x     . not yet there
//! •       •   •       •   •   x   •   • . • . •   • x • x •
//! ```
//! No point ever moves, so the finished map holds every earlier state. The passes of a ridge, which is
//! midpoint displacement in one dimension, are those of a single row.

use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};

/// State of a lattice point after a half step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Not computed yet; its height here is the mean of its edge's ends.
    Absent,
    /// Computed by an earlier half step.
    Old,
    /// Computed by this half step.
    New,
}

/// Map after `half_steps` half steps (two a pass: diamond, square), and the state of each of its points.
/// Points not computed yet lie on the straight edge between their neighbours.
///
/// # Panics
/// The map is not (2^n + 1)² with at least as many half steps.
#[must_use]
pub fn after_half_steps(map: &Heightmap, half_steps: u32) -> (Heightmap, Grid<Point>) {
    after_half_steps_while(map, half_steps, &Job::new()).expect("nobody cancels this job")
}

/// Cancellable version of [`after_half_steps`].
///
/// # Errors
/// The job was cancelled.
///
/// # Panics
/// The map is not (2^n + 1)² with at least as many half steps.
pub fn after_half_steps_while(
    map: &Heightmap,
    half_steps: u32,
    job: &Job,
) -> Result<(Heightmap, Grid<Point>), Cancelled> {
    let level = half_steps.div_ceil(2);
    let cells = 1usize << level;
    let stride = (map.rows() - 1) / cells;
    assert!(stride > 0 && map.rows() == map.columns() && (map.rows() - 1).is_multiple_of(cells));
    let side = cells + 1;
    let mut heights = Vec::with_capacity(side * side);
    let mut points = Grid::filled(side, side, Point::Old);
    let between_steps = half_steps % 2 == 1;
    for row in 0..side {
        job.check()?;
        for column in 0..side {
            let at = |row: usize, column: usize| map.at(row * stride, column * stride);
            let point = match (row % 2, column % 2) {
                _ if half_steps == 0 => Point::New,
                (0, 0) => Point::Old,
                (1, 1) if between_steps => Point::New,
                (1, 1) => Point::Old,
                _ if between_steps => Point::Absent,
                _ => Point::New,
            };
            points.set(row, column, point);
            heights.push(match point {
                Point::Absent if row % 2 == 0 => (at(row, column - 1) + at(row, column + 1)) * 0.5,
                Point::Absent => (at(row - 1, column) + at(row + 1, column)) * 0.5,
                Point::Old | Point::New => at(row, column),
            });
        }
    }
    Ok((Heightmap::new(side, side, map.wraps(), heights), points))
}

/// Ridge after `passes` passes, and the state of each of its points. Before the first pass there are its two
/// ends alone.
///
/// # Panics
/// The map is not a profile of 2^n + 1 heights with at least as many passes.
#[must_use]
pub fn after_passes(ridge: &Heightmap, passes: u32) -> (Heightmap, Grid<Point>) {
    let cells = 1usize << passes;
    let stride = (ridge.columns() - 1) / cells;
    assert!(stride > 0 && ridge.is_profile() && (ridge.columns() - 1).is_multiple_of(cells));
    let heights: Vec<_> = ridge.row(0).iter().step_by(stride).copied().collect();
    let mut points = Grid::filled(1, cells + 1, Point::Old);
    for column in 0..=cells {
        if passes == 0 || column % 2 == 1 {
            points.set(0, column, Point::New);
        }
    }
    (Heightmap::new(1, cells + 1, ridge.wraps(), heights), points)
}

/// New point, and the mean of its neighbours, from which it was displaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Displaced {
    /// Row of the point.
    pub row: usize,
    /// Column of the point.
    pub column: usize,
    /// Mean of the old points around it: four, or three at a free border.
    pub mean: f32,
}

/// All new points of a state with their means; see [`after_half_steps`]. Corners are left out, since they
/// have no neighbours.
#[must_use]
pub fn displaced(map: &Heightmap, points: &Grid<Point>) -> Vec<Displaced> {
    const DIAMOND: [(isize, isize); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
    const SQUARE: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
    let mut found = Vec::new();
    if map.rows() < 3 {
        return found;
    }
    let inside = |index: usize, by: isize| {
        let moved = index as isize + by;
        moved >= 0 && moved < map.rows() as isize
    };
    for row in 0..map.rows() {
        for column in 0..map.columns() {
            if points.at(row, column) != Point::New {
                continue;
            }
            let around = match (row % 2, column % 2) {
                (1, 1) => DIAMOND,
                _ => SQUARE,
            };
            let there = around
                .iter()
                .filter(|by| map.wraps() || (inside(row, by.0) && inside(column, by.1)));
            let heights: Vec<f32> = there.map(|by| map.neighbour(row, column, *by)).collect();
            found.push(Displaced {
                row,
                column,
                mean: heights.iter().sum::<f32>() / heights.len() as f32,
            });
        }
    }
    found
}
