//! Patch mesh of 33 × 33 vertices: all ground is drawn as instances of it.

use std::rc::Rc;

use glium::backend::Context;
use glium::index::PrimitiveType;
use glium::{IndexBuffer, VertexBuffer};

use crate::render::error::{Refused, RenderError};

/// Cells along one side of the patch.
pub(crate) const BLOCK: usize = 32;
/// Cells along the sides of the patch variants, finest first.
pub(crate) const BLOCKS: [i32; 4] = [BLOCK as i32, 16, 8, 4];

/// Vertex of a patch or of a side: its sample index along both axes.
#[derive(Clone, Copy)]
pub(crate) struct PatchCorner {
    pub(crate) corner: [u16; 2],
}
glium::implement_vertex!(PatchCorner, corner);

/// Primitives of a patch's cells to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellPart {
    Faces,
    Edges,
}

/// Buffers of the patch.
pub(crate) struct Patch {
    pub(crate) corners: VertexBuffer<PatchCorner>,
    /// Indices for each of `BLOCKS`: the first cells of the patch along both axes.
    faces: Vec<IndexBuffer<u16>>,
    edges: Vec<IndexBuffer<u16>>,
}

impl Patch {
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let side = BLOCK as u16 + 1;
        let grid = |rows: u16, columns: u16| {
            (0..rows).flat_map(move |z| (0..columns).map(move |x| (x, z)))
        };
        let at = |x: u16, z: u16| z * side + x;
        let corners: Vec<_> = grid(side, side)
            .map(|(x, z)| PatchCorner { corner: [x, z] })
            .collect();
        let faces = |cells: u16| -> Vec<u16> {
            grid(cells, cells)
                .flat_map(|(x, z)| {
                    // Counter-clockwise seen from above. All diagonals have the same direction, so that a
                    // coarser patch is an exact sub-mesh of a finer one.
                    let (a, b, c, d) = (at(x, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1));
                    [a, c, d, a, d, b]
                })
                .collect()
        };
        let edges = |cells: u16| -> Vec<u16> {
            grid(cells + 1, cells)
                .flat_map(|(i, j)| [at(i, j), at(i + 1, j), at(j, i), at(j, i + 1)])
                .collect()
        };
        let indices = |kind, list: &dyn Fn(u16) -> Vec<u16>| {
            let buffers = BLOCKS.map(|cells| IndexBuffer::new(context, kind, &list(cells as u16)));
            let buffers: Result<Vec<_>, _> = buffers.into_iter().collect();
            buffers.refused("an index buffer")
        };
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            faces: indices(PrimitiveType::TrianglesList, &faces)?,
            edges: indices(PrimitiveType::LinesList, &edges)?,
        })
    }

    /// Indices of the patch with `block` cells per side.
    pub(crate) fn indices(&self, part: CellPart, block: i32) -> &IndexBuffer<u16> {
        let index = BLOCKS.iter().position(|cells| *cells == block).unwrap_or(0);
        match part {
            CellPart::Faces => &self.faces[index],
            CellPart::Edges => &self.edges[index],
        }
    }
}
