//! Sky dome: a mesh of all directions around the eye.

use super::grid;
use std::f32::consts::TAU;
use std::rc::Rc;

use glium::backend::Context;
use glium::index::PrimitiveType;
use glium::{IndexBuffer, VertexBuffer};

use crate::render::error::{Refused, RenderError};

/// Sides of the dome, and its rows above and below the horizon.
const SIDES: u16 = 64;
const ROWS_UP: u16 = 40;
const ROWS_DOWN: u16 = 24;

#[derive(Clone, Copy)]
pub(crate) struct Direction {
    direction: [f32; 3],
}
glium::implement_vertex!(Direction, direction);

/// Mesh of directions, densest at the horizon, where the sky changes most.
pub(crate) struct DomeMesh {
    pub(crate) corners: VertexBuffer<Direction>,
    pub(crate) triangles: IndexBuffer<u16>,
}

impl DomeMesh {
    /// Number of indices of triangles below the horizon, which come first.
    pub(crate) const BELOW_HORIZON: usize = ROWS_DOWN as usize * SIDES as usize * 6;

    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let rows = ROWS_DOWN + ROWS_UP;
        let corner = |row: u16, side: u16| {
            let root = match row.checked_sub(ROWS_DOWN) {
                Some(up) => f32::from(up) / f32::from(ROWS_UP),
                None => -f32::from(ROWS_DOWN - row) / f32::from(ROWS_DOWN),
            };
            // Squared, so that the rows are densest at the horizon.
            let (up, angle) = (root * root.abs(), TAU * f32::from(side) / f32::from(SIDES));
            let level = (1.0 - up * up).max(0.0).sqrt();
            let direction = [level * angle.cos(), up, level * angle.sin()];
            Direction { direction }
        };
        let (corners, triangles) = grid(rows, SIDES, corner);
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            triangles: IndexBuffer::new(context, PrimitiveType::TrianglesList, &triangles)
                .refused("an index buffer")?,
        })
    }
}
