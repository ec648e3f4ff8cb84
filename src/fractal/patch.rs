//! Rectangular patch of one level's lattice, and the diamond-square pass to the next level.

use std::ops::{Add, Div, Mul};

use crate::fractal::roughness::Roughness;
use crate::fractal::{Distribution, GAUSSIAN_UNIT, Rule};
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::wrapped;
use crate::util::parallel;
use crate::util::rng::{Jump, LANES, Lanes, Stage, gaussian_in_loop, uniform};

/// Rectangle of one level of a map, counted in samples from the map's north-west corner. On a map that wraps
/// it may lie anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// First row.
    pub row: i64,
    /// First column.
    pub column: i64,
    /// Number of rows, at least 1.
    pub rows: usize,
    /// Number of columns, at least 1.
    pub columns: usize,
}

/// Range of rows or columns of one level, both ends included. On a wrapped map it may reach across the
/// border, where the map repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: i64,
    pub(super) last: i64,
}

impl Span {
    /// Number of rows or columns.
    pub(super) fn len(self) -> usize {
        (self.last - self.first + 1) as usize
    }

    /// Extend the span by `by` at either end, but not beyond the border of a free map of `cells`.
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

    /// Span of the coarser level needed to compute this one.
    pub(super) fn above(self, cells: i64, wraps: bool) -> Self {
        let grown = self.grown(2, cells, wraps);
        Self {
            first: grown.first.div_euclid(2),
            last: (grown.last + 1).div_euclid(2),
        }
    }
}

/// Patch of one level's lattice, with heights of 32 or 64 bits.
pub(super) struct Patch<T> {
    pub(super) rows: Span,
    pub(super) columns: Span,
    pub(super) heights: Vec<T>,
}

impl<T: Real> Patch<T> {
    pub(super) fn empty(rows: Span, columns: Span) -> Self {
        Self {
            rows,
            columns,
            heights: vec![T::default(); rows.len() * columns.len()],
        }
    }

    /// Row of the patch.
    fn row(&self, row: i64) -> &[T] {
        &self.heights[(row - self.rows.first) as usize * self.columns.len()..][..self.columns.len()]
    }
}

impl Patch<f32> {
    /// Copy the part within `rows` and `columns`, which may lie beyond a border that wraps, of the lattice
    /// `coarser` levels above a base.
    pub(super) fn of(base: &Grid<f32>, coarser: u32, rows: Span, columns: Span) -> Self {
        let mut patch = Self::empty(rows, columns);
        let lines = patch.heights.chunks_exact_mut(columns.len());
        for (row, line) in (rows.first..).zip(lines) {
            let row = wrapped(row << coarser, base.rows());
            for (column, height) in (columns.first..).zip(line) {
                *height = base.at(row, wrapped(column << coarser, base.columns()));
            }
        }
        patch
    }
}

impl Patch<f32> {
    /// Convert the heights to 64 bits.
    pub(super) fn in_double(self) -> Patch<f64> {
        Patch {
            rows: self.rows,
            columns: self.columns,
            heights: self.heights.into_iter().map(f64::from).collect(),
        }
    }
}

impl<T: Real> Patch<T> {
    /// Overwrite the points of a base lattice, `finer` levels above, with their base heights.
    pub(super) fn put_back(&mut self, base: &Grid<f32>, finer: u32) {
        let step = 1 << finer;
        // Number of rows or columns before the first one of the base.
        let before = |span: Span| (-span.first).rem_euclid(step as i64) as usize;
        let (columns, skip) = (self.columns, before(self.columns));
        let first = before(self.rows);
        let lines = self.heights.chunks_exact_mut(columns.len()).enumerate();
        for (index, line) in lines.skip(first).step_by(step) {
            let row = (self.rows.first + index as i64) >> finer;
            let points = line.iter_mut().enumerate().skip(skip).step_by(step);
            for (index, height) in points {
                let column = (columns.first + index as i64) >> finer;
                let known = base.at(wrapped(row, base.rows()), wrapped(column, base.columns()));
                *height = T::from(known);
            }
        }
    }
}

/// Compute every row in bands; a small patch is one band, since the hand-over to threads takes longer.
pub(super) fn each_row<T: Send>(
    heights: &mut [T],
    columns: usize,
    make: impl Fn(usize, &mut [T]) -> Result<(), Cancelled> + Sync,
) -> Result<(), Cancelled> {
    const ROWS: usize = 32;
    parallel::par_items(heights.chunks_mut(ROWS * columns)).try_each(|band, heights| {
        let mut lines = (band * ROWS..).zip(heights.chunks_mut(columns));
        lines.try_for_each(|(index, line)| make(index, line))
    })
}

/// Diamond-square pass that is computed row by row.
pub(super) struct Step<'a> {
    pub(super) rule: &'a Rule,
    pub(super) pass: u32,
    /// Number of cells of the finer lattice, from north to south and from west to east.
    pub(super) cells: [i64; 2],
    pub(super) wraps: bool,
    pub(super) roughness: Option<Roughness<'a>>,
}

