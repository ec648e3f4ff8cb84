//! Hillshade: the ground in the scene's light, without colour and ambient light. The value is 1 +
//! 254·max(0, normal · light), with slopes after Horn (1981), like GDAL's `gdaldem`.

use super::{Kind, Map, Window};
use crate::scene::{Light, angle_from_east};

/// Map `hillshade`.
pub(super) const MAP: Map = Map {
    name: "hillshade",
    help: "The ground in the scene's light: 1 turned away, 255 facing it, as gdaldem has it.",
    unit: "grey",
    range: Some((0.0, 255.0)),
    kind: Kind::Relief(row),
};

fn row(window: &Window<'_>, light: &Light, out: &mut [f32]) {
    let [x, y, z] = direction(light);
    window.horn(out, |east, south| {
        let facing = (y - east * x - south * z) / (1.0 + east * east + south * south).sqrt();
        1.0 + 254.0 * facing.max(0.0)
    });
}

/// Unit vector towards the light: east, up, south. Equals [`Light::direction`], but bit for bit the same
/// on every machine.
pub(super) fn direction(light: &Light) -> [f32; 3] {
    let (bearing, elevation) = light.angles();
    let angle = f64::from(angle_from_east(bearing)).to_radians();
    let elevation = f64::from(elevation).to_radians();
    let level = libm::cos(elevation);
    let vector = [
        libm::cos(angle) * level,
        libm::sin(elevation),
        libm::sin(angle) * level,
    ];
    vector.map(|v| v as f32)
}
