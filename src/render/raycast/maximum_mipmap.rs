//! Maximum mipmap of a heightfield (Tevs, Ihrke and Seidel 2008): bounds for rays to skip, and for the boxes
//! of patches.
//!
//! A level bound over steep ground is far above most of it. So the upper bound of a square of cells is a
//! plane as steep as the ground between its corners.

use crate::util::numbers::EMPTY_RANGE;
use crate::util::parallel;

/// Cells along the sides of squares, as powers of two, the largest first.
pub(super) const SQUARES: [u32; 2] = [7, 4];

/// Upper bound of a square: a plane that no sample exceeds.
#[derive(Clone, Copy)]
pub(super) struct Roof {
    /// Rise per cell along x and z.
    rise: [f32; 2],
    /// Height at the first corner of the square.
    pub(super) high: f32,
}

/// Upper bounds and height ranges of squares of cells, and the range of all heights.
pub(in crate::render) struct MaximumMipmap {
    squares: [Squares; 2],
    pub(super) lowest: f32,
    pub(super) highest: f32,
}

/// The squares of one size, row by row.
struct Squares {
    roofs: Vec<Roof>,
    /// Minimum and maximum of the samples.
    ranges: Vec<(f32, f32)>,
    across: usize,
}

impl Roof {
    /// Start with a plane below everything that has the slope between a square's corners, given row by row;
    /// `cells` are the square's sides along x and z.
    fn between([a, b, c, d]: [f32; 4], cells: [usize; 2]) -> Self {
        let half = cells.map(|cells| 0.5 / cells as f32);
        Self {
            rise: [(b + d - a - c) * half[0], (c + d - a - b) * half[1]],
            high: f32::NEG_INFINITY,
        }
    }

    /// Height of a point above the plane through height 0 at the first corner.
    #[inline(always)]
    pub(super) fn over(&self, [x, z]: [f32; 2], height: f32) -> f32 {
        height - self.rise[0] * x - self.rise[1] * z
    }

    /// Raise the plane over the samples of a square, row by row from its first corner; returns their range. The
    /// square has `width` columns of a grid of `columns`.
    fn cover(&mut self, samples: &[f32], columns: usize, width: usize) -> (f32, f32) {
        let (over, range) = bounds(samples, columns, width, self.rise);
        self.high = if over > self.high { over } else { self.high };
        range
    }

    /// Raise the plane to a height at a position.
    fn lift(&mut self, place: [f32; 2], height: f32) {
        let over = self.over(place, height);
        self.high = if over > self.high { over } else { self.high };
    }

    /// Add a margin for rounding errors of heights in this range.
    fn with_room(self, (low, high): (f32, f32)) -> Self {
        let high = self.high + 4.0 * f32::EPSILON * low.abs().max(high.abs());
        Self { high, ..self }
    }
}

impl MaximumMipmap {
    /// Build the bounds of heights in rows of `columns` samples, at least two of each. Cost: one pass.
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

    /// The bound of a square of a size, by column and row.
    pub(super) fn of(&self, size: usize, [column, row]: [usize; 2]) -> &Roof {
        let Squares { roofs, across, .. } = &self.squares[size];
        &roofs[row * across + column]
    }

    /// Range of the heights between two samples, both included, along x and z, or of a slightly larger
    /// region.
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

    /// Size in bytes.
    pub(in crate::render) fn bytes(&self) -> u64 {
        let squares = self.squares.iter().map(|squares| squares.ranges.len());
        (squares.sum::<usize>() * (size_of::<Roof>() + size_of::<(f32, f32)>())) as u64
    }
}

/// Samples side by side (SIMD lanes).
const LANES: usize = 16;

