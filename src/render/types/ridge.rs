//! Render type `1d`: a ridge line (midpoint displacement in one dimension), softly filled below, repeated
//! across the picture.

use glam::{Mat4, Vec2, Vec4};
use glium::index::{NoIndices, PrimitiveType};
use glium::vertex::EmptyVertexAttributes;
use glium::{Blend, Surface, uniform};

use crate::pipeline::next_range;
use crate::render::backdrop::{self, Backdrop};
use crate::render::buffers::PictureBuffers;
use crate::render::error::{Refused, Result};
use crate::render::gl::blend::over;
use crate::render::gl::programs::Shader;
use crate::render::pass::{DrawStats, Pass, Target};
use crate::render::textures::heights::HeightTexture;
use crate::render::types::{Subject, sea};

const EVENING: Backdrop = Backdrop {
    top: [0.09, 0.12, 0.20],
    bottom: [0.40, 0.38, 0.46],
};
const FILL_TOP: [f32; 3] = [0.30, 0.36, 0.47];
const FILL_BOTTOM: [f32; 3] = [0.10, 0.12, 0.17];
const LINE: [f32; 3] = [0.95, 0.96, 1.0];
/// Fraction of the picture left free above and below the ridge, which spans the full width.
const MARGIN: f32 = 0.12;
/// Width of the line as a fraction of the picture's height, and its minimum in pixels.
const WIDTH: (f32, f32) = (1.0 / 400.0, 1.25);

/// Middle row of a map; a profile has only this one.
pub(crate) struct Ridge<'a>(pub(crate) &'a HeightTexture);

impl Subject for Ridge<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats> {
        let Self(map) = self;
        backdrop::draw(pass, surface, &EVENING)?;
        let tiles = pass.scene.view.tile.max(1);
        let cells = map.layout.cells[0].max(1) as u32;
        let segments = (cells * tiles) as usize;
        let size = [pass.size.0 as f32, pass.size.1 as f32];
        let fit = placed(pass, map);
        sea::draw_behind_ridge(pass, surface, [fit[1], fit[3]])?;
        let uniforms = uniform! {
            heights: map.exact(),
            row: map.layout.cells[1] / 2,
            cells: cells as i32,
            tiles: tiles as f32,
            fit: fit,
            size: size,
            origin: pass.frame.origin.map(|side| side as f32),
            half_width: (size[1] * WIDTH.0).max(WIDTH.1) * 0.5,
            bottom: -1.0f32,
            fill_top: FILL_TOP,
            fill_bottom: FILL_BOTTOM,
            line_color: LINE,
            antialias: pass.scene.view.antialias,
            invert: pass.scene.view.invert,
        };
        for (shader, blend) in [
            (Shader::RidgeFill, Blend::default()),
            (Shader::RidgeLine, over()),
        ] {
            let parameters = pass.blended(blend);
            surface
                .draw(
                    EmptyVertexAttributes { len: segments * 6 },
                    NoIndices(PrimitiveType::TrianglesList),
                    pass.tools.program_with(shader, &uniforms)?,
                    &uniforms,
                    &parameters,
                )
                .refused("the ridge")?;
        }
        Ok(DrawStats {
            triangles: segments * 4,
            ..DrawStats::default()
        })
    }
}

/// Scale and offset from ridge coordinates to clip space. Of a ridge after some passes, the ranges of the next
/// pass are in the picture, too.
fn placed(pass: &Pass<'_>, map: &HeightTexture) -> [f32; 4] {
    let size = [pass.size.0 as f32, pass.size.1 as f32];
    let reach = next_range(pass.scene).unwrap_or(0.0);
    let range = (map.range.0 - reach, map.range.1 + reach);
    let tiles = pass.scene.view.tile.max(1) as f32;
    shifted(fit(range, tiles, size), pass.frame.shift())
}

/// Matrix from places of the first tile of a ridge, x −1…1 and y the height in half tiles, to clip space.
pub(crate) fn clip_from_ridge(pass: &Pass<'_>, map: &HeightTexture) -> Mat4 {
    let [across, up, x, y] = placed(pass, map);
    Mat4::from_cols(
        Vec4::X * 0.5 * across,
        Vec4::Y * up,
        Vec4::ZERO,
        Vec4::new(0.5 * across + x, y, 0.0, 1.0),
    )
}

/// Shift a scale and offset in clip space.
fn shifted([across, up, x, y]: [f32; 4], shift: Vec2) -> [f32; 4] {
    [across, up, x + shift.x, y + shift.y]
}

/// Scale and offset from ridge coordinates (x 0…tiles, y the height) to clip space. The ridge spans the full
/// width and has its true proportions for one tile if that fits. Several tiles are drawn higher than true, or
/// they would flatten to a line.
fn fit((low, high): (f32, f32), tiles: f32, size: [f32; 2]) -> [f32; 4] {
    let across = 2.0 / tiles;
    // Clip units per half tile: x spans two half tiles per tile.
    let true_to_shape = across * 0.5 * size[0] / size[1] * tiles.sqrt();
    let room = 2.0 * (1.0 - 2.0 * MARGIN);
    let up = true_to_shape.min(room / (high - low).max(1e-6));
    [across, up, -across * 0.5 * tiles, -(low + high) * 0.5 * up]
}
