//! Collision of orbiting cameras with the ground.

use glam::DVec3;

use super::eye::{clearance, ground_under};
use super::ground::Ground;
use crate::scene::{Camera, CameraMode};

/// Raise an orbiting eye out of `ground`, keeping its viewing direction.
///
/// An eye inside the ground or under water is moved just above it. With a single tile the eye may go below
/// the floor, and beyond the border it may go anywhere. Cameras in other modes avoid the ground by themselves
/// and are returned unchanged.
#[must_use]
pub fn above_ground(camera: &Camera, ground: &Ground) -> Camera {
    let eye = camera.eye();
    let [x, z] = ground.reach().map(f64::from);
    let within = eye.x.abs() <= x && eye.z.abs() <= z;
    let underneath = ground.tiles() == 1 && eye.y < f64::from(ground.lowest());
    if camera.mode != CameraMode::Orbit || !within || underneath {
        return camera.clone();
    }
    let above = clearance(camera);
    let least = ground_under(ground, eye, above) + f64::from(above);
    if eye.y >= least {
        return camera.clone();
    }
    camera.clone().with_eye(DVec3 { y: least, ..eye })
}
