//! Terrain analysis display: slope and aspect colours, contours with labels, the cross-section, the legend,
//! and the scale bar.
//!
//! In plan view, contours are line strips built on the CPU for the picture's size, so that they have an even
//! width and leave gaps for labels. In perspective the fragment shader draws them.

use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::texture::{Texture1d, Texture2d, UncompressedFloatFormat};
use glium::uniform;
use glium::uniforms::{Sampler, SamplerWrapFunction, Uniforms};

use self::overlay::{Overlay, OverlayKey, SECTION, ScaleBarKey, scale_bar};
use self::sprites::SpriteBuffers;
use crate::camera::Ground;
use crate::pipeline::Landscape;
use crate::render::error::{Refused, Result};
use crate::render::gl::programs::Shader;
use crate::render::gl::{Uploaded, sampler};
use crate::render::pass::{Pass, Target};
use crate::render::textures::heights::HeightTexture;
use crate::render::textures::palette::upload_colors;
use crate::render::tools::Tools;
use crate::scene::{Filter, GroundColor, RenderType, Scene};
use crate::shading::analysis::{LEVEL, STEEPEST, aspect_color, slope_color, spacing};
use crate::shading::texture::Palette;
use crate::terrain::heightmap::Heightmap;
use crate::util::numbers::metres_per_unit;

mod contours;
mod overlay;
mod sprites;
mod strips;

/// Number of texels of the slope and aspect colour tables.
const SLOPES: usize = 241;
const ASPECTS: usize = 256;

/// Analysis resources of one OpenGL context.
pub(crate) struct Analyst {
    slopes: Texture1d,
    aspects: Texture1d,
    relief: Option<Arc<Heightmap>>,
    /// Rise of the ground to the east and south at each sample (its gradient), once it is needed: 16-bit
    /// floats, 4 bytes per sample.
    rises: Option<Texture2d>,
    /// Rise of level ground: one texel.
    level: Texture2d,
    overlay: Uploaded<OverlayKey, Overlay>,
    /// Ground for the scale bar's length, while one is shown.
    ground: Option<Ground>,
    scale_bar: Uploaded<ScaleBarKey, Option<SpriteBuffers>>,
}

impl Analyst {
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self> {
        let slope = |index: usize| slope_color(index as f32 * STEEPEST / (SLOPES - 1) as f32);
        let aspect = |index: usize| aspect_color(index as f32 * 360.0 / ASPECTS as f32);
        Ok(Self {
            slopes: upload(context, (0..SLOPES).map(slope))?,
            aspects: upload(context, (0..ASPECTS).map(aspect))?,
            relief: None,
            rises: None,
            level: Texture2d::empty(context, 1, 1).refused("the slopes")?,
            overlay: Uploaded::nothing(),
            ground: None,
            scale_bar: Uploaded::nothing(),
        })
    }

    /// Switch to another landscape; `is_new` is true if its heights differ from the previous ones.
    pub(crate) fn update(&mut self, landscape: &Landscape, is_new: bool) {
        if is_new {
            self.rises = None;
        }
        self.relief.clone_from(&landscape.relief);
        self.overlay.clear();
        let (scene, below) = (&landscape.scene, &landscape.below);
        let kept = self.ground.take().filter(|_| !is_new);
        let ground = || match kept {
            Some(ground) => Some(ground.over(below.clone()).seen_in(scene)),
            None => Ground::of(landscape),
        };
        self.ground = scene.view.scale_bar.then(ground).flatten();
        self.scale_bar.clear();
    }

    /// Build the overlay of the next picture of `scene`, unless it is up to date.
    pub(crate) fn prepare(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        size: (u32, u32),
        palette: Option<&Palette>,
        map: Option<&HeightTexture>,
    ) -> Result {
        self.prepare_scale_bar(context, scene, size, map)?;
        let shown = matches!(scene.render_type(), RenderType::Map | RenderType::Triangles);
        let map = map.filter(|map| map.layout.cells[1] > 0);
        let (Some(palette), Some(map), true) = (palette, map, shown && marks_ground(scene)) else {
            self.overlay.clear();
            return Ok(());
        };
        let desk = Desk {
            scene,
            palette,
            map,
            relief: self.relief.as_deref(),
            size,
        };
        let key = OverlayKey::new(scene, size);
        self.overlay
            .update(key, |_, _| Overlay::new(context, &desk))
    }

    /// Build the scale bar of the next picture, if it has one.
    fn prepare_scale_bar(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        size: (u32, u32),
        map: Option<&HeightTexture>,
    ) -> Result {
        let parts = ScaleBarKey::new(scene, size).zip(self.ground.as_ref().zip(map));
        let Some((key, (ground, map))) = parts else {
            self.scale_bar.clear();
            return Ok(());
        };
        let side = map.layout.side;
        self.scale_bar
            .update(key, |_, _| scale_bar(context, scene, ground, side, size))
    }

