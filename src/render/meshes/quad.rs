//! Squares from -1 to 1: over the whole viewport, or one per instance.

use std::rc::Rc;

use glium::VertexBuffer;
use glium::backend::Context;

use crate::render::error::{Refused, RenderError};

/// A corner in clip space, or in the space of its instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corner {
    pub(crate) corner: [f32; 2],
}
glium::implement_vertex!(Corner, corner);

/// Two triangles over the whole viewport.
pub(super) fn screen(context: &Rc<Context>) -> Result<VertexBuffer<Corner>, RenderError> {
    buffer(
        context,
        [[-1, -1], [1, -1], [1, 1], [-1, -1], [1, 1], [-1, 1]],
    )
}

/// A strip of two triangles.
pub(super) fn strip(context: &Rc<Context>) -> Result<VertexBuffer<Corner>, RenderError> {
    buffer(context, [[-1, -1], [1, -1], [-1, 1], [1, 1]])
}

fn buffer<const N: usize>(
    context: &Rc<Context>,
    corners: [[i8; 2]; N],
) -> Result<VertexBuffer<Corner>, RenderError> {
    let corners = corners.map(|corner| Corner {
        corner: corner.map(f32::from),
    });
    VertexBuffer::new(context, &corners).refused("a vertex buffer")
}
