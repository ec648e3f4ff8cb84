//! How deep an eye sees the ground below its last iteration.

use glam::DVec3;

use super::lattice::Lattice;
use crate::scene::{Camera, CameraMode, RenderType, Scene};

/// The most levels below the ground that a picture shows. With a window of 1025 × 1025 samples of 9
/// bytes for each they take 246 MB.
pub const MOST_LEVELS_SHOWN: u32 = 26;

/// The distance in half tiles, a tile's side, nearer than which the ground goes on: there its cells are
/// no smaller in the picture than the map's are at this distance. So a scene shows its own iterations
/// from afar, and near by as many cells as from afar.
const WHOLE: f64 = 2.0;

/// Pixels from line to line of render type `lines`, and how many lines there are at least and at most
/// within their own distance.
const LINES_APART: f64 = 5.4;
const FEWEST_LINES: f64 = 64.0;
const MOST_LINES: f64 = 192.0;

/// The part of its level by which an eye that sees in parallel is above the water at least.
const WATER: f64 = 1e-6;

/// The least side at distance 1 of the cells that a picture shows below the ground's last iteration, where
/// a pixel is so large; `None` of one that shows none.
#[must_use]
pub fn least_cell(scene: &Scene, pixel: f64) -> Option<f64> {
    let shown = scene.render_type();
    let cell = match shown {
        RenderType::Lines => (LINES_APART * pixel).clamp(MOST_LINES.recip(), FEWEST_LINES.recip()),
        _ => pixel,
    };
    scene.shows_below().then_some(cell)
}

/// How deep the ground is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// The first level below the ground, and the finest that is seen.
    pub levels: [u32; 2],
    /// Where the eye is, in half tiles.
    pub eye: DVec3,
    /// How high the ground is below it, in half tiles; seen in parallel, or the water that is over it.
    pub ground: f64,
    /// The least side of a cell at distance 1.
    pub cell: f64,
}

impl Depth {
    /// How deep a camera sees the ground, where cells of that side at distance 1 are fine enough, see
    /// [`least_cell`]; `None` if the ground itself is, or if the eye is not above any.
    ///
    /// A level is seen as long as cells of the one above are larger straight below than they need be.
    /// Seen in parallel all of them are as large as at the distance of the target: the eye counts as that
    /// high, above water up to `water` as well, which hides nothing then that lies above it. Cost: as
    /// [`Lattice::height`], for each level.
    #[must_use]
    pub fn seen_by(
        camera: &Camera,
        lattice: &Lattice<'_>,
        cell: f64,
        water: Option<f32>,
    ) -> Option<Self> {
        let eye = camera.eye();
        let deepest = lattice.deepest().min(lattice.level() + MOST_LEVELS_SHOWN);
        let mut level = lattice.level();
        let mut ground = lattice.height(level, eye.x, eye.z)?;
        let cell = cell.max(lattice.spacing(level) / WHOLE);
        let high = |ground: f64| match camera.mode {
            CameraMode::Top => f64::from(camera.distance),
            _ => eye.y - ground,
        };
        while level < deepest && lattice.spacing(level) > cell * high(ground) {
            level += 1;
            ground = lattice.height(level, eye.x, eye.z)?;
        }
        // Finer ground may lie lower, so only the finest tells whether the eye is above it.
        let high = high(ground);
        let is_seen = level > lattice.level() && high > 0.0;
        let over = match (camera.mode, water.map(f64::from)) {
            // At least as far above the water as numbers of 32 bits tell apart.
            (CameraMode::Top, Some(water)) => {
                ground.max(water + (WATER * water.abs() - high).max(0.0))
            }
            _ => ground,
        };
        is_seen.then_some(Self {
            levels: [lattice.level() + 1, level],
            eye: eye.with_y(over + high),
            ground: over,
            cell,
        })
    }
}
