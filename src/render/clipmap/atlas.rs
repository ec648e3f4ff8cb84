//! Texture atlas of the geometry clipmap: all levels, packed into two textures for each of their contents.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, MipmapsOption, PixelValue, Texture2d, UncompressedFloatFormat};
use glium::uniforms::{Sampler, UniformValue, Uniforms};

use super::window::{REACH, SIDE};
use crate::pipeline::MOST_LEVELS_SHOWN;
use crate::render::error::{Refused, Result};
use crate::render::gl::texture::image;
use crate::render::gl::{sampler, texture};
use crate::render::meshes::BLOCK;
use crate::render::raycast::Near;
use crate::render::view::rect;

/// Number of levels side by side in a texture.
const ACROSS: u32 = 2;
/// Maximum number of rows per texture.
const MOST_ROWS: u32 = MOST_LEVELS_SHOWN.div_ceil(2).div_ceil(ACROSS);
/// Width of the texture of level positions. Constant, and not a power of two, since drivers compile other
/// programs for those.
const WINDOWS: usize = MOST_LEVELS_SHOWN as usize + 1;
/// Texels along the side of a level's slot.
const TEXELS: u32 = SIDE as u32 + 1;

/// Contents of the atlas per sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holds {
    /// Normal, sun visibility and sky visibility: for shading.
    pub(crate) light: bool,
    /// Height above the datum of the level's window: for drawing patches.
    pub(crate) heights: bool,
}

impl Holds {
    /// Cells that a window has beyond those used around the eye: the ray caster looks at corners of cells, and
    /// patches end at multiples of their size.
    pub(super) fn margin(self) -> i64 {
        if self.heights { 2 * BLOCK as i64 } else { 4 }
    }
}

/// Textures with a slot per clipmap level; even and odd slots alternate between two textures.
///
/// A pixel blends two adjacent levels, so it reads each texture once. Half-size textures also matter because
/// software drivers clear a new texture (0.7 ms per megabyte) and block events meanwhile.
pub(super) struct Atlas {
    light: Option<Pair>,
    heights: Option<Pair>,
    pub(super) holds: Holds,
}

type Pair = [Texture2d; 2];

const LIGHT: UncompressedFloatFormat = UncompressedFloatFormat::U8U8U8U8;
const HEIGHTS: UncompressedFloatFormat = UncompressedFloatFormat::F32;

/// Index of the texture of a slot.
pub(super) fn half_of(slot: u32) -> usize {
    slot as usize % 2
}

/// Rows of one of the textures for a number of slots. They grow in powers of two, so that reallocation is rare.
fn rows(half: usize, slots: u32) -> u32 {
    let slots = [slots.div_ceil(2), slots / 2][half];
    slots.div_ceil(ACROSS).next_power_of_two().min(MOST_ROWS)
}

impl Atlas {
    /// Create an atlas for a number of slots, all empty.
    pub(super) fn new(context: &Rc<Context>, holds: Holds, slots: u32) -> Result<Self> {
        let pair = |format| -> Result<Pair> {
            let texture = |half| texture(context, format, rows(half, slots));
            Ok([texture(0)?, texture(1)?])
        };
        Ok(Self {
            light: holds.light.then(|| pair(LIGHT)).transpose()?,
            heights: holds.heights.then(|| pair(HEIGHTS)).transpose()?,
            holds,
        })
    }

    /// Reallocate one texture if it has too few slots; its contents are lost. Returns the texture.
    pub(super) fn grow(&mut self, context: &Rc<Context>, slots: u32) -> Result<Option<usize>> {
        let pairs = [(&mut self.light, LIGHT), (&mut self.heights, HEIGHTS)];
        for (pair, format) in pairs {
            for (half, old) in pair.iter_mut().flatten().enumerate() {
                let rows = rows(half, slots);
                if old.height() < rows * TEXELS {
                    *old = texture(context, format, rows)?;
                    return Ok(Some(half));
                }
            }
        }
        Ok(None)
    }

    /// Upload the shading of a level's window of the given rows and columns.
    pub(super) fn write_light(&self, slot: u32, texels: &[[u8; 4]], size: [usize; 2]) {
        let (format, texels) = (ClientFormat::U8U8U8U8, texels.as_flattened());
        write(self.light.as_ref(), slot, texels, size, format);
    }

