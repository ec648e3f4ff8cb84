//! Impostors of all kinds of a scene, side by side in two textures, and their models.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, MipmapsOption, Texture2d, UncompressedFloatFormat};
use glium::uniform;
use glium::uniforms::{MinifySamplerFilter, Uniforms};

use super::models::Models;
use crate::plants::impostor::{ELEVATIONS, FILLED, ImpostorSheet, MIPMAPS, Outline, TILE};
use crate::plants::models::VARIANTS;
use crate::render::error::{Refused, Result};
use crate::render::gl::sampler::smooth;
use crate::render::gl::texture;
use crate::render::view::rect;
use crate::scene::PlantKind;

const WHAT: &str = "the impostors of plants";

/// Textures of the impostors of some kinds, one sheet a kind.
pub(in crate::render) struct Atlas {
    colors: Texture2d,
    normals: Texture2d,
    /// Outlines of the views, by column and row.
    outlines: Vec<[Outline; ELEVATIONS.len()]>,
    /// Models of the same kinds.
    pub(in crate::render) models: Models,
}

impl Atlas {
    /// Render the impostors of these kinds: some tens of milliseconds each.
    pub(super) fn new(context: &Rc<Context>, kinds: &[PlantKind]) -> Result<Self> {
        let sheet = [
            TILE[0] as u32 * VARIANTS,
            (TILE[1] * ELEVATIONS.len()) as u32,
        ];
        let empty = || {
            let mipmaps = MipmapsOption::EmptyMipmapsMax(MIPMAPS as u32 - 1);
            let format = UncompressedFloatFormat::U8U8U8U8;
            let width = sheet[0] * kinds.len() as u32;
            Texture2d::empty_with_format(context, format, mipmaps, width, sheet[1]).refused(WHAT)
        };
        let mut atlas = Self {
            outlines: Vec::new(),
            colors: empty()?,
            normals: empty()?,
            models: Models::new(context, kinds)?,
        };
        for (at, kind) in (0..).zip(kinds) {
            let sheet = ImpostorSheet::new(*kind);
            atlas.outlines.extend((0..VARIANTS as usize).map(|column| {
                std::array::from_fn(|row| sheet.outlines[row * VARIANTS as usize + column])
            }));
            for (level, made) in (0..).zip(&sheet.levels) {
                let size = (made.size[0] as u32, made.size[1] as u32);
                let place = rect([at * size.0, 0], size);
                let textures = [
                    (&atlas.colors, &made.colors),
                    (&atlas.normals, &made.normals),
                ];
                for (texture, texels) in textures {
                    let image = texture::image(texels.as_flattened(), size, ClientFormat::U8U8U8U8);
                    let mipmap = texture.mipmap(level).ok_or("no mipmap").refused(WHAT)?;
                    mipmap.write(place, image);
                }
            }
        }
        Ok(atlas)
    }

    /// Outline of the view in a column and row.
    pub(super) fn outline(&self, [column, row]: [f32; 2]) -> Outline {
        self.outlines[column as usize][row as usize]
    }

    /// Uniforms of `plants.vert` and `plants.frag`.
    pub(in crate::render) fn uniforms(&self) -> impl Uniforms + '_ {
        let tiles = [
            self.colors.width() as f32 / TILE[0] as f32,
            ELEVATIONS.len() as f32,
        ];
        uniform! {
            plant_colors: smooth(&self.colors, false),
            plant_normals: smooth(&self.normals, false)
                .minify_filter(MinifySamplerFilter::LinearMipmapNearest),
            plant_tile: tiles.map(f32::recip),
            plant_filled: FILLED,
            plant_texels: [FILLED * TILE[0] as f32, FILLED * TILE[1] as f32],
            plant_levels: MIPMAPS as f32 - 1.0,
        }
    }

    /// Size in bytes on the graphics card.
    pub(super) fn bytes(&self) -> u64 {
        texture::bytes(&self.colors, 8)
    }
}
