//! Height of the eye above the ground, per camera mode.

use glam::DVec3;

use super::ground::Ground;
use crate::scene::{Camera, CameraMode};
use crate::util::numbers::metres_per_unit;

/// Usual clearance of an eye above the ground, in half tiles; less when it is close or slow.
pub const CLEARANCE: f32 = 0.003;
/// Clearance as a fraction of the camera's distance to its target, or of its speed per second.
const OF_DISTANCE: f32 = 0.05;
/// Lower limit of a walking eye's height above the ground, in half tiles.
const LOWEST: f32 = 1e-9;
/// Size of the smallest ground detail taken into account, as a fraction of the eye's height.
const SMALLEST: f64 = 0.02;

/// Height of a walking eye above the ground, in half tiles, on tiles of `tile_size_m` metres. On the very
/// largest tiles it is more than the setting, so that `f32` can tell the eye from the ground.
#[must_use]
pub fn eye_height(camera: &Camera, tile_size_m: f32) -> f32 {
    (camera.eye_height / metres_per_unit(tile_size_m) as f32).clamp(LOWEST, 1.0e3)
}

/// Minimum clearance of the camera's eye above the ground, in half tiles; smaller when the target is close or
/// the speed low.
pub(super) fn clearance(camera: &Camera) -> f32 {
    let scale = match camera.mode {
        CameraMode::Orbit | CameraMode::Top => camera.distance,
        CameraMode::Fly | CameraMode::Walk => camera.speed,
    };
    CLEARANCE.min(OF_DISTANCE * scale)
}

/// Height of the ground under an eye that is to stay `above` over it, in half tiles.
pub(super) fn ground_under(ground: &Ground, eye: DVec3, above: f32) -> f64 {
    ground.height_near(eye.x, eye.z, SMALLEST * f64::from(above))
}

/// The camera with its eye raised to at least `clearance` above the ground.
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
