//! Benchmark of the OpenGL driver's triangle rate. Software drivers are some hundred times slower than
//! graphics cards; for them the ground is ray cast on the CPU.

use std::rc::Rc;
use std::time::{Duration, Instant};

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::texture::UncompressedFloatFormat;
use glium::{Program, Surface, VertexBuffer, uniform};

use super::error::{Refused, RenderError};
use super::gl::texture;
use super::meshes::quad::Corner;

/// Rows and columns of triangles in the benchmark.
const SIDE: u16 = 128;
/// Time per triangle above which a driver counts as slow.
const SLOW: Duration = Duration::from_nanos(20);
/// Repetitions; the fastest counts, since other programs may slow down some.
const ROUNDS: usize = 4;

/// True if pixel-sized triangles are slow to draw with this program, which fills a screen.
pub(super) fn is_slow(context: &Rc<Context>, program: &Program) -> Result<bool, RenderError> {
    let what = "a measurement";
    let side = u32::from(SIDE);
    let format = UncompressedFloatFormat::U8U8U8U8;
    let texture = texture::empty(context, format, (side, side), what)?;
    let mut surface = SimpleFrameBuffer::new(context, &texture).refused(what)?;
    let place = |at: u16| f32::from(at) / f32::from(SIDE) * 2.0 - 1.0;
    let triangle = |index: u16| {
        let [x, y] = [index % SIDE, index / SIDE];
        [[x, y], [x + 1, y], [x, y + 1]].map(|corner| Corner {
            corner: corner.map(place),
        })
    };
    let triangles: Vec<_> = (0..SIDE * SIDE).flat_map(triangle).collect();
    let triangles = VertexBuffer::new(context, &triangles).refused(what)?;
    let uniforms = uniform! { top: [0.0_f32; 3], bottom: [1.0_f32; 3], invert: false };
    let mut quickest = Duration::MAX;
    for _ in 0..ROUNDS {
        context.finish();
        let began = Instant::now();
        let all = NoIndices(PrimitiveType::TrianglesList);
        surface
            .draw(&triangles, all, program, &uniforms, &Default::default())
            .refused(what)?;
        // Without waiting, only the submission would be measured.
        context.finish();
        quickest = quickest.min(began.elapsed());
    }
    let each = quickest / (side * side);
    log::debug!(
        "the driver draws a small triangle in {} ns",
        each.as_nanos()
    );
    Ok(each > SLOW)
}