    /// Upload the heights of a level's window of the given rows and columns.
    pub(super) fn write_heights(&self, slot: u32, heights: &[f32], size: [usize; 2]) {
        write(
            self.heights.as_ref(),
            slot,
            heights,
            size,
            ClientFormat::F32,
        );
    }

    /// Unfiltered sampler of the heights with a slot, if they are held.
    pub(super) fn heights(&self, slot: u32) -> Option<Sampler<'_, Texture2d>> {
        let heights = self.heights.as_ref()?;
        Some(sampler::exact(heights[half_of(slot)].sampled()))
    }

    pub(super) fn bytes(&self) -> u64 {
        let pairs = self.light.iter().chain(&self.heights);
        pairs.flatten().map(|it| texture::bytes(it, 4)).sum()
    }
}

/// Upload texels into a slot of a pair of textures, if there is one.
fn write<T: PixelValue>(
    pair: Option<&Pair>,
    slot: u32,
    texels: &[T],
    [rows, columns]: [usize; 2],
    format: ClientFormat,
) {
    let size = (columns as u32, rows as u32);
    if let Some(pair) = pair {
        let image = image(texels, size, format);
        pair[half_of(slot)].write(rect(corner(slot), size), image);
    }
}

/// Create a texture of this many rows of slots.
fn texture(context: &Rc<Context>, format: UncompressedFloatFormat, rows: u32) -> Result<Texture2d> {
    let size = (ACROSS * TEXELS, rows * TEXELS);
    texture::empty(context, format, size, "the levels below the ground")
}

/// Position of a slot's first texel in its texture.
pub(super) fn corner(slot: u32) -> [u32; 2] {
    let place = slot / 2;
    [place % ACROSS * TEXELS, place / ACROSS * TEXELS]
}

/// Positions of the clipmap levels of a picture, for `common/windows.glsl`.
pub(crate) struct Places {
    /// One column per level, the finest first. First row: the eye in cells, and the last cell. Second row:
    /// the slot, and cells per half tile.
    texture: Texture2d,
    count: i32,
    /// Size of the finest level's cells in half tiles, and the guaranteed number of cells around the eye,
    /// both as base-2 logarithms.
    finest: f32,
    reach: f32,
    /// Minimum side of a cell at distance 1, as a base-2 logarithm.
    cell: f32,
}

impl Places {
    /// Upload the positions of these levels, the finest first, with their slots.
    pub(super) fn new(
        context: &Rc<Context>,
        windows: &[(u32, Near<'_>)],
        cell: f64,
    ) -> Result<Self> {
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
        let line = |texels: &mut dyn Iterator<Item = [f32; 4]>| {
            let mut line = [[0.0; 4]; WINDOWS];
            line.iter_mut()
                .zip(texels)
                .for_each(|(to, texel)| *to = texel);
            line
        };
        let texels = [line(&mut { eyes }), line(&mut { slots })];
        let (data, size) = (texels.as_flattened().as_flattened(), (WINDOWS as u32, 2));
        let image = image(data, size, ClientFormat::F32F32F32F32);
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

/// Uniforms of the levels in a picture, and if all of them have the present light; empty without levels.
pub(super) struct Shown<'a>(pub(super) Option<(&'a Atlas, &'a Places, bool)>);

impl Uniforms for Shown<'_> {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        let Some((pair, places, are_lit)) = self.0.and_then(|(atlas, places, are_lit)| {
            let pair = atlas.light.as_ref()?;
            Some((pair, places, are_lit))
        }) else {
            return;
        };
        let texture = |sampler: Sampler<'a, Texture2d>| {
            let Sampler(texture, behavior) = sampler;
            UniformValue::Texture2d(texture, Some(behavior))
        };
        let [even, odd] = pair;
        visit("even_windows", texture(sampler::mixed(even.sampled())));
        visit("odd_windows", texture(sampler::mixed(odd.sampled())));
        visit(
            "window_places",
            texture(sampler::exact(places.texture.sampled())),
        );
        visit("window_count", UniformValue::SignedInt(places.count));
        visit("finest_window", UniformValue::Float(places.finest));
        visit("least_cell", UniformValue::Float(places.cell));
        visit("window_reach", UniformValue::Float(places.reach));
        visit("windows_are_lit", UniformValue::Float(f32::from(are_lit)));
    }
}
