//! Mesh of one side of a patch: its samples along the top, and as many at the bottom.

use std::rc::Rc;

use glium::backend::Context;
use glium::index::{IndexBufferSlice, PrimitiveType};
use glium::{IndexBuffer, VertexBuffer};

use super::patch::{BLOCK, PatchCorner};
use crate::render::error::{Refused, RenderError};

/// Buffers of one side.
pub(crate) struct Skirt {
    pub(crate) corners: VertexBuffer<PatchCorner>,
    triangles: IndexBuffer<u16>,
}

impl Skirt {
    /// The triangles along a side of `cells` cells.
    pub(crate) fn triangles(&self, cells: i32) -> Result<IndexBufferSlice<'_, u16>, RenderError> {
        let indices = self.triangles.slice(..6 * cells as usize);
        indices.ok_or("too many cells").refused("the sides")
    }

    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let cells = BLOCK as u16;
        let corners: Vec<_> = (0..=cells)
            .flat_map(|along| {
                [0, 1].map(|down| PatchCorner {
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
