//! Samples that hold no data, filled from their neighbours.
//!
//! Push and pull: the map is halved, each cell the mean of those of its four that hold data,
//! until no hole is left; going back, a hole takes the bilinear value of the halved map, and a
//! few sweeps draw it towards the mean of its four neighbours, so that it solves Laplace's
//! equation about as well as it can be seen: a smooth membrane held by the rim of the hole, which
//! nowhere passes the lowest and highest of it. Known samples keep their bits. Deterministic.
//! (Gortler and others, "The Lumigraph", 1996; the sweeps are Gauss–Seidel's.)
//!
//! Time in proportion to the samples, memory for a third more and for the runs of holes.

use crate::grid::{Edge, Grid};

/// Sweeps at each scale.
const SWEEPS: usize = 8;

/// Fills every sample that is not a number, and returns how many there were. A map without any
/// number stays as it is.
pub fn fill(grid: &mut Grid<f32>) -> usize {
    let holes = holes(grid);
    let count: usize = holes.iter().map(|hole| hole.end - hole.start).sum();
    if count == 0 || count == grid.as_slice().len() {
        return count;
    }
    let mut coarse = halved(grid);
    fill(&mut coarse);
    for hole in &holes {
        for column in hole.start..hole.end {
            let place = |index: usize| (index as f64 - 0.5) / 2.0;
            let value = coarse.bilinear(place(hole.row), place(column), Edge::Clamp);
            grid.set(hole.row, column, value);
        }
    }
    for _ in 0..SWEEPS {
        for hole in &holes {
            for column in hole.start..hole.end {
                let mean = mean_of_neighbours(grid, hole.row, column);
                grid.set(hole.row, column, mean);
            }
        }
    }
    count
}

/// A run of samples of a row without data.
struct Hole {
    row: usize,
    start: usize,
    end: usize,
}

fn holes(grid: &Grid<f32>) -> Vec<Hole> {
    let mut holes = Vec::new();
    for row in 0..grid.rows() {
        let mut column = 0;
        for run in grid.row(row).chunk_by(|a, b| a.is_nan() == b.is_nan()) {
            let (start, end) = (column, column + run.len());
            if run[0].is_nan() {
                holes.push(Hole { row, start, end });
            }
            column = end;
        }
    }
    holes
}

/// Half as many samples a side, each the mean of those that hold data.
fn halved(grid: &Grid<f32>) -> Grid<f32> {
    let (rows, columns) = (grid.rows().div_ceil(2), grid.columns().div_ceil(2));
    let mut coarse = Grid::filled(rows, columns, f32::NAN);
    for row in 0..rows {
        for column in 0..columns {
            let (mut sum, mut count) = (0.0, 0.0);
            for r in 2 * row..(2 * row + 2).min(grid.rows()) {
                for c in 2 * column..(2 * column + 2).min(grid.columns()) {
                    let value = f64::from(grid.at(r, c));
                    if !value.is_nan() {
                        (sum, count) = (sum + value, count + 1.0);
                    }
                }
            }
            if count > 0.0 {
                coarse.set(row, column, (sum / count) as f32);
            }
        }
    }
    coarse
}

/// The mean of the neighbours that there are.
fn mean_of_neighbours(grid: &Grid<f32>, row: usize, column: usize) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    let mut add = |row: usize, column: usize| {
        sum += f64::from(grid.at(row, column));
        count += 1.0;
    };
    if row > 0 {
        add(row - 1, column);
    }
    if row + 1 < grid.rows() {
        add(row + 1, column);
    }
    if column > 0 {
        add(row, column - 1);
    }
    if column + 1 < grid.columns() {
        add(row, column + 1);
    }
    (sum / f64::max(count, 1.0)) as f32
}
