//! Heightfield for ray casting: the map with its mipmaps of means, and geomorphed clipmap levels around the
//! eye.
//!
//! Geomorphing (Losasso and Hoppe 2004): towards the far end of a window its samples slide onto the next
//! coarser ground. A coarser cell is four finer ones, cut along the same diagonals. So the ground stays
//! triangular, and where all samples have arrived it equals the coarser ground: no cracks, however few cells a
//! window has.

use std::sync::{Arc, OnceLock};

use crate::render::gl::programs::SLIDES_FROM;
use crate::render::raycast::maximum_mipmap::MaximumMipmap;
use crate::render::raycast::viewpoint::Sight;
use crate::terrain::heightmap::Heightmap;
use crate::util::identity::Identity;
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

    /// Identity of the map.
    pub(in crate::render) fn source(&self) -> Identity<Heightmap> {
        Identity::of(&self.map)
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

/// A clipmap level around the eye as input of the ray caster: a lattice of its own.
#[derive(Clone, Copy)]
pub(in crate::render) struct Near<'a> {
    /// Heights above a datum, row by row, in half tiles.
    pub(in crate::render) heights: &'a [f32],
    /// Bounds of the heights.
    pub(in crate::render) roofs: &'a MaximumMipmap,
    /// Number of samples along x and z.
    pub(in crate::render) samples: [usize; 2],
    /// Position of the eye, in cells along x and z from the first sample, and its height above the datum.
    pub(in crate::render) eye: [f64; 2],
    pub(in crate::render) above: f64,
    /// Distance between adjacent samples, in half tiles.
    pub(in crate::render) spacing: f64,
    /// Height of the eye above the ground below it.
    pub(in crate::render) height: f64,
    /// Distance from the eye up to which the level is used, in half tiles.
    pub(in crate::render) farthest: f64,
}

/// Upper bound of the distance between a point in a cell and its corners, in cells.
const CORNER: f64 = 1.5;

impl Near<'_> {
    /// Sides along x and z, in half tiles.
    pub(super) fn side(&self) -> [f64; 2] {
        self.samples.map(|count| (count - 1) as f64 * self.spacing)
    }

    /// Position of the eye within the window, as fractions of its sides.
    pub(super) fn start(&self) -> [f32; 2] {
        [0, 1].map(|axis| (self.eye[axis] / (self.samples[axis] - 1) as f64) as f32)
    }

    /// Distance in cells up to which the level is used; at its end every corner of a cell is fully morphed.
    pub(super) fn reach(&self) -> f64 {
        self.farthest / self.spacing + CORNER
    }

    /// Horizontal distance from the eye up to which the level is used, in half tiles.
    pub(super) fn level_reach(&self) -> f64 {
        let reach = self.reach() * self.spacing;
        (reach * reach - self.height * self.height).max(0.0).sqrt()
    }
}

/// The used part of a window, with morphed samples.
pub(super) struct MorphedLevel {
    heights: Vec<f32>,
    roofs: MaximumMipmap,
    samples: [usize; 2],
    /// First sample, counted in the window.
    first: [usize; 2],
}

/// The ground that samples are morphed onto.
struct Coarser<'a> {
    heights: &'a [f32],
    columns: usize,
    /// Cells of a tile along x and z, and the last tile.
    cells: [usize; 2],
    last_tile: usize,
    /// Position of the eye, in cells.
    eye: [f64; 2],
    /// Height of the eye above heights of 0.
    above: f64,
}

impl Coarser<'_> {
    /// Index of a sample within its tile, clamped to the ends against rounding errors.
    fn at(&self, axis: usize, sample: i64) -> usize {
        let cells = self.cells[axis];
        let sample = (sample.max(0) as usize).min(cells * (self.last_tile + 1));
        sample - (sample / cells).min(self.last_tile) * cells
    }
}

