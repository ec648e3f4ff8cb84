//! Void filling: samples without data are interpolated from their neighbours by push-pull (Gortler and
//! others, "The Lumigraph", 1996).
//!
//! Push: the grid is halved until no hole is left; each coarse cell is the mean of the valid ones among its
//! four cells. Pull: each hole takes the bilinear value of the coarser grid, then a few Gauss–Seidel sweeps
//! towards the mean of its four neighbours. The result approximates Laplace's equation: a smooth membrane
//! over the hole that stays between the lowest and the highest value of its rim. Valid samples keep their
//! bits, and the result is deterministic.
//!
//! Time is proportional to the number of samples. Memory is a third of the grid's size, and the
//! runs of holes.

use crate::terrain::grid::{Edge, Grid};

/// Gauss–Seidel sweeps per level.
const SWEEPS: usize = 8;

/// Fill all NaN samples and return their number. A grid with no valid sample stays unchanged.
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

/// Run of samples without data within a row.
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

/// Downsample by 2 in each direction; each sample is the mean of the valid ones below it.
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

/// The mean of the up to four neighbours within the grid.
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
