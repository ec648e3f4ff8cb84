//! Plants of a picture on the graphics card, drawn from far to near into a buffer of their own.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::PrimitiveType;
use glium::uniforms::Uniforms;
use glium::{IndexBuffer, Surface, VertexBuffer, uniform};

use super::atlas::Atlas;
use super::chosen::{Chosen, Sprite};
use super::shadow::Shadows;
use super::view::PlantView;
use crate::render::buffers::{LayerTexture, PictureBuffers};
use crate::render::error::{Refused, Result};
use crate::render::frame_budget::{LARGE, PatchRange};
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, blend, joined, sampler};
use crate::render::pass::{Pass, Target};
use crate::render::progressive_frame::Plan;
use crate::render::tools::Tools;
use crate::render::view::rect;

const WHAT: &str = "the plants";
/// Quads and pixels drawn at once.
const QUADS: usize = 512;
const PIXELS: f32 = LARGE as f32;
/// Cost of so many quads, in pixels of the picture.
const PORTION: u64 = 8_000;

/// Corner of a quad.
#[derive(Clone, Copy)]
struct Corner {
    foot: [f32; 3],
    size: [f32; 2],
    tile: [f32; 2],
    look: [f32; 2],
    corner: [f32; 2],
}
glium::implement_vertex!(Corner, foot, size, tile, look, corner);

/// Plants of a picture, ready to be drawn.
pub(in crate::render) struct PlantPicture {
    corners: VertexBuffer<Corner>,
    triangles: IndexBuffer<u16>,
    /// Quads drawn at once: the first and their number, and the pixels that they cover.
    portions: Vec<(usize, usize, f32)>,
    shadows: Shadows,
}

impl PlantPicture {
    /// Upload the plants of a view, and draw the shadows of those as far as `farthest`.
    pub(super) fn new(
        context: &Rc<Context>,
        tools: &Tools,
        view: &PlantView,
        chosen: &Chosen,
        farthest: f32,
        atlas: &Atlas,
    ) -> Result<Self> {
        let corners = |sprite: &Sprite| {
            let Sprite {
                foot,
                height,
                radius,
                tile,
                opacity,
                dice,
                ..
            } = *sprite;
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|corner| Corner {
                foot: foot.to_array(),
                size: [height, radius],
                tile,
                look: [opacity, dice],
                corner,
            })
        };
        let sprites = &chosen.sprites;
        let all: Vec<_> = sprites.iter().flat_map(corners).collect();
        let quad = |at: u16| [0, 1, 2, 0, 2, 3].map(|corner| 4 * at + corner);
        let quads: Vec<_> = (0..QUADS as u16).flat_map(quad).collect();
        let mut portions: Vec<(usize, usize, f32)> = Vec::new();
        for (at, sprite) in sprites.iter().enumerate() {
            let pixels = sprite.pixels(view.pixels_per_radian);
            match portions.last_mut() {
                Some((_, count, sum)) if *count < QUADS && *sum + pixels < PIXELS => {
                    *count += 1;
                    *sum += pixels;
                }
                _ => portions.push((at, 1, pixels)),
            }
        }
        Ok(Self {
            corners: VertexBuffer::new(context, &all).refused(WHAT)?,
            triangles: IndexBuffer::new(context, PrimitiveType::TrianglesList, &quads)
                .refused(WHAT)?,
            portions,
            shadows: Shadows::new(
                context,
                tools,
                (view, view.caster.as_ref()),
                &chosen.casts,
                // Farther away they are small, and there are too many.
                if view.counted.is_some() {
                    farthest
                } else {
                    0.5 * farthest
                },
                atlas,
            )?,
        })
    }

    /// True if there are no plants.
    pub(super) fn is_empty(&self) -> bool {
        self.portions.is_empty()
    }

    /// Uniforms of the shadows on the ground.
    pub(in crate::render) fn shadows(&self) -> impl Uniforms + '_ {
        self.shadows.uniforms()
    }

    /// Plan the work: portions of quads.
    pub(in crate::render) fn plan(&self) -> Plan {
        // Small enough not to be split into rectangles.
        let place = |(_, count, pixels): &(usize, usize, f32)| {
            let pixels = pixels + 32.0 * *count as f32;
            rect([0, 0], (256, (pixels / 256.0).clamp(1.0, 255.0) as u32))
        };
        Plan {
            places: self.portions.iter().map(place).collect(),
            worth: PORTION,
        }
    }

    /// Clear the buffer of the plants.
    pub(in crate::render) fn clear(pass: &Pass<'_>, buffers: &PictureBuffers) -> Result {
        let plants = buffers.plants(pass.context)?;
        let mut surface = SimpleFrameBuffer::new(pass.context, plants).refused(WHAT)?;
        pass.clear(&mut surface, Some((0.0, 0.0, 0.0, 0.0)), None);
        Ok(())
    }

    /// Draw a range of the plan in front of the ground of these depth layers; `uniforms` are those of lit ground.
    pub(in crate::render) fn draw(
        &self,
        pass: &Pass<'_>,
        buffers: &PictureBuffers,
        (layers, atlas): (&LayerTexture, &Atlas),
        uniforms: &Values<'_>,
        range: PatchRange,
    ) -> Result {
        let plants = buffers.plants(pass.context)?;
        let mut surface = SimpleFrameBuffer::new(pass.context, plants).refused(WHAT)?;
        let eye = pass.eye().at_origin();
        // Without a depth test any planes will do, if none is cut.
        let clip = eye.clip_from_world(1e-7, 100.0);
        let own = uniform! {
            clip_from_eye: clip.to_cols_array_2d(),
        };
        let atlas = atlas.uniforms();
        let uniforms = joined!(own, atlas, layers, uniforms);
        let program = pass.tools.program_with(Shader::Plants, &uniforms)?;
        let parameters = pass.blended(blend::premultiplied_over());
        let portions = self.portions.iter().skip(range.first).take(range.count);
        for (first, count, _) in portions {
            let corners = self.corners.slice(4 * first..4 * (first + count));
            let triangles = self.triangles.slice(0..6 * count);
            let Some((corners, triangles)) = corners.zip(triangles) else {
                continue;
            };
            surface
                .draw(corners, triangles, program, &uniforms, &parameters)
                .refused(WHAT)?;
        }
        Ok(())
    }

    /// Lay the plants over the finished picture.
    pub(in crate::render) fn lay_over(
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        buffers: &PictureBuffers,
    ) -> Result {
        let plants = buffers.plants(pass.context)?;
        let uniforms = uniform! { plants: sampler::exact(plants.sampled()) };
        let parameters = pass.blended(blend::premultiplied_over());
        (pass.tools).fill(surface, Shader::PlantsOver, &uniforms, &parameters)
    }

    /// Size in bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        (self.corners.len() * size_of::<Corner>()) as u64 + self.shadows.bytes()
    }
}

impl Sprite {
    /// Pixels of its quad.
    fn pixels(&self, pixels_per_radian: f32) -> f32 {
        let pixel = pixels_per_radian / self.away.max(1e-12);
        (2.0 * self.radius * self.height * pixel * pixel).min(PIXELS)
    }
}
