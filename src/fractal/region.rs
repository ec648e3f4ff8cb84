//! A rectangle of a map without the rest of it, as deep as 64 bits tell heights apart.
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

use super::refinement::{Real, Refinement};
use super::roughness::Roughness;
use super::{Distribution, Edges, GAUSSIAN_UNIT, Rule, Subdivision};
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::rng::{Jump, LANES, Lanes, Stage, gaussian_in_loop, uniform};

/// A rectangle of a map, counted in samples from its north-west corner.
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

/// Part of the lattice of one level, whose heights have 32 or 64 bits.
struct Patch<T> {
    rows: Span,
    columns: Span,
    heights: Vec<T>,
}

impl<T: Real> Patch<T> {
    fn empty(rows: Span, columns: Span) -> Self {
        Self {
            rows,
            columns,
            heights: vec![T::default(); rows.len() * columns.len()],
        }
    }

    /// One row, which must be in the patch.
    fn row(&self, row: i64) -> &[T] {
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
    let passes = Passes {
        rule: &subdivision.rule,
        base_level: subdivision.base_level,
        base: &subdivision.base,
        roughness: None,
        level: subdivision.iterations,
    };
    let mut way = passes.way_to(region);
    passes.refine(&mut way, job)?;
    Ok(way.into_grid())
}

impl Refinement {
    /// The heights of `region` in half tiles, row by row, of 32 bits. Cost as of [`heights`]; local
    /// roughness adds about half of it.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The region is empty or reaches beyond the map.
    pub fn single(&self, region: Region, job: &Job) -> Result<Grid<f32>, Cancelled> {
        let passes = self.passes();
        let mut way = passes.way_to(region);
        passes.refine(&mut way, job)?;
        Ok(way.into_grid())
    }

    /// The same of 64 bits: those of 32 down to the level `single_to`, and the passes below it in
    /// 64. Shared samples of two levels are equal, bit for bit.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The region is empty or reaches beyond the map.
    pub fn double(&self, region: Region, job: &Job) -> Result<Grid<f64>, Cancelled> {
        let passes = self.passes();
        let mut way = passes.way_to(region);
        passes.refine_to(self.single_to, &mut way, job)?;
        let Way { level, patch, spans } = way;
        let patch = Patch {
            rows: patch.rows,
            columns: patch.columns,
            heights: patch.heights.into_iter().map(f64::from).collect(),
        };
        let mut way = Way { level, patch, spans };
        passes.refine(&mut way, job)?;
        Ok(way.into_grid())
    }

    fn passes(&self) -> Passes<'_> {
        let roughness = self.roughness.as_ref().map(|grid| Roughness {
            grid,
            level: self.base_level,
        });
        Passes {
            rule: &self.rule,
            base_level: self.base_level,
            base: &self.base,
            roughness,
            level: self.level(),
        }
    }
}

/// The passes of a map from a base, which may have any number of rows and columns, to a level.
struct Passes<'a> {
    rule: &'a Rule,
    base_level: u32,
    base: &'a Grid<f32>,
    roughness: Option<Roughness<'a>>,
    level: u32,
}

/// The way down to a rectangle: the finest patch so far, and the spans that the levels below it
/// must give, the finest first.
struct Way<T> {
    level: u32,
    patch: Patch<T>,
    spans: Vec<(Span, Span)>,
}

impl<T: Real> Way<T> {
    /// The patch, which is the rectangle.
    fn into_grid(self) -> Grid<T> {
        let Patch { rows, columns, heights } = self.patch;
        Grid::from_vec(rows.len(), columns.len(), heights).expect("a height for each place")
    }
}

