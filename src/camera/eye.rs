//! The height of an eye above the ground.

use super::ground::Ground;
use crate::numbers::metres_per_unit;
use crate::scene::Camera;

/// The least height of a flying eye above the ground, in half tiles.
pub const CLEARANCE: f32 = 0.003;
/// The least height of a walking eye above the ground, in half tiles.
const LOWEST: f32 = 2e-4;

/// The height of a walking eye above the ground, in half tiles, on tiles of `tile_size_m` metres.
/// On very large tiles it is higher than asked for, so that numbers and depths can tell the eye
/// from the ground.
#[must_use]
pub fn eye_height(camera: &Camera, tile_size_m: f32) -> f32 {
    (camera.eye_height / metres_per_unit(tile_size_m) as f32).clamp(LOWEST, 1.0e3)
}

/// The camera with its eye at least `clearance` above the ground.
pub(super) fn lifted(camera: Camera, ground: Option<&Ground>, clearance: f32) -> Camera {
    let mut eye = camera.eye();
    let Some(ground) = ground else {
        return camera;
    };
    let least = ground.height(eye.x, eye.z) + clearance;
    if eye.y >= least {
        return camera;
    }
    eye.y = least;
    camera.with_eye(eye)
}
