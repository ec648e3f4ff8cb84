//! Row pipeline of diamond-square: each level pulls the rows it needs from the coarser level and hands
//! finished rows down, so that only the last level writes to the map.
//!
//! ```text
//! lattice row i      a     b     c     north      fine row 2i       a n b n c
//! centres i             m     m        below   →  fine row 2i + 1   w m w m w
//! lattice row i + 1  d     e     f     south
//! ```
//! A level keeps two rows of the coarser lattice and the centres above and below a lattice row: 2 · 2^n
//! heights for the last level, half as many for the coarser one. A wrapped map is periodic (the row before
//! the first is the last but one), so that every row has both neighbours.
//!
//! Rows are computed whole. To compute a band of columns, each level would only need its first column and
//! the [`Jump`] to it at the start of the row's numbers.

use super::Edges;
use super::kernel::{Displacements, Instructions, Kernel};
use super::{Rule, Subdivision};
use crate::terrain::grid::Grid;
use crate::util::rng::{Jump, Stage};

/// Generator of the rows of a map one after the other, starting at any row.
#[derive(Clone, Debug)]
pub(super) struct Pipeline<'a> {
    kernel: Kernel,
    base: BaseRows<'a>,
    levels: Vec<Level>,
    /// Next row, once a first one was written.
    next: Option<usize>,
}

impl<'a> Pipeline<'a> {
    pub fn new(subdivision: &'a Subdivision, instructions: Instructions) -> Self {
        let rule = &subdivision.rule;
        let passes = subdivision.base_level..subdivision.iterations;
        Self {
            kernel: instructions.kernel(),
            base: BaseRows {
                lattice: &subdivision.base,
                wraps: rule.edges == Edges::Wrap,
                next: 0,
            },
            levels: passes.map(|pass| Level::new(rule, pass)).collect(),
            next: None,
        }
    }

    /// Write row `row` of the map. That costs one row if it follows the row written last, else about four.
    pub fn write_row(&mut self, row: usize, out: &mut [f32]) {
        if self.next != Some(row) {
            self.seek(row);
        }
        write_next(self.kernel, &mut self.base, &mut self.levels, out);
        self.next = Some(row + 1);
    }

    fn seek(&mut self, row: usize) {
        let mut next = row as isize;
        for level in self.levels.iter_mut().rev() {
            next = level.seek(next);
        }
        self.base.next = next;
        for count in 1..=self.levels.len() {
            let (level, above) = self.levels[..count].split_last_mut().expect("one or more");
            write_next(self.kernel, &mut self.base, above, &mut level.south);
            if level.wraps || level.next > 0 {
                descend(self.kernel, &mut self.base, level, above);
            }
        }
    }
}

/// Write the next row of the last of `levels`, or of the base lattice if there are none.
fn write_next(kernel: Kernel, base: &mut BaseRows, levels: &mut [Level], out: &mut [f32]) {
    let Some((level, above)) = levels.split_last_mut() else {
        return base.write_next(out);
    };
    if level.next % 2 == 0 {
        descend(kernel, base, level, above);
        level.write_even_row(kernel, out);
    } else {
        level.write_odd_row(kernel, out);
    }
    level.next += 1;
}

/// Move `level` down by one row of its lattice.
fn descend(kernel: Kernel, base: &mut BaseRows, level: &mut Level, above: &mut [Level]) {
    std::mem::swap(&mut level.north, &mut level.south);
    std::mem::swap(&mut level.above, &mut level.below);
    level.lattice_row += 1;
    if level.has_row_below() {
        write_next(kernel, base, above, &mut level.south);
        level.find_centres(kernel);
    }
}

/// Rows of the base lattice.
#[derive(Clone, Debug)]
struct BaseRows<'a> {
    lattice: &'a Grid<f32>,
    wraps: bool,
    next: isize,
}

impl BaseRows<'_> {
    fn write_next(&mut self, out: &mut [f32]) {
        let cells = self.lattice.rows() - 1;
        let row = around(self.next, cells, self.wraps);
        out.copy_from_slice(self.lattice.row(row as usize));
        self.next += 1;
    }
}

