//! How deep an eye sees the ground below its last iteration.

use glam::DVec3;

use super::lattice::Lattice;
use crate::scene::{Camera, CameraMode};

/// The most levels below the ground that a picture shows. With a window of 1025 × 1025 samples of 9
/// bytes for each they take 246 MB.
pub const MOST_LEVELS_SHOWN: u32 = 26;

/// The distance in half tiles, a tile's side, nearer than which the ground goes on: there its cells are
/// no smaller in the picture than the map's are at this distance. So a scene shows its own iterations
/// from afar, and near by as many cells as from afar.
const WHOLE: f64 = 2.0;

/// How deep the ground is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The first level below the ground, and the finest that is seen.
    pub levels: [u32; 2],
    /// Where the eye is, in half tiles.
    pub eye: DVec3,
    /// How high the ground is below it, in half tiles.
    pub ground: f64,
    /// The least side of a cell at distance 1.
    pub cell: f64,
}

impl Depth {
    /// How deep a camera sees the ground, where a pixel at distance 1 is so large; `None` if the ground
    /// itself is fine enough, or if the eye is not above any.
    ///
    /// A level is seen as long as cells of the one above are larger straight below than they need be.
    /// Seen in parallel all of them are as large as at the distance of the target: the eye counts as that
    /// high. Cost: as [`Lattice::height`], for each level.
    #[must_use]
    pub fn seen_by(camera: &Camera, lattice: &Lattice<'_>, pixel: f64) -> Option<Self> {
        let eye = camera.eye();
        let deepest = lattice.deepest().min(lattice.level() + MOST_LEVELS_SHOWN);
        let mut level = lattice.level();
        let mut ground = lattice.height(level, eye.x, eye.z)?;
        let cell = pixel.max(lattice.spacing(level) / WHOLE);
        let high = |ground: f64| match camera.mode {
            CameraMode::Top => f64::from(camera.distance),
            _ => eye.y - ground,
        };
        while level < deepest && lattice.spacing(level) > cell * high(ground) {
            level += 1;
            ground = lattice.height(level, eye.x, eye.z)?;
        }
        (level > lattice.level()).then_some(Self {
            levels: [lattice.level() + 1, level],
            eye: eye.with_y(ground + high(ground)),
            ground,
            cell,
        })
    }
}
