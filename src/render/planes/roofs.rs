//! How high the ground is at most: what rays pass above.

use rayon::prelude::*;

/// Cells along the sides of squares, the largest first.
pub(super) const SQUARES: [usize; 2] = [128, 16];

/// The highest samples of squares of cells, and the highest and the lowest of all.
pub(in crate::render) struct Roofs {
    squares: [Squares; 2],
    pub(super) highest: f32,
    pub(super) lowest: f32,
}

/// The highest samples of squares of one size, row by row.
struct Squares {
    highest: Vec<f32>,
    across: usize,
}

impl Roofs {
    /// Those of heights in rows of so many columns, at least two of each. Cost: two passes.
    pub(in crate::render) fn new(heights: &[f32], columns: usize) -> Self {
        let squares = SQUARES.map(|side| Squares::new(heights, columns, side));
        let highest = squares[0].highest.iter().copied();
        let lowest = heights.par_iter().with_min_len(1 << 14).copied();
        Self {
            highest: highest.fold(f32::NEG_INFINITY, f32::max),
            lowest: lowest.reduce(|| f32::INFINITY, f32::min),
            squares,
        }
    }

    /// The highest sample of the square of that size, column and row.
    pub(super) fn of(&self, size: usize, [column, row]: [usize; 2]) -> f32 {
        let Squares { highest, across } = &self.squares[size];
        highest[row * across + column]
    }

    /// Bytes that they take.
    pub(in crate::render) fn bytes(&self) -> u64 {
        let squares = self.squares.iter().map(|squares| squares.highest.len());
        squares.sum::<usize>() as u64 * 4
    }
}

impl Squares {
    fn new(heights: &[f32], columns: usize, side: usize) -> Self {
        let rows = heights.len() / columns;
        let [across, down] = [columns, rows].map(|samples| (samples - 1).div_ceil(side));
        // Samples on the line between two squares belong to both.
        let within =
            |square: usize, samples: usize| square * side..((square + 1) * side + 1).min(samples);
        let mut highest = vec![f32::NEG_INFINITY; across * down];
        let lines = highest.par_chunks_exact_mut(across).enumerate();
        lines.for_each(|(square, highest)| {
            for row in within(square, rows) {
                let line = &heights[row * columns..][..columns];
                for (square, highest) in highest.iter_mut().enumerate() {
                    let samples = line[within(square, columns)].iter();
                    *highest = samples.fold(*highest, |most, height| most.max(*height));
                }
            }
        });
        Self { highest, across }
    }
}
