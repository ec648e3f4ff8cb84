//! Geomorphing of clipmap levels (Losasso and Hoppe 2004): how each level blends into the next coarser one.
//!
//! Towards the far end of a window its samples slide onto the next coarser ground. A coarser cell is four
//! finer ones, cut along the same diagonals. So the ground stays triangular, and where all samples have
//! arrived it equals the coarser ground: no cracks, however few cells a window has.

use super::field::Field;
use super::maximum_mipmap::MaximumMipmap;
use super::viewpoint::Sight;
use crate::util::parallel;

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

/// Start of the morphing range, as a fraction of that distance.
const SLIDES_FROM: f64 = 0.7;
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
            for (out, column) in out.iter_mut().zip(columns.clone()) {
                let x = (column as f64 - near.eye[0]) as f32;
                let away = x * x + z * z + high * high;
                if away <= from * from {
                    continue;
                }
                let part = ((away.sqrt() - from) * per).min(1.0);
                // Midway between two samples of the coarser ground, or on one.
                let twice = column as i64 + shift[0];
                let [west, east] = [twice >> 1, (twice + 1) >> 1].map(|at| coarser.at(0, at));
                // Along the diagonal, as the coarser triangles are cut.
                let coarser = 0.5 * (north[west] + south[east]) + lift;
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
