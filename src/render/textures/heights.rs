//! A height map on the GPU: one R32F texture, and how high and low each block of it reaches.

use std::borrow::Cow;
use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::uniforms::Sampler;
use glium::{CapabilitiesSource, Rect};

use crate::terrain::heightmap::Heightmap;
use crate::util::numbers::{EMPTY_RANGE, range, thinning};
use crate::util::parallel;

use crate::render::error::RenderError;
use crate::render::gl::{sampler, texture};
use crate::render::meshes::BLOCK;

/// Longest side of the texture: a larger map is thinned to every second, fourth … sample,
/// which for a fractal of 2^n cells is the map of fewer iterations, bit for bit.
pub(crate) const MAX_SIDE: usize = 4097;
/// Rows uploaded at once: no second copy of a large map is ever made.
const BAND_ROWS: usize = 64;

/// A map on the GPU.
pub(crate) struct HeightTexture {
    /// One texel a sample, row 0 is north.
    pub(crate) texture: Texture2d,
    /// Lowest and highest height of the whole map, thinned or not.
    pub(crate) range: (f32, f32),
    /// How samples lie in the world.
    pub(crate) layout: Layout,
    /// Whether it has not all samples of the map.
    pub(crate) is_thinned: bool,
    /// Height ranges of blocks: first those of `BLOCK` cells, then of twice as many, ….
    levels: Vec<Level>,
}

/// How a texture's samples lie in a tile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    /// Cells of the texture along x and z: one fewer than samples.
    pub(crate) cells: [i32; 2],
    /// Part of the tile's side that one cell of the texture covers, along x and z. The last
    /// cell of a thinned map may be shorter.
    pub(crate) fraction: [f32; 2],
    /// Sides of the tile along x and z, in half tiles.
    pub(crate) side: [f32; 2],
    /// Distance between neighbouring texels, in half tiles.
    pub(crate) spacing: f32,
    /// Whether opposite edges are equal.
    pub(crate) wraps: bool,
}

struct Level {
    columns: usize,
    ranges: Vec<(f32, f32)>,
}

impl HeightTexture {
    /// Uploads `map`.
    pub(crate) fn new(context: &Rc<Context>, map: &Heightmap) -> Result<Self, RenderError> {
        let driver_side = context.get_capabilities().max_texture_size.max(2) as usize;
        let step = thinning(map.rows().max(map.columns()), MAX_SIDE.min(driver_side));
        let thinned = |count: usize| (count - 1).div_ceil(step) + 1;
        let (rows, columns) = (thinned(map.rows()), thinned(map.columns()));
        let texture = texture::empty(
            context,
            UncompressedFloatFormat::F32,
            (columns as u32, rows as u32),
            "the height texture",
        )?;
        write(&texture, map, step);
        let levels = levels(map, step, rows, columns);
        let last = levels.last().map_or(&[][..], |level| &level.ranges);
        let range = if step == 1 {
            last.iter().copied().reduce(join).unwrap_or((0.0, 0.0))
        } else {
            let parts = parallel::par_items(map.heights().chunks(1 << 16));
            let ranges = parts.map(|_, heights| range(heights)).into_iter();
            ranges.reduce(join).unwrap_or((0.0, 0.0))
        };
        let fraction = |count: usize| step as f32 / (count - 1).max(1) as f32;
        let side = |count: usize| (count - 1) as f32 * map.spacing();
        Ok(Self {
            texture,
            range,
            layout: Layout {
                cells: [columns as i32 - 1, rows as i32 - 1],
                fraction: [fraction(map.columns()), fraction(map.rows())],
                side: [side(map.columns()), side(map.rows())],
                spacing: map.spacing() * step as f32,
                wraps: map.wraps(),
            },
            is_thinned: step > 1,
            levels,
        })
    }