vectorized! {
    /// Highest sample of a square above the plane of this `rise` through height 0 at its first sample, and the
    /// range of the samples; arguments as for [`Roof::cover`].
    fn bounds(samples: &[f32], columns: usize, width: usize, rise: [f32; 2]) -> (f32, (f32, f32)) {
        let mut most = [f32::NEG_INFINITY; LANES];
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        for (row, line) in samples.chunks(columns).enumerate() {
            let down = rise[1] * row as f32;
            for (block, line) in line[..width].chunks(LANES).enumerate() {
                for (lane, height) in line.iter().enumerate() {
                    let over = height - rise[0] * (block * LANES + lane) as f32 - down;
                    most[lane] = if over > most[lane] { over } else { most[lane] };
                    low[lane] = if *height < low[lane] { *height } else { low[lane] };
                    high[lane] = if *height > high[lane] { *height } else { high[lane] };
                }
            }
        }
        let ranges = low.into_iter().zip(high);
        let range = ranges.fold(EMPTY_RANGE, |all, range| around(all, &range));
        (most.into_iter().fold(f32::NEG_INFINITY, f32::max), range)
    }
}

/// Union of two ranges. Comparisons vectorize, `f32::min` does not.
#[inline(always)]
fn around(one: (f32, f32), other: &(f32, f32)) -> (f32, f32) {
    let low = if other.0 < one.0 { other.0 } else { one.0 };
    let high = if other.1 > one.1 { other.1 } else { one.1 };
    (low, high)
}

/// First and last sample of a square along an axis; adjacent squares share a line of samples.
fn within(square: usize, side: usize, samples: usize) -> [usize; 2] {
    [square, square + 1].map(|square| (square * side).min(samples - 1))
}

impl Squares {
    fn new(heights: &[f32], columns: usize, side: usize) -> Self {
        let rows = heights.len() / columns;
        let [across, down] = [columns, rows].map(|samples| (samples - 1).div_ceil(side));
        let lines = parallel::par_items(0..down).map(|_, square| {
            let [first, last] = within(square, side, rows);
            let lines = |row: usize| &heights[row * columns..][..columns];
            let of_square = |square: usize| {
                let [left, right] = within(square, side, columns);
                let corners = [first, last].map(|row| [lines(row)[left], lines(row)[right]]);
                let [[a, b], [c, d]] = corners;
                let mut roof = Roof::between([a, b, c, d], [right - left, last - first]);
                let samples = &heights[first * columns + left..=last * columns + right];
                let range = roof.cover(samples, columns, right - left + 1);
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

    /// Build the large squares from these small ones.
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
                    // Both are planes, so comparing them at the corners suffices.
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

    /// Slopes with bumps.
    fn heights(columns: usize, rows: usize) -> Vec<f32> {
        let bump = |index: usize| ((index * 7919) % 101) as f32 / 50.0;
        let place = |index: usize| ((index % columns) as f32, (index / columns) as f32);
        let height = |index: usize| {
            let (x, z) = place(index);
            1.7 * x - 0.6 * z + bump(index) + (0.02 * x).sin() * 40.0
        };
        (0..columns * rows).map(height).collect()
    }

    /// The squares of a map, of all sizes: the size, column and row, and the first and the last sample along
    /// x and z.
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
    fn square_samples_stay_under_roof_and_in_range() {
        for [columns, rows] in [[2, 2], [17, 33], [129, 130], [300, 141]] {
            let heights = heights(columns, rows);
            let roofs = MaximumMipmap::new(&heights, columns);
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
    fn roof_is_nearer_steep_ground_than_level_one() {
        let side = 129;
        let heights = heights(side, side);
        let roofs = MaximumMipmap::new(&heights, side);
        for (size, at, [[left, right], [first, last]]) in squares([side; 2]) {
            let roof = roofs.of(size, at);
            let level = roofs.between([left, first], [right, last]).1;
            let middle = [0.5 * (right - left) as f32, 0.5 * (last - first) as f32];
            let own = roof.high - roof.over(middle, 0.0);
            assert!(own < level, "{size} {at:?}: {own} of {level}");
        }
    }
}
