//! A window of finer ground around the eye.

use super::roofs::Roofs;

/// A window of ground finer than the map, around the eye: a lattice of its own.
pub(in crate::render) struct Near<'a> {
    /// Heights above some height, row by row, half tiles.
    pub(in crate::render) heights: &'a [f32],
    /// Between which heights they are.
    pub(in crate::render) roofs: &'a Roofs,
    /// How many there are along x and z.
    pub(in crate::render) samples: [usize; 2],
    /// Where the eye is, in cells along x and z from the first sample, and how high above heights
    /// of 0.
    pub(in crate::render) eye: [f64; 2],
    pub(in crate::render) above: f64,
    /// Half tiles from sample to sample.
    pub(in crate::render) spacing: f64,
    /// How high the eye is above the ground below it.
    pub(in crate::render) height: f64,
    /// Up to how far from the eye its cells are used, half tiles.
    pub(in crate::render) farthest: f64,
}

/// From which part of the way to there on the next coarser ground comes in.
pub(super) const MIXED: f32 = 0.7;

impl Near<'_> {
    /// Sides along x and z, half tiles.
    pub(super) fn side(&self) -> [f64; 2] {
        self.samples.map(|count| (count - 1) as f64 * self.spacing)
    }

    /// Where in it the eye is, in sides along x and z.
    pub(super) fn start(&self) -> [f32; 2] {
        [0, 1].map(|axis| (self.eye[axis] / (self.samples[axis] - 1) as f64) as f32)
    }
}
