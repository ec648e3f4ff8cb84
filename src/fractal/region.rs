//! A rectangle of a map without the rest of it.
//!
//! A point depends on its neighbours one level up, those on theirs, and so on: at each level on a
//! rectangle half as large, with a margin of two points around it. Random numbers belong to their
//! places and are not drawn in order, so nothing else is needed: time and memory go with the
//! rectangle, and the heights are those of the whole map, bit for bit.
//!
//! ```text
//! level k       a rectangle   ░░████░░   of which the next level needs ████
//! level k + 1   twice as fine   ████████ and a margin
//! ```

use rayon::prelude::*;

use super::{Distribution, Edges, GAUSSIAN_UNIT, Rule, Subdivision};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::rng::{Jump, LANES, Lanes, Stage, gaussian_in_loop, uniform};

/// A rectangle of the samples of a map, in samples from its north-west corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Region {
    /// The first row.
    pub row: u64,
    /// The first column.
    pub column: u64,
    /// The number of rows, at least 1.
    pub rows: usize,
    /// The number of columns, at least 1.
    pub columns: usize,
}

/// A range of rows or columns of one level, both ends included. On a wrapped map it may reach
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

    /// The span with `by` more at either end, but not beyond the border of a free map of `cells`.
    fn grown(self, by: i64, cells: i64, wraps: bool) -> Self {
        let (first, last) = (self.first - by, self.last + by);
        if wraps {
            Self { first, last }
        } else {
            Self {
                first: first.max(0),
                last: last.min(cells),
            }
        }
    }

    /// The span of the level above that this one is made from.
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

    /// One row, which must be in the patch.
    fn row(&self, row: i64) -> &[f32] {
        &self.heights[(row - self.rows.first) as usize * self.columns.len()..][..self.columns.len()]
    }
}

/// The heights of `region` in half tiles, row by row, equal to those of the whole map. Cost: as
/// much as a map of the rectangle's size, and a little for each level above.
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
    // The spans that each level must give, the finest level first.
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

/// The part of the base lattice within `rows` and `columns`.
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

/// The rows and columns of the next level, made from the level above: one pass.
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
    // The middles of edges need the centres beside them.
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

/// One pass, whose rows are computed one by one.
struct Step<'a> {
    rule: &'a Rule,
    pass: u32,
    /// The number of cells of the finer lattice along a side of the map.
    cells: i64,
    wraps: bool,
}

