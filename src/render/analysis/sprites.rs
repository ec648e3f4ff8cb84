//! Sprites laid over the picture: labels, marks, the legend.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, MipmapsOption, Texture2d, UncompressedFloatFormat};
use glium::{VertexBuffer, uniform};

use crate::render::error::{Refused, Result};
use crate::render::gl::blend::premultiplied_over;
use crate::render::gl::programs::Shader;
use crate::render::gl::sampler;
use crate::render::gl::texture::image;
use crate::render::pass::{Pass, Target};
use crate::terrain::grid::Grid;
use crate::util::lettering;

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
    pub(super) fn upload(&self, context: &Rc<Context>) -> Result<Option<SpriteBuffers>> {
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
        let extent = (size[0] as u32, size[1] as u32);
        let image = image(&sheet, extent, ClientFormat::U8U8U8U8);
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
    pub(super) fn draw(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        let uniforms = uniform! {
            sheet: sampler::mixed(self.sheet.sampled()),
            picture: [pass.size.0 as f32, pass.size.1 as f32],
            invert: pass.scene.view.invert,
        };
        let parameters = pass.blended(premultiplied_over());
        let sprites = &self.sprites;
        (pass.tools).draw_squares(surface, Shader::Sprites, sprites, &uniforms, &parameters)
    }
}

/// Small image drawn on the CPU, of colours premultiplied by alpha: text or the legend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Canvas {
    width: usize,
    pixels: Vec<[f32; 4]>,
}

/// Vertical centre of digits and capitals, below the top of their line, in font sizes.
const MIDDLE: f32 = 0.52;

impl Canvas {
    /// Create a transparent image of this width and height in pixels.
    pub(super) fn new(width: f32, height: f32) -> Self {
        let [width, height] = [width, height].map(|side| (side.ceil() as usize).max(1));
        Self {
            width,
            pixels: vec![[0.0; 4]; width * height],
        }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// Blend a colour over each pixel, with the alpha at the pixel's centre.
    pub(super) fn paint(&mut self, color: impl Fn(f32, f32) -> ([f32; 3], f32)) {
        for (index, pixel) in self.pixels.iter_mut().enumerate() {
            let (x, y) = (index % self.width, index / self.width);
            let (color, alpha) = color(x as f32 + 0.5, y as f32 + 0.5);
            lay(pixel, color, alpha);
        }
    }

    /// Fill a rectangle with rounded corners, given its minimum and maximum corner.
    pub(super) fn rounded(
        &mut self,
        low: [f32; 2],
        high: [f32; 2],
        radius: f32,
        fill: ([f32; 3], f32),
    ) {
        let middle = [0, 1].map(|i: usize| (low[i] + high[i]) * 0.5);
        let half = [0, 1].map(|i: usize| (high[i] - low[i]) * 0.5 - radius);
        self.paint(|x, y| {
            let off = [
                (x - middle[0]).abs() - half[0],
                (y - middle[1]).abs() - half[1],
            ];
            let outside = off.map(|v| v.max(0.0));
            let distance = outside[0].hypot(outside[1]) + off[0].max(off[1]).min(0.0) - radius;
            (fill.0, fill.1 * (0.5 - distance).clamp(0.0, 1.0))
        });
    }

    /// Draw text starting at `x`, with its capitals centred vertically at `y`.
    pub(super) fn words(&mut self, words: &str, size: f32, [x, y]: [f32; 2], color: [f32; 3]) {
        let (x, top) = (x.round(), (y - MIDDLE * size).max(0.0));
        let (width, height) = (self.width(), self.height());
        lettering::draw(words, size, top, f32::INFINITY, |column, row, cover| {
            let column = column + x as usize;
            if column < width && row < height {
                lay(&mut self.pixels[row * width + column], color, cover);
            }
        });
    }

    /// Draw text as [`Canvas::words`] does, centred at `x`.
    pub(super) fn words_around(
        &mut self,
        words: &str,
        size: f32,
        [x, y]: [f32; 2],
        color: [f32; 3],
    ) {
        let width = lettering::width(words, size);
        self.words(words, size, [x - width * 0.5, y], color);
    }

    /// Convert to premultiplied bytes, row by row.
    pub(super) fn to_grid(&self) -> Grid<[u8; 4]> {
        let byte = |value: f32| (value.clamp(0.0, 1.0) * 255.0).round() as u8;
        let bytes = self.pixels.iter().map(|pixel| pixel.map(byte)).collect();
        Grid::from_vec(self.height(), self.width, bytes).expect("width × height pixels")
    }
}

fn lay(pixel: &mut [f32; 4], color: [f32; 3], alpha: f32) {
    for (old, new) in pixel.iter_mut().zip([color[0], color[1], color[2], 1.0]) {
        *old = new * alpha + *old * (1.0 - alpha);
    }
}

/// Draw text in `ink` with a soft halo of `rim`'s colour and alpha, which separates it from the background.
pub(super) fn label(words: &str, size: f32, ink: [f32; 3], rim: ([f32; 3], f32)) -> Canvas {
    let reach = (size * 0.18).max(1.5);
    let margin = reach.ceil() + 1.0;
    let width = lettering::width(words, size) + 2.0 * margin;
    let height = size * 0.8 + 2.0 * margin;
    let mut letters = Canvas::new(width, height);
    let middle = letters.height() as f32 * 0.5;
    letters.words(words, size, [margin, middle], [1.0; 3]);
    let mut canvas = Canvas::new(width, height);
    let around = reach.ceil() as isize;
    let (columns, rows) = (canvas.width() as isize, canvas.height() as isize);
    // Slightly emboldened: the window's font is light and must be readable over hills.
    let cover = |x: isize, y: isize| {
        if (0..columns).contains(&x) && (0..rows).contains(&y) {
            letters.pixels[(y * columns + x) as usize][3]
        } else {
            0.0
        }
    };
    canvas.paint(|x, y| {
        let (x, y) = (x as isize, y as isize);
        let mut most = 0.0f32;
        for dy in -around..=around {
            for dx in -around..=around {
                let distance = (dx as f32).hypot(dy as f32);
                let fade = (reach + 0.5 - distance).clamp(0.0, 1.0);
                most = most.max(fade * cover(x + dx, y + dy));
            }
        }
        (rim.0, rim.1 * most)
    });
    canvas.paint(|x, y| {
        let (x, y) = (x as isize, y as isize);
        let bold = cover(x, y) + 0.4 * (cover(x - 1, y) + cover(x + 1, y));
        (ink, bold.min(1.0))
    });
    canvas
}
