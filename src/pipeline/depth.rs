//! Depth of the visible refinement: the finest level of detail a camera resolves.

use glam::DVec3;

use super::lattice::Lattice;
use crate::scene::{Camera, CameraMode, RenderType, Scene};

/// Maximum number of refinement levels in a picture. With a window of 1025 × 1025 samples of 9 bytes each
/// they take 246 MB.
pub const MOST_LEVELS_SHOWN: u32 = 26;

/// Distance in half tiles (the side of a tile) below which refinement begins. Closer than that, refined cells
/// are no smaller in the picture than the map's own cells at this distance. From afar a scene shows its own
/// iterations, and close up as many cells as from afar.
const WHOLE: f64 = 2.0;

/// Pixels between lines of render type `lines`, and the limits of the number of lines within their own
/// distance.
const LINES_APART: f64 = 5.4;
const FEWEST_LINES: f64 = 64.0;
const MOST_LINES: f64 = 192.0;

/// Minimum height of a parallel camera's eye above the water, as a fraction of the water level.
const WATER: f64 = 1e-6;

/// Minimum side of a refined cell at distance 1, for a pixel of side `pixel` at distance 1. `None` without
/// refinement.
#[must_use]
pub fn least_cell(scene: &Scene, pixel: f64) -> Option<f64> {
    let shown = scene.render_type();
    let cell = match shown {
        RenderType::Lines => (LINES_APART * pixel).clamp(MOST_LINES.recip(), FEWEST_LINES.recip()),
        _ => pixel,
    };
    scene.shows_below().then_some(cell)
}

/// Depth of the visible refinement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Depth {
    /// First refinement level, and the finest visible one.
    pub levels: [u32; 2],
    /// Position of the eye, in half tiles.
    pub eye: DVec3,
    /// Height below the eye in half tiles: the ground's, or in parallel projection that of the water over it.
    pub ground: f64,
    /// Minimum side of a cell at distance 1.
    pub cell: f64,
}

impl Depth {
    /// Find the levels that a camera resolves, where cells of side `cell` at distance 1 are fine enough, see
    /// [`least_cell`]. `None` if the ground's own samples suffice, or if the eye is not above the ground.
    ///
    /// A level is visible while the cells of the level above are too large straight below the eye. In
    /// parallel projection all cells are as large as at the distance of the target, so the eye counts as that
    /// high, measured from the water if there is any. Cost: one [`Lattice::height`] per level.
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
        // Finer levels may be lower, so only the finest decides if the eye is above the ground.
        let high = high(ground);
        let is_seen = level > lattice.level() && high > 0.0;
        let over = match (camera.mode, water.map(f64::from)) {
            // Far enough above the water for `f32`.
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
