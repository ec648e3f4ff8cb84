//! Concentric rings around the point below the eye, growing geometrically to the horizon: the mesh of the
//! water.

use super::grid;
use std::f32::consts::TAU;
use std::rc::Rc;

use glium::backend::Context;
use glium::index::PrimitiveType;
use glium::{IndexBuffer, VertexBuffer};

use crate::render::error::{Refused, RenderError};

/// Sides of the rings, number of rings, and ratio of successive radii.
const SIDES: u16 = 64;
const RINGS: u16 = 30;
const WIDER: f32 = 1.55;
/// Radius of the first ring, in eye heights.
const INNERMOST: f32 = 0.2;
#[derive(Clone, Copy)]
pub(crate) struct RingCorner {
    heading: [f32; 2],
    reach: f32,
}
glium::implement_vertex!(RingCorner, heading, reach);

/// Triangles between the rings.
pub(crate) struct RingMesh {
    pub(crate) corners: VertexBuffer<RingCorner>,
    pub(crate) triangles: IndexBuffer<u16>,
}

impl RingMesh {
    /// A radius between those of the last two rings.
    pub(crate) fn beyond_all_but_the_last() -> f32 {
        0.5 * (reach(RINGS - 1) + reach(RINGS))
    }

    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let corner = |ring: u16, side: u16| {
            let angle = TAU * f32::from(side) / f32::from(SIDES);
            RingCorner {
                heading: [angle.cos(), angle.sin()],
                reach: reach(ring),
            }
        };
        let (corners, triangles) = grid(RINGS, SIDES, corner);
        Ok(Self {
            corners: VertexBuffer::new(context, &corners).refused("a vertex buffer")?,
            triangles: IndexBuffer::new(context, PrimitiveType::TrianglesList, &triangles)
                .refused("an index buffer")?,
        })
    }
}

/// Radius of a ring, in eye heights.
fn reach(ring: u16) -> f32 {
    match ring {
        0 => 0.0,
        ring => INNERMOST * WIDER.powi(i32::from(ring) - 1),
    }
}
