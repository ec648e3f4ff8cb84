//! Sea of every render type except `landscape`: one separate draw over the ground or its height map, so that
//! pictures without a sea cost nothing more.

use glam::DVec3;
use glium::uniforms::{SamplerWrapFunction, Uniforms};
use glium::{DepthTest, DrawParameters, uniform};

use crate::render::analysis::{line_width, marks_ground};
use crate::render::buffers::LayerTexture;
use crate::render::error::Result;
use crate::render::gl::blend::over;
use crate::render::gl::joined;
use crate::render::gl::programs::Shader;
use crate::render::gl::sampler::filtered;
use crate::render::ground::{self, Seen, floor};
use crate::render::pass::{Pass, Target};
use crate::render::textures::heights::HeightTexture;
use crate::render::view::flat_rectangle;
use crate::scene::{GroundColor, Light, RenderType};
use crate::shading::maps::colors::Sea;

/// Width of the coastline, in widths of a regular contour.
const COAST: f32 = 1.2;
/// Width of the coastline in texels of a baked texture.
const BAKED_COAST: f32 = 1.0;
/// Depth at which lines are darkest, in units of the fade depth: the background is black.
const LINES_DEEPEST: f32 = 0.9;
/// Opacity of the sea over analysed ground.
const ANALYSED: f32 = 0.6;
/// Level of an absent sea: below any ground.
const NOWHERE: f32 = -1e30;

/// Surroundings of water in perspective: reflected sky and fog.
pub(super) struct Surroundings {
    /// Reflected sky colour.
    pub(super) sky: [f32; 3],
    /// Start of the fog and the reciprocal of its depth.
    pub(super) fog: [f32; 2],
    /// Colour of the fog.
    pub(super) fog_color: [f32; 3],
}

/// The sea of a picture, if any ground may lie below its level.
fn of(pass: &Pass<'_>, map: &HeightTexture) -> Option<Sea> {
    let sea = Sea::of(pass.scene.charted_water()?)?;
    // Refined ground may be lower than the map.
    (sea.level > map.range.0 || pass.frame.depth.is_some()).then_some(sea)
}

/// Uniforms of `common/sea.glsl`.
fn colors(sea: &Sea, light: f32, covers: f32, coast_width: f32) -> impl Uniforms + use<> {
    let (coast_color, coast_covers) = sea.coast();
    uniform! {
        sea_shallow: sea.shallow,
        sea_deep: sea.deep,
        sea_fade: sea.fade,
        sea_light: light,
        sea_covers: covers,
        coast_color: coast_color,
        coast_covers: coast_covers,
        coast_width: coast_width,
    }
}

/// Fraction of the light that reaches level ground.
fn on_level(light: &Light) -> f32 {
    light.ambient + (1.0 - light.ambient) * light.direction().y.max(0.0)
}

/// Maximum opacity of the sea: lower over analysed ground, so that its colours stay readable.
fn covers(is_analysed: bool) -> f32 {
    if is_analysed { ANALYSED } else { 1.0 }
}

/// Draw the sea over tiles of a map in plan view.
pub(super) fn draw_flat(pass: &Pass<'_>, surface: &mut Target<'_>, map: &HeightTexture) -> Result {
    let Some(sea) = of(pass, map) else {
        return Ok(());
    };
    let is_analysed = pass.scene.analysis.color != GroundColor::Height;
    let colors = colors(
        &sea,
        1.0,
        covers(is_analysed),
        COAST * line_width(pass.size),
    );
    let heights = filtered(map.texture.sampled(), pass.scene.view.filter);
    let place = uniform! {
        heights: heights.wrap_function(SamplerWrapFunction::Clamp),
        cells: map.layout.cells,
        tiles: pass.scene.view.tile as f32,
        rectangle: flat_rectangle(map.layout.side, pass.size),
        shift: pass.frame.shift().to_array(),
        invert: pass.scene.view.invert,
        sea_level: sea.level,
    };
    let parameters = pass.blended(over());
    let uniforms = joined!(colors, place);
    (pass.tools).fill(surface, Shader::SeaMap, &uniforms, &parameters)
}

/// Draw the sea into the baked texture of a map, north in its first row.
pub(super) fn bake(pass: &Pass<'_>, surface: &mut Target<'_>, map: &HeightTexture) -> Result {
    let Some(sea) = Sea::of(&pass.scene.water) else {
        return Ok(());
    };
    let colors = colors(&sea, on_level(&pass.scene.light), 1.0, BAKED_COAST);
    let place = uniform! {
        heights: map.mixed(),
        cells: map.layout.cells,
        tiles: 1.0_f32,
        rectangle: [1.0_f32, -1.0],
        shift: [0.0_f32; 2],
        invert: pass.scene.view.invert,
        sea_level: sea.level,
    };
    let parameters = DrawParameters {
        blend: over(),
        ..DrawParameters::default()
    };
    let uniforms = joined!(colors, place);
    (pass.tools).fill(surface, Shader::SeaMap, &uniforms, &parameters)
}

