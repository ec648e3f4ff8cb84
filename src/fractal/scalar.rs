//! Reference implementation of diamond-square: diamond step and square step in one plain loop, in place.
//!
//! ```text
//! a  .  .  .  b      a  .  n  .  b      corners a b c d, stride s
//! .  .  .  .  .      .  .  .  .  .      diamond: m = mean(a b c d) + U
//! .  .  m  .  .  →   w  .  m  .  e      square:  n = mean(of its four neighbours,
//! .  .  .  .  .      .  .  .  .  .               half a stride away: a, b, m and the
//! c  .  .  .  d      c  .  s  .  d               centre above, across the border) + U
//! ```
//! Sources: Fournier, Fussell and Carpenter 1982; Martz 1996. Known artefact: creases along the grid lines of
//! the early passes (Miller 1986). The faster row pipeline must equal this loop bit for bit, so the order of
//! every addition matters.

use super::{Edges, Known, Rule, Subdivision};
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::rng::{Rng, Stage};

/// Fill `heights`, (2^n + 1)² values, with the map of `subdivision` in half tiles.
///
/// # Panics
/// The number of heights is not (2^n + 1)².
pub fn fill(subdivision: &Subdivision, heights: &mut [f32]) {
    let side = subdivision.side();
    assert_eq!(heights.len(), side * side, "{side} × {side} heights");
    let cells = side - 1;
    let stride = cells >> subdivision.base_level;
    let base = &subdivision.base;
    for row in 0..base.rows() {
        for column in 0..base.columns() {
            heights[row * stride * side + column * stride] = base.at(row, column);
        }
    }
    for pass in subdivision.base_level..subdivision.iterations {
        refine(&subdivision.rule, pass, cells, heights, None);
    }
}

/// Compute the lattice of `level` from four corners (north-west, north-east, south-west, south-east), keeping
/// fixed points. On a wrapped map only the first corner is used.
pub(super) fn base(
    rule: &Rule,
    level: u32,
    corners: [f32; 4],
    known: Option<&Known>,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let cells = 1usize << level;
    let mut grid = Grid::filled(cells + 1, cells + 1, 0.0);
    for (index, corner) in corners.into_iter().enumerate() {
        let (row, column) = (index / 2, index % 2);
        let (from, corner) = match rule.edges {
            Edges::Wrap => ((0, 0), corners[0]),
            Edges::Free => ((row, column), corner),
        };
        let height = known
            .and_then(|known| known.at(0, from.0, from.1))
            .unwrap_or(corner);
        grid.set(row * cells, column * cells, height);
    }
    let heights = grid.as_mut_slice();
    for pass in 0..level {
        for row in 0..diamond_rows(pass) {
            job.check()?;
            diamond_row(rule, pass, row, cells, heights, known);
        }
        for row in 0..square_rows(rule, pass) {
            job.check()?;
            square_row(rule, pass, row, cells, heights, known);
        }
    }
    Ok(grid)
}

/// Run one pass: the lattice of level `pass` within a map of `cells` a side becomes the lattice of level
/// `pass` + 1. Fixed points take their fixed height.
pub fn refine(rule: &Rule, pass: u32, cells: usize, heights: &mut [f32], known: Option<&Known>) {
    diamond_step(rule, pass, cells, heights, known);
    square_step(rule, pass, cells, heights, known);
}

/// Run the diamond step of pass `pass`: set the centre of each square to the mean of its four corners plus a
/// displacement.
pub fn diamond_step(
    rule: &Rule,
    pass: u32,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    for row in 0..diamond_rows(pass) {
        diamond_row(rule, pass, row, cells, heights, known);
    }
}

/// Number of rows of squares.
fn diamond_rows(pass: u32) -> usize {
    1 << pass
}

fn diamond_row(
    rule: &Rule,
    pass: u32,
    row: usize,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    let (side, stride) = (cells + 1, cells >> pass);
    let half = stride / 2;
    let range = rule.amplitudes[pass as usize][0];
    let mut numbers = rule.stream(Stage::Diamond, pass).row(row as u64);
    let (north, south) = (row * stride * side, (row + 1) * stride * side);
    for column in 0..1usize << pass {
        let (west, east) = (column * stride, (column + 1) * stride);
        let sum = (heights[north + west] + heights[north + east])
            + (heights[south + west] + heights[south + east]);
        let height = sum * 0.25 + range * rule.variate(numbers.next_u32());
        let known = known.and_then(|k| k.at(pass + 1, 2 * row + 1, 2 * column + 1));
        heights[north + half * side + west + half] = known.unwrap_or(height);
    }
}

/// Run the square step of pass `pass`: set the midpoint of each edge to the mean of its four neighbours
/// half a stride away plus a displacement. On a wrapped map the neighbour beyond the border is taken from
/// the opposite side; on a free one a border point has three neighbours.
pub fn square_step(
    rule: &Rule,
    pass: u32,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    for row in 0..square_rows(rule, pass) {
        square_row(rule, pass, row, cells, heights, known);
    }
}

/// Number of rows of edge midpoints. On a wrapped map the last row repeats the first and is not counted.
fn square_rows(rule: &Rule, pass: u32) -> usize {
    let across = 2usize << pass;
    match rule.edges {
        Edges::Wrap => across,
        Edges::Free => across + 1,
    }
}

fn square_row(
    rule: &Rule,
    pass: u32,
    row: usize,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    let side = cells + 1;
    let half = (cells >> pass) / 2;
    let range = rule.amplitudes[pass as usize][1];
    let wraps = rule.edges == Edges::Wrap;
    // In units of `half`, the lattice has `across` cells a side. Even rows hold the midpoints of west-east
    // edges at odd columns, odd rows those of north-south edges at even columns.
    let across = 2usize << pass;
    let lines = square_rows(rule, pass);
    let mut numbers = rule.stream(Stage::Square, pass).row(row as u64);
    for column in ((row + 1) % 2..lines).step_by(2) {
        let at = |row: usize, column: usize| heights[row * half * side + column * half];
        let north_south_inside = row > 0 && row < across;
        let west_east_inside = column > 0 && column < across;
        let before = |index: usize| if index == 0 { across - 1 } else { index - 1 };
        let after = |index: usize| if index == across { 1 } else { index + 1 };
        let (north, south) = (at(before(row), column), at(after(row), column));
        let (west, east) = (at(row, before(column)), at(row, after(column)));
        let mean = if wraps || (north_south_inside && west_east_inside) {
            ((north + south) + (west + east)) * 0.25
        } else if west_east_inside {
            let inner = if row == 0 { south } else { north };
            ((west + east) + inner) / 3.0
        } else {
            let inner = if column == 0 { east } else { west };
            ((north + south) + inner) / 3.0
        };
        let height = mean + range * rule.variate(numbers.next_u32());
        let known = known.and_then(|k| k.at(pass + 1, row, column));
        let height = known.unwrap_or(height);
        heights[row * half * side + column * half] = height;
        if wraps && row == 0 {
            heights[across * half * side + column * half] = height;
        }
        if wraps && column == 0 {
            heights[row * half * side + across * half] = height;
        }
    }
}
