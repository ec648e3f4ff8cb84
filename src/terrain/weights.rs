//! Weight map (splat map): four weights at the samples of a map.

use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::thinning;
use crate::util::parallel;

/// Number of weights of a sample: one for each channel of a texture.
pub const CHANNELS: usize = 4;

/// Four weights, 0…255, at the samples of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightMap {
    /// Weights, north first. Rows and columns are those of the map or, above a limit, those of every second, fourth …
    /// sample. For a map that wraps the last row and column, which repeat the first, are left out.
    pub texels: Grid<[u8; CHANNELS]>,
    /// Number of columns and rows across a tile, from its first sample to its last.
    pub span: [f32; 2],
    /// True if the weights are periodic.
    pub wraps: bool,
}

impl WeightMap {
    /// Weights of 0 everywhere.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            texels: Grid::filled(1, 1, [0; CHANNELS]),
            span: [1.0; 2],
            wraps: true,
        }
    }

    /// Compute weights, 0…1, at the samples of `map`, by row and column; of a map with more than `most` samples a side
    /// every second, fourth … is used. Runs on all threads of the current rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        most: usize,
        job: &Job,
        weights: impl Fn(usize, usize) -> [f32; CHANNELS] + Sync,
    ) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), most);
        let wraps = map.wraps();
        let [rows, columns] = Self::size(map, step);
        let mut texels = Grid::filled(rows, columns, [0; CHANNELS]);
        let out = parallel::par_items(texels.as_mut_slice().chunks_mut(columns));
        out.at_least(8).for_each_in(job, |row, out| {
            let row = (row * step).min(map.rows() - 1);
            for (column, out) in out.iter_mut().enumerate() {
                let weights = weights(row, (column * step).min(map.columns() - 1));
                *out = weights.map(|weight| (weight * 255.0 + 0.5) as u8);
            }
        })?;
        let span = |side: usize| ((side - 1) as f32 / step as f32).max(1.0);
        Ok(Self {
            texels,
            span: [span(map.columns()), span(map.rows())],
            wraps,
        })
    }

    /// Rows and columns of the weights of a map of which every sample, every second, fourth … is used.
    fn size(map: &Heightmap, step: usize) -> [usize; 2] {
        let count = |side: usize| (side - 1).div_ceil(step) + usize::from(!map.wraps());
        [map.rows(), map.columns()].map(count)
    }

    /// Weights of `map`, 0…1, that were computed at a sample, if they were computed as [`WeightMap::of`] would now.
    #[must_use]
    pub fn computed(
        &self,
        map: &Heightmap,
        most: usize,
        [row, column]: [usize; 2],
    ) -> Option<[f32; CHANNELS]> {
        let step = thinning(map.rows().max(map.columns()), most);
        let is_like_it = Self::size(map, step) == [self.texels.rows(), self.texels.columns()];
        let texel = || self.texels.at(row.div_ceil(step), column.div_ceil(step));
        is_like_it.then(|| texel().map(|weight| f32::from(weight) / 255.0))
    }

    /// Weights, 0…1, at a position in the tile: 0…1 from its first column to its last, and from its first row to its
    /// last. Between samples they are bilinear, as in a texture.
    #[must_use]
    pub fn at(&self, east: f32, south: f32) -> [f32; CHANNELS] {
        let place = |at: f32, span: f32, count: usize| {
            let at = at.clamp(0.0, 1.0) * span;
            let before = at as usize;
            let index = |at: usize| {
                if self.wraps {
                    at % count
                } else {
                    at.min(count - 1)
                }
            };
            (index(before), index(before + 1), at - before as f32)
        };
        let (north, below, v) = place(south, self.span[1], self.texels.rows());
        let (west, next, u) = place(east, self.span[0], self.texels.columns());
        let corners = [(north, west), (north, next), (below, west), (below, next)];
        let [nw, ne, sw, se] = corners.map(|(row, column)| self.texels.at(row, column));
        std::array::from_fn(|i| {
            let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
            let [nw, ne, sw, se] = [nw[i], ne[i], sw[i], se[i]].map(f32::from);
            mix(mix(nw, ne, u), mix(sw, se, u), v) / 255.0
        })
    }
}
