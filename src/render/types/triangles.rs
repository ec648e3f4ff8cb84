//! Render type `triangles`: lit ground coloured by height; and `map` from above, unlit.

use glium::uniform;
use glium::uniforms::{UniformValue, Uniforms};

use crate::render::analysis::{self, Analyst};
use crate::render::backdrop::{self, Backdrop};
use crate::render::buffers::PictureBuffers;
use crate::render::error::Result;
use crate::render::gl::joined;
use crate::render::gl::programs::{SKY_BELOW, Shader};
use crate::render::ground::{self, DEEPEST, Seen, Walked};
use crate::render::meshes::CellPart;
use crate::render::pass::{DrawStats, Pass, Target};
use crate::render::raycast::Field;
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::normals::NormalMap;
use crate::render::textures::palette::light;
use crate::render::textures::rivers::RiverTextures;
use crate::render::types::{GroundSubject, layered, mask, sea};
use crate::scene::{RenderType, Shading};
use crate::shading::maps::colors::water_color;
use crate::shading::material::displayed;

/// Detail of large maps: smooth shading hides coarse cells, flat shading does not. With the first value, 95 %
/// of the pixels of smooth hills are within a pixel of their position in the full mesh.
pub(crate) const DETAIL_SMOOTH: f32 = 3.6;
const DETAIL_FLAT: f32 = 6.0;

/// A map with its normals and its analysis.
pub(crate) struct Triangles<'a> {
    map: &'a HeightTexture,
    /// Samples for ray casting, where the ground may be ray cast.
    field: Option<&'a Field>,
    normals: &'a NormalMap,
    analysis: &'a Analyst,
}

impl<'a> Triangles<'a> {
    /// Create the drawer; `None` if the map or its normals are missing.
    pub(crate) fn new(
        map: Option<&'a HeightTexture>,
        field: Option<&'a Field>,
        normals: Option<&'a NormalMap>,
        analysis: &'a Analyst,
    ) -> Option<Self> {
        Some(Self {
            map: map?,
            field,
            normals: normals?,
            analysis,
        })
    }
}

/// Appearance of the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    /// Lit.
    Plain,
    /// Lit, with analysis.
    Analysed,
    /// Unlit, as on a map.
    Map,
    /// Unlit, with rivers.
    RiverMap,
}

fn look(pass: &Pass<'_>) -> Look {
    match pass.scene.render_type() {
        RenderType::Map if pass.rivers.is_some() => Look::RiverMap,
        RenderType::Map => Look::Map,
        _ if analysis::marks_ground(pass.scene) => Look::Analysed,
        _ => Look::Plain,
    }
}

