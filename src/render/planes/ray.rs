//! A line of sight.

use glam::Vec3;

/// A ray of a picture, from a place relative to the eye, in half tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) from: Vec3,
    /// 1 long along the view.
    pub(super) way: Vec3,
}
