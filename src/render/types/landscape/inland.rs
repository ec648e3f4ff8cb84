//! Rivers and lakes, drawn over the lit ground.
//!
//! First it is found in which squares of the picture there is any water, and whether near by: drivers
//! in software do all of a program for every pixel, or none of it where nothing is drawn. What is far
//! away mirrors no land, which costs the most.

use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::vertex::EmptyInstanceAttributes;
use glium::{DrawParameters, Rect, Surface, uniform};

use crate::render::buffers::PictureBuffers;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::{RIVER_SQUARE, Shader};
use crate::render::gl::{Values, blend, joined, sampler};
use crate::render::pass::Pass;

/// The depth of the middle of rivers, of that to which one sees.
const DEPTH: f32 = 0.8;
/// How far beside water the ground is wet, in cells.
const WET: f32 = 1.0;

/// Draws them; `uniforms` are those of the ground, the water and the rivers, `parameters` those that the
/// ground was lit with, and `spacing` is the side of its cells.
pub(super) fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    buffers: &PictureBuffers,
    spacing: f32,
    uniforms: &Values<'_>,
    parameters: DrawParameters<'_>,
) -> Result<(), RenderError> {
    // Squares are those of the whole picture, so that pieces have the same.
    let drawn = pass.frame.rectangle();
    let span = |origin: u32, first: u32, count: u32| {
        let (first, end) = (origin + first, origin + first + count);
        (first / RIVER_SQUARE, end.div_ceil(RIVER_SQUARE))
    };
    let [left, bottom] = pass.frame.origin;
    let (west, east) = span(left, drawn.left, drawn.width);
    let (south, north) = span(bottom, drawn.bottom, drawn.height);
    let (columns, rows) = (east - west, north - south);
    let texture = buffers.squares(pass.context, RIVER_SQUARE)?;
    let mut squares =
        SimpleFrameBuffer::new(pass.context, texture).refused("the squares of rivers")?;
    let own = uniform! {
        first_square: [west as i32, south as i32],
        columns: columns as i32,
        picture: [pass.size.0 as f32, pass.size.1 as f32],
        river_depth: pass.scene.water.clarity * DEPTH,
        wet_reach: spacing * WET,
    };
    let viewport = Rect {
        left: 0,
        bottom: 0,
        width: columns,
        height: rows,
    };
    let found = DrawParameters {
        viewport: Some(viewport),
        ..DrawParameters::default()
    };
    let all = joined!(own, uniforms);
    (pass.tools).fill(&mut squares, Shader::NearRivers, &all, &found)?;
    let found = uniform! { squares: sampler::exact(texture.sampled()) };
    let parameters = DrawParameters {
        blend: blend::premultiplied_within(),
        ..parameters
    };
    let uniforms = joined!(own, found, uniforms);
    for shader in [Shader::InlandWater, Shader::DistantWater] {
        let each = EmptyInstanceAttributes {
            len: (columns * rows) as usize,
        };
        surface
            .draw(
                (&pass.tools.meshes.square, each),
                NoIndices(PrimitiveType::TriangleStrip),
                pass.tools.program_with(pass.wooded(shader), &uniforms)?,
                &uniforms,
                &parameters,
            )
            .refused("the rivers")?;
    }
    Ok(())
}
