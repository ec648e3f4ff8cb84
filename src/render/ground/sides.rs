//! Skirt of the ground: vertical sides below the border, and a floor, so that tiles look like a solid block.
//!
//! A side is drawn from the patches along it, with their own vertices at its top, so that it joins the ground
//! at every level of detail.

use crate::scene::Scene;

use super::tiling::{Node, Tiling};
use crate::render::textures::heights::HeightTexture;

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
