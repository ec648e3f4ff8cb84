//! A map's normals as a mipmapped texture: lighting that neither pops nor shimmers, however
//! coarse the mesh.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniform;
use glium::uniforms::Sampler;

use super::heights::HeightTexture;
use super::visibility::place;
use crate::render::error::RenderError;
use crate::render::gl::programs::Shader;
use crate::render::gl::{sampler, texture};
use crate::render::tools::Tools;
use crate::shading::material::MaterialNormals;
use crate::terrain::grid::Grid;

/// A map's normals, as `normals.frag` writes them.
pub(crate) struct NormalMap {
    texture: Texture2d,
    /// The way from a place in a tile, 0…1, to texture coordinates: scale, then offset.
    pub(crate) place: [f32; 4],
    wraps: bool,
}

impl NormalMap {
    /// Normals of `map`, at most `max_side` along a side, with how much of the ground snow hides.
    pub(crate) fn new(
        context: &Rc<Context>,
        tools: &Tools,
        map: &HeightTexture,
        snow: Option<&Grid<u8>>,
        max_side: i32,
    ) -> Result<Self, RenderError> {
        let layout = &map.layout;
        let mut thinning = 1;
        while layout.cells[0].max(layout.cells[1]) / thinning + 1 > max_side {
            thinning *= 2;
        }
        // A map that wraps has one texel a cell and repeats without a doubled one.
        let end = i32::from(!layout.wraps);
        let size = layout.cells.map(|cells| (cells / thinning + end).max(1));
        let [width, height] = size.map(|side| side as u32);
        let bare = Grid::filled(1, 1, 0);
        let snow = texture::of_bytes(context, snow.unwrap_or(&bare), "the snow")?;
        let uniforms = uniform! {
            snow_cover: snow.sampled(),
            heights: map.exact(),
            cells: layout.cells,
            thinning: thinning,
            spacing: layout.spacing,
            wraps: layout.wraps,
        };
        let format = UncompressedFloatFormat::U8U8U8U8;
        let level = tools.texture(context, format, (width, height), Shader::Normals, &uniforms)?;
        let texture = texture::with_mipmaps(context, level)?;
        let place: [[f32; 2]; 2] = [0, 1].map(|axis| {
            let texels = size[axis] as f32;
            let span = layout.cells[axis] as f32 / thinning as f32;
            [span / texels, 0.5 / texels]
        });
        Ok(Self {
            texture,
            place: [place[0][0], place[1][0], place[0][1], place[1][1]],
            wraps: layout.wraps,
        })
    }

    /// Normals by which materials lie, coded as those of `normals.frag`.
    pub(crate) fn of_materials(
        context: &Rc<Context>,
        normals: &MaterialNormals,
    ) -> Result<Self, RenderError> {
        let texels = normals.texels();
        Ok(Self {
            texture: texture::mipmapped(context, &texels, "the normals of materials")?,
            place: place(normals.span(), (texels.columns(), texels.rows())),
            wraps: normals.wraps(),
        })
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }

    /// The texture with its filters.
    pub(crate) fn sampled(&self) -> Sampler<'_, Texture2d> {
        sampler::smooth(&self.texture, self.wraps)
    }
}