/// Row index, reduced to the period of `cells` rows if the map wraps.
fn around(row: isize, cells: usize, wraps: bool) -> u64 {
    if wraps {
        row.rem_euclid(cells as isize) as u64
    } else {
        row as u64
    }
}

/// One pass: a lattice of `cells` a side becomes one of 2 · `cells` a side.
#[derive(Clone, Debug)]
struct Level {
    cells: usize,
    wraps: bool,
    /// Displacements of the diamond step.
    diamond: Displacements,
    /// Displacements of the square step.
    square: Displacements,
    last_column: Jump,
    /// Index of the next fine row.
    next: isize,
    /// Index of the lattice row that `north` holds.
    lattice_row: isize,
    north: Vec<f32>,
    south: Vec<f32>,
    /// Centres above and below `north`, each row preceded by its western neighbour, which is beyond the
    /// border.
    above: Vec<f32>,
    below: Vec<f32>,
}

impl Level {
    fn new(rule: &Rule, pass: u32) -> Self {
        let cells = 1 << pass;
        let row = || vec![0.0; cells + 1];
        let [diamond_range, square_range] = rule.amplitudes[pass as usize];
        let displacements =
            |stage, range| Displacements::new(rule.stream(stage, pass), range, rule.distribution);
        Self {
            cells,
            wraps: rule.edges == Edges::Wrap,
            diamond: displacements(Stage::Diamond, diamond_range),
            square: displacements(Stage::Square, square_range),
            last_column: Jump::over(cells as u64),
            next: 0,
            lattice_row: 0,
            north: row(),
            south: row(),
            above: row(),
            below: row(),
        }
    }

    /// Make `row` the next fine row. Returns the lattice row that must come into `south` first.
    fn seek(&mut self, row: isize) -> isize {
        let first = (row - 1) >> 1;
        let first = if self.wraps { first } else { first.max(0) };
        self.next = row;
        self.lattice_row = first - 1;
        first
    }

    fn has_row_below(&self) -> bool {
        self.wraps || self.lattice_row < self.cells as isize
    }

    /// Diamond step: compute the centres between `north` and `south`.
    fn find_centres(&mut self, kernel: Kernel) {
        let row = around(self.lattice_row, self.cells, self.wraps);
        let lattice = [&self.north[..], &self.south];
        (kernel.centre_row)(lattice, &mut self.diamond, row, &mut self.below[1..]);
        self.below[0] = self.below[self.cells];
    }

    /// Square step: write the lattice row `north` with the midpoints of its west-east edges.
    fn write_even_row(&mut self, kernel: Kernel, out: &mut [f32]) {
        let row = around(self.next, 2 * self.cells, self.wraps);
        let (above, below) = (&self.above[1..], &self.below[1..]);
        if self.wraps || (0 < self.lattice_row && self.has_row_below()) {
            let rows = [&self.north, above, below];
            (kernel.west_east_row)(rows, &mut self.square, row, out);
        } else {
            let inner = if self.lattice_row == 0 { below } else { above };
            (kernel.border_row)([&self.north, inner], &mut self.square, row, out);
        }
    }

    /// Square step: write the centres `below` with the midpoints of the north-south edges.
    fn write_odd_row(&mut self, kernel: Kernel, out: &mut [f32]) {
        let row = around(self.next, 2 * self.cells, self.wraps);
        let rows = [&self.north[..], &self.south, &self.below];
        (kernel.north_south_row)(rows, &mut self.square, row, out);
        let [north, south, centres] = rows;
        let last = self.cells;
        if self.wraps {
            out[2 * last] = out[0];
        } else {
            let border = |column: usize, inner: f32, number: Jump| {
                ((north[column] + south[column]) + inner) / 3.0 + self.square.at(row, number)
            };
            out[0] = border(0, centres[1], Jump::over(0));
            out[2 * last] = border(last, centres[last], self.last_column);
        }
    }
}