/// Draw the sea behind a ridge; `height_fit` is the scale and offset from heights to clip space.
pub(super) fn draw_behind_ridge(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    height_fit: [f32; 2],
) -> Result {
    let Some(sea) = pass.scene.charted_water().and_then(Sea::of) else {
        return Ok(());
    };
    let colors = colors(&sea, 1.0, 1.0, COAST * line_width(pass.size));
    let place = uniform! {
        height_fit: height_fit,
        sea_level: sea.level,
        rows: pass.size.1 as f32,
        invert: pass.scene.view.invert,
    };
    let parameters = pass.blended(over());
    let uniforms = joined!(colors, place);
    (pass.tools).fill(surface, Shader::SeaRidge, &uniforms, &parameters)
}

/// Uniforms of `common/depth_fade.glsl` for the colour of lines below the sea.
pub(super) fn line_uniforms(pass: &Pass<'_>) -> impl Uniforms + use<> {
    let sea = pass.scene.charted_water().and_then(Sea::of);
    let above_eye = sea.map(|sea| (f64::from(sea.level) - eye(pass).y) as f32);
    uniform! {
        sea_above_eye: above_eye.unwrap_or(NOWHERE),
        sea_shallow: sea.map_or([1.0; 3], |sea| sea.shallow),
        sea_deep: sea.map_or([1.0; 3], |sea| sea.color(LINES_DEEPEST / sea.fade)),
        sea_fade: sea.map_or(1.0, |sea| sea.fade),
    }
}

/// Position of the eye, with the precision that the refined ground needs.
fn eye(pass: &Pass<'_>) -> DVec3 {
    let shown = pass.eye().position.as_dvec3();
    pass.frame.depth.map_or(shown, |depth| depth.eye)
}

/// Uniforms of `sea.frag`, except the position of the ground.
fn in_space<'a>(
    pass: &Pass<'_>,
    map: &'a HeightTexture,
    sea: &Sea,
    around: &Surroundings,
) -> (impl Uniforms + use<>, impl Uniforms + use<'a>) {
    let charted = pass.scene.render_type() == RenderType::Map;
    let light = if charted {
        1.0
    } else {
        on_level(&pass.scene.light)
    };
    let half = map.layout.side.map(|side| {
        let tiles = f64::from(pass.scene.view.tile.max(1));
        0.5 * f64::from(side) * tiles
    });
    let eye = eye(pass);
    let corner = |sign: f64, height: f32| {
        let corner = DVec3::new(sign * half[0], height.into(), sign * half[1]);
        (corner - eye).as_vec3().to_array()
    };
    let colors = colors(
        sea,
        light,
        covers(marks_ground(pass.scene)),
        COAST * line_width(pass.size),
    );
    let own = uniform! {
        heights: map.mixed(),
        sea_low: corner(-1.0, floor(map, pass.scene).min(sea.level)),
        sea_high: corner(1.0, sea.level),
        charted: charted,
        sea_murk: sea.murk,
        sea_sky: around.sky,
        fog: around.fog,
        fog_color: around.fog_color,
    };
    (colors, own)
}

/// Draw the sea over rasterized ground in the depth buffer and its surroundings.
pub(super) fn draw_over(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    map: &HeightTexture,
    seen: &Seen<'_>,
    around: &Surroundings,
) -> Result {
    let Some(sea) = of(pass, map) else {
        return Ok(());
    };
    let (place, rays) = (seen.uniforms(pass), pass.rays());
    let (colors, own) = in_space(pass, map, &sea, around);
    let parameters = DrawParameters {
        blend: over(),
        ..pass.tested(DepthTest::IfLess)
    };
    let uniforms = joined!(place, rays, colors, own);
    (pass.tools).fill(surface, Shader::Sea, &uniforms, &parameters)
}

/// Draw the sea over a finished picture of ray-cast ground.
pub(super) fn draw_over_layers(
    pass: &Pass<'_>,
    surface: &mut Target<'_>,
    map: &HeightTexture,
    layers: &LayerTexture,
    around: &Surroundings,
) -> Result {
    let Some(sea) = of(pass, map) else {
        return Ok(());
    };
    let (place, rays) = (ground::position(pass, map), pass.rays());
    let (colors, own) = in_space(pass, map, &sea, around);
    let parameters = pass.blended(over());
    let uniforms = joined!(layers, place, rays, colors, own);
    (pass.tools).fill(surface, Shader::LayeredSea, &uniforms, &parameters)
}
