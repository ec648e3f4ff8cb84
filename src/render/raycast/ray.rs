//! View rays.

use glam::Vec3;

/// A ray of a picture, with an origin relative to the eye, in half tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) from: Vec3,
    /// Direction, of length 1 along the view axis.
    pub(super) way: Vec3,
}
