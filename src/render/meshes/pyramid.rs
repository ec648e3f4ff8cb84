//! Pyramid around the eye, with clouds painted on its inside.

use std::f32::consts::TAU;
use std::rc::Rc;

use glium::VertexBuffer;
use glium::backend::Context;

use crate::render::error::{Refused, RenderError};
use crate::shading::maps::sky::{APEX, BASE, RADIUS, SIDES};

#[derive(Clone, Copy)]
pub(crate) struct PyramidCorner {
    corner: [f32; 3],
}
glium::implement_vertex!(PyramidCorner, corner);

/// Triangles of the pyramid, three vertices each.
pub(crate) struct PyramidMesh(pub(crate) VertexBuffer<PyramidCorner>);

impl PyramidMesh {
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let base = |side: u32| {
            let angle = TAU * side as f32 / SIDES as f32;
            [RADIUS * angle.cos(), BASE, RADIUS * angle.sin()]
        };
        let corners: Vec<_> = (0..SIDES)
            .flat_map(|side| [[0.0, APEX, 0.0], base(side), base(side + 1)])
            .map(|corner| PyramidCorner { corner })
            .collect();
        let buffer = VertexBuffer::new(context, &corners).refused("a vertex buffer")?;
        Ok(Self(buffer))
    }
}
