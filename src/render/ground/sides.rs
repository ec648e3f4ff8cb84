//! Skirt of the ground: vertical sides below the border, and a floor, so that tiles look like a solid block.
//!
//! A side is drawn from the patches along it, with their own vertices at its top, so that it joins the ground
//! at every level of detail.

use glam::Vec3;
use glium::Rect;

use super::clip_from_world;
use super::tiling::{Node, Tiling};
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::render::view::Bounds;
use crate::scene::Scene;

/// Depth of the floor below the lowest point, as a fraction of the tile's side.
const DEPTH: f32 = 0.03;
const FLOOR: i32 = 4;

/// A patch and the side to be drawn: 0 north, 1 south, 2 west, 3 east, 4 the floor.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    node: [i32; 3],
    side: i32,
}
glium::implement_vertex!(Side, node, side);

/// Height of the floor of `map` in a scene; below the water, if there is any.
pub(crate) fn floor(map: &HeightTexture, scene: &Scene) -> f32 {
    let depth = DEPTH * map.layout.side[0].max(map.layout.side[1]);
    let level = scene.water_level().unwrap_or(f32::INFINITY);
    map.range.0.min(level) - depth
}

/// The sides of the `nodes` along the border, and the floor.
pub(crate) fn sides(nodes: &[Node], tiling: &Tiling) -> Vec<Side> {
    let mut sides = vec![Side {
        node: [0, 0, 1],
        side: FLOOR,
    }];
    for node in nodes {
        for (side, on_it) in tiling.borders(node).into_iter().enumerate() {
            if on_it {
                sides.push(Side {
                    node: [node.first[0], node.first[1], node.stride],
                    side: side as i32,
                });
            }
        }
    }
    sides
}

/// The part of the current rectangle in which sides may be visible, if any. Rasterized ground may also be seen
/// from below or from within.
pub(crate) fn rectangle(pass: &Pass<'_>, map: &HeightTexture) -> Option<Rect> {
    let eye = pass.eye();
    if !pass.frame.walked {
        return Some(pass.frame.rectangle());
    }
    if eye.is_parallel() {
        // None is visible from straight above.
        return None;
    }
    let tiles = pass.scene.view.tile.max(1) as f32;
    let [x, z] = map.layout.side.map(|side| 0.5 * side * tiles);
    let (low, high) = (floor(map, pass.scene), map.range.1);
    let (low, high) = (Vec3::new(-x, low, -z), Vec3::new(x, high, z));
    let faces = [Vec3::X, Vec3::Z].into_iter().flat_map(|axis| {
        let [behind, before] = [low, high].map(|corner| (eye.position - corner).dot(axis));
        let at = |corner: Vec3, other: Vec3| corner + axis * (other - corner).dot(axis);
        let near = (behind < 0.0).then(|| (low, at(high, low)));
        let far = (before > 0.0).then(|| (at(low, high), high));
        near.into_iter().chain(far)
    });
    let clip_from_world = clip_from_world(&eye);
    let places = faces.map(|(low, high)| pass.frame.place(&Bounds { low, high }, clip_from_world));
    let all = places.reduce(|a, b| around(&a, &b))?;
    within(&all, &pass.frame.rectangle())
}

/// Bounding rectangle of two rectangles.
fn around(a: &Rect, b: &Rect) -> Rect {
    let [left, bottom] = [a.left.min(b.left), a.bottom.min(b.bottom)];
    Rect {
        left,
        bottom,
        width: (a.left + a.width).max(b.left + b.width) - left,
        height: (a.bottom + a.height).max(b.bottom + b.height) - bottom,
    }
}

/// Intersection of two rectangles, unless it is empty.
fn within(a: &Rect, b: &Rect) -> Option<Rect> {
    let [left, bottom] = [a.left.max(b.left), a.bottom.max(b.bottom)];
    let [right, top] = [
        (a.left + a.width).min(b.left + b.width),
        (a.bottom + a.height).min(b.bottom + b.height),
    ];
    (right > left && top > bottom).then(|| Rect {
        left,
        bottom,
        width: right - left,
        height: top - bottom,
    })
}
