//! The height of an eye above the ground.

use glam::DVec3;

use super::ground::Ground;
use crate::numbers::metres_per_unit;
use crate::scene::{Camera, CameraMode};

/// The least height of an eye above the ground in half tiles, unless it is near or slow.
pub const CLEARANCE: f32 = 0.003;
/// The least height as a part of how far an eye is from what it looks at, or flies in a second.
const OF_DISTANCE: f32 = 0.05;
/// The least height of a walking eye above the ground, in half tiles.
const LOWEST: f32 = 1e-9;
/// The smallest thing that counts as ground, as a part of an eye's height above it.
const SMALLEST: f64 = 0.02;

/// The height of a walking eye above the ground, in half tiles, on tiles of `tile_size_m` metres.
/// On the very largest tiles it is higher than asked for, so that numbers can tell the eye from the
/// ground.
#[must_use]
pub fn eye_height(camera: &Camera, tile_size_m: f32) -> f32 {
    (camera.eye_height / metres_per_unit(tile_size_m) as f32).clamp(LOWEST, 1.0e3)
}

/// The least height of that eye above the ground, in half tiles: nearer to the target, or slower, it
/// may be lower.
pub(super) fn clearance(camera: &Camera) -> f32 {
    let scale = match camera.mode {
        CameraMode::Orbit | CameraMode::Top => camera.distance,
        CameraMode::Fly | CameraMode::Walk => camera.speed,
    };
    CLEARANCE.min(OF_DISTANCE * scale)
}

/// How high the ground is under an eye that is to be so high above it, in half tiles.
pub(super) fn ground_under(ground: &Ground, eye: DVec3, above: f32) -> f64 {
    ground.height_near(eye.x, eye.z, SMALLEST * f64::from(above))
}

/// The camera with its eye at least `clearance` above the ground.
pub(super) fn lifted(camera: Camera, ground: Option<&Ground>, clearance: f32) -> Camera {
    let mut eye = camera.eye();
    let Some(ground) = ground else {
        return camera;
    };
    let least = ground_under(ground, eye, clearance) + f64::from(clearance);
    if eye.y >= least {
        return camera;
    }
    eye.y = least;
    camera.with_eye(eye)
}
