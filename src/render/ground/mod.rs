//! Rendering of the ground: level of detail selection, drawing of patches, and the ray-cast path.

mod deep;
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

pub(super) use seen::Seen;
pub(super) use sides::floor;
pub(super) use walked::Walked;

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
