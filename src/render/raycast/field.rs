//! Heightfield for ray casting: the map and its mipmaps of means.

use std::sync::{Arc, OnceLock};

use super::maximum_mipmap::MaximumMipmap;
use super::viewpoint::Sight;
use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Maximum number of cells per side of the coarsest level.
const COARSEST: usize = 4;

/// Heightfield of [`Distances::walked`](crate::render::Distances::walked): a map, and mipmaps with means over
/// 2², 4² … cells.
pub struct Field {
    map: Arc<Heightmap>,
    /// Coarser levels, the finest first.
    coarser: Vec<Level>,
    /// Sides of a tile along x and z, in half tiles.
    pub(super) side: [f32; 2],
    /// Side of a cell of the finest level, in half tiles.
    pub(super) spacing: f32,
    /// True if tiles join without cliffs.
    wraps: bool,
    /// See [`Field::roofs`].
    roofs: OnceLock<MaximumMipmap>,
}

/// Means of one level.
struct Level {
    heights: Vec<f32>,
    samples: [usize; 2],
}

/// Samples of one level, row by row.
#[derive(Clone, Copy)]
pub(super) struct Samples<'a> {
    pub(super) heights: &'a [f32],
    /// Number of samples along x and z.
    pub(super) samples: [usize; 2],
}

impl Field {
    /// Build the heightfield of a map with at least two rows and columns; `None` for a smaller one.
    ///
    /// Cost: two passes over the map, and a third of its memory.
    #[must_use]
    pub fn new(map: &Arc<Heightmap>) -> Option<Self> {
        let samples = [map.columns(), map.rows()];
        if samples.iter().any(|count| *count < 2) {
            return None;
        }
        let mut field = Self {
            map: Arc::clone(map),
            coarser: Vec::new(),
            side: samples.map(|count| (count - 1) as f32 * map.spacing()),
            spacing: map.spacing(),
            wraps: map.wraps(),
            roofs: OnceLock::new(),
        };
        while let Some(coarser) = field.level(field.levels() - 1).coarser(field.wraps) {
            field.coarser.push(coarser);
        }
        Some(field)
    }

    /// Number of levels, at least one.
    pub(super) fn levels(&self) -> usize {
        self.coarser.len() + 1
    }

    /// Samples of a level; 0 is the map.
    pub(super) fn level(&self, level: usize) -> Samples<'_> {
        match level.checked_sub(1).map(|coarser| &self.coarser[coarser]) {
            Some(Level { heights, samples }) => Samples {
                heights,
                samples: *samples,
            },
            None => Samples {
                heights: self.map.heights(),
                samples: [self.map.columns(), self.map.rows()],
            },
        }
    }

    /// Maximum mipmap of the map, built at the first use.
    pub(super) fn roofs(&self) -> &MaximumMipmap {
        let make = || MaximumMipmap::new(self.map.heights(), self.map.columns());
        self.roofs.get_or_init(make)
    }

    /// True if ray casting shows everything an eye can see: tiles join, and the eye is above the ground, or
    /// outside it and above its floor. `above` is the eye's height above the refined ground, if there is any.
    pub(in crate::render) fn is_shown_by(&self, sight: &Sight, above: Option<f64>) -> bool {
        if sight.tiles > 1.0 && !self.wraps {
            return false;
        }
        if let Some(above) = above {
            return above > 0.0;
        }
        match self.place_within(sight) {
            Some([x, z]) => sight.eye.y > self.map.height_at(x, z),
            None => sight.eye.y > sight.floor,
        }
    }

    /// Position of the eye within its tile, if it is above or below one.
    fn place_within(&self, Sight { eye, tiles, .. }: &Sight) -> Option<[f32; 2]> {
        let places = [(eye.x, self.side[0]), (eye.z, self.side[1])]
            .map(|(at, side)| (at / side + 0.5 * tiles, side));
        let is_within = places.iter().all(|(tile, _)| (0.0..=*tiles).contains(tile));
        is_within
            .then(|| places.map(|(tile, side)| (tile - tile.min(tiles - 0.5).floor() - 0.5) * side))
    }

    /// Size in bytes, without the map.
    pub(in crate::render) fn bytes(&self) -> u64 {
        let samples: usize = self.coarser.iter().map(|level| level.heights.len()).sum();
        samples as u64 * 4 + self.roofs.get().map_or(0, MaximumMipmap::bytes)
    }
}

impl Samples<'_> {
    /// Halve the resolution with a 3 × 3 binomial filter (¼, ½, ¼). `None` for a side with an odd number of
    /// cells.
    fn coarser(&self, wraps: bool) -> Option<Level> {
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
        let out = parallel::par_items(heights.chunks_exact_mut(samples[0])).at_least(8);
        out.for_each(|row, out| {
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
        Some(Level { heights, samples })
    }
}
