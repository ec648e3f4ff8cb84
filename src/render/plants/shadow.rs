//! Shadows of single plants on the ground: silhouettes, as the sun sees them, in windows from straight above. Each covers
//! the part of the view between two distances, as cascaded shadow maps do (Engel 2006).

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::PrimitiveType;
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniforms::Uniforms;
use glium::{Blend, BlendingFunction, DrawParameters, IndexBuffer, LinearBlendingFactor};
use glium::{Surface, VertexBuffer, uniform};

use super::atlas::Atlas;
use super::cast::{Cast, Caster};
use super::view::PlantView;
use crate::plants::impostor::{FILLED, MIPMAPS, TILE};
use crate::render::error::{Refused, Result};
use crate::render::gl::programs::Shader;
use crate::render::gl::{joined, sampler, texture};
use crate::render::tools::Tools;
use crate::render::view::rect;
use crate::terrain::weights::CHANNELS;

const WHAT: &str = "the shadows of plants";
/// Number of windows, and texels along the side of one.
pub(super) const WINDOWS: usize = 4;
const SIDE: u32 = 512;
/// Largest ratio of the distances of a window.
const WIDER: f32 = 4.0;
/// Overlap of two windows, as a share of that ratio's logarithm.
const OVERLAP: f32 = 0.25;
/// Quads drawn at once.
const QUADS: usize = 4096;

/// Distances of the windows.
#[derive(Clone, Copy, Debug)]
struct Slices {
    nearest: f32,
    /// Of the farthest and the nearest place of a window.
    ratio: f32,
}

/// Corner of a shadow.
#[derive(Clone, Copy)]
struct ShadowCorner {
    /// In clip space of its window.
    place: [f32; 2],
    /// In the atlas of impostors, with the mipmap and the opacity.
    look: [f32; 4],
}
glium::implement_vertex!(ShadowCorner, place, look);

impl Slices {
    /// Slices between two distances; a parallel view has one.
    fn new(view: &PlantView, nearest: f32, farthest: f32) -> Self {
        if view.counted.is_some() {
            return Self {
                nearest: f32::MAX,
                ratio: WIDER,
            };
        }
        let least = WIDER.powi(WINDOWS as i32).recip();
        let ratio = (farthest / nearest.max(least * farthest)).max(1.1);
        let ratio = ratio.powf((WINDOWS as f32).recip());
        Self {
            nearest: farthest / ratio.powi(WINDOWS as i32),
            ratio,
        }
    }

    /// Distances that a window covers.
    fn span(&self, window: usize) -> [f32; 2] {
        let at = |window: f32| self.nearest * self.ratio.powf(window);
        match window {
            0 => [0.0, at(1.0)],
            window => [at(window as f32 - OVERLAP), at(window as f32 + 1.0)],
        }
    }

    /// Middle of a window from the eye, east and south, and half its sides.
    fn window(&self, view: &PlantView, window: usize) -> [f32; 4] {
        let mut low = [f32::INFINITY; 2];
        let mut high = [f32::NEG_INFINITY; 2];
        for way in view.corners {
            for away in self.span(window) {
                let place = if view.counted.is_some() {
                    way
                } else {
                    way.normalize() * away
                };
                for (axis, at) in [place.x, place.z].into_iter().enumerate() {
                    low[axis] = low[axis].min(at);
                    high[axis] = high[axis].max(at);
                }
            }
        }
        let place = [0, 1].map(|axis| {
            let half = (0.5 * (high[axis] - low[axis])).max(1e-9);
            // A side of few sizes and a place of whole texels, so that shadows do not crawl.
            let half =
                libm::exp2f((4.0 * libm::log2f(half)).ceil() / 4.0) * (1.0 + 4.0 / SIDE as f32);
            let texel = 2.0 * f64::from(half) / f64::from(SIDE);
            let eye = [view.eye.x, view.eye.z][axis];
            let middle = eye + 0.5 * f64::from(low[axis] + high[axis]);
            (((middle / texel).round() * texel - eye) as f32, half)
        });
        [place[0].0, place[1].0, place[0].1, place[1].1]
    }
}

/// Windows of shadows in a view.
pub(super) struct Shadows {
    /// Four windows; light that is left.
    texture: Texture2d,
    /// Middle of each window from the eye, and half its sides.
    windows: [[f32; 4]; WINDOWS],
    slices: Slices,
}

