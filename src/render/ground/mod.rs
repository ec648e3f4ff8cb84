//! Rendering of the ground: level of detail selection, drawing of patches, and the ray-cast path.

mod deep;
mod drawn;
mod lod;
mod seen;
mod sides;
mod tiling;
mod walked;

use glam::{Mat4, Vec3};
use glium::uniform;
use glium::uniforms::Uniforms;

use super::pass::Pass;
use super::textures::heights::HeightTexture;
use super::view::Eye;

pub(super) use drawn::Drawn;
pub(super) use seen::Seen;
pub(super) use sides::{floor, rectangle as rectangle_of_sides};
pub(super) use walked::Walked;

/// Below everything: a height told from the eye.
pub(super) const DEEPEST: f32 = -1e30;

/// Uniforms of the ground's position, shared by all shaders that sample the map.
fn place(
    pass: &Pass<'_>,
    map: &HeightTexture,
    tiles: f32,
    eye: Vec3,
    clip_from_world: Mat4,
) -> impl Uniforms + use<> {
    uniform! {
        cell_fraction: map.layout.fraction,
        tile_side: map.layout.side,
        tiles: tiles,
        cells: map.layout.cells,
        spacing: map.layout.spacing,
        wraps: map.layout.wraps,
        pixel_angle: pass.eye().pixels_per_radian.recip(),
        invert: pass.scene.view.invert,
        eye: eye.to_array(),
        clip_from_world: clip_from_world.to_cols_array_2d(),
    }
}

/// Uniforms of the position of ground in depth layers.
pub(super) fn position(pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms + use<> {
    let (eye, tiles) = (pass.eye(), pass.scene.view.tile.max(1) as f32);
    place(pass, map, tiles, eye.position, clip_from_world(&eye))
}

/// Transform to clip space; without a depth test any near and far plane will do.
fn clip_from_world(eye: &Eye) -> Mat4 {
    let (near, far) = eye.depth_range(0.0, 100.0);
    eye.clip_from_world(near, far)
}
