//! Heights of the ground with the crowns of its plants, as rivers and lakes mirror them.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, MipmapsOption, RawImage2d, Texture2d, UncompressedFloatFormat};
use glium::uniform;
use glium::uniforms::Uniforms;

use crate::plants::CanopyMap;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::{sampler, texture};
use crate::terrain::heightmap::Heightmap;

const WHAT: &str = "the crowns that water mirrors";

/// Heights on the graphics card, one texel for each of the canopy. Water looks them up at every step of a mirrored ray, so
/// that woods cost it nothing.
pub(crate) struct WoodedHeights {
    texture: Texture2d,
    /// Share of the tile's side from texel to texel, along x and z.
    fraction: [f32; 2],
}

impl WoodedHeights {
    /// Upload the heights of a ground with this canopy.
    pub(crate) fn new(
        context: &Rc<Context>,
        ground: &Heightmap,
        canopy: &CanopyMap,
    ) -> Result<Self, RenderError> {
        let heights = canopy.heights_on(ground);
        let (columns, rows) = (heights.columns(), heights.rows());
        let image = RawImage2d {
            data: heights.as_slice().into(),
            width: columns as u32,
            height: rows as u32,
            format: ClientFormat::F32,
        };
        let (format, single) = (UncompressedFloatFormat::F32, MipmapsOption::NoMipmap);
        Ok(Self {
            texture: Texture2d::with_format(context, image, format, single).refused(WHAT)?,
            fraction: [columns, rows].map(|count| ((count - 1).max(1) as f32).recip()),
        })
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }

    /// Uniforms of `rivers.frag`, in place of those of the bare ground.
    pub(crate) fn uniforms(&self) -> impl Uniforms + '_ {
        uniform! {
            ground_heights: sampler::mixed(self.texture.sampled()),
            cell_fraction: self.fraction,
        }
    }
}
