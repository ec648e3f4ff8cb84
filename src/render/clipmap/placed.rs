//! Clipmap level prepared for drawing patches.

use glium::texture::Texture2d;
use glium::uniforms::Sampler;

use crate::render::raycast::Near;

/// A clipmap level whose heights are on the graphics card.
pub(crate) struct Placed<'a> {
    /// First sample along x and z, counted over all tiles.
    pub(crate) first: [i64; 2],
    /// Position of the first sample in the texture of heights.
    pub(crate) corner: [u32; 2],
    /// Heights above the window's datum.
    pub(crate) heights: Sampler<'a, Texture2d>,
    pub(crate) near: Near<'a>,
}

impl Placed<'_> {
    /// Position of the eye, in cells over all tiles.
    pub(crate) fn eye(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.first[axis] as f64 + self.near.eye[axis])
    }

    /// True if the window contains all cells from one sample to another, counted over all tiles.
    pub(crate) fn holds(&self, first: [i64; 2], end: [i64; 2]) -> bool {
        (0..2).all(|axis| {
            let last = self.first[axis] + self.near.samples[axis] as i64 - 1;
            self.first[axis] <= first[axis] && end[axis] <= last
        })
    }
}
