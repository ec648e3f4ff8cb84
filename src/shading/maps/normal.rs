//! Normal maps: unit normals as colours. Red is east, green is north in OpenGL's convention and south in
//! DirectX's, blue is up; −1…1 becomes 0…255 or 0…65535.
//!
//! Normals are computed by central differences, as in [`crate::terrain::heightmap::Heightmap::normal`]. The green
//! of DirectX is 255 (65535) minus that of OpenGL.

use super::{Kind, Map, Relief};
use crate::util::job::{Cancelled, Job};

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
