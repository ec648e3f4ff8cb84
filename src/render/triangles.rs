//! Render type `triangles`: the ground lit and coloured by height.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::{ClientFormat, MipmapsOption, RawImage1d, Texture1d, UncompressedFloatFormat};
use glium::uniform;
use glium::uniforms::{
    MagnifySamplerFilter, MinifySamplerFilter, Sampler, SamplerWrapFunction, Uniforms,
};

use crate::maps::colors::PALETTE_TEXELS;
use crate::scene::{Light, Shading};
use crate::texture::Palette;

use super::analysis;
use super::backdrop;
use super::ground::{Mesh, Seen, with_depth};
use super::height_texture::HeightTexture;
use super::normals::NormalMap;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::values::joined;
use super::{Refused, RenderError};

/// Detail of large maps: smoothly lit ones hide their coarse cells, flat ones do not. At the first,
/// 95 % of the pixels of smooth hills are within a pixel of where the whole mesh shows them.
pub(super) const DETAIL_SMOOTH: f32 = 3.6;
const DETAIL_FLAT: f32 = 6.0;

/// Draws `map` with its `normals`.
pub(super) fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    map: &HeightTexture,
    normals: &NormalMap,
) -> Result<DrawStats, RenderError> {
    backdrop::draw(pass, surface, &backdrop::DUSK)?;
    let flat = pass.scene.view.shading == Shading::Flat;
    let detail = if flat { DETAIL_FLAT } else { DETAIL_SMOOTH };
    let seen = Seen::new(pass, map, detail);
    let light = light(map, pass.palette, &pass.scene.light);
    let no_fog = uniform! { fog: [0.0_f32; 2], fog_color: [0.0_f32; 3] };
    seen.draw_skirt(pass, surface, Shader::Skirt, &joined!(light, no_fog))?;
    let shading = uniform! {
        normals: normals.sampled(),
        normal_map: normals.place,
        flat_shading: flat,
    };
    let visibilities = pass.visibilities.uniforms();
    let uniforms = joined!(light, visibilities, shading);
    let parameters = with_depth(pass);
    if analysis::marks_ground(pass.scene) {
        let colors = pass.analysis.uniforms(pass.scene);
        let lines = pass.analysis.line_uniforms(pass, map);
        let uniforms = joined!(uniforms, colors, lines);
        let shader = Shader::AnalysedTriangles;
        return seen.draw(
            pass,
            surface,
            Mesh::Triangles,
            shader,
            &uniforms,
            parameters,
        );
    }
    seen.draw(
        pass,
        surface,
        Mesh::Triangles,
        Shader::Triangles,
        &uniforms,
        parameters,
    )
}

/// What `common/light.glsl` needs.
pub(super) fn light<'a>(
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
pub(super) fn sampled_palette(palette: &Texture1d) -> Sampler<'_, Texture1d> {
    palette
        .sampled()
        .minify_filter(MinifySamplerFilter::Nearest)
        .magnify_filter(MagnifySamplerFilter::Nearest)
        .wrap_function(SamplerWrapFunction::Clamp)
}

/// From height to place in the palette: subtract the first, multiply by the second. A map
/// without relief has the colour of its lowest point.
pub(super) fn palette_scale((low, high): (f32, f32)) -> [f32; 2] {
    let span = high - low;
    [low, if span > 0.0 { span.recip() } else { 0.0 }]
}

/// A palette as a texture, lowest height first.
pub(super) fn upload_palette(
    context: &Rc<Context>,
    palette: &Palette,
) -> Result<Texture1d, RenderError> {
    let colors = palette.table(PALETTE_TEXELS).concat();
    upload_colors(context, colors, "the palette")
}

/// Colours as a texture, three bytes each.
pub(super) fn upload_colors(
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