impl Step<'_> {
    /// Compute rows and columns of the next level from the coarser level.
    pub(super) fn refined<T: Real>(
        &self,
        above: &Patch<T>,
        rows: Span,
        columns: Span,
        job: &Job,
    ) -> Result<Patch<T>, Cancelled> {
        let [down, across] = self.cells;
        let wraps = self.wraps;
        // Midpoints of edges need the centres on both sides.
        let mut diamonds =
            Patch::empty(rows.grown(1, down, wraps), columns.grown(1, across, wraps));
        let (first, from) = (diamonds.rows.first, diamonds.columns);
        each_row(&mut diamonds.heights, from.len(), |index, line| {
            job.check()?;
            self.diamond_row(above, first + index as i64, from, line);
            Ok(())
        })?;
        let mut patch = Patch::empty(rows, columns);
        each_row(&mut patch.heights, columns.len(), |index, line| {
            job.check()?;
            self.square_row(&diamonds, rows.first + index as i64, columns, line);
            Ok(())
        })?;
        Ok(patch)
    }

    /// Write a row of the finer lattice after the diamond step: old points, and in odd rows the centres
    /// between them. The midpoints of edges stay 0.
    fn diamond_row<T: Real>(&self, above: &Patch<T>, row: i64, columns: Span, line: &mut [T]) {
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
        self.draw(0, row, first, &mut displacements);
        let corners = [
            &north[west..],
            &north[west + 1..],
            &south[west..],
            &south[west + 1..],
        ];
        means(corners, 1, &displacements, &mut line[odd..]);
    }

    /// Write a row of the finer lattice after the square step.
    fn square_row<T: Real>(&self, diamonds: &Patch<T>, row: i64, columns: Span, line: &mut [T]) {
        let offset = (columns.first - diamonds.columns.first) as usize;
        let here = diamonds.row(row);
        line.copy_from_slice(&here[offset..][..line.len()]);
        let vertical = self.wraps || (row > 0 && row < self.cells[0]);
        let empty: &[T] = &[];
        let beside = |row: i64| {
            if diamonds.rows.first <= row && row <= diamonds.rows.last {
                diamonds.row(row)
            } else {
                empty
            }
        };
        let (above, below) = (beside(row - 1), beside(row + 1));
        // Even rows hold midpoints at odd columns, odd rows hold them at even columns.
        let parity = (row + 1).rem_euclid(2);
        let skip = (columns.first.rem_euclid(2) != parity) as usize;
        if skip >= line.len() {
            return;
        }
        let first = columns.first + skip as i64;
        let mut displacements = vec![0.0; (line.len() - skip).div_ceil(2)];
        self.draw(1, row, first, &mut displacements);
        let at = (first - diamonds.columns.first) as usize;
        let free_side = |column: i64| !self.wraps && (column == 0 || column == self.cells[1]);
        // Points at a free border have three neighbours; only the first and the last can lie there.
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
        let three = |index: usize| -> Option<T> {
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
                line[skip + 2 * index] = sum / T::from(3.0) + T::from(displacements[index]);
            }
        }
    }

    /// Draw the displacements of every second point of a row of the finer lattice, from the column `first`
    /// on: of centres if `half` is 0, of midpoints of edges if it is 1. On a wrapped map row and column may
    /// lie beyond the border, since the map repeats.
    fn draw(&self, half: usize, row: i64, first: i64, out: &mut [f32]) {
        let stage = [Stage::Diamond, Stage::Square][half];
        let stream = self.rule.stream(stage, self.pass);
        let range = self.rule.amplitudes[self.pass as usize][half];
        if range == 0.0 {
            return out.fill(0.0);
        }
        let [down, across] = self.cells;
        // Rows of centres are numbered separately.
        let (line, lines) = [(row.div_euclid(2), down / 2), (row, down)][half];
        let number = first.div_euclid(2);
        let (line, mut number, period) = if self.wraps {
            let period = across / 2;
            (line.rem_euclid(lines), number.rem_euclid(period), period)
        } else {
            (line, number, i64::MAX)
        };
        let mut rest = &mut *out;
        while !rest.is_empty() {
            let count = (period - number).min(rest.len() as i64) as usize;
            let (now, later) = rest.split_at_mut(count);
            let numbers = stream.lanes(line as u64, Jump::over(number as u64));
            fill(numbers, self.rule.distribution, range, now);
            (rest, number) = (later, 0);
        }
        if let Some(roughness) = self.roughness {
            roughness.scale(self.pass + 1, row, first, out);
        }
    }
}

vectorized! {
    /// Fill `out` with displacements from the next random numbers.
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

    /// Set every second point of `line`, from the first on, to the mean of its four neighbours plus its
    /// displacement. The neighbours are [north, south, west, east], each starting at its own first one and,
    /// if `step` is 2, using every second one.
    fn means<T: Real>(
        neighbours: [&[T]; 4],
        step: usize,
        displacements: &[f32],
        line: &mut [T],
    ) {
        let [a, b, c, d] = neighbours.map(|n| &n[..(displacements.len() - 1) * step + 1]);
        let line = &mut line[..(displacements.len() - 1) * 2 + 1];
        for (index, displacement) in displacements.iter().enumerate() {
            let at = index * step;
            let sum = (a[at] + b[at]) + (c[at] + d[at]);
            line[index * 2] = sum * T::from(0.25) + T::from(*displacement);
        }
    }
}

// Common trait of heights with 32 and 64 bits.

/// Floating-point number of a height, of 32 or 64 bits.
pub trait Real:
    Copy
    + Default
    + Send
    + Sync
    + From<f32>
    + Add<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
}

impl Real for f32 {}
impl Real for f64 {}
