//! Texture baking (Martz 1996): the finer map, lit and drawn from straight above in parallel projection, is
//! kept as a texture, and the map itself is dropped.

use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::{Texture2d, UncompressedFloatFormat};
use glium::uniforms::Sampler;
use glium::{CapabilitiesSource, DrawParameters, uniform};

use crate::render::error::{Refused, RenderError};
use crate::render::gl::programs::Shader;
use crate::render::gl::sampler::{magnify, smooth};
use crate::render::gl::texture;
use crate::render::gl::values::{Values, joined};
use crate::render::ground::Seen;
use crate::render::meshes::patch::CellPart;
use crate::render::pass::Pass;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::palette::light;
use crate::render::types::sea;
use crate::scene::Filter;
use crate::shading::maps::colors;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;

/// A baked texture, row 0 north.
pub(crate) struct BakedTexture {
    texture: Texture2d,
    /// Sides of the tile along x and z, in half tiles.
    pub(crate) side: [f32; 2],
    wraps: bool,
}

impl BakedTexture {
    /// Bake `map` with the pass's light and palette.
    pub(crate) fn bake(pass: &Pass<'_>, map: &Heightmap) -> Result<Self, RenderError> {
        let heights = HeightTexture::new(pass.context, map)?;
        let layout = heights.layout;
        let driver_side = pass.context.get_capabilities().max_texture_size;
        let cells = layout.cells.map(|cells| cells as usize);
        let size = colors::size(cells, driver_side as usize);
        let [width, height] = size.map(|texels| texels as u32);
        let texture = texture::empty(
            pass.context,
            UncompressedFloatFormat::U8U8U8U8,
            (width, height),
            "the baked texture",
        )?;
        let mut surface =
            SimpleFrameBuffer::new(pass.context, &texture).refused("the baked texture")?;
        let light = light(&heights, pass.palette, &pass.scene.light);
        let lying = pass.covers.uniforms(|color| color);
        let mut draw = |shader, uniforms: &Values<'_>| {
            Seen::from_above(&heights).draw(
                pass,
                &mut surface,
                CellPart::Faces,
                shader,
                uniforms,
                DrawParameters::default(),
            )
        };
        match pass.rivers {
            Some(rivers) => {
                let rivers = rivers.uniforms();
                let own = uniform! {
                    water_color: colors::water_color(pass.scene.water.color),
                    texel: (width as f32).recip(),
                };
                draw(Shader::RiverBake, &joined!(light, lying, rivers, own))?
            }
            None => draw(Shader::Bake, &joined!(light, lying))?,
        };
        sea::bake(pass, &mut surface, &heights)?;
        // Free the map first, since the next step needs memory.
        drop(heights);
        Ok(Self {
            texture: texture::with_mipmaps(pass.context, texture)?,
            side: layout.side,
            wraps: layout.wraps,
        })
    }

    /// Sampler with the given magnification filter; repeats if the texture wraps or is shown on several
    /// tiles.
    pub(crate) fn sampled(&self, filter: Filter, tiles: u32) -> Sampler<'_, Texture2d> {
        smooth(&self.texture, self.wraps || tiles > 1).magnify_filter(magnify(filter))
    }

    /// Size in bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        texture::bytes(&self.texture, 4)
    }

    /// Read the texels, north first.
    pub(crate) fn read(&self) -> Grid<[u8; 3]> {
        texture::read(&self.texture)
    }
}
