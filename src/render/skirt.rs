//! The sides below the ground's border, and a floor: tiles end as a block, not as a sheet.
//!
//! A side is drawn from the patches along it, with their own vertices at its top, so that it
//! joins the ground at every level of detail.

use std::rc::Rc;

use glium::backend::Context;
use glium::index::{IndexBufferSlice, PrimitiveType};
use glium::{IndexBuffer, VertexBuffer};

use crate::scene::Scene;

use super::height_texture::{BLOCK, HeightTexture};
use super::lod::{Node, Tiling};
use super::{Refused, RenderError};

/// Depth of the floor below the lowest point, as part of the tile's side.
const DEPTH: f32 = 0.03;
const FLOOR: i32 = 4;

#[derive(Clone, Copy)]
pub(super) struct Corner {
    corner: [u16; 2],
}
glium::implement_vertex!(Corner, corner);

/// A patch and the side of it that is drawn: 0 north, 1 south, 2 west, 3 east, 4 the floor.
#[derive(Clone, Copy)]
pub(super) struct Side {
    node: [i32; 3],
    side: i32,
}
glium::implement_vertex!(Side, node, side);

/// One side's buffers.
pub(super) struct Skirt {
    pub(super) corners: VertexBuffer<Corner>,
    triangles: IndexBuffer<u16>,
}

impl Skirt {
    /// The triangles along a side of so many cells.
    pub(super) fn triangles(&self, cells: i32) -> Result<IndexBufferSlice<'_, u16>, RenderError> {
        let indices = self.triangles.slice(..6 * cells as usize);
        indices.ok_or("too many cells").refused("the sides")
    }

    pub(super) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let cells = BLOCK as u16;
        let corners: Vec<_> = (0..=cells)
            .flat_map(|along| {
                [0, 1].map(|down| Corner {
                    corner: [along, down],
                })
            })
            .collect();
        let triangles: Vec<_> = (0..cells)
            .flat_map(|along| [0, 1, 2, 2, 1, 3].map(|corner| along * 2 + corner))
            .collect();
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            triangles: IndexBuffer::new(context, PrimitiveType::TrianglesList, &triangles)
                .refused("an index buffer")?,
        })
    }
}

/// Height of the floor below `map`.
pub(super) fn base(map: &HeightTexture) -> f32 {
    map.range.0 - DEPTH * map.layout.side[0].max(map.layout.side[1])
}

/// Height of the floor of `map` in a scene: where there is water, at least as low as that.
pub(super) fn floor(map: &HeightTexture, scene: &Scene) -> f32 {
    let base = base(map);
    match scene.water_level() {
        Some(level) => base.min(level - (map.range.0 - base)),
        None => base,
    }
}

/// The sides of those `nodes` that lie along the border, and the floor.
pub(super) fn sides(nodes: &[Node], tiling: &Tiling) -> Vec<Side> {
    let mut sides = vec![Side {
        node: [0, 0, 1],
        side: FLOOR,
    }];
    for node in nodes {
        for (side, on_it) in along_border(node, tiling).into_iter().enumerate() {
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

/// Whether a patch touches the north, south, west and east border.
pub(super) fn along_border(node: &Node, tiling: &Tiling) -> [bool; 4] {
    let first = |axis: usize| node.first[axis] == 0;
    let last = |axis: usize| node.first[axis] + tiling.block * node.stride >= tiling.last[axis];
    [first(1), last(1), first(0), last(0)]
}
