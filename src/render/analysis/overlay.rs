//! Overlay of one picture: lines, labels and the legend, built for its size.

use std::rc::Rc;

use glium::backend::Context;
use glium::framebuffer::SimpleFrameBuffer;

use super::contours::height_words;
use super::desk::Desk;
use super::legend::legend;
use super::scale::{interval_m, letters};
use super::sprites::{SpriteBuffers, Sprites};
use super::strips::{StripBuffers, Strips};
use crate::render::error::RenderError;
use crate::render::pass::Pass;
use crate::render::view::flat::FlatView;
use crate::scene::{Analysis, Camera, RenderType, Scene, Section};

/// Minimum size of a picture with a legend.
const SMALLEST_PICTURE: u32 = 180;

/// Cache key of an overlay.
#[derive(Clone, PartialEq)]
pub(super) struct Key {
    analysis: Analysis,
    section: Section,
    tile: u32,
    tile_size_m: f32,
    palette: String,
    render_type: RenderType,
    flat: bool,
    /// Camera, if the positions of marks in perspective depend on it.
    camera: Option<Camera>,
    size: (u32, u32),
}

impl Key {
    pub(super) fn new(scene: &Scene, size: (u32, u32)) -> Self {
        let in_space = !scene.is_flat() && scene.section.is_drawn();
        Self {
            analysis: scene.analysis.clone(),
            section: scene.section,
            tile: scene.view.tile,
            tile_size_m: scene.surface.tile_size_m,
            palette: scene.view.palette.clone(),
            render_type: scene.render_type(),
            flat: scene.is_flat(),
            camera: in_space.then(|| scene.camera.clone()),
            size,
        }
    }
}

/// Lines, labels and the legend of one picture.
pub(super) struct Overlay {
    contours: Option<StripBuffers>,
    section: Option<StripBuffers>,
    sprites: Option<SpriteBuffers>,
}

impl Overlay {
    pub(super) fn new(context: &Rc<Context>, desk: &Desk<'_>) -> Result<Self, RenderError> {
        let Desk { scene, map, .. } = *desk;
        let mut sprites = Sprites::default();
        let flat = scene.is_flat();
        let tiles = scene.view.tile;
        let view = FlatView::new(map.layout.side, tiles, desk.size);
        let mut interval = interval_m(scene, map);
        let mut lines = Strips::default();
        if let (true, true, Some(relief)) = (flat, scene.analysis.contours, desk.relief) {
            interval = desk.contours(relief, &view, interval, &mut lines, &mut sprites);
        }
        let mut section = Strips::default();
        if let Some(line) = scene.section.within(tiles, map.layout.side) {
            let ends = if flat {
                let ends = [line.from, line.to].map(|end| view.pixel(end));
                desk.section(ends, &mut section);
                ends.map(Some)
            } else {
                [line.from, line.to].map(|end| desk.seen(end))
            };
            desk.marks(ends, &mut sprites);
        }
        desk.legend(interval, &mut sprites);
        Ok(Self {
            contours: lines.upload(context, &view.corners())?,
            section: section.upload(context, &[[0.0; 2]])?,
            sprites: sprites.upload(context)?,
        })
    }

    pub(super) fn draw(
        &self,
        pass: &Pass<'_>,
        surface: &mut SimpleFrameBuffer<'_>,
    ) -> Result<(), RenderError> {
        for lines in [&self.contours, &self.section].into_iter().flatten() {
            lines.draw(pass, surface)?;
        }
        match &self.sprites {
            Some(sprites) => sprites.draw(pass, surface),
            None => Ok(()),
        }
    }
}

impl Desk<'_> {
    /// Add the legend in the lower left corner.
    fn legend(&self, interval: f64, sprites: &mut Sprites) {
        let analysis = &self.scene.analysis;
        if !analysis.legend || self.size.0.min(self.size.1) < SMALLEST_PICTURE {
            return;
        }
        let size = letters(self.size);
        let steep = self.map.range.1 > self.map.range.0;
        let words = (analysis.contours && steep)
            .then(|| [1, 5].map(|times| format!("{} m", height_words(times, interval))));
        let Some(picture) = legend(analysis, size, words.as_ref()) else {
            return;
        };
        let gap = (size * 0.8).round();
        let middle = [
            gap + picture.width() as f32 * 0.5,
            self.size.1 as f32 - gap - picture.height() as f32 * 0.5,
        ];
        let picture = sprites.picture(picture);
        sprites.put(picture, middle, 0.0);
    }
}