impl Passes<'_> {
    fn wraps(&self) -> bool {
        self.rule.edges == Edges::Wrap
    }

    /// Cells of a level's lattice, from north to south and from west to east.
    fn cells(&self, level: u32) -> [i64; 2] {
        let sides = [self.base.rows(), self.base.columns()];
        sides.map(|side| (side as i64 - 1) << (level - self.base_level))
    }

    /// The part of the base that a rectangle of the last level is made from, and what is between.
    fn way_to(&self, region: Region) -> Way<f32> {
        let span = |first: u64, count: usize, cells: i64| {
            let end = first.saturating_add(count as u64);
            assert!(
                count > 0 && end <= cells as u64 + 1,
                "{first} + {count} of {cells}"
            );
            Span {
                first: first as i64,
                last: end as i64 - 1,
            }
        };
        let [down, across] = self.cells(self.level);
        let mut rows = span(region.row, region.rows, down);
        let mut columns = span(region.column, region.columns, across);
        let mut spans = Vec::new();
        for level in (self.base_level + 1..=self.level).rev() {
            spans.push((rows, columns));
            let [down, across] = self.cells(level);
            rows = rows.above(down, self.wraps());
            columns = columns.above(across, self.wraps());
        }
        Way {
            level: self.base_level,
            patch: of_base(self.base, rows, columns),
            spans,
        }
    }

    /// Makes all passes.
    fn refine<T: Real>(&self, way: &mut Way<T>, job: &Job) -> Result<(), Cancelled> {
        self.refine_to(self.level, way, job)
    }

    /// Makes the passes down to a level.
    fn refine_to<T: Real>(
        &self,
        level: u32,
        way: &mut Way<T>,
        job: &Job,
    ) -> Result<(), Cancelled> {
        while way.level < level
            && let Some((rows, columns)) = way.spans.pop()
        {
            let step = Step {
                rule: self.rule,
                pass: way.level,
                cells: self.cells(way.level + 1),
                wraps: self.wraps(),
                roughness: self.roughness,
            };
            way.patch = step.refined(&way.patch, rows, columns, job)?;
            way.level += 1;
        }
        Ok(())
    }
}

/// The part of a base lattice within `rows` and `columns`, which may lie beyond a border that wraps.
fn of_base(base: &Grid<f32>, rows: Span, columns: Span) -> Patch<f32> {
    let place = |index: i64, side: usize| match side as i64 - 1 {
        cells if (0..=cells).contains(&index) => index as usize,
        cells => index.rem_euclid(cells) as usize,
    };
    let mut patch = Patch::empty(rows, columns);
    let lines = patch.heights.chunks_exact_mut(columns.len());
    for (row, line) in (rows.first..).zip(lines) {
        for (column, height) in (columns.first..).zip(line) {
            *height = base.at(place(row, base.rows()), place(column, base.columns()));
        }
    }
    patch
}

/// One pass, whose rows are computed one by one.
struct Step<'a> {
    rule: &'a Rule,
    pass: u32,
    /// The numbers of cells of the finer lattice, from north to south and from west to east.
    cells: [i64; 2],
    wraps: bool,
    roughness: Option<Roughness<'a>>,
}

impl Step<'_> {
    /// The rows and columns of the next level, made from the level above.
    fn refined<T: Real>(
        &self,
        above: &Patch<T>,
        rows: Span,
        columns: Span,
        job: &Job,
    ) -> Result<Patch<T>, Cancelled> {
        let [down, across] = self.cells;
        let wraps = self.wraps;
        // The middles of edges need the centres beside them.
        let mut diamonds = Patch::empty(rows.grown(1, down, wraps), columns.grown(1, across, wraps));
        let (first, from) = (diamonds.rows.first, diamonds.columns);
        (diamonds.heights)
            .par_chunks_mut(from.len())
            .enumerate()
            .with_min_len(32)
            .try_for_each(|(index, line)| {
                job.check()?;
                self.diamond_row(above, first + index as i64, from, line);
                Ok::<(), Cancelled>(())
            })?;
        let mut patch = Patch::empty(rows, columns);
        (patch.heights)
            .par_chunks_mut(columns.len())
            .enumerate()
            .with_min_len(32)
            .try_for_each(|(index, line)| {
                job.check()?;
                self.square_row(&diamonds, rows.first + index as i64, columns, line);
                Ok::<(), Cancelled>(())
            })?;
        Ok(patch)
    }

    /// A row of the finer lattice after the diamond step: old points, and in odd rows the centres
    /// between them. The middles of edges stay 0.
    fn diamond_row<T: Real>(
        &self,
        above: &Patch<T>,
        row: i64,
        columns: Span,
        line: &mut [T],
    ) {
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

    /// Writes a finished row of the finer lattice.
    fn square_row<T: Real>(
        &self,
        diamonds: &Patch<T>,
        row: i64,
        columns: Span,
        line: &mut [T],
    ) {
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
        // Even rows hold middles at odd columns, odd rows hold them at even columns.
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

    /// Writes into `out` the displacements of every second point of a row of the finer lattice,
    /// from the column `first` on: of centres if `half` is 0, of middles of edges if it is 1. A
    /// wrapped map repeats, so there row and column may lie beyond the border.
    fn draw(&self, half: usize, row: i64, first: i64, out: &mut [f32]) {
        let stage = [Stage::Diamond, Stage::Square][half];
        let stream = self.rule.stream(stage, self.pass);
        let range = self.rule.amplitudes[self.pass as usize][half];
        let [down, across] = self.cells;
        // Centres have rows of their own.
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
