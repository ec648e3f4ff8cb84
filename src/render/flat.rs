//! Render types `teximage`, `clouds` and `map`: tiles seen flat, centred, north up.

use glam::Mat4;
use glium::framebuffer::SimpleFrameBuffer;
use glium::index::{NoIndices, PrimitiveType};
use glium::uniforms::{MinifySamplerFilter, Sampler, SamplerWrapFunction};
use glium::{Surface, Texture2d, uniform};

use super::analysis;
use super::backdrop;
use super::bake::{Teximage, magnify};
use super::height_texture::HeightTexture;
use super::pass::{DrawStats, Pass};
use super::programs::Shader;
use super::sky::Clouds;
use super::subject::Subject;
use super::target::Target;
use super::triangles::{palette_scale, sampled_palette};
use super::values::{Values, joined};
use super::{Refused, RenderError};
use crate::scene::Filter;

/// Part of the picture's shorter side left free around the tiles.
const MARGIN: f32 = 0.04;

/// A texture and its sides, in pixels or any other unit.
pub(super) struct Texture<'a> {
    image: Sampler<'a, Texture2d>,
    side: [f32; 2],
}

impl<'a> Texture<'a> {
    /// The baked one.
    pub(super) fn baked(pass: &Pass<'_>, teximage: &'a Teximage) -> Self {
        let view = &pass.scene.view;
        Self {
            image: teximage.sampled(view.filter, view.tile),
            side: teximage.side,
        }
    }

    /// That of clouds.
    pub(super) fn clouds(pass: &Pass<'_>, clouds: &'a Clouds) -> Self {
        let (rows, columns) = clouds.size;
        Self {
            image: clouds.sampled(pass.scene.view.filter),
            side: [columns as f32, rows as f32],
        }
    }
}

impl Subject for Texture<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        let uniforms = uniform! {
            image: self.image,
            tiles: pass.scene.view.tile as f32,
            rectangle: rectangle(self.side, pass.size),
            shift: pass.frame.shift().to_array(),
            invert: pass.scene.view.invert,
        };
        draw(pass, surface, Shader::Texture, &joined!(uniforms))
    }
}

/// A height map along the palette.
pub(super) struct ColorMap<'a>(pub(super) &'a HeightTexture);

impl Subject for ColorMap<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
        _target: &Target,
    ) -> Result<DrawStats, RenderError> {
        let Self(map) = self;
        let filter = pass.scene.view.filter;
        let uniforms = uniform! {
            heights: map.texture.sampled()
                .minify_filter(match filter {
                    Filter::Linear => MinifySamplerFilter::Linear,
                    Filter::Nearest => MinifySamplerFilter::Nearest,
                })
                .magnify_filter(magnify(filter))
                .wrap_function(SamplerWrapFunction::Clamp),
            cells: map.layout.cells,
            palette: sampled_palette(pass.palette),
            height_range: palette_scale(map.range),
            tiles: pass.scene.view.tile as f32,
            rectangle: rectangle(map.layout.side, pass.size),
            shift: pass.frame.shift().to_array(),
            invert: pass.scene.view.invert,
        };
        if analysis::recolors(pass.scene) {
            let colors = pass.analysis.uniforms(pass.scene);
            let own = uniform! { hillshade: pass.scene.analysis.hillshade };
            return draw(
                pass,
                surface,
                Shader::AnalysedMap,
                &joined!(uniforms, colors, own),
            );
        }
        draw(pass, surface, Shader::Map, &joined!(uniforms))
    }
}

/// World to clip space for a map seen flat: x to the right, z downwards.
pub(super) fn clip_from_ground(pass: &Pass<'_>, map: &HeightTexture) -> Mat4 {
    let filled = rectangle(map.layout.side, pass.size);
    let tiles = pass.scene.view.tile as f32;
    let scale = |axis: usize| 2.0 * filled[axis] / (map.layout.side[axis] * tiles);
    let shift = pass.frame.shift();
    Mat4::from_cols_array_2d(&[
        [scale(0), 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
        [0.0, -scale(1), 0.0, 0.0],
        [shift.x, shift.y, 0.0, 1.0],
    ])
}

fn draw(
    pass: &Pass<'_>,
    surface: &mut SimpleFrameBuffer<'_>,
    shader: Shader,
    uniforms: &Values<'_>,
) -> Result<DrawStats, RenderError> {
    backdrop::draw(pass, surface, &backdrop::NEUTRAL)?;
    surface
        .draw(
            pass.screen,
            NoIndices(PrimitiveType::TrianglesList),
            pass.programs.get(shader)?,
            uniforms,
            &pass.parameters(),
        )
        .refused("a flat picture")?;
    Ok(DrawStats {
        triangles: 2,
        ..DrawStats::default()
    })
}

/// The part of a picture of `size` pixels, along x and y, that tiles of `side` fill: centred, true
/// to their shape and ending between two pixels.
#[must_use]
pub fn rectangle(side: [f32; 2], size: (u32, u32)) -> [f32; 2] {
    let picture = [size.0 as f32, size.1 as f32];
    let margin = 2.0 * (MARGIN * picture[0].min(picture[1])).round();
    let scale = (0..2)
        .map(|axis| (picture[axis] - margin).max(1.0) / side[axis].max(1e-6))
        .fold(f32::INFINITY, f32::min);
    [0, 1].map(|axis: usize| {
        // As even or odd as the picture, so that the rest is the same on both sides.
        let pixels = side[axis] * scale;
        let odd = picture[axis] % 2.0;
        let pixels = ((pixels - odd) * 0.5).round() * 2.0 + odd;
        pixels.clamp(1.0, picture[axis]) / picture[axis]
    })
}