impl MorphedLevel {
    /// Morph all levels of an eye over `field`, the finest first. Cost: two passes over the used samples.
    pub(super) fn all(field: &Field, near: &[Near<'_>], sight: &Sight) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::with_capacity(near.len());
        for index in (0..near.len()).rev() {
            let window = &near[index];
            let slid = match all.last() {
                Some(slid) => Self::new(window, &Coarser::window(&slid.of(&near[index + 1]))),
                None => Self::new(window, &Coarser::map(field, sight)),
            };
            all.push(slid);
        }
        all.reverse();
        all
    }

    /// The level `near` with these samples in place of its own.
    pub(super) fn of<'a>(&'a self, near: &Near<'_>) -> Near<'a> {
        Near {
            heights: &self.heights,
            roofs: &self.roofs,
            samples: self.samples,
            eye: [0, 1].map(|axis| near.eye[axis] - self.first[axis] as f64),
            ..*near
        }
    }

    fn new(near: &Near<'_>, coarser: &Coarser<'_>) -> Self {
        let reach = near.reach() + CORNER;
        let spans = [0, 1].map(|axis| {
            let last = (near.samples[axis] - 1) as f64;
            let [low, high] = [-reach, reach].map(|cells| near.eye[axis] + cells);
            let first = low.floor().clamp(0.0, last - 1.0) as usize;
            first..(high.ceil().clamp(first as f64 + 1.0, last) as usize) + 1
        });
        let [columns, rows] = spans;
        let samples = [columns.len(), rows.len()];
        let slide = near.farthest / near.spacing;
        let [from, until] = [SLIDES_FROM * slide, slide];
        let high = (near.height / near.spacing) as f32;
        let (from, per) = (from as f32, (until - from).recip() as f32);
        // Integers, except for rounding errors.
        let shift = [0, 1].map(|axis| (2.0 * coarser.eye[axis] - near.eye[axis]).round() as i64);
        let lift = (near.above - coarser.above) as f32;
        // For each column its distance from the eye, and the coarser samples that it lies midway between; one twice
        // where it lies on it.
        let across: Vec<_> = columns
            .clone()
            .map(|column| {
                let twice = column as i64 + shift[0];
                let around = [twice >> 1, (twice + 1) >> 1].map(|at| coarser.at(0, at));
                ((column as f64 - near.eye[0]) as f32, around)
            })
            .collect();
        let mut heights = vec![0.0; samples[0] * samples[1]];
        let lines = parallel::par_items(heights.chunks_exact_mut(samples[0])).at_least(16);
        lines.for_each(|line, out| {
            let row = rows.start + line;
            let own = &near.heights[row * near.samples[0]..][columns.clone()];
            out.copy_from_slice(own);
            let z = (row as f64 - near.eye[1]) as f32;
            let twice = row as i64 + shift[1];
            let [north, south] = [twice >> 1, (twice + 1) >> 1].map(|row| {
                let row = coarser.at(1, row);
                &coarser.heights[row * coarser.columns..][..coarser.columns]
            });
            for (out, (x, [west, east])) in out.iter_mut().zip(&across) {
                let away = x * x + z * z + high * high;
                if away <= from * from {
                    continue;
                }
                let part = ((away.sqrt() - from) * per).min(1.0);
                // Along the diagonal, as the coarser triangles are cut.
                let coarser = 0.5 * (north[*west] + south[*east]) + lift;
                *out += part * (coarser - *out);
            }
        });
        Self {
            roofs: MaximumMipmap::new(&heights, samples[0]),
            heights,
            samples,
            first: [columns.start, rows.start],
        }
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        4 * self.heights.capacity() as u64 + self.roofs.bytes()
    }
}

impl<'a> Coarser<'a> {
    fn window(near: &Near<'a>) -> Self {
        Self {
            heights: near.heights,
            columns: near.samples[0],
            cells: near.samples.map(|count| count - 1),
            last_tile: 0,
            eye: near.eye,
            above: near.above,
        }
    }

    fn map(field: &'a Field, sight: &Sight) -> Self {
        let samples = field.level(0);
        let cells = samples.samples.map(|count| count - 1);
        let middle = cells.map(|cells| 0.5 * f64::from(sight.tiles) * cells as f64);
        let per = f64::from(field.spacing).recip();
        Self {
            heights: samples.heights,
            columns: samples.samples[0],
            cells,
            last_tile: sight.tiles as usize - 1,
            eye: [
                f64::from(sight.eye.x) * per + middle[0],
                f64::from(sight.eye.z) * per + middle[1],
            ],
            above: f64::from(sight.eye.y),
        }
    }
}
