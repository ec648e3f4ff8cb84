//! A rectangle of a map without the rest of it.
//!
//! A point depends on its neighbours of one level up, those on theirs, and so on: at each level
//! a rectangle half as large, and a margin of two points around it. Randomness is counted, not
//! drawn in order, so nothing else is needed: time and memory go with the rectangle, and the
//! heights are those of the whole map, bit for bit.
//!
//! ```text
//! level k       a rectangle   ░░████░░   of which the next level needs ████
//! level k + 1   twice as fine   ████████ and a margin
//! ```

use rayon::prelude::*;

use super::{Rule, Subdivision};
use crate::generate::diamond_square::Edges;
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::rng::{Pcg32, Rng, Stage, Stream};

/// A rectangle of the samples of a map, in samples from its north-west corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// First row.
    pub row: u64,
    /// First column.
    pub column: u64,
    /// Number of rows, at least 1.
    pub rows: usize,
    /// Number of columns, at least 1.
    pub columns: usize,
}

/// A range of rows or columns of one level, both ends included. Of a wrapped map it may reach
/// beyond the border, where the map goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    first: i64,
    last: i64,
}

impl Span {
    fn len(self) -> usize {
        (self.last - self.first + 1) as usize
    }

    /// With `by` more at either end, but not beyond the border of a free map of `cells`.
    fn grown(self, by: i64, cells: i64, wraps: bool) -> Self {
        let (first, last) = (self.first - by, self.last + by);
        match wraps {
            true => Self { first, last },
            false => Self {
                first: first.max(0),
                last: last.min(cells),
            },
        }
    }

    /// The span of the level above that it is made from.
    fn above(self, cells: i64, wraps: bool) -> Self {
        let grown = self.grown(2, cells, wraps);
        Self {
            first: grown.first.div_euclid(2),
            last: (grown.last + 1).div_euclid(2),
        }
    }
}

/// Part of the lattice of one level.
struct Patch {
    rows: Span,
    columns: Span,
    heights: Vec<f32>,
}

impl Patch {
    fn empty(rows: Span, columns: Span) -> Self {
        Self {
            rows,
            columns,
            heights: vec![0.0; rows.len() * columns.len()],
        }
    }

    /// The row, which must be in the patch.
    fn row(&self, row: i64) -> &[f32] {
        &self.heights[(row - self.rows.first) as usize * self.columns.len()..][..self.columns.len()]
    }
}

/// The heights of `region`, row-major, equal to those of the whole map. Cost: as much as a map
/// of the rectangle's size, and a little for each level above.
///
/// # Errors
/// The job was cancelled.
///
/// # Panics
/// The region is empty or reaches beyond the map.
pub fn heights(
    subdivision: &Subdivision,
    region: Region,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let cells = 1i64 << subdivision.iterations;
    let span = |first: u64, count: usize| {
        let last = first + count as u64 - 1;
        assert!(
            count > 0 && last <= cells as u64,
            "{first} + {count} of {cells}"
        );
        Span {
            first: first as i64,
            last: last as i64,
        }
    };
    let target = (
        span(region.row, region.rows),
        span(region.column, region.columns),
    );
    let wraps = subdivision.rule.edges == Edges::Wrap;
    // What each level must give, the finest first.
    let mut spans = vec![target];
    for level in (subdivision.base_level..subdivision.iterations).rev() {
        let (rows, columns) = spans[spans.len() - 1];
        let finer = 2i64 << level;
        spans.push((rows.above(finer, wraps), columns.above(finer, wraps)));
    }
    let (rows, columns) = spans.pop().unwrap_or(target);
    let mut patch = of_base(subdivision, rows, columns);
    for pass in subdivision.base_level..subdivision.iterations {
        let (rows, columns) = spans.pop().unwrap_or(target);
        patch = refined(&subdivision.rule, pass, &patch, rows, columns, job)?;
    }
    Ok(Grid::from_vec(region.rows, region.columns, patch.heights)
        .expect("the last level is the region"))
}

/// The part of the base lattice that is asked for.
fn of_base(subdivision: &Subdivision, rows: Span, columns: Span) -> Patch {
    let base = &subdivision.base;
    let cells = base.rows() as i64 - 1;
    let place = |index: i64| match index {
        index if (0..=cells).contains(&index) => index as usize,
        index => index.rem_euclid(cells) as usize,
    };
    let mut patch = Patch::empty(rows, columns);
    let lines = patch.heights.chunks_exact_mut(columns.len());
    for (row, line) in (rows.first..).zip(lines) {
        for (column, height) in (columns.first..).zip(line) {
            *height = base.at(place(row), place(column));
        }
    }
    patch
}

