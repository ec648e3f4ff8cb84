//! How high the ground is at most: what rays pass above.

use rayon::prelude::*;

/// Cells along the side of a square.
pub(super) const SQUARE: usize = 16;

/// The highest samples of squares of 16 × 16 cells, and the lowest of all.
pub(in crate::render) struct Roofs {
    highest: Vec<f32>,
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
            let (mut highest, mut lowest) = (vec![f32::NEG_INFINITY; across], f32::INFINITY);
            for row in within(square, rows) {
                let line = &heights[row * columns..][..columns];
                for (square, highest) in highest.iter_mut().enumerate() {
                    for height in &line[within(square, columns)] {
                        *highest = highest.max(*height);
                        lowest = lowest.min(*height);
                    }
                }
            }
            (highest, lowest)
        });
        let found: Vec<_> = found.collect();
        let lowest = found.iter().map(|(_, lowest)| *lowest);
        Self {
            lowest: lowest.fold(f32::INFINITY, f32::min),
            highest: found.into_iter().flat_map(|(highest, _)| highest).collect(),
            across,
        }
    }

    /// The highest sample of the square of that column and row.
    pub(super) fn of(&self, [column, row]: [usize; 2]) -> f32 {
        self.highest[row * self.across + column]
    }

    /// Bytes that they take.
    pub(in crate::render) fn bytes(&self) -> u64 {
        self.highest.len() as u64 * 4
    }
}
