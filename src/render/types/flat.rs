//! Render types `teximage`, `clouds` and `map`: tiles in plan view, centred, north up.

use glium::uniforms::{Sampler, SamplerWrapFunction};
use glium::{Texture2d, uniform};

use crate::render::analysis::{self, Analyst};
use crate::render::backdrop;
use crate::render::buffers::PictureBuffers;
use crate::render::error::Result;
use crate::render::gl::programs::Shader;
use crate::render::gl::{Values, joined, sampler};
use crate::render::pass::{DrawStats, Pass, Target};
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::palette::{palette_scale, sampled_palette};
use crate::render::types::rendered::{BakedTexture, PaintedClouds};
use crate::render::types::triangles::printed;
use crate::render::types::{Subject, mask, sea};
use crate::render::view::flat_rectangle;
use crate::scene::View;
use crate::shading::material::displayed;

/// A texture and its sides, in pixels or any other unit.
pub(crate) struct FlatTexture<'a> {
    image: Sampler<'a, Texture2d>,
    side: [f32; 2],
    /// True for the ground's texture.
    is_ground: bool,
}

impl<'a> FlatTexture<'a> {
    /// The baked texture of the ground.
    pub(crate) fn baked(view: &View, teximage: &'a BakedTexture) -> Self {
        Self {
            image: teximage.sampled(view.filter, view.tile),
            side: teximage.side,
            is_ground: true,
        }
    }

    /// The texture of the painted clouds.
    pub(crate) fn clouds(view: &View, clouds: &'a PaintedClouds) -> Self {
        let (rows, columns) = clouds.size;
        Self {
            image: clouds.sampled(view.filter),
            side: [columns as f32, rows as f32],
            is_ground: false,
        }
    }
}

impl Subject for FlatTexture<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats> {
        let uniforms = uniform! {
            image: self.image,
            tiles: pass.scene.view.tile as f32,
            rectangle: flat_rectangle(self.side, pass.size),
            shift: pass.frame.shift().to_array(),
            invert: pass.scene.view.invert,
        };
        draw(pass, surface, Shader::Texture, &joined!(uniforms))?;
        if self.is_ground {
            mask::draw_flat(pass, surface, self.side)?;
        }
        Ok(FLAT)
    }
}

/// Height map coloured by the palette.
pub(crate) struct ColorMap<'a> {
    pub(crate) map: &'a HeightTexture,
    pub(crate) analysis: &'a Analyst,
}

impl Subject for ColorMap<'_> {
    fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        _buffers: &PictureBuffers,
    ) -> Result<DrawStats> {
        let Self { map, analysis } = self;
        let heights = sampler::filtered(map.texture.sampled(), pass.scene.view.filter);
        let uniforms = uniform! {
            heights: heights.wrap_function(SamplerWrapFunction::Clamp),
            cells: map.layout.cells,
            palette: sampled_palette(pass.palette),
            height_range: palette_scale(map.range),
            tiles: pass.scene.view.tile as f32,
            rectangle: flat_rectangle(map.layout.side, pass.size),
            shift: pass.frame.shift().to_array(),
            invert: pass.scene.view.invert,
        };
        let lying = pass.covers.uniforms(|color| color);
        let crowns = pass.canopy.uniforms(pass.scene, displayed);
        let (colors, printed) = (analysis.uniforms(pass.scene), printed(pass));
        let uniforms = joined!(uniforms, lying, crowns, colors, printed);
        let shader = match (analysis::recolors(pass.scene), pass.rivers.is_some()) {
            (true, true) => Shader::AnalysedRiverMap,
            (true, false) => Shader::AnalysedMap,
            (false, true) => Shader::RiverMap,
            (false, false) => Shader::Map,
        };
        draw(pass, surface, shader, &uniforms)?;
        sea::draw_flat(pass, surface, map)?;
        mask::draw_flat(pass, surface, map.layout.side)?;
        Ok(FLAT)
    }
}

/// Statistics of a flat picture.
const FLAT: DrawStats = DrawStats {
    triangles: 2,
    lines: 0,
    patches: 0,
};

fn draw(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    shader: Shader,
    uniforms: &Values<'_>,
) -> Result {
    backdrop::draw(pass, surface, &backdrop::NEUTRAL)?;
    let parameters = pass.parameters();
    pass.tools.fill(surface, shader, uniforms, &parameters)
}
