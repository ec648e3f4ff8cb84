//! How high and how low the ground is at most: what rays pass above, and what boxes patches lie in.

use rayon::prelude::*;

use crate::numbers::EMPTY_RANGE;

/// Cells along the side of a square.
pub(super) const SQUARE: usize = 16;

/// The highest and lowest samples of squares of 16 × 16 cells, and the lowest of all.
pub(in crate::render) struct Roofs {
    highest: Vec<f32>,
    lowest_of: Vec<f32>,
    across: usize,
    pub(super) lowest: f32,
}

impl Roofs {
    /// Those of heights in rows of so many columns, at least two of each. Cost: one pass.
    pub(in crate::render) fn new(heights: &[f32], columns: usize) -> Self {
        let rows = heights.len() / columns;
        let [across, down] = [columns, rows].map(|samples| (samples - 1).div_ceil(SQUARE));
        // Samples on the line between two squares belong to both.
        let within = |square: usize, samples: usize| {
            square * SQUARE..((square + 1) * SQUARE + 1).min(samples)
        };
        let found = (0..down).into_par_iter().map(|square| {
            let mut highest = vec![f32::NEG_INFINITY; across];
            let mut lowest = vec![f32::INFINITY; across];
            for row in within(square, rows) {
                let line = &heights[row * columns..][..columns];
                let squares = highest.iter_mut().zip(&mut lowest).enumerate();
                for (square, (highest, lowest)) in squares {
                    for height in &line[within(square, columns)] {
                        *highest = highest.max(*height);
                        *lowest = lowest.min(*height);
                    }
                }
            }
            (highest, lowest)
        });
        let found: Vec<_> = found.collect();
        let lowest_of: Vec<_> = found
            .iter()
            .flat_map(|(_, lowest)| lowest)
            .copied()
            .collect();
        Self {
            lowest: lowest_of.iter().copied().fold(f32::INFINITY, f32::min),
            highest: found.into_iter().flat_map(|(highest, _)| highest).collect(),
            lowest_of,
            across,
        }
    }

    /// The highest sample of the square of that column and row.
    pub(super) fn of(&self, [column, row]: [usize; 2]) -> f32 {
        self.highest[row * self.across + column]
    }

    /// Lowest and highest of the samples from one to another, both included, along x and z, or of a
    /// little more.
    pub(in crate::render) fn between(&self, first: [usize; 2], last: [usize; 2]) -> (f32, f32) {
        let squares = |axis: usize, count: usize| {
            let square = |sample: usize| (sample / SQUARE).min(count - 1);
            square(first[axis])..square(last[axis].saturating_sub(1)) + 1
        };
        let mut range = EMPTY_RANGE;
        for row in squares(1, self.highest.len() / self.across) {
            for column in squares(0, self.across) {
                let at = row * self.across + column;
                range = (
                    range.0.min(self.lowest_of[at]),
                    range.1.max(self.highest[at]),
                );
            }
        }
        range
    }

    /// Bytes that they take.
    pub(in crate::render) fn bytes(&self) -> u64 {
        (self.highest.len() + self.lowest_of.len()) as u64 * 4
    }
}
