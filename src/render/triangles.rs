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
use super::course::{Layer, Plan};
use super::ground::{Mesh, Seen, with_depth};
use super::height_texture::HeightTexture;
use super::normals::NormalMap;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::spans::Span;
use super::subject::Subject;
use super::target::Target;
use super::values::joined;
use super::{Refused, RenderError};

/// Detail of large maps: smoothly lit ones hide their coarse cells, flat ones do not. At the first,
/// 95 % of the pixels of smooth hills are within a pixel of where the whole mesh shows them.
pub(super) const DETAIL_SMOOTH: f32 = 3.6;
const DETAIL_FLAT: f32 = 6.0;
/// A patch takes about as long as so many pixels of the background.
const PATCH: u64 = 300_000;

/// A map and its normals.
pub(super) struct Triangles<'a> {
    map: &'a HeightTexture,
    normals: &'a NormalMap,
}

impl<'a> Triangles<'a> {
    /// `None` if one of them is not there yet.
    pub(super) fn new(
        map: Option<&'a HeightTexture>,
        normals: Option<&'a NormalMap>,
    ) -> Option<Self> {
        let (map, normals) = (map?, normals?);
        Some(Self { map, normals })
    }

    fn seen(&self, pass: &Pass<'_>) -> Seen<'a> {
        let detail = match pass.scene.view.shading {
            Shading::Flat => DETAIL_FLAT,
            Shading::Smooth => DETAIL_SMOOTH,
        };
        Seen::new(pass, self.map, detail)
    }
}

impl Subject for Triangles<'_> {
    fn below(&self, _pass: &Pass<'_>) -> Vec<Layer> {
        vec![Layer::Ground]
    }

    fn plan(&self, pass: &Pass<'_>, layer: Layer) -> Plan {
        self.seen(pass).plan(layer, &pass.frame, PATCH)
    }

    fn clear(&self, pass: &Pass<'_>, target: &Target, _layer: Layer) -> Result<(), RenderError> {
        backdrop::clear(pass, &mut target.surface(pass.context)?, Some(1.0));
        Ok(())
    }

    fn draw_below(
        &self,
        pass: &Pass<'_>,
        target: &Target,
        _layer: Layer,
        span: Span,
    ) -> Result<DrawStats, RenderError> {
        let mut surface = target.surface(pass.context)?;
        let seen = self.seen(pass).only(span);
        let light = light(self.map, pass.palette, &pass.scene.light);
        let shading = uniform! {
            normals: self.normals.sampled(),
            normal_map: self.normals.place,
            flat_shading: pass.scene.view.shading == Shading::Flat,
        };
        let visibilities = pass.visibilities.uniforms();
        let uniforms = joined!(light, visibilities, shading);
        let (mesh, parameters) = (Mesh::Triangles, with_depth(pass));
        if !analysis::marks_ground(pass.scene) {
            let shader = Shader::Triangles;
            return seen.draw(pass, &mut surface, mesh, shader, &uniforms, parameters);
        }
        let colors = pass.analysis.uniforms(pass.scene);
        let lines = pass.analysis.line_uniforms(pass, self.map);
        let uniforms = joined!(uniforms, colors, lines);
        let shader = Shader::AnalysedTriangles;
        seen.draw(pass, &mut surface, mesh, shader, &uniforms, parameters)
    }

    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        let light = light(self.map, pass.palette, &pass.scene.light);
        let no_fog = uniform! { fog: [0.0_f32; 2], fog_color: [0.0_f32; 3] };
        let seen = self.seen(pass);
        seen.draw_skirt(pass, surface, Shader::Skirt, &joined!(light, no_fog))?;
        backdrop::fill(pass, surface, &backdrop::DUSK, &backdrop::behind(pass))?;
        Ok(DrawStats::default())
    }
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
