//! Antialiased lines of even width in pixels, as triangle strips.

use std::rc::Rc;

use glium::backend::Context;
use glium::index::PrimitiveType;
use glium::{IndexBuffer, Surface, VertexBuffer, uniform};

use crate::render::error::{Refused, Result};
use crate::render::gl::blend::over;
use crate::render::gl::programs::Shader;
use crate::render::meshes::instances;
use crate::render::pass::{Pass, Target};

/// Vertex of a line, on one of its two edges.
#[derive(Clone, Copy, Debug)]
pub(super) struct StripCorner {
    /// Position in pixels, y down.
    place: [f32; 2],
    /// Direction to the edge, of length 1 for straight lines and longer at corners (mitre).
    normal: [f32; 2],
    /// Signed distance in pixels to the drawn edge, and half the width of the line.
    across: [f32; 2],
    color: [f32; 4],
}
glium::implement_vertex!(StripCorner, place, normal, across, color);

#[derive(Clone, Copy, Debug)]
struct Shift {
    shift: [f32; 2],
}
glium::implement_vertex!(Shift, shift);

/// Lines being collected.
#[derive(Clone, Debug, Default)]
pub(super) struct Strips {
    vertices: Vec<StripCorner>,
    indices: Vec<u32>,
}

/// Width in pixels of the fade beyond a line's edge.
const FADE: f32 = 0.75;

impl Strips {
    /// Add a line through `points`, `width` pixels wide; `closed` joins its ends, which are equal.
    pub(super) fn line(&mut self, points: &[[f32; 2]], closed: bool, width: f32, color: [f32; 4]) {
        if points.len() < 2 {
            return;
        }
        let half = width * 0.5;
        let first = self.vertices.len() as u32;
        let last = points.len() - 1;
        let normal = |from: usize, to: usize| {
            let step = [
                points[to][0] - points[from][0],
                points[to][1] - points[from][1],
            ];
            let length = step[0].hypot(step[1]).max(1e-6);
            [-step[1] / length, step[0] / length]
        };
        for (index, point) in points.iter().enumerate() {
            let before = match index {
                0 if closed => normal(last - 1, last),
                0 => normal(0, 1),
                index => normal(index - 1, index),
            };
            let after = match index {
                index if index < last => normal(index, index + 1),
                _ if closed => normal(0, 1),
                _ => before,
            };
            let sum = [before[0] + after[0], before[1] + after[1]];
            let length = sum[0].hypot(sum[1]);
            // Limited: at sharp corners mitres would extend far out.
            let reach = (2.0 / length.max(1.0)).min(1.5) / length.max(1e-6);
            let normal = if length > 0.2 {
                [sum[0] * reach, sum[1] * reach]
            } else {
                before
            };
            for side in [-1.0, 1.0] {
                self.vertices.push(StripCorner {
                    place: *point,
                    normal,
                    across: [side * (half + FADE), half],
                    color,
                });
            }
        }
        for piece in 0..last as u32 {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i| first + 2 * piece + i);
            self.indices.extend([a, b, c, c, b, d]);
        }
    }

    /// Upload the lines, drawn once per shift in pixels; `None` without a line.
    pub(super) fn upload(
        &self,
        context: &Rc<Context>,
        shifts: &[[f32; 2]],
    ) -> Result<Option<StripBuffers>> {
        if self.indices.is_empty() || shifts.is_empty() {
            return Ok(None);
        }
        let shifts: Vec<_> = shifts.iter().map(|shift| Shift { shift: *shift }).collect();
        Ok(Some(StripBuffers {
            vertices: VertexBuffer::new(context, &self.vertices).refused("the lines")?,
            indices: IndexBuffer::new(context, PrimitiveType::TrianglesList, &self.indices)
                .refused("the lines")?,
            shifts: VertexBuffer::new(context, &shifts).refused("the lines")?,
        }))
    }
}

/// Lines on the GPU.
pub(super) struct StripBuffers {
    vertices: VertexBuffer<StripCorner>,
    indices: IndexBuffer<u32>,
    shifts: VertexBuffer<Shift>,
}

impl StripBuffers {
    pub(super) fn draw(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        let uniforms = uniform! {
            picture: [pass.size.0 as f32, pass.size.1 as f32],
            jitter: pass.frame.shift().to_array(),
            invert: pass.scene.view.invert,
        };
        let parameters = pass.blended(over());
        let shifts = instances(&self.shifts, "the lines")?;
        surface
            .draw(
                (&self.vertices, shifts),
                &self.indices,
                pass.tools.program_with(Shader::Strips, &uniforms)?,
                &uniforms,
                &parameters,
            )
            .refused("the lines")
    }
}