impl Step<'_> {
    /// A row of the finer lattice after the diamond step: old points, and in odd rows the centres
    /// between them. The middles of edges stay 0.
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
        // The first centre, and the old point to the west of it.
        let odd = (columns.first.rem_euclid(2) == 0) as usize;
        if odd >= line.len() {
            return;
        }
        let first = columns.first + odd as i64;
        let west = (first.div_euclid(2) - above.columns.first) as usize;
        let mut displacements = vec![0.0; (line.len() - odd).div_ceil(2)];
        let (rows, row) = (self.cells / 2, row.div_euclid(2));
        self.draw(0, rows, row, first.div_euclid(2), &mut displacements);
        let corners = [
            &north[west..],
            &north[west + 1..],
            &south[west..],
            &south[west + 1..],
        ];
        means(corners, 1, &displacements, &mut line[odd..]);
    }

    /// Writes a finished row of the finer lattice.
    fn square_row(&self, diamonds: &Patch, row: i64, columns: Span, line: &mut [f32]) {
        let offset = (columns.first - diamonds.columns.first) as usize;
        let here = diamonds.row(row);
        line.copy_from_slice(&here[offset..][..line.len()]);
        let vertical = self.wraps || (row > 0 && row < self.cells);
        let empty: &[f32] = &[];
        let beside = |row: i64| {
            if diamonds.rows.first <= row && row <= diamonds.rows.last {
                diamonds.row(row)
            } else {
                empty
            }
        };
        let (above, below) = (beside(row - 1), beside(row + 1));
        // Even rows hold middles at odd columns, odd rows hold them at even columns.
        let parity = (row + 1).rem_euclid(2);
        let skip = (columns.first.rem_euclid(2) != parity) as usize;
        if skip >= line.len() {
            return;
        }
        let first = columns.first + skip as i64;
        let mut displacements = vec![0.0; (line.len() - skip).div_ceil(2)];
        let number = first.div_euclid(2);
        self.draw(1, self.cells, row, number, &mut displacements);
        let at = (first - diamonds.columns.first) as usize;
        let free_side = |column: i64| !self.wraps && (column == 0 || column == self.cells);
        // Points at a free border have three neighbours; these can only be the first and the last.
        let last = first + 2 * (displacements.len() as i64 - 1);
        if vertical {
            let inner = usize::from(free_side(first));
            let until = displacements.len() - usize::from(free_side(last) && last != first);
            if inner < until {
                let at = at + 2 * inner;
                let around = [&above[at..], &below[at..], &here[at - 1..], &here[at + 1..]];
                let line = &mut line[skip + 2 * inner..];
                means(around, 2, &displacements[inner..until], line);
            }
        }
        let three = |index: usize| -> Option<f32> {
            let (at, column) = (at + 2 * index, first + 2 * index as i64);
            if !vertical {
                let inner = if row == 0 { below[at] } else { above[at] };
                Some((here[at - 1] + here[at + 1]) + inner)
            } else if free_side(column) {
                let inner = if column == 0 {
                    here[at + 1]
                } else {
                    here[at - 1]
                };
                Some((above[at] + below[at]) + inner)
            } else {
                None
            }
        };
        let (count, all) = (displacements.len(), 0..displacements.len());
        let ends = [0, count - 1].into_iter();
        let free: Vec<usize> = if vertical {
            ends.collect()
        } else {
            all.collect()
        };
        for index in free {
            if let Some(sum) = three(index) {
                line[skip + 2 * index] = sum / 3.0 + displacements[index];
            }
        }
    }

    /// Writes the displacements of a row, from its number `first` on, into `out`. A wrapped map
    /// repeats after `rows`, so there the row and the number may lie beyond the border.
    fn draw(&self, half: usize, rows: i64, row: i64, first: i64, out: &mut [f32]) {
        let stage = [Stage::Diamond, Stage::Square][half];
        let stream = self.rule.stream(stage, self.pass);
        let range = self.rule.amplitudes[self.pass as usize][half];
        let (row, mut first, period) = if self.wraps {
            let period = self.cells / 2;
            (row.rem_euclid(rows), first.rem_euclid(period), period)
        } else {
            (row, first, i64::MAX)
        };
        let mut out = out;
        while !out.is_empty() {
            let count = (period - first).min(out.len() as i64) as usize;
            let (now, later) = out.split_at_mut(count);
            let numbers = stream.lanes(row as u64, Jump::over(first as u64));
            fill(numbers, self.rule.distribution, range, now);
            (out, first) = (later, 0);
        }
    }
}

vectorized! {
    /// Fills `out` with displacements from the next numbers.
    fn fill(mut numbers: Lanes, distribution: Distribution, range: f32, out: &mut [f32]) {
        const BLOCKS: usize = 32;
        let mut bits = [[0u32; LANES]; BLOCKS];
        for out in out.chunks_mut(BLOCKS * LANES) {
            let blocks = &mut bits[..out.len().div_ceil(LANES)];
            numbers.fill(blocks, |bits| bits);
            let bits = &blocks.as_flattened()[..out.len()];
            match distribution {
                Distribution::Uniform => {
                    for (out, bits) in out.iter_mut().zip(bits) {
                        *out = range * uniform(*bits);
                    }
                }
                Distribution::Gaussian => {
                    for (out, bits) in out.iter_mut().zip(bits) {
                        *out = range * (gaussian_in_loop(*bits) * GAUSSIAN_UNIT);
                    }
                }
            }
        }
    }

    /// Sets every second point of `line`, from the first on, to the mean of its four neighbours
    /// plus its displacement. The neighbours are [north, south, west, east], each from its own
    /// first one on and, if `step` is 2, every second one.
    fn means(neighbours: [&[f32]; 4], step: usize, displacements: &[f32], line: &mut [f32]) {
        let [a, b, c, d] = neighbours.map(|n| &n[..(displacements.len() - 1) * step + 1]);
        let line = &mut line[..(displacements.len() - 1) * 2 + 1];
        for (index, displacement) in displacements.iter().enumerate() {
            let at = index * step;
            let sum = (a[at] + b[at]) + (c[at] + d[at]);
            line[index * 2] = sum * 0.25 + displacement;
        }
    }
}