/// Background of the picture.
fn around(pass: &Pass<'_>) -> &'static Backdrop {
    match pass.scene.render_type() {
        RenderType::Map => &backdrop::NEUTRAL,
        _ => &backdrop::DUSK,
    }
}

/// Sky colour for reflections in the sea, without fog.
fn surroundings(pass: &Pass<'_>) -> sea::Surroundings {
    let Backdrop { top, bottom } = around(pass);
    sea::Surroundings {
        sky: std::array::from_fn(|i| 0.5 * (top[i] + bottom[i])),
        fog: [0.0; 2],
        fog_color: [0.0; 3],
    }
}

/// True for one normal per triangle; maps are unlit.
fn is_flatly_lit(pass: &Pass<'_>) -> bool {
    pass.scene.view.shading == Shading::Flat && pass.scene.render_type() != RenderType::Map
}

impl GroundSubject for Triangles<'_> {
    const PATCH: u64 = 300_000;

    fn seen<'p>(&'p self, pass: &Pass<'p>) -> Seen<'p> {
        let detail = if is_flatly_lit(pass) {
            DETAIL_FLAT
        } else {
            DETAIL_SMOOTH
        };
        Seen::new(pass, self.map, detail)
    }

    fn clear_picture(&self, pass: &Pass<'_>, surface: &mut Target<'_>) {
        backdrop::clear(pass, surface, Some(1.0));
    }

    fn draw_ground(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        seen: &Seen<'_>,
    ) -> Result<DrawStats> {
        let light = light(self.map, pass.palette, &pass.scene.light);
        let shading = uniform! {
            normals: self.normals.sampled(),
            normal_map: self.normals.place,
            flat_shading: is_flatly_lit(pass),
        };
        let visibility = pass.visibility.uniforms();
        let lying = pass.covers.uniforms(|color| color);
        let crowns = pass.canopy.uniforms(pass.scene, displayed);
        let uniforms = joined!(light, visibility, lying, crowns, shading);
        let (part, parameters) = (CellPart::Faces, pass.with_depth());
        let shader = match look(pass) {
            Look::Plain => {
                let shader = Shader::Triangles;
                return seen.draw(pass, surface, part, shader, &uniforms, parameters);
            }
            Look::Analysed => Shader::AnalysedTriangles,
            Look::Map => Shader::MapInSpace,
            Look::RiverMap => Shader::RiverMapInSpace,
        };
        let colors = self.analysis.uniforms(pass.scene);
        let lines = self.analysis.line_uniforms(pass, self.map);
        let printed = printed(pass);
        let uniforms = joined!(uniforms, colors, lines, printed);
        seen.draw(pass, surface, part, shader, &uniforms, parameters)
    }

    fn draw_around(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        let light = light(self.map, pass.palette, &pass.scene.light);
        let no_fog = uniform! { fog: [0.0_f32; 2], fog_color: [0.0_f32; 3] };
        let seen = self.seen(pass);
        let uniforms = joined!(light, no_fog);
        seen.draw_skirt(pass, surface, Shader::Skirt, &uniforms, DEEPEST)?;
        backdrop::fill(pass, surface, around(pass), &pass.behind())?;
        sea::draw_over(pass, surface, self.map, &seen, &surroundings(pass))
    }

    fn walked<'p>(&'p self, pass: &'p Pass<'_>) -> Option<Walked<'p>> {
        let field = self.field.filter(|_| pass.frame.walked)?;
        Walked::new(pass, self.map, field, None)
    }

    fn draw_layers(
        &self,
        pass: &Pass<'_>,
        surface: &mut Target<'_>,
        buffers: &PictureBuffers,
    ) -> Result {
        let layers = layered::begin(pass, surface, buffers, None)?;
        let (place, rays) = (ground::position(pass, self.map), pass.rays());
        let light = light(self.map, pass.palette, &pass.scene.light);
        let shading = uniform! {
            normals: self.normals.sampled(),
            normal_map: self.normals.place,
            fog: [0.0_f32; 2],
            fog_color: [0.0_f32; 3],
        };
        let visibility = pass.visibility.uniforms();
        let lying = pass.covers.uniforms(|color| color);
        let crowns = pass.canopy.uniforms(pass.scene, displayed);
        let uniforms = joined!(place, rays, light, visibility, lying, crowns, shading);
        let parameters = pass.where_drawn();
        let windows = pass.clipmap.uniforms();
        let all = joined!(layers, windows, uniforms);
        let is_deep = pass.frame.depth.is_some();
        let shader = match look(pass) {
            Look::Plain if is_deep => Shader::EndlessTriangles,
            Look::Plain => Shader::LayeredTriangles,
            Look::Analysed if is_deep => Shader::AnalysedEndlessTriangles,
            Look::Analysed => Shader::AnalysedLayers,
            // A parallel view uses depth layers only with refined ground.
            Look::Map => Shader::EndlessMap,
            Look::RiverMap => Shader::EndlessRiverMap,
        };
        if look(pass) == Look::Plain {
            (pass.tools).fill(surface, shader, &all, &parameters)?;
        } else {
            let heights = uniform! { heights: self.map.exact() };
            let colors = self.analysis.uniforms(pass.scene);
            let lines = self.analysis.line_uniforms(pass, self.map);
            let printed = printed(pass);
            let all = joined!(all, heights, colors, lines, printed);
            (pass.tools).fill(surface, shader, &all, &parameters)?;
        }
        mask::draw_photographed(pass, surface, layers, &uniforms)?;
        layered::sides(pass, surface, layers, self.map, Shader::Sides, &uniforms)?;
        let below = layered::below(pass, SKY_BELOW);
        backdrop::fill(pass, surface, around(pass), &below)?;
        backdrop::under(pass, surface)?;
        sea::draw_over_layers(pass, surface, self.map, layers, &surroundings(pass))
    }
}

/// Map overprint, hillshade and rivers over the colours: uniforms of `common/printed.glsl`, with those of
/// `RIVERS` if there are any.
pub(super) fn printed<'a>(pass: &Pass<'a>) -> impl Uniforms + use<'a> {
    Printed {
        hillshade: pass.scene.analysis.hillshade,
        water_color: water_color(pass.scene.water.color),
        rivers: pass.rivers.map(RiverTextures::uniforms),
    }
}

struct Printed<Rivers> {
    hillshade: bool,
    water_color: [f32; 3],
    rivers: Option<Rivers>,
}

impl<Rivers: Uniforms> Uniforms for Printed<Rivers> {
    fn visit_values<'a, F: FnMut(&str, UniformValue<'a>)>(&'a self, mut visit: F) {
        visit("hillshade", UniformValue::Bool(self.hillshade));
        visit("water_color", UniformValue::Vec3(self.water_color));
        if let Some(rivers) = &self.rivers {
            rivers.visit_values(visit);
        }
    }
}
