//! What the ground is examined for: colours by slope and aspect, contours with their labels, the
//! cross-section, the legend.
//!
//! Seen flat, contours are lines made on the CPU for the size of the picture, so that they are
//! of even width and leave room for their labels. In space the fragment shader draws them.

use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;
use glium::texture::{Texture1d, Texture2d};
use glium::uniforms::{
    MagnifySamplerFilter, MinifySamplerFilter, Sampler, SamplerWrapFunction, Uniforms,
};
use glium::{VertexBuffer, uniform};

use crate::analysis::{LEVEL, STEEPEST, aspect_color, slope_color, spacing};
use crate::heightmap::Heightmap;
use crate::scene::{Filter, GroundColor, RenderType, Scene};
use crate::texture::Palette;

use super::backdrop::Corner;
use super::bake::magnify;
use super::height_texture::HeightTexture;
use super::pass::Pass;
use super::programs::Programs;
use super::triangles::upload_colors;
use super::{Refused, RenderError};

mod canvas;
mod legend;
mod overlay;
mod rises;
mod sprites;
mod strips;

use overlay::{Key, Overlay};

/// Texels of a slope's and of an aspect's colours.
const SLOPES: usize = 241;
const ASPECTS: usize = 256;
/// Shortest side of the picture that lines and letters are stated for, and widths there.
const REFERENCE: f32 = 720.0;
const LIGHT_LINE: f32 = 1.0;
/// Letters take this part of the picture's shorter side, and at least so many pixels.
const LETTERS: f32 = 1.0 / 52.0;
const SMALLEST_LETTERS: f32 = 10.0;
/// Of the cross-section.
const SECTION: [f32; 3] = [0.80, 0.10, 0.18];

/// What analysis needs of one context.
pub(super) struct Analyst {
    slopes: Texture1d,
    aspects: Texture1d,
    relief: Option<Arc<Heightmap>>,
    /// Of the ground's samples, once they are drawn with; else of a level texel.
    rises: Option<Texture2d>,
    level: Texture2d,
    overlay: Option<Overlay>,
}

/// Whether the map is coloured otherwise than by `map.frag`.
pub(super) fn recolors(scene: &Scene) -> bool {
    scene.analysis.color != GroundColor::Height || scene.analysis.hillshade
}

/// Whether the ground in space is drawn otherwise than by plain `triangles.frag`.
pub(super) fn marks_ground(scene: &Scene) -> bool {
    let analysis = &scene.analysis;
    analysis.color != GroundColor::Height || analysis.contours || scene.section.is_drawn()
}

/// Pixels of the letters in a picture.
fn letters(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 * LETTERS)
        .max(SMALLEST_LETTERS)
        .round()
}

/// Pixels of a light contour.
fn line_width(size: (u32, u32)) -> f32 {
    (size.0.min(size.1) as f32 / REFERENCE).max(1.0) * LIGHT_LINE
}

/// From contour to contour, in metres.
fn interval_m(scene: &Scene, map: &HeightTexture) -> f64 {
    let (low, high) = map.range;
    let range = (f64::from(high) - f64::from(low)) * metres(scene);
    spacing(scene.analysis.contour_interval.into(), range)
}

/// Metres of a half tile.
fn metres(scene: &Scene) -> f64 {
    f64::from(scene.surface.tile_size_m) / 2.0
}

impl Analyst {
    pub(super) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        let slope = |index: usize| slope_color(index as f32 * STEEPEST / (SLOPES - 1) as f32);
        let aspect = |index: usize| aspect_color(index as f32 * 360.0 / ASPECTS as f32);
        Ok(Self {
            slopes: upload(context, (0..SLOPES).map(slope))?,
            aspects: upload(context, (0..ASPECTS).map(aspect))?,
            relief: None,
            rises: None,
            level: Texture2d::empty(context, 1, 1).refused("the slopes")?,
            overlay: None,
        })
    }

    /// Takes another landscape's heights.
    pub(super) fn update(&mut self, relief: Option<&Arc<Heightmap>>, new_surface: bool) {
        if new_surface {
            self.rises = None;
        }
        self.relief = relief.cloned();
        self.overlay = None;
    }

    /// Makes what lies over the picture that `scene` will be drawn as, unless it is there.
    pub(super) fn prepare(
        &mut self,
        context: &Rc<Context>,
        scene: &Scene,
        size: (u32, u32),
        palette: Option<&Palette>,
        map: Option<&HeightTexture>,
    ) -> Result<(), RenderError> {
        let shown = matches!(scene.render_type(), RenderType::Map | RenderType::Triangles);
        let map = map.filter(|map| map.layout.cells[1] > 0);
        let (Some(palette), Some(map), true) = (palette, map, shown && marks_ground(scene)) else {
            self.overlay = None;
            return Ok(());
        };
        let key = Key::new(scene, size);
        if self
            .overlay
            .as_ref()
            .is_some_and(|overlay| overlay.key == key)
        {
            return Ok(());
        }
        let relief = self.relief.as_deref();
        self.overlay = Some(Overlay::new(context, key, scene, palette, map, relief)?);
        Ok(())
    }

    /// Makes the slopes of the ground if `scene` is drawn with them, unless they are there.
    pub(super) fn prepare_rises(
        &mut self,
        context: &Rc<Context>,
        programs: &Programs,
        screen: &VertexBuffer<Corner>,
        scene: &Scene,
        map: Option<&HeightTexture>,
    ) -> Result<(), RenderError> {
        let wanted = match scene.render_type() {
            RenderType::Map => recolors(scene),
            RenderType::Triangles => scene.analysis.color != GroundColor::Height,
            _ => false,
        };
        if let (None, Some(map), true) = (&self.rises, map, wanted) {
            self.rises = Some(rises::rises(context, programs, screen, map)?);
        }
        Ok(())
    }

    /// Draws what lies over the picture.
    pub(super) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError> {
        match &self.overlay {
            Some(overlay) => overlay.draw(pass, surface),
            None => Ok(()),
        }
    }

    /// What `common/analysis.glsl` needs.
    pub(super) fn uniforms(&self, scene: &Scene) -> impl Uniforms + '_ {
        let rises = self.rises.as_ref().unwrap_or(&self.level).sampled();
        let filter = match scene.render_type() {
            RenderType::Map => scene.view.filter,
            _ => Filter::Linear,
        };
        uniform! {
            rises: rises
                .minify_filter(match filter {
                    Filter::Linear => MinifySamplerFilter::Linear,
                    Filter::Nearest => MinifySamplerFilter::Nearest,
                })
                .magnify_filter(magnify(filter))
                .wrap_function(SamplerWrapFunction::Clamp),
            ground_color: scene.analysis.color as i32,
            slope_colors: between(&self.slopes, SamplerWrapFunction::Clamp),
            aspect_colors: between(&self.aspects, SamplerWrapFunction::Repeat),
            steepest: STEEPEST,
            level_color: LEVEL,
        }
    }

    /// What `common/drawn_lines.glsl` needs.
    pub(super) fn line_uniforms(&self, pass: &Pass<'_>, map: &HeightTexture) -> impl Uniforms {
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
    colors
        .sampled()
        .minify_filter(MinifySamplerFilter::Linear)
        .magnify_filter(MagnifySamplerFilter::Linear)
        .wrap_function(wrap)
}

fn upload(
    context: &Rc<Context>,
    colors: impl Iterator<Item = [f32; 3]>,
) -> Result<Texture1d, RenderError> {
    let bytes: Vec<u8> = colors
        .flat_map(|color| color.map(|value| (value * 255.0).round() as u8))
        .collect();
    upload_colors(context, bytes, "the colours of slopes")
}
