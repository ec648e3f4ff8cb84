//! Between which heights the ground is: what rays pass above, and what boxes patches lie in.
//!
//! A level roof over steep ground is far above most of it. So each square of cells has a slab that is
//! as steep as the ground below it is from corner to corner: two parallel planes with all of its
//! samples between them.

use crate::numbers::EMPTY_RANGE;
use crate::parallel;

/// Cells along the sides of squares, as powers of two, the largest first.
pub(super) const SQUARES: [u32; 2] = [7, 4];

/// What is between two planes as steep as each other.
#[derive(Clone, Copy)]
pub(super) struct Slab {
    /// By how much both rise from cell to cell along x and z.
    rise: [f32; 2],
    /// The heights of both at the first corner of their square.
    pub(super) low: f32,
    pub(super) high: f32,
}

/// The slabs and the level ranges of squares of cells, and of all.
pub(in crate::render) struct Roofs {
    squares: [Squares; 2],
    pub(super) lowest: f32,
    pub(super) highest: f32,
}

/// The squares of one size, row by row.
struct Squares {
    slabs: Vec<Slab>,
    /// The lowest and highest of the samples.
    ranges: Vec<(f32, f32)>,
    across: usize,
}

impl Slab {
    /// One as steep as a square of so many cells along x and z is between its corners, row by row.
    fn between([a, b, c, d]: [f32; 4], cells: [usize; 2]) -> Self {
        let half = cells.map(|cells| 0.5 / cells as f32);
        let (low, high) = EMPTY_RANGE;
        Self {
            rise: [(b + d - a - c) * half[0], (c + d - a - b) * half[1]],
            low,
            high,
        }
    }

    /// How high a height at a place is above the plane that rises from height 0 at the first corner.
    #[inline(always)]
    pub(super) fn over(&self, [x, z]: [f32; 2], height: f32) -> f32 {
        height - self.rise[0] * x - self.rise[1] * z
    }

    fn include(&mut self, over: f32) {
        (self.low, self.high) = around((self.low, self.high), &(over, over));
    }

    /// The same with room for what rounding does to heights of that size.
    fn with_room(self, most: f32) -> Self {
        let room = 4.0 * f32::EPSILON * most;
        Self {
            low: self.low - room,
            high: self.high + room,
            ..self
        }
    }
}

impl Roofs {
    /// Those of heights in rows of so many columns, at least two of each. Cost: a pass.
    pub(in crate::render) fn new(heights: &[f32], columns: usize) -> Self {
        let small = Squares::new(heights, columns, 1 << SQUARES[1]);
        let large = small.of_squares(heights, columns);
        let squares = [large, small];
        let (lowest, highest) = squares[0].ranges.iter().fold(EMPTY_RANGE, around);
        Self {
            squares,
            lowest,
            highest,
        }
    }

    /// The slab of the square of that size, column and row.
    pub(super) fn of(&self, size: usize, [column, row]: [usize; 2]) -> &Slab {
        let Squares { slabs, across, .. } = &self.squares[size];
        &slabs[row * across + column]
    }

    /// Lowest and highest of the samples from one to another, both included, along x and z, or of a
    /// little more.
    pub(in crate::render) fn between(&self, first: [usize; 2], last: [usize; 2]) -> (f32, f32) {
        let (Squares { ranges, across, .. }, side) = (&self.squares[1], 1 << SQUARES[1]);
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
        (squares.sum::<usize>() * (size_of::<Slab>() + size_of::<(f32, f32)>())) as u64
    }
}

/// The range of two. Comparisons become vector instructions, where `f32::min` does not.
#[inline(always)]
fn around(one: (f32, f32), other: &(f32, f32)) -> (f32, f32) {
    let low = if other.0 < one.0 { other.0 } else { one.0 };
    let high = if other.1 > one.1 { other.1 } else { one.1 };
    (low, high)
}

/// The larger of both ends of a range, whatever its sign.
fn most((low, high): (f32, f32)) -> f32 {
    low.abs().max(high.abs())
}

/// The samples of a square along an axis of so many. Those on the line between two belong to both.
fn within(square: usize, side: usize, samples: usize) -> [usize; 2] {
    [square, square + 1].map(|square| (square * side).min(samples - 1))
}

