//! Shadows of single plants on the ground: silhouettes, as the sun sees them, in windows around the eye from straight
//! above, each four times as wide as the one within it.

use glam::Vec3;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::PrimitiveType;
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniforms::Uniforms;
use glium::{Blend, BlendingFunction, DrawParameters, IndexBuffer, LinearBlendingFactor};
use glium::{Surface, VertexBuffer, uniform};

use super::atlas::Atlas;
use super::view::PlantView;
use crate::plants::impostor::{ELEVATIONS, FILLED, MIPMAPS, TILE, half_sides};
use crate::render::error::{Refused, Result};
use crate::render::gl::programs::Shader;
use crate::render::gl::{joined, sampler, texture};
use crate::render::tools::Tools;
use crate::render::view::rect;
use crate::scene::Light;
use std::rc::Rc;

use glium::backend::Context;

const WHAT: &str = "the shadows of plants";
/// Number of windows, and texels along the side of one.
pub(super) const WINDOWS: usize = 4;
const SIDE: u32 = 512;
/// Ratio of the widths of two windows.
const WIDER: f32 = 4.0;
/// Longest shadow, in heights of the plant.
const LONGEST: f32 = 8.0;
/// Quads drawn at once.
const QUADS: usize = 4096;

/// Light that casts shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Caster {
    /// Unit vector on the ground away from the sun: east, south.
    away: [f32; 2],
    /// Elevation of the sun in radians, and its tangent.
    elevation: f32,
    tangent: f32,
}

/// Shadow of a plant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cast {
    /// Middle of the shadow, from the eye: east, south.
    middle: [f32; 2],
    /// Half its sides, across and along.
    half: [f32; 2],
    /// Column of the plant's views in the atlas.
    column: f32,
    opacity: f32,
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

impl Caster {
    /// The light of a scene, if it casts shadows.
    pub(super) fn new(light: &Light) -> Option<Self> {
        let to_sun = light.direction();
        let across = libm::hypotf(to_sun.x, to_sun.z);
        let is_up = light.shadows && to_sun.y > 0.0;
        is_up.then(|| Self {
            away: [to_sun.x, to_sun.z].map(|part| -part / across.max(1e-6)),
            elevation: libm::asinf(to_sun.y),
            tangent: (to_sun.y / across.max(1e-6)).max(LONGEST.recip()),
        })
    }

    /// The way to the end of the shadow of a plant of this height on level ground: east, south.
    pub(super) fn reach(&self, height: f32) -> [f32; 2] {
        self.away.map(|part| part * height / self.tangent)
    }

    /// Shadow of a plant on ground that rises by `rise` to the end that it would have on level ground.
    pub(super) fn cast(
        &self,
        foot: Vec3,
        [height, radius]: [f32; 2],
        rise: f32,
        column: f32,
        opacity: f32,
    ) -> Cast {
        let level = height / self.tangent;
        let slope = rise / level;
        let long = height / (self.tangent + slope).max(LONGEST.recip());
        let [_, high] = half_sides(radius / height, self.elevation);
        let stretched = long / level;
        let half = high * height / libm::sinf(self.elevation).max(LONGEST.recip()) * stretched;
        Cast {
            middle: [0, 1].map(|axis| [foot.x, foot.z][axis] + self.away[axis] * 0.5 * long),
            half: [radius, half],
            column,
            opacity,
        }
    }

    /// Row of the atlas that is nearest to the view of the sun.
    fn row(&self) -> f32 {
        let from = |at: &&f32| (**at - self.elevation.to_degrees()).abs();
        let nearest = (ELEVATIONS.iter()).min_by(|one, other| from(one).total_cmp(&from(other)));
        let row = ELEVATIONS.iter().position(|at| Some(at) == nearest);
        row.unwrap_or(0) as f32
    }
}

/// Windows of shadows around the eye.
pub(super) struct Shadows {
    /// Four windows; light that is left.
    texture: Texture2d,
    /// Middle of each window from the eye, and half its side.
    windows: [[f32; 4]; WINDOWS],
}

impl Shadows {
    /// Draw the shadows of plants, as far as `farthest`.
    pub(super) fn new(
        context: &Rc<Context>,
        tools: &Tools,
        (view, caster): (&PlantView, Option<&Caster>),
        casts: &[Cast],
        farthest: f32,
        atlas: &Atlas,
    ) -> Result<Self> {
        let windows = [0, 1, 2, 3].map(|at: i32| {
            let half = f64::from(farthest * WIDER.powi(at + 1 - WINDOWS as i32));
            // Whole texels, so that shadows do not crawl.
            let texel = 2.0 * half / f64::from(SIDE);
            let [x, z] = [view.eye.x, view.eye.z].map(|at| (at / texel).round() * texel - at);
            [x as f32, z as f32, half as f32, 0.0]
        });
        let texture = texture::empty(
            context,
            UncompressedFloatFormat::U8,
            (2 * SIDE, 2 * SIDE),
            WHAT,
        )?;
        let mut surface = SimpleFrameBuffer::new(context, &texture).refused(WHAT)?;
        surface.clear_color(1.0, 1.0, 1.0, 1.0);
        let Some(caster) = caster else {
            drop(surface);
            return Ok(Self { texture, windows });
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
            let within = at.checked_sub(1).map(|at| &windows[at]);
            let corners: Vec<_> = (casts.iter())
                .filter(|cast| cast.is_in(window, within))
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
        Ok(Self { texture, windows })
    }

    /// Uniforms of `common/plant_shadow.glsl`.
    pub(super) fn uniforms(&self) -> impl Uniforms + '_ {
        uniform! {
            plant_shadows: sampler::mixed(self.texture.sampled()),
            plant_windows: self.windows,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 1)
    }
}

impl Cast {
    /// True if some of the shadow is in a window, and not all of it in the inner part of the one within it.
    fn is_in(&self, window: &[f32; 4], within: Option<&[f32; 4]>) -> bool {
        let reach = self.half[0] + self.half[1];
        let aside = |window: &[f32; 4]| {
            let [x, z] = [0, 1].map(|axis| (self.middle[axis] - window[axis]).abs());
            x.max(z)
        };
        let is_hidden = within.is_some_and(|within| aside(within) + reach < 0.6 * within[2]);
        aside(window) - reach < window[2] && !is_hidden
    }

    fn corners(&self, caster: &Caster, window: &[f32; 4], row: f32) -> [ShadowCorner; 4] {
        let [east, south] = caster.away;
        let texel = 2.0 * window[2] / SIDE as f32;
        let texels =
            [0, 1].map(|axis| FILLED * TILE[axis] as f32 * texel / (2.0 * self.half[axis]));
        let level = libm::log2f(texels[0].max(texels[1])).clamp(0.0, MIPMAPS as f32 - 1.0);
        [[-1.0_f32, -1.0_f32], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[across, along]| {
            let by = [across * self.half[0], along * self.half[1]];
            // From the sun, the picture's right is on the left of its way.
            let place = [by[1] * east + by[0] * south, by[1] * south - by[0] * east];
            ShadowCorner {
                place: [0, 1]
                    .map(|axis| (self.middle[axis] + place[axis] - window[axis]) / window[2]),
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
