//! Maximum mipmap: how high the ground reaches, for rays that pass above and for boxes of patches.
//!
//! A level roof over steep ground is far above most of it. So the roof of a square of cells is as steep
//! as the ground below it is from corner to corner.

use crate::numbers::EMPTY_RANGE;
use crate::parallel;

/// Cells along the sides of squares, as powers of two, the largest first.
pub(super) const SQUARES: [u32; 2] = [7, 4];

/// A plane that no sample of a square is above.
#[derive(Clone, Copy)]
pub(super) struct Roof {
    /// By how much it rises from cell to cell along x and z.
    rise: [f32; 2],
    /// Its height at the first corner of the square.
    pub(super) high: f32,
}

/// The roofs and the ranges of heights of squares of cells, and the range of all.
pub(in crate::render) struct Roofs {
    squares: [Squares; 2],
    pub(super) lowest: f32,
    pub(super) highest: f32,
}

/// The squares of one size, row by row.
struct Squares {
    roofs: Vec<Roof>,
    /// The lowest and highest of the samples.
    ranges: Vec<(f32, f32)>,
    across: usize,
}

impl Roof {
    /// One as steep as a square of so many cells along x and z is between its corners, row by row, and
    /// below everything.
    fn between([a, b, c, d]: [f32; 4], cells: [usize; 2]) -> Self {
        let half = cells.map(|cells| 0.5 / cells as f32);
        Self {
            rise: [(b + d - a - c) * half[0], (c + d - a - b) * half[1]],
            high: f32::NEG_INFINITY,
        }
    }

    /// How high a height at a place is above the plane that rises from height 0 at the first corner.
    #[inline(always)]
    pub(super) fn over(&self, [x, z]: [f32; 2], height: f32) -> f32 {
        height - self.rise[0] * x - self.rise[1] * z
    }

    /// Lifts it above a height at a place.
    fn lift(&mut self, place: [f32; 2], height: f32) {
        let over = self.over(place, height);
        self.high = if over > self.high { over } else { self.high };
    }

    /// The same with room for what rounding does to heights of that range.
    fn with_room(self, (low, high): (f32, f32)) -> Self {
        let high = self.high + 4.0 * f32::EPSILON * low.abs().max(high.abs());
        Self { high, ..self }
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

    /// The roof of the square of that size, column and row.
    pub(super) fn of(&self, size: usize, [column, row]: [usize; 2]) -> &Roof {
        let Squares { roofs, across, .. } = &self.squares[size];
        &roofs[row * across + column]
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
        (squares.sum::<usize>() * (size_of::<Roof>() + size_of::<(f32, f32)>())) as u64
    }
}

/// The range of two. Comparisons become vector instructions, where `f32::min` does not.
#[inline(always)]
fn around(one: (f32, f32), other: &(f32, f32)) -> (f32, f32) {
    let low = if other.0 < one.0 { other.0 } else { one.0 };
    let high = if other.1 > one.1 { other.1 } else { one.1 };
    (low, high)
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
                let mut roof = Roof::between([a, b, c, d], [right - left, last - first]);
                let mut range = EMPTY_RANGE;
                for row in first..=last {
                    for (x, height) in lines(row)[left..=right].iter().enumerate() {
                        roof.lift([x as f32, (row - first) as f32], *height);
                        range = around(range, &(*height, *height));
                    }
                }
                (roof.with_room(range), range)
            };
            (0..across).map(of_square).collect::<Vec<_>>()
        });
        let (roofs, ranges) = lines.into_iter().flatten().unzip();
        Self {
            roofs,
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
            let mut roof = Roof::between(corners, [right - left, last - first]);
            let mut range = EMPTY_RANGE;
            let inner =
                |square: usize, count: usize| square * each..((square + 1) * each).min(count);
            for row in inner(row, self.roofs.len() / self.across) {
                for column in inner(column, self.across) {
                    let part = row * self.across + column;
                    range = around(range, &self.ranges[part]);
                    // Both are flat, so one is above the other where it is at the corners.
                    let own = self.roofs[part];
                    let ([west, east], [north, south]) =
                        (within(column, small, columns), within(row, small, rows));
                    for [z, x] in [[north, west], [north, east], [south, west], [south, east]] {
                        let from = |x0: usize, z0: usize| [(x - x0) as f32, (z - z0) as f32];
                        let high = own.high - own.over(from(west, north), 0.0);
                        roof.lift(from(left, first), high);
                    }
                }
            }
            (roof.with_room(range), range)
        };
        let (roofs, ranges) = (0..across * down).map(of_square).unzip();
        Self {
            roofs,
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

    /// The squares of a map, of all sizes: the size, column and row, and the first and the last sample
    /// along x and z.
    fn squares(samples: [usize; 2]) -> impl Iterator<Item = (usize, [usize; 2], [[usize; 2]; 2])> {
        SQUARES
            .into_iter()
            .enumerate()
            .flat_map(move |(size, power)| {
                let [across, down] = samples.map(|samples| (samples - 1).div_ceil(1 << power));
                (0..across * down).map(move |square| {
                    let at = [square % across, square / across];
                    let spans = [0, 1].map(|axis| within(at[axis], 1 << power, samples[axis]));
                    (size, at, spans)
                })
            })
    }

    #[test]
    fn no_sample_of_a_square_is_above_its_roof_or_outside_its_range() {
        for [columns, rows] in [[2, 2], [17, 33], [129, 130], [300, 141]] {
            let heights = heights(columns, rows);
            let roofs = Roofs::new(&heights, columns);
            for (size, at, [[left, right], [first, last]]) in squares([columns, rows]) {
                let roof = roofs.of(size, at);
                let (low, high) = roofs.between([left, first], [right, last]);
                for row in first..=last {
                    for column in left..=right {
                        let height = heights[row * columns + column];
                        let place = [column - left, row - first].map(|cells| cells as f32);
                        let over = roof.over(place, height);
                        assert!(over <= roof.high, "{columns} {size} {at:?}: {over}");
                        assert!((low..=high).contains(&height), "{columns} {size} {at:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_roof_is_nearer_to_steep_ground_than_a_level_one() {
        let side = 129;
        let heights = heights(side, side);
        let roofs = Roofs::new(&heights, side);
        for (size, at, [[left, right], [first, last]]) in squares([side; 2]) {
            let roof = roofs.of(size, at);
            let level = roofs.between([left, first], [right, last]).1;
            let middle = [0.5 * (right - left) as f32, 0.5 * (last - first) as f32];
            let own = roof.high - roof.over(middle, 0.0);
            assert!(own < level, "{size} {at:?}: {own} of {level}");
        }
    }
}