impl Squares {
    fn new(heights: &[f32], columns: usize, side: usize) -> Self {
        let rows = heights.len() / columns;
        let [across, down] = [columns, rows].map(|samples| (samples - 1).div_ceil(side));
        let lines = parallel::over(0..down).map(|_, square| {
            let [first, last] = within(square, side, rows);
            let lines = |row: usize| &heights[row * columns..][..columns];
            let of_square = |square: usize| {
                let [left, right] = within(square, side, columns);
                let corners = [first, last].map(|row| [lines(row)[left], lines(row)[right]]);
                let [[a, b], [c, d]] = corners;
                let mut slab = Slab::between([a, b, c, d], [right - left, last - first]);
                let mut range = EMPTY_RANGE;
                for row in first..=last {
                    for (x, height) in lines(row)[left..=right].iter().enumerate() {
                        slab.include(slab.over([x as f32, (row - first) as f32], *height));
                        range = around(range, &(*height, *height));
                    }
                }
                (slab.with_room(most(range)), range)
            };
            (0..across).map(of_square).collect::<Vec<_>>()
        });
        let (slabs, ranges) = lines.into_iter().flatten().unzip();
        Self {
            slabs,
            ranges,
            across,
        }
    }

    /// The largest squares, of those that these small ones are.
    fn of_squares(&self, heights: &[f32], columns: usize) -> Self {
        let rows = heights.len() / columns;
        let [large, small] = SQUARES.map(|power| 1 << power);
        let each = large / small;
        let [across, down] = [columns, rows].map(|samples| (samples - 1).div_ceil(large));
        let of_square = |at: usize| {
            let (column, row) = (at % across, at / across);
            let ([left, right], [first, last]) =
                (within(column, large, columns), within(row, large, rows));
            let corner = |row: usize, column: usize| heights[row * columns + column];
            let corners = [[first, left], [first, right], [last, left], [last, right]];
            let corners = corners.map(|[row, column]| corner(row, column));
            let mut slab = Slab::between(corners, [right - left, last - first]);
            let mut range = EMPTY_RANGE;
            let inner =
                |square: usize, count: usize| square * each..((square + 1) * each).min(count);
            for row in inner(row, self.slabs.len() / self.across) {
                for column in inner(column, self.across) {
                    let part = row * self.across + column;
                    range = around(range, &self.ranges[part]);
                    // Both are flat, so the corners of its square are where they differ most.
                    let (x, z) = (column * small, row * small);
                    for [x_end, z_end] in [
                        [x, z],
                        [x + small, z],
                        [x, z + small],
                        [x + small, z + small],
                    ] {
                        let (x_end, z_end) = (x_end.min(columns - 1), z_end.min(rows - 1));
                        let place = [(x_end - left) as f32, (z_end - first) as f32];
                        let inner = [(x_end - x) as f32, (z_end - z) as f32];
                        let own = self.slabs[part];
                        for plane in [own.low, own.high] {
                            slab.include(slab.over(place, plane - own.over(inner, 0.0)));
                        }
                    }
                }
            }
            (slab.with_room(most(range)), range)
        };
        let (slabs, ranges) = (0..across * down).map(of_square).unzip();
        Self {
            slabs,
            ranges,
            across,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slopes with bumps on them.
    fn heights(columns: usize, rows: usize) -> Vec<f32> {
        let bump = |index: usize| ((index * 7919) % 101) as f32 / 50.0;
        let place = |index: usize| ((index % columns) as f32, (index / columns) as f32);
        let height = |index: usize| {
            let (x, z) = place(index);
            1.7 * x - 0.6 * z + bump(index) + (0.02 * x).sin() * 40.0
        };
        (0..columns * rows).map(height).collect()
    }

    #[test]
    fn all_samples_of_a_square_are_in_its_slab_and_its_range() {
        for [columns, rows] in [[2, 2], [17, 33], [129, 130], [300, 141]] {
            let heights = heights(columns, rows);
            let roofs = Roofs::new(&heights, columns);
            for (size, power) in SQUARES.into_iter().enumerate() {
                let squares = [columns, rows].map(|samples| (samples - 1).div_ceil(1 << power));
                for square in 0..squares[0] * squares[1] {
                    let at = [square % squares[0], square / squares[0]];
                    let slab = roofs.of(size, at);
                    let [left, right] = within(at[0], 1 << power, columns);
                    let [first, last] = within(at[1], 1 << power, rows);
                    for (row, column) in
                        (first..=last).flat_map(|row| (left..=right).map(move |at| (row, at)))
                    {
                        let height = heights[row * columns + column];
                        let over =
                            slab.over([(column - left) as f32, (row - first) as f32], height);
                        assert!(
                            (slab.low..=slab.high).contains(&over),
                            "{columns} {size} {at:?}"
                        );
                        let (low, high) = roofs.between([left, first], [right, last]);
                        assert!((low..=high).contains(&height));
                    }
                }
            }
        }
    }

    #[test]
    fn a_slab_is_thinner_than_what_lies_in_it_is_high() {
        let heights = heights(129, 129);
        let roofs = Roofs::new(&heights, 129);
        for (size, power) in SQUARES.into_iter().enumerate() {
            let slab = roofs.of(size, [0, 0]);
            let side = 1 << power;
            let (low, high) = roofs.between([0, 0], [side, side]);
            assert!(slab.high - slab.low < 0.5 * (high - low), "{size}");
        }
    }
}