/// The next level's rows and columns, from the level above: one pass.
fn refined(
    rule: &Rule,
    pass: u32,
    above: &Patch,
    rows: Span,
    columns: Span,
    job: &Job,
) -> Result<Patch, Cancelled> {
    let cells = 2i64 << pass;
    let wraps = rule.edges == Edges::Wrap;
    let step = Step {
        rule,
        pass,
        cells,
        wraps,
    };
    // Middles of edges need the centres beside them.
    let wider = Patch::empty(rows.grown(1, cells, wraps), columns.grown(1, cells, wraps));
    let mut diamonds = wider;
    let (first, from) = (diamonds.rows.first, diamonds.columns);
    (diamonds.heights)
        .par_chunks_mut(from.len())
        .enumerate()
        .with_min_len(32)
        .try_for_each(|(index, line)| {
            job.check()?;
            step.diamond_row(above, first + index as i64, from, line);
            Ok::<(), Cancelled>(())
        })?;
    let mut patch = Patch::empty(rows, columns);
    (patch.heights)
        .par_chunks_mut(columns.len())
        .enumerate()
        .with_min_len(32)
        .try_for_each(|(index, line)| {
            job.check()?;
            step.square_row(&diamonds, rows.first + index as i64, columns, line);
            Ok::<(), Cancelled>(())
        })?;
    Ok(patch)
}

/// One pass, of which rows are computed one by one.
struct Step<'a> {
    rule: &'a Rule,
    pass: u32,
    /// Cells of the finer lattice along a side of the map.
    cells: i64,
    wraps: bool,
}

impl Step<'_> {
    /// A row of the finer lattice after the diamond step: old points, and in odd rows the
    /// centres between them. Middles of edges stay 0.
    fn diamond_row(&self, above: &Patch, row: i64, columns: Span, line: &mut [f32]) {
        if row % 2 == 0 {
            let old = above.row(row / 2);
            for (column, height) in (columns.first..).zip(line) {
                if column % 2 == 0 {
                    *height = old[(column / 2 - above.columns.first) as usize];
                }
            }
            return;
        }
        let (north, south) = (
            above.row((row - 1).div_euclid(2)),
            above.row((row + 1).div_euclid(2)),
        );
        let range = self.rule.amplitudes[self.pass as usize][0];
        let stream = self.rule.stream(Stage::Diamond, self.pass);
        let mut numbers = self.numbers(
            &stream,
            self.cells / 2,
            row.div_euclid(2),
            columns.first.div_euclid(2),
        );
        let odd = columns.first.rem_euclid(2) == 0;
        for (column, height) in (columns.first..)
            .zip(line)
            .skip(usize::from(odd))
            .step_by(2)
        {
            let west = (column.div_euclid(2) - above.columns.first) as usize;
            let east = west + 1;
            let sum = (north[west] + north[east]) + (south[west] + south[east]);
            *height = sum * 0.25 + range * self.rule.variate(numbers.next());
        }
    }

    /// A row of the finer lattice, finished.
    fn square_row(&self, diamonds: &Patch, row: i64, columns: Span, line: &mut [f32]) {
        let offset = (columns.first - diamonds.columns.first) as usize;
        let here = diamonds.row(row);
        line.copy_from_slice(&here[offset..][..line.len()]);
        let vertical = self.wraps || (row > 0 && row < self.cells);
        let empty: &[f32] = &[];
        let beside = |row: i64| match diamonds.rows.first <= row && row <= diamonds.rows.last {
            true => diamonds.row(row),
            false => empty,
        };
        let (above, below) = (beside(row - 1), beside(row + 1));
        let range = self.rule.amplitudes[self.pass as usize][1];
        let stream = self.rule.stream(Stage::Square, self.pass);
        // Even rows hold middles at odd columns, odd rows at even ones.
        let parity = (row + 1).rem_euclid(2);
        let skip = (columns.first.rem_euclid(2) != parity) as i64;
        let first = columns.first + skip;
        let mut numbers = self.numbers(&stream, self.cells, row, first.div_euclid(2));
        for (column, height) in (columns.first..).zip(line).skip(skip as usize).step_by(2) {
            let at = (column - diamonds.columns.first) as usize;
            let horizontal = self.wraps || (column > 0 && column < self.cells);
            let mean = if vertical && horizontal {
                ((above[at] + below[at]) + (here[at - 1] + here[at + 1])) * 0.25
            } else if horizontal {
                let inner = if row == 0 { below[at] } else { above[at] };
                ((here[at - 1] + here[at + 1]) + inner) / 3.0
            } else {
                let inner = if column == 0 {
                    here[at + 1]
                } else {
                    here[at - 1]
                };
                ((above[at] + below[at]) + inner) / 3.0
            };
            *height = mean + range * self.rule.variate(numbers.next());
        }
    }

    /// The random numbers of a row from its `first` one on; of a wrapped map, which repeats
    /// after `rows`, row and number may lie beyond the border.
    fn numbers(&self, stream: &Stream, rows: i64, row: i64, first: i64) -> Numbers {
        let half = self.cells / 2;
        let (row, first, period) = match self.wraps {
            true => (row.rem_euclid(rows), first.rem_euclid(half), half),
            false => (row, first, i64::MAX),
        };
        let start = stream.row(row as u64);
        let mut rng = start.clone();
        rng.advance(first as u64);
        Numbers {
            start,
            rng,
            left: period - first,
            period,
        }
    }
}

/// The random numbers of a row, which begin again after `period`.
struct Numbers {
    start: Pcg32,
    rng: Pcg32,
    left: i64,
    period: i64,
}

impl Numbers {
    fn next(&mut self) -> u32 {
        if self.left == 0 {
            self.rng = self.start.clone();
            self.left = self.period;
        }
        self.left -= 1;
        self.rng.next_u32()
    }
}
