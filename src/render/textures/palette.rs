//! Colours by height as a texture.

use std::rc::Rc;

use glium::backend::Context;
use glium::texture::{ClientFormat, MipmapsOption, RawImage1d, Texture1d, UncompressedFloatFormat};
use glium::uniform;
use glium::uniforms::{Sampler, SamplerWrapFunction, Uniforms};

use super::heights::HeightTexture;
use crate::render::error::{Refused, RenderError};
use crate::render::gl::sampler;
use crate::scene::Light;
use crate::shading::texture::PALETTE_TEXELS;
use crate::shading::texture::Palette;

/// What `common/light.glsl` needs.
pub(crate) fn light<'a>(
    map: &HeightTexture,
    palette: &'a Texture1d,
    light: &Light,
) -> impl Uniforms + 'a {
    uniform! {
        palette: sampled_palette(palette),
        height_range: palette_scale(map.range),
        light_direction: light.direction().to_array(),
        ambient: light.ambient,
    }
}

/// A palette as it is looked up: between the first and the last colour, never mixed.
pub(crate) fn sampled_palette(palette: &Texture1d) -> Sampler<'_, Texture1d> {
    sampler::exact(palette.sampled()).wrap_function(SamplerWrapFunction::Clamp)
}

/// What makes a height a place in the palette: subtract the first number, multiply by the second.
/// A map without relief has the colour of its lowest point.
pub(crate) fn palette_scale((low, high): (f32, f32)) -> [f32; 2] {
    let span = high - low;
    [low, if span > 0.0 { span.recip() } else { 0.0 }]
}

/// A palette as a texture, lowest height first.
pub(crate) fn upload_palette(
    context: &Rc<Context>,
    palette: &Palette,
) -> Result<Texture1d, RenderError> {
    let colors = palette.table(PALETTE_TEXELS).concat();
    upload_colors(context, colors, "the palette")
}

/// Colours as a texture, three bytes each.
pub(crate) fn upload_colors(
    context: &Rc<Context>,
    colors: Vec<u8>,
    what: &'static str,
) -> Result<Texture1d, RenderError> {
    let image = RawImage1d {
        width: (colors.len() / 3) as u32,
        data: colors.into(),
        format: ClientFormat::U8U8U8,
    };
    Texture1d::with_format(
        context,
        image,
        UncompressedFloatFormat::U8U8U8U8,
        MipmapsOption::NoMipmap,
    )
    .refused(what)
}
