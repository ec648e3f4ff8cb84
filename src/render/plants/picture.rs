//! Plants of a picture on the graphics card, in the order in which they are drawn.
//!
//! Far ones first, from far to near: impostors need no depths, and their edges are antialiased by their coverage. Those
//! close to the eye come over them: models with depths and several samples a pixel, then impostors among these.

use std::ops::Range;
use std::rc::Rc;

use glam::Vec3;
use glium::backend::Context;
use glium::index::PrimitiveType;
use glium::uniforms::Uniforms;
use glium::{IndexBuffer, VertexBuffer};

use super::atlas::Atlas;
use super::chosen::{Chosen, Modelled, Sprite};
use super::models::Stand;
use super::shadow::Shadows;
use super::view::PlantView;
use crate::plants::autumn::Leaves;
use crate::plants::impostor::{FILLED, MIPMAPS, Outline, TILE, half_sides};
use crate::render::error::{Refused, Result};
use crate::render::frame_budget::LARGE;
use crate::render::gl::programs::STEADY;
use crate::render::progressive_frame::Plan;
use crate::render::tools::Tools;
use crate::render::view::rect;
use crate::terrain::weights::CHANNELS;

const WHAT: &str = "the plants";
/// Quads and pixels drawn at once, and models.
const QUADS: usize = 512;
const PIXELS: f32 = LARGE as f32;
const MODELS: usize = 16;
/// Cost of so many quads, in pixels of the picture.
const PORTION: u64 = 8_000;
/// Distance up to which a plant is close to the eye, in heights of it.
const CLOSE: f32 = 3.0;
/// Distance of the near plane as a share of that of the far one.
const NEAREST: f32 = 1e-4;

/// Corner of a quad.
#[derive(Clone, Copy)]
pub(in crate::render) struct Corner {
    foot: [f32; 3],
    size: [f32; 2],
    tile: [f32; 2],
    look: [f32; 2],
    turned: [f32; 4],
    corner: [f32; 2],
}
glium::implement_vertex!(Corner, foot, size, tile, look, turned, corner);

/// Plants drawn at once.
pub(in crate::render) struct Portion {
    pub(in crate::render) what: What,
    pub(in crate::render) range: Range<usize>,
    /// Pixels that they cover.
    pixels: f32,
}

/// Plants of a portion.
#[derive(Clone, Copy, PartialEq)]
pub(in crate::render) enum What {
    /// Impostors behind all models.
    Far,
    /// Instances of one model.
    Model(usize),
    /// Impostors among models.
    Near,
}

/// Impostors as quads.
pub(in crate::render) struct Quads {
    pub(in crate::render) corners: VertexBuffer<Corner>,
    pub(in crate::render) triangles: IndexBuffer<u16>,
}

/// Plants of a picture, ready to be drawn.
pub(in crate::render) struct PlantPicture {
    pub(in crate::render) quads: Quads,
    pub(in crate::render) stands: VertexBuffer<Stand>,
    /// In the order of drawing.
    pub(in crate::render) portions: Vec<Portion>,
    /// Distances of the near and the far plane for models; `None` without any.
    pub(in crate::render) depths: Option<(f32, f32)>,
    shadows: Shadows,
    /// Distances up to which all plants of each layer of the canopy are drawn, and the last one.
    single: [[f32; 2]; CHANNELS],
}

impl PlantPicture {
    /// Upload the plants of a view, and draw the shadows of those between two distances; `old` is an earlier picture.
    pub(super) fn new(
        context: &Rc<Context>,
        tools: &Tools,
        view: &PlantView,
        chosen: &Chosen,
        shaded: [f32; 2],
        (atlas, old): (&Atlas, Option<Self>),
    ) -> Result<Self> {
        let Chosen {
            sprites, models, ..
        } = chosen;
        let stands: Vec<_> = models.iter().map(stand).collect();
        let away = models.iter().map(|model| model.away).fold(0.0, f32::max);
        let behind = sprites.partition_point(|sprite| sprite.away >= away);
        let pixels = |at: usize| sprites[at].pixels(view.pixels_per_radian);
        // Depths among models depend on the corners, so those have whole quads; so do plants so close that corners may lie
        // behind the eye.
        let outlines: Vec<_> = (sprites[..behind].iter())
            .map(|sprite| {
                let level = sprite.level(view.pixels_per_radian);
                match sprite.away > CLOSE * sprite.height {
                    true => atlas.outline(sprite.tile).at_level(level),
                    false => Outline::WHOLE,
                }
            })
            .collect();
        let mut portions = Vec::new();
        add_sprites(&mut portions, What::Far, 0..behind, pixels);
        let model = |at: usize| (What::Model(models[at].model), PIXELS / MODELS as f32);
        add(&mut portions, 0..models.len(), MODELS, model);
        add_sprites(&mut portions, What::Near, behind..sprites.len(), pixels);
        let tallest = models.iter().map(|model| model.height).fold(0.0, f32::max);
        Ok(Self {
            quads: Quads::new(context, sprites, &outlines)?,
            stands: VertexBuffer::new(context, &stands).refused(WHAT)?,
            portions,
            depths: (!models.is_empty()).then(|| {
                let far = 1.1 * away + 2.0 * tallest;
                (NEAREST * far, far)
            }),
            shadows: Shadows::new(
                context,
                tools,
                (view, view.caster.as_ref()),
                &chosen.casts,
                shaded,
                atlas,
                old.map(|old| old.shadows),
            )?,
            single: [[0.0; 2]; CHANNELS],
        })
    }

