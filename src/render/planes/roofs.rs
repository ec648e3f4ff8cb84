//! How high and how low the ground is at most: what rays pass above, and what boxes patches lie in.

use crate::numbers::EMPTY_RANGE;
use crate::parallel;

/// Cells along the sides of squares, as powers of two, the largest first.
pub(super) const SQUARES: [u32; 2] = [7, 4];

/// The lowest and highest samples of squares of cells, and of all.
pub(in crate::render) struct Roofs {
    squares: [Squares; 2],
    pub(super) lowest: f32,
    pub(super) highest: f32,
}

/// The lowest and highest samples of squares of one size, row by row.
struct Squares {
    ranges: Vec<(f32, f32)>,
    across: usize,
}

impl Roofs {
    /// Those of heights in rows of so many columns, at least two of each. Cost: a pass.
    pub(in crate::render) fn new(heights: &[f32], columns: usize) -> Self {
        let small = Squares::new(heights, columns, 1 << SQUARES[1]);
        let large = small.of_squares(1 << (SQUARES[0] - SQUARES[1]));
        let squares = [large, small];
        let (lowest, highest) = squares[0].ranges.iter().fold(EMPTY_RANGE, around);
        Self {
            squares,
            lowest,
            highest,
        }
    }

    /// The highest sample of the square of that size, column and row.
    pub(super) fn of(&self, size: usize, [column, row]: [usize; 2]) -> f32 {
        let Squares { ranges, across } = &self.squares[size];
        ranges[row * across + column].1
    }

    /// A height that no sample from one to another is above, both included, along x and z. Cost: that of
    /// looking at some squares at most.
    pub(super) fn above(&self, first: [usize; 2], last: [usize; 2]) -> f32 {
        /// Squares along a side.
        const MOST: usize = 4;
        let span = (last[0] - first[0]).max(last[1] - first[1]);
        let fits = |size: &usize| span >> SQUARES[*size] < MOST;
        match (0..SQUARES.len()).rev().find(fits) {
            Some(size) => self.within(size, first, last).1,
            None => self.highest,
        }
    }

    /// Lowest and highest of the samples from one to another, both included, along x and z, or of a
    /// little more.
    pub(in crate::render) fn between(&self, first: [usize; 2], last: [usize; 2]) -> (f32, f32) {
        self.within(SQUARES.len() - 1, first, last)
    }

    /// The same by squares of that size.
    fn within(&self, size: usize, first: [usize; 2], last: [usize; 2]) -> (f32, f32) {
        let (Squares { ranges, across }, side) = (&self.squares[size], 1 << SQUARES[size]);
        let squares = |axis: usize, count: usize| {
            let square = |sample: usize| (sample / side).min(count - 1);
            square(first[axis])..square(last[axis].saturating_sub(1)) + 1
        };
        let rows = squares(1, ranges.len() / across);
        let rows = rows.map(|row| &ranges[row * across..][squares(0, *across)]);
        rows.flatten().fold(EMPTY_RANGE, around)
    }

    /// Bytes that they take.
    pub(in crate::render) fn bytes(&self) -> u64 {
        let squares = self.squares.iter().map(|squares| squares.ranges.len());
        squares.sum::<usize>() as u64 * 8
    }
}

/// The range of two.
fn around(one: (f32, f32), other: &(f32, f32)) -> (f32, f32) {
    (one.0.min(other.0), one.1.max(other.1))
}

impl Squares {
    fn new(heights: &[f32], columns: usize, side: usize) -> Self {
        let rows = heights.len() / columns;
        let [across, down] = [columns, rows].map(|samples| (samples - 1).div_ceil(side));
        // Samples on the line between two squares belong to both.
        let within =
            |square: usize, samples: usize| square * side..((square + 1) * side + 1).min(samples);
        let mut ranges = vec![EMPTY_RANGE; across * down];
        let lines = parallel::over(ranges.chunks_exact_mut(across));
        lines.each(|square, ranges| {
            for row in within(square, rows) {
                let line = &heights[row * columns..][..columns];
                for (square, range) in ranges.iter_mut().enumerate() {
                    for height in &line[within(square, columns)] {
                        *range = (range.0.min(*height), range.1.max(*height));
                    }
                }
            }
        });
        Self { ranges, across }
    }

    /// Those of squares of so many squares along each side.
    fn of_squares(&self, side: usize) -> Self {
        let across = self.across.div_ceil(side);
        let rows = self.ranges.len() / self.across;
        let mut ranges = vec![EMPTY_RANGE; across * rows.div_ceil(side)];
        for (row, line) in self.ranges.chunks_exact(self.across).enumerate() {
            for (column, range) in line.iter().enumerate() {
                let all = &mut ranges[row / side * across + column / side];
                *all = around(*all, range);
            }
        }
        Self { ranges, across }
    }
}