impl Shadows {
    /// Draw the shadows of plants between two distances, into the texture of `old` ones if there are any.
    pub(super) fn new(
        context: &Rc<Context>,
        tools: &Tools,
        (view, caster): (&PlantView, Option<&Caster>),
        casts: &[Cast],
        [nearest, farthest]: [f32; 2],
        atlas: &Atlas,
        old: Option<Self>,
    ) -> Result<Self> {
        let slices = Slices::new(view, nearest, farthest);
        let windows = [0, 1, 2, 3].map(|at| slices.window(view, at));
        let texture = match old {
            Some(old) => old.texture,
            None => {
                let (format, side) = (UncompressedFloatFormat::U8, 2 * SIDE);
                texture::empty(context, format, (side, side), WHAT)?
            }
        };
        let mut surface = SimpleFrameBuffer::new(context, &texture).refused(WHAT)?;
        surface.clear_color(1.0, 1.0, 1.0, 1.0);
        let Some(caster) = caster else {
            drop(surface);
            return Ok(Self {
                texture,
                windows,
                slices,
            });
        };
        let quad = |at: u16| [0, 1, 2, 0, 2, 3].map(|corner| 4 * at + corner);
        let quads: Vec<_> = (0..QUADS as u16).flat_map(quad).collect();
        let triangles = IndexBuffer::new(context, PrimitiveType::TrianglesList, &quads);
        let triangles = triangles.refused(WHAT)?;
        let row = caster.row();
        let uniforms = atlas.uniforms();
        let uniforms = joined!(uniforms);
        let program = tools.program_with(Shader::PlantShadow, &uniforms)?;
        let kept = BlendingFunction::Addition {
            source: LinearBlendingFactor::Zero,
            destination: LinearBlendingFactor::OneMinusSourceAlpha,
        };
        for (at, window) in windows.iter().enumerate() {
            let span = match view.counted {
                Some(_) if at > 0 => continue,
                Some(_) => [0.0, f32::INFINITY],
                None => slices.span(at),
            };
            let corners: Vec<_> = (casts.iter())
                .filter(|cast| cast.is_in(window, span))
                .flat_map(|cast| cast.corners(caster, window, row))
                .collect();
            if corners.is_empty() {
                continue;
            }
            let corner = [at as u32 % 2, at as u32 / 2].map(|at| at * SIDE);
            let place = rect(corner, (SIDE, SIDE));
            let parameters = DrawParameters {
                viewport: Some(place),
                scissor: Some(place),
                blend: Blend {
                    color: kept,
                    alpha: kept,
                    ..Blend::default()
                },
                ..DrawParameters::default()
            };
            let corners = VertexBuffer::new(context, &corners).refused(WHAT)?;
            for first in (0..corners.len()).step_by(4 * QUADS) {
                let end = (first + 4 * QUADS).min(corners.len());
                let part = corners.slice(first..end);
                let indices = triangles.slice(0..(end - first) / 4 * 6);
                let Some((part, indices)) = part.zip(indices) else {
                    continue;
                };
                surface
                    .draw(part, indices, program, &uniforms, &parameters)
                    .refused(WHAT)?;
            }
        }
        drop(surface);
        Ok(Self {
            texture,
            windows,
            slices,
        })
    }

    /// Uniforms of `common/plant_shadow.glsl`, with the distances of the layers of the canopy.
    pub(super) fn uniforms(&self, single: &[[f32; 2]; CHANNELS]) -> impl Uniforms + '_ + use<'_> {
        uniform! {
            plants_all: single.map(|[all, _]| all),
            plants_last: single.map(|[_, last]| last),
            plant_shadows: sampler::mixed(self.texture.sampled()),
            plant_windows: self.windows,
            plant_slices: [
                libm::log2f(self.slices.nearest),
                libm::log2f(self.slices.ratio).recip(),
            ],
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 1)
    }
}

impl Cast {
    /// True if some of the shadow may be in a window, and at its distances.
    fn is_in(&self, window: &[f32; 4], [from, to]: [f32; 2]) -> bool {
        let reach = self.half[0] + self.half[1];
        let is_within =
            (0..2).all(|axis| (self.middle[axis] - window[axis]).abs() - reach < window[2 + axis]);
        let reach = 2.0 * reach;
        is_within && (from - reach..to + reach).contains(&self.away)
    }

    fn corners(&self, caster: &Caster, window: &[f32; 4], row: f32) -> [ShadowCorner; 4] {
        let [east, south] = caster.away;
        let texel = 2.0 * window[2].max(window[3]) / SIDE as f32;
        let texels =
            [0, 1].map(|axis| FILLED * TILE[axis] as f32 * texel / (2.0 * self.half[axis]));
        let level = libm::log2f(texels[0].max(texels[1])).clamp(0.0, MIPMAPS as f32 - 1.0);
        [[-1.0_f32, -1.0_f32], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[across, along]| {
            let by = [across * self.half[0], along * self.half[1]];
            // From the sun, the picture's right is on the left of its way.
            let place = [by[1] * east + by[0] * south, by[1] * south - by[0] * east];
            ShadowCorner {
                place: [0, 1].map(|axis| {
                    (self.middle[axis] + place[axis] - window[axis]) / window[2 + axis]
                }),
                look: [
                    self.column + 0.5 + 0.5 * FILLED * across,
                    row + 0.5 + 0.5 * FILLED * along,
                    level,
                    self.opacity,
                ],
            }
        })
    }
}
