//! The ground as planes cross it: the map, and coarser and coarser means of it.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::heightmap::Heightmap;

/// Sides of a map in cells up to which there is no coarser level.
const COARSEST: usize = 4;

/// The ground that [`Distances::walked`](crate::render::Distances::walked) sees: a map and its means
/// over 2², 4² … cells.
pub struct Field<'a> {
    /// The finest first.
    pub(super) levels: Vec<Level<'a>>,
    /// Sides of a tile along x and z, half tiles.
    pub(super) side: [f32; 2],
    /// Sides of a cell of the finest level, half tiles.
    pub(super) spacing: f32,
    /// Whether tiles join without cliffs.
    pub(in crate::render) wraps: bool,
}

/// The samples of one level, row by row.
pub(super) struct Level<'a> {
    pub(super) heights: Cow<'a, [f32]>,
    /// Samples along x and z.
    pub(super) samples: [usize; 2],
}

impl<'a> Field<'a> {
    /// The ground of a map of at least two rows and columns; `None` of a smaller one.
    ///
    /// Cost: two passes over the map, and a third of its memory.
    #[must_use]
    pub fn new(map: &'a Heightmap) -> Option<Self> {
        let samples = [map.columns(), map.rows()];
        if samples.iter().any(|count| *count < 2) {
            return None;
        }
        let mut levels = vec![Level {
            heights: map.heights().into(),
            samples,
        }];
        while let Some(coarser) = levels.last().and_then(|last| last.coarser(map.wraps())) {
            levels.push(coarser);
        }
        Some(Self {
            levels,
            side: samples.map(|count| (count - 1) as f32 * map.spacing()),
            spacing: map.spacing(),
            wraps: map.wraps(),
        })
    }
}

impl Level<'_> {
    /// Every second sample, as a mean of those around it. A side of an odd number of cells has none.
    fn coarser(&self, wraps: bool) -> Option<Level<'static>> {
        let [columns, rows] = self.samples;
        if self
            .samples
            .iter()
            .any(|count| *count <= COARSEST || *count % 2 == 0)
        {
            return None;
        }
        let samples = self.samples.map(|count| count / 2 + 1);
        let around = |at: usize, count: usize| {
            let (last, wraps) = (count - 1, wraps);
            let before = if wraps && at == 0 { last } else { at };
            let after = if wraps && at == last { 0 } else { at };
            [before.saturating_sub(1), at, (after + 1).min(last)]
        };
        let mut heights = vec![0.0; samples[0] * samples[1]];
        let out = heights.par_chunks_exact_mut(samples[0]).enumerate();
        out.with_min_len(8).for_each(|(row, out)| {
            let lines = around(2 * row, rows).map(|row| &self.heights[row * columns..][..columns]);
            let across = |column: usize| {
                let [north, here, south] = lines.map(|line| line[column]);
                (north + south) * 0.25 + here * 0.5
            };
            for (column, out) in out.iter_mut().enumerate() {
                let [west, here, east] = around(2 * column, columns).map(across);
                *out = (west + east) * 0.25 + here * 0.5;
            }
        });
        Some(Level {
            heights: heights.into(),
            samples,
        })
    }
}
