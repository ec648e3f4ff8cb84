//! Sprites laid over the picture: labels, marks, the legend.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::{ClientFormat, MipmapsOption, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::{DrawParameters, VertexBuffer, uniform};

use super::canvas::Canvas;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::blend::premultiplied_over;
use crate::render::gl::programs::Shader;
use crate::render::gl::sampler;
use crate::render::pass::Pass;

#[derive(Clone, Copy, Debug)]
struct Sprite {
    /// Centre in pixels, y down.
    middle: [f32; 2],
    /// Half the width and height in pixels.
    extent: [f32; 2],
    /// Cosine and sine of the clockwise angle.
    turn: [f32; 2],
    /// Texels in the sheet: first corner, then last.
    texels: [f32; 4],
}
glium::implement_vertex!(Sprite, middle, extent, turn, texels);

/// Images being collected, and the position of each sprite.
#[derive(Default)]
pub(super) struct Sprites {
    pictures: Vec<Canvas>,
    places: Vec<(usize, [f32; 2], f32)>,
}

/// Minimum width of the sprite sheet.
const SHEET: usize = 256;

impl Sprites {
    /// Add an image; returns its index.
    pub(super) fn picture(&mut self, picture: Canvas) -> usize {
        self.pictures.push(picture);
        self.pictures.len() - 1
    }

    /// Place an image, centred at a position in pixels and turned clockwise by `angle` radians. Without a
    /// turn it is aligned to whole pixels.
    pub(super) fn put(&mut self, picture: usize, middle: [f32; 2], angle: f32) {
        self.places.push((picture, middle, angle));
    }

    /// Upload the sheet and the sprites; `None` if nothing was placed.
    pub(super) fn upload(
        &self,
        context: &Rc<Context>,
    ) -> Result<Option<SpriteBuffers>, RenderError> {
        if self.places.is_empty() {
            return Ok(None);
        }
        let (corners, size) = self.packed();
        let mut sheet = vec![0u8; size[0] * size[1] * 4];
        for (picture, corner) in self.pictures.iter().zip(&corners) {
            let grid = picture.to_grid();
            for row in 0..grid.rows() {
                let start = ((corner[1] + row) * size[0] + corner[0]) * 4;
                let bytes: &[u8] = bytemuck::cast_slice(grid.row(row));
                sheet[start..][..bytes.len()].copy_from_slice(bytes);
            }
        }
        let image = RawImage2d {
            data: sheet.into(),
            width: size[0] as u32,
            height: size[1] as u32,
            format: ClientFormat::U8U8U8U8,
        };
        let format = UncompressedFloatFormat::U8U8U8U8;
        let sheet = Texture2d::with_format(context, image, format, MipmapsOption::NoMipmap)
            .refused("the labels")?;
        let sprites: Vec<Sprite> = self
            .places
            .iter()
            .map(|(index, middle, angle)| {
                let picture = &self.pictures[*index];
                let size = [picture.width() as f32, picture.height() as f32];
                let corner = corners[*index].map(|texel| texel as f32);
                let middle = if *angle == 0.0 {
                    [0, 1].map(|i: usize| (middle[i] - size[i] * 0.5).round() + size[i] * 0.5)
                } else {
                    *middle
                };
                Sprite {
                    middle,
                    extent: size.map(|side| side * 0.5),
                    turn: [angle.cos(), angle.sin()],
                    texels: [
                        corner[0],
                        corner[1],
                        corner[0] + size[0],
                        corner[1] + size[1],
                    ],
                }
            })
            .collect();
        Ok(Some(SpriteBuffers {
            sheet,
            sprites: VertexBuffer::new(context, &sprites).refused("the labels")?,
        }))
    }

    /// Pack the images into rows with a free texel in between. Returns their corners and the sheet's size.
    fn packed(&self) -> (Vec<[usize; 2]>, [usize; 2]) {
        let widest = self.pictures.iter().map(|p| p.width() + 2).max();
        let width = widest.unwrap_or(1).max(SHEET);
        let (mut left, mut top, mut high) = (1, 1, 0);
        let mut corners = Vec::new();
        for picture in &self.pictures {
            if left + picture.width() + 1 > width {
                (left, top, high) = (1, top + high + 1, 0);
            }
            corners.push([left, top]);
            left += picture.width() + 1;
            high = high.max(picture.height());
        }
        (corners, [width, top + high + 1])
    }
}

/// Sprites on the GPU.
pub(super) struct SpriteBuffers {
    sheet: Texture2d,
    sprites: VertexBuffer<Sprite>,
}

impl SpriteBuffers {
    pub(super) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError> {
        let uniforms = uniform! {
            sheet: sampler::mixed(self.sheet.sampled()),
            picture: [pass.size.0 as f32, pass.size.1 as f32],
            invert: pass.scene.view.invert,
        };
        let parameters = DrawParameters {
            blend: premultiplied_over(),
            ..pass.parameters()
        };
        let sprites = &self.sprites;
        (pass.tools).draw_squares(surface, Shader::Sprites, sprites, &uniforms, &parameters)
    }
}
