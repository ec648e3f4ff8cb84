//! Windows on the graphics card: side by side in one texture.

use std::rc::Rc;

use glium::Rect;
use glium::backend::Context;
use glium::texture::{
    ClientFormat, MipmapsOption, PixelValue, RawImage2d, Texture2d, UncompressedFloatFormat,
};
use glium::uniforms::{Sampler, UniformValue, Uniforms};

use super::place::{REACH, SIDE};
use crate::render::error::{Refused, RenderError};
use crate::render::gl::{sampler, texture};
use crate::render::planes::Near;

/// Windows beside each other.
const ACROSS: u32 = 4;
/// Texels of a window's side.
const TEXELS: u32 = SIDE as u32 + 1;

/// What a texture of windows holds of each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Its normal, and what it sees of sun and sky.
    Light,
    /// Its height above the datum of its window.
    Heights,
}

/// What is written of a window.
pub(super) enum Texels<'a> {
    Light(&'a [[u8; 4]]),
    Heights(&'a [f32]),
}

/// The texture of all windows, each in the slot of its level.
pub(super) struct Atlas {
    texture: Texture2d,
    holds: Holds,
    slots: u32,
}

impl Atlas {
    /// One of at least so many slots, with nothing in them.
    pub(super) fn new(
        context: &Rc<Context>,
        holds: Holds,
        slots: u32,
    ) -> Result<Self, RenderError> {
        let down = slots.div_ceil(ACROSS);
        let size = (ACROSS * TEXELS, down * TEXELS);
        let format = match holds {
            Holds::Light => UncompressedFloatFormat::U8U8U8U8,
            Holds::Heights => UncompressedFloatFormat::F32,
        };
        Ok(Self {
            texture: texture::empty(context, format, size, "the levels below the ground")?,
            holds,
            slots: down * ACROSS,
        })
    }

    /// What it holds.
    pub(super) fn holds(&self) -> Holds {
        self.holds
    }

    /// Whether it is one that holds that, of at least so many slots.
    pub(super) fn serves(&self, holds: Holds, slots: u32) -> bool {
        self.holds == holds && self.slots >= slots
    }

    /// Writes a window of so many rows and columns.
    pub(super) fn write(&self, slot: u32, texels: Texels<'_>, [rows, columns]: [usize; 2]) {
        let [left, bottom] = corner(slot);
        let rect = Rect {
            left,
            bottom,
            width: columns as u32,
            height: rows as u32,
        };
        match texels {
            Texels::Light(texels) => {
                let data = texels.as_flattened();
                self.texture
                    .write(rect, image(data, rect, ClientFormat::U8U8U8U8));
            }
            Texels::Heights(heights) => {
                self.texture
                    .write(rect, image(heights, rect, ClientFormat::F32));
            }
        }
    }

    /// A sampler of single texels.
    pub(super) fn exact(&self) -> Sampler<'_, Texture2d> {
        sampler::exact(self.texture.sampled())
    }

    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }
}

/// Texels for a rectangle.
fn image<T: PixelValue>(data: &[T], rect: Rect, format: ClientFormat) -> RawImage2d<'_, T> {
    RawImage2d {
        data: data.into(),
        width: rect.width,
        height: rect.height,
        format,
    }
}

/// Where a slot begins.
pub(super) fn corner(slot: u32) -> [u32; 2] {
    [slot % ACROSS * TEXELS, slot / ACROSS * TEXELS]
}

/// Where the windows of a picture lie, for `common/windows.glsl`.
pub(crate) struct Places {
    /// A texel for each window, the finest first: the eye in cells, and the last cell; below it the
    /// slot and cells in a half tile.
    texture: Texture2d,
    count: i32,
    /// The size of the finest one's cells in half tiles, and how many around the eye each has in any
    /// case: powers of two.
    finest: f32,
    reach: f32,
    /// The least side of a cell at distance 1, as a power of two.
    cell: f32,
}

impl Places {
    /// Those of these windows, the finest first, in the slots that are told.
    pub(super) fn new(
        context: &Rc<Context>,
        windows: &[(u32, Near<'_>)],
        cell: f64,
    ) -> Result<Self, RenderError> {
        let last = |count: usize| (count - 1) as f32;
        let eyes = windows.iter().map(|(_, near)| {
            let [x, z] = near.eye;
            [
                x as f32,
                z as f32,
                last(near.samples[0]),
                last(near.samples[1]),
            ]
        });
        let slots = windows.iter().map(|(slot, near)| {
            let [x, z] = corner(*slot);
            [x as f32, z as f32, near.spacing.recip() as f32, 0.0]
        });
        let texels: Vec<[f32; 4]> = eyes.chain(slots).collect();
        let image = RawImage2d {
            data: texels.as_flattened().into(),
            width: windows.len() as u32,
            height: 2,
            format: ClientFormat::F32F32F32F32,
        };
        let format = UncompressedFloatFormat::F32F32F32F32;
        let texture = Texture2d::with_format(context, image, format, MipmapsOption::NoMipmap);
        let finest = windows.first().map_or(1.0, |(_, near)| near.spacing);
        Ok(Self {
            texture: texture.refused("where the levels below the ground lie")?,
            count: windows.len() as i32,
            finest: finest.log2() as f32,
            reach: (REACH as f32 - 2.0).log2(),
            cell: cell.log2() as f32,
        })
    }
}

/// The windows that a picture shows, for shaders; nothing if there are none.
pub(super) struct Shown<'a>(pub(super) Option<(&'a Atlas, &'a Places)>);

impl Uniforms for Shown<'_> {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        let Some((atlas, places)) = self.0 else {
            return;
        };
        let texture = |sampler: Sampler<'a, Texture2d>| {
            let Sampler(texture, behavior) = sampler;
            UniformValue::Texture2d(texture, Some(behavior))
        };
        visit("windows", texture(sampler::mixed(atlas.texture.sampled())));
        visit(
            "window_places",
            texture(sampler::exact(places.texture.sampled())),
        );
        visit("window_count", UniformValue::SignedInt(places.count));
        visit("finest_window", UniformValue::Float(places.finest));
        visit("least_cell", UniformValue::Float(places.cell));
        visit("window_reach", UniformValue::Float(places.reach));
    }
}