    /// Compute the texture of rises if `scene` needs it, unless it exists.
    pub(crate) fn prepare_rises(
        &mut self,
        context: &Rc<Context>,
        tools: &Tools,
        scene: &Scene,
        map: Option<&HeightTexture>,
    ) -> Result {
        let colors = scene.analysis.color != GroundColor::Height;
        let wanted = match scene.render_type() {
            RenderType::Map => colors || scene.analysis.hillshade,
            RenderType::Triangles => colors,
            _ => false,
        };
        if let (None, Some(map), true) = (&self.rises, map, wanted) {
            let [width, height] = map.layout.cells.map(|cells| cells as u32 + 1);
            let uniforms = uniform! {
                heights: map.exact(),
                cells: map.layout.cells,
                spacing: map.layout.spacing,
                wraps: map.layout.wraps,
            };
            let (format, size) = (UncompressedFloatFormat::F16F16, (width, height));
            self.rises = Some(tools.texture(context, format, size, Shader::Rises, &uniforms)?);
        }
        Ok(())
    }

    /// True if anything lies over the picture.
    pub(crate) fn has_any(&self) -> bool {
        self.overlay.get().is_some() || matches!(self.scale_bar.get(), Some(Some(_)))
    }

    /// Draw the overlay and the scale bar.
    pub(crate) fn draw(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        if let Some(overlay) = self.overlay.get() {
            overlay.draw(pass, surface)?;
        }
        match self.scale_bar.get() {
            Some(Some(bar)) => bar.draw(pass, surface),
            _ => Ok(()),
        }
    }

    /// Uniforms of `common/analysis.glsl`.
    pub(crate) fn uniforms(&self, scene: &Scene) -> impl Uniforms + '_ {
        let rises = self.rises.as_ref().unwrap_or(&self.level).sampled();
        let filter = if scene.is_flat() {
            scene.view.filter
        } else {
            Filter::Linear
        };
        uniform! {
            rises: sampler::filtered(rises, filter)
                .wrap_function(SamplerWrapFunction::Clamp),
            ground_color: scene.analysis.color as i32,
            slope_colors: between(&self.slopes, SamplerWrapFunction::Clamp),
            aspect_colors: between(&self.aspects, SamplerWrapFunction::Repeat),
            steepest: STEEPEST,
            level_color: LEVEL,
        }
    }

    /// Uniforms of `common/drawn_lines.glsl`.
    pub(crate) fn line_uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms {
        let scene = pass.scene;
        let side = map.layout.side;
        let section = scene.section.within(scene.view.tile, side);
        let ends = section.map_or([0.0; 4], |section| {
            let tile = |end: [f32; 2]| [0, 1].map(|i: usize| end[i] / side[i] + 0.5);
            let (a, b) = (tile(section.from), tile(section.to));
            [a[0], a[1], b[0], b[1]]
        });
        uniform! {
            contours: scene.analysis.contours,
            contours_per_unit: (metres(scene) / interval_m(scene, map)) as f32,
            line_width: line_width(pass.size),
            has_section: section.is_some(),
            section: ends,
            section_color: SECTION,
        }
    }
}

fn between(colors: &Texture1d, wrap: SamplerWrapFunction) -> Sampler<'_, Texture1d> {
    sampler::mixed(colors.sampled()).wrap_function(wrap)
}

fn upload(context: &Rc<Context>, colors: impl Iterator<Item = [f32; 3]>) -> Result<Texture1d> {
    let bytes: Vec<u8> = colors
        .flat_map(|color| color.map(|value| (value * 255.0).round() as u8))
        .collect();
    upload_colors(context, bytes, "the colours of slopes")
}

/// A landscape and the size of its picture.
pub(super) struct Desk<'a> {
    pub(super) scene: &'a Scene,
    pub(super) palette: &'a Palette,
    pub(super) map: &'a HeightTexture,
    /// The thinned heights for contours, once available.
    pub(super) relief: Option<&'a Heightmap>,
    pub(super) size: (u32, u32),
}

/// Shorter side of the picture for which sizes of lines and text are given.
const REFERENCE: f32 = 720.0;
const LIGHT_LINE: f32 = 1.0;
/// Text height as a fraction of the picture's shorter side, and its minimum in pixels.
const LETTERS: f32 = 1.0 / 52.0;
const SMALLEST_LETTERS: f32 = 10.0;
/// Text height in a picture, in pixels.
pub(super) fn letters(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 * LETTERS)
        .max(SMALLEST_LETTERS)
        .round()
}

/// Width of a regular contour, in pixels.
pub(crate) fn line_width(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 / REFERENCE).max(1.0) * LIGHT_LINE
}

/// Contour interval, in metres.
pub(super) fn interval_m(scene: &Scene, map: &HeightTexture) -> f64 {
    let (low, high) = map.range;
    let range = (f64::from(high) - f64::from(low)) * metres(scene);
    spacing(scene.analysis.contour_interval.into(), range)
}

/// Metres per half tile.
pub(super) fn metres(scene: &Scene) -> f64 {
    metres_per_unit(scene.surface.tile_size_m)
}

/// True if the map needs the shader for analysis instead of `map.frag`.
pub(crate) fn recolors(scene: &Scene) -> bool {
    scene.analysis.color != GroundColor::Height || scene.analysis.hillshade
}

/// True if the ground in perspective needs the analysis variant of `triangles.frag`.
pub(crate) fn marks_ground(scene: &Scene) -> bool {
    let analysis = &scene.analysis;
    analysis.color != GroundColor::Height || analysis.contours || scene.section.is_drawn()
}