    /// Set the distances of the layers of the canopy, see [`PlantView::single`].
    pub(super) fn with_single(self, single: [[f32; 2]; CHANNELS]) -> Self {
        Self { single, ..self }
    }

    /// True if there are no plants.
    pub(super) fn is_empty(&self) -> bool {
        self.portions.is_empty()
    }

    /// Uniforms of `common/plant_shadow.glsl`.
    pub(super) fn shadows(&self) -> impl Uniforms + '_ {
        self.shadows.uniforms(&self.single)
    }

    /// Plan the work: portions of quads and models.
    pub(in crate::render) fn plan(&self) -> Plan {
        plan(&self.portions)
    }

    /// Size in bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        (self.quads.bytes() + self.stands.len() * size_of::<Stand>()) as u64 + self.shadows.bytes()
    }
}

impl Quads {
    /// Upload the impostors of plants, the first ones with these outlines.
    pub(super) fn new(
        context: &Rc<Context>,
        sprites: &[Sprite],
        outlines: &[Outline],
    ) -> Result<Self> {
        let outlines = outlines.iter().chain(std::iter::repeat(&Outline::WHOLE));
        let all: Vec<_> = sprites.iter().zip(outlines).flat_map(corners).collect();
        let quad = |at: u16| [0, 1, 2, 0, 2, 3].map(|corner| 4 * at + corner);
        let quads: Vec<_> = (0..QUADS as u16).flat_map(quad).collect();
        let list = PrimitiveType::TrianglesList;
        Ok(Self {
            corners: VertexBuffer::new(context, &all).refused(WHAT)?,
            triangles: IndexBuffer::new(context, list, &quads).refused(WHAT)?,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.corners.len() * size_of::<Corner>()
    }
}

/// Plan the drawing of portions.
pub(super) fn plan(portions: &[Portion]) -> Plan {
    // Small enough not to be split into rectangles.
    let place = |portion: &Portion| {
        let pixels = portion.pixels + 32.0 * portion.range.len() as f32;
        rect([0, 0], (256, (pixels / 256.0).clamp(1.0, 255.0) as u32))
    };
    Plan {
        places: portions.iter().map(place).collect(),
        worth: PORTION,
    }
}

/// Add portions of a range of impostors, each of so many pixels.
pub(super) fn add_sprites(
    portions: &mut Vec<Portion>,
    what: What,
    range: Range<usize>,
    pixels: impl Fn(usize) -> f32,
) {
    add(portions, range, QUADS, |at| (what, pixels(at)));
}

/// Add portions of a range of plants, each of the same kind and at most so many at once.
fn add(
    portions: &mut Vec<Portion>,
    range: Range<usize>,
    most: usize,
    plant: impl Fn(usize) -> (What, f32),
) {
    for at in range {
        let (what, pixels) = plant(at);
        match portions.last_mut() {
            Some(last)
                if last.what == what
                    && last.range.len() < most
                    && last.pixels + pixels <= PIXELS =>
            {
                last.range.end = at + 1;
                last.pixels += pixels;
            }
            _ => portions.push(Portion {
                what,
                range: at..at + 1,
                pixels,
            }),
        }
    }
}

fn corners((sprite, outline): (&Sprite, &Outline)) -> [Corner; 4] {
    let Outline { bottom, top } = *outline;
    [[-bottom, -1.0], [bottom, -1.0], [top, 1.0], [-top, 1.0]].map(|corner| Corner {
        foot: sprite.foot.to_array(),
        size: [sprite.height, sprite.radius],
        tile: sprite.tile,
        look: [sprite.opacity, sprite.dice],
        turned: turned(&sprite.leaves),
        corner,
    })
}

fn stand(model: &Modelled) -> Stand {
    let (sine, cosine) = libm::sincosf(model.rotation);
    Stand {
        foot: model.foot.to_array(),
        pose: [model.height, cosine, sine],
        look: [model.opacity, model.dice],
        turned: turned(&model.leaves),
    }
}

/// Leaves as `common/plant_leaves.glsl` takes them.
fn turned(leaves: &Leaves) -> [f32; 4] {
    let [r, g, b] = leaves.turned;
    [r, g, b, leaves.share]
}

impl Sprite {
    /// The coarser of the two mipmaps that `plants.vert` mixes.
    fn level(&self, pixels_per_radian: f32) -> u32 {
        let middle = self.foot + Vec3::Y * (0.5 * self.height);
        let elevation = libm::asinf((-middle.y / middle.length()).clamp(0.0, 1.0));
        let [across, up] =
            half_sides(self.radius / self.height, elevation).map(|half| half * self.height);
        let pixel = self.away / pixels_per_radian;
        let texels =
            FILLED * FILLED * (TILE[0] * TILE[1]) as f32 * pixel * pixel / (4.0 * across * up);
        let level = 0.5 * libm::log2f(texels) + STEADY;
        (level.ceil().max(0.0) as u32).min(MIPMAPS as u32 - 1)
    }

    /// Pixels of its quad.
    pub(super) fn pixels(&self, pixels_per_radian: f32) -> f32 {
        let pixel = pixels_per_radian / self.away.max(1e-12);
        (2.0 * self.radius * self.height * pixel * pixel).min(PIXELS)
    }
}