    /// A sampler of single texels.
    pub(crate) fn exact(&self) -> Sampler<'_, Texture2d> {
        sampler::exact(self.texture.sampled())
    }

    /// A sampler that mixes texels, up to the border.
    pub(crate) fn mixed(&self) -> Sampler<'_, Texture2d> {
        sampler::mixed(self.texture.sampled())
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }

    /// Lowest and highest height of the cells from `first` to `last` (texels, both included)
    /// along x and z, or of a little more.
    pub(crate) fn range_between(&self, first: [i32; 2], last: [i32; 2]) -> (f32, f32) {
        let span = (last[0] - first[0]).max(last[1] - first[1]).max(1) as usize;
        // Blocks of at least the asked size: no more than two by two of them are touched.
        let level = span.div_ceil(BLOCK).next_power_of_two().trailing_zeros() as usize;
        let level = level.min(self.levels.len() - 1);
        let Level { columns, ranges } = &self.levels[level];
        let block =
            |index: i32, count: usize| (index.max(0) as usize / (BLOCK << level)).min(count - 1);
        let rows = ranges.len() / columns;
        let mut range = EMPTY_RANGE;
        for row in block(first[1], rows)..=block(last[1], rows) {
            for column in block(first[0], *columns)..=block(last[0], *columns) {
                range = join(range, ranges[row * columns + column]);
            }
        }
        range
    }
}

/// Writes every `step`-th sample of `map`, band by band.
fn write(texture: &Texture2d, map: &Heightmap, step: usize) {
    let (rows, columns) = (texture.height() as usize, texture.width() as usize);
    let mut band = Vec::new();
    for first in (0..rows).step_by(BAND_ROWS) {
        let count = BAND_ROWS.min(rows - first);
        let data = if step == 1 {
            Cow::Borrowed(&map.heights()[first * columns..][..count * columns])
        } else {
            band.clear();
            for row in first..first + count {
                let row = map.row((row * step).min(map.rows() - 1));
                band.extend((0..columns).map(|i| row[(i * step).min(row.len() - 1)]));
            }
            Cow::Borrowed(&band[..])
        };
        let rect = Rect {
            left: 0,
            bottom: first as u32,
            width: columns as u32,
            height: count as u32,
        };
        let image = RawImage2d {
            data,
            width: rect.width,
            height: rect.height,
            format: ClientFormat::F32,
        };
        texture.write(rect, image);
    }
}

/// Ranges of all blocks, level after level up to a single block.
fn levels(map: &Heightmap, step: usize, rows: usize, columns: usize) -> Vec<Level> {
    let blocks = |samples: usize| (samples - 1).div_ceil(BLOCK).max(1);
    let (block_rows, block_columns) = (blocks(rows), blocks(columns));
    let mut ranges = vec![EMPTY_RANGE; block_rows * block_columns];
    parallel::par_items(ranges.chunks_mut(block_columns)).for_each(|block_row, ranges| {
        // Down the columns first, side by side: the compiler makes vectors of it.
        let mut low = vec![f32::INFINITY; columns];
        let mut high = vec![f32::NEG_INFINITY; columns];
        for row in block_row * BLOCK..=((block_row + 1) * BLOCK).min(rows - 1) {
            let row = map.row((row * step).min(map.rows() - 1));
            if step == 1 {
                let bounds = low.iter_mut().zip(high.iter_mut());
                for ((low, high), h) in bounds.zip(row) {
                    *low = if *h < *low { *h } else { *low };
                    *high = if *h > *high { *h } else { *high };
                }
            } else {
                for (i, (low, high)) in low.iter_mut().zip(high.iter_mut()).enumerate() {
                    let h = row[(i * step).min(row.len() - 1)];
                    *low = low.min(h);
                    *high = high.max(h);
                }
            }
        }
        for (block, within) in ranges.iter_mut().enumerate() {
            let cells = block * BLOCK..=((block + 1) * BLOCK).min(columns - 1);
            *within = (range(&low[cells.clone()]).0, range(&high[cells]).1);
        }
    });
    let mut levels = vec![Level {
        columns: block_columns,
        ranges,
    }];
    while let Some(fine) = levels.last().filter(|level| level.ranges.len() > 1) {
        levels.push(halved(fine));
    }
    levels
}

fn halved(fine: &Level) -> Level {
    let (rows, columns) = (fine.ranges.len() / fine.columns, fine.columns);
    let coarse_columns = columns.div_ceil(2);
    let mut ranges = vec![EMPTY_RANGE; rows.div_ceil(2) * coarse_columns];
    for row in 0..rows {
        for column in 0..columns {
            let coarse = &mut ranges[row / 2 * coarse_columns + column / 2];
            *coarse = join(*coarse, fine.ranges[row * columns + column]);
        }
    }
    Level {
        columns: coarse_columns,
        ranges,
    }
}

fn join(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    (a.0.min(b.0), a.1.max(b.1))
}
