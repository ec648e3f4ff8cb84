//! Maps from a sample's neighbours: slope, aspect, curvature, hillshade and normals.

use crate::scene::{Light, angle_from_east};
use crate::shading::maps::{Kind, Map, Relief, Window};
use crate::util::job::{Cancelled, Job};

/// Map `slope`: slope angle of the ground (Horn 1981).
pub(super) const SLOPE: Map = Map {
    name: "slope",
    help: "Slope of the ground in degrees: 0 is level, 90 vertical (Horn's method).",
    unit: "degrees",
    range: Some((0.0, 90.0)),
    kind: Kind::Relief(|window, _, out| window.slope(out)),
};

/// Map `aspect`: compass direction in which the ground falls (Horn 1981).
pub(super) const ASPECT: Map = Map {
    name: "aspect",
    help: "Direction that a slope faces, in degrees clockwise from north: east is 90; level \
           ground is -1.",
    unit: "degrees",
    range: Some((0.0, 360.0)),
    kind: Kind::Relief(|window, _, out| window.aspect(out)),
};

/// Map `curvature`: mean curvature of the ground, positive on ridges, negative in valleys.
pub(super) const CURVATURE: Map = Map {
    name: "curvature",
    help: "Mean curvature: 1 / radius, above 0 on ridges, below 0 in valleys; 0 is middle grey.",
    unit: "1/m",
    range: None,
    kind: Kind::Relief(|window, _, out| window.curvature(out)),
};

/// Map `hillshade`: the ground in the scene's light, without colour and ambient light. The value is 1 +
/// 254·max(0, normal · light), with slopes after Horn (1981), like GDAL's `gdaldem`.
pub(super) const HILLSHADE: Map = Map {
    name: "hillshade",
    help: "The ground in the scene's light: 1 is turned away, 255 faces it, as in gdaldem.",
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

// Normal maps: unit normals as colours. Red is east, green is north in OpenGL's convention and south in
// DirectX's, blue is up; −1…1 becomes 0…255 or 0…65535.
//
// Normals are computed by central differences, as in [`crate::terrain::heightmap::Heightmap::normal`]. The green
// of DirectX is 255 (65535) minus that of OpenGL.

/// Map `normal`: OpenGL convention, green points up in the picture.
pub(super) const OPENGL: Map = Map {
    name: "normal",
    help: "Normal map for OpenGL, Blender, Unity, Godot: green is north.",
    unit: "",
    range: None,
    kind: Kind::Normal(Green::North),
};

/// Map `normal-dx`: DirectX convention, green points down in the picture.
pub(super) const DIRECTX: Map = Map {
    name: "normal-dx",
    help: "Normal map for DirectX, Unreal: green is south.",
    unit: "",
    range: None,
    kind: Kind::Normal(Green::South),
};

/// Direction of the green channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Green {
    /// North, up in the picture: OpenGL.
    North,
    /// South, down in the picture: DirectX.
    South,
}

/// Normals of a rectangle with 8 bits a channel, row after row.
///
/// # Errors
/// The job was cancelled.
pub fn bits8(relief: &Relief<'_>, green: Green, job: &Job) -> Result<Vec<[u8; 3]>, Cancelled> {
    let mut colors = vec![[0; 3]; relief.rows() * relief.columns()];
    relief.each_row(&mut colors, job, |window, out| {
        window.central(out, |east, south| {
            let [r, g, b] = normal(east, south).map(|v| (v * 127.5 + 128.0) as u8);
            [r, if green == Green::South { 255 - g } else { g }, b]
        });
    })?;
    Ok(colors)
}

/// Normals of a rectangle with 16 bits a channel, row after row.
///
/// # Errors
/// The job was cancelled.
pub fn bits16(relief: &Relief<'_>, green: Green, job: &Job) -> Result<Vec<[u16; 3]>, Cancelled> {
    let mut colors = vec![[0; 3]; relief.rows() * relief.columns()];
    relief.each_row(&mut colors, job, |window, out| {
        window.central(out, |east, south| {
            let [r, g, b] = normal(east, south).map(|v| (v * 32767.5 + 32768.0) as u16);
            [
                r,
                if green == Green::South {
                    u16::MAX - g
                } else {
                    g
                },
                b,
            ]
        });
    })?;
    Ok(colors)
}

/// Unit normal of ground with these slopes: east, north, up.
#[inline]
fn normal(east: f32, south: f32) -> [f32; 3] {
    let up = 1.0 / (1.0 + east * east + south * south).sqrt();
    [-east * up, south * up, up]
}
