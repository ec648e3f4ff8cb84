//! Scale bar: the length of a round distance on the ground in the centre of the picture.

use std::rc::Rc;

use glam::Vec2;
use glium::backend::Context;

use super::canvas::Canvas;
use super::scale::{letters, line_width, metres};
use super::sprites::{SpriteBuffers, Sprites};
use crate::camera::{Ground, width_seen};
use crate::render::error::RenderError;
use crate::render::view::flat::FlatView;
use crate::scene::{Camera, RenderType, Scene};
use crate::shading::analysis::RoundLength;
use crate::util::lettering;

const PAPER: ([f32; 3], f32) = ([0.07, 0.08, 0.10], 0.62);
const INK: [f32; 3] = [0.96, 0.96, 0.97];
/// Maximum length of the bar, as a fraction of the picture's width.
const LONGEST: f64 = 0.25;
/// Minimum size of a picture with a scale bar.
const SMALLEST_PICTURE: u32 = 64;

/// Cache key of a scale bar.
#[derive(Clone, PartialEq)]
pub(super) struct Key {
    camera: Camera,
    render_type: RenderType,
    tile: u32,
    tile_size_m: f32,
    endless: bool,
    water: Option<f32>,
    size: (u32, u32),
}

impl Key {
    /// The key of a picture with a scale bar; `None` without one.
    pub(super) fn new(scene: &Scene, size: (u32, u32)) -> Option<Self> {
        let has_room = size.0.min(size.1) >= SMALLEST_PICTURE;
        (scene.view.scale_bar && has_room && scene.render_type().has_scale()).then(|| Self {
            camera: scene.camera.clone(),
            render_type: scene.render_type(),
            tile: scene.view.tile,
            tile_size_m: scene.surface.tile_size_m,
            endless: scene.view.endless,
            water: scene.water_level(),
            size,
        })
    }
}

/// Draw the scale bar in the lower right corner; `None` if there is no ground in the centre. `side` is the
/// size of a tile in half tiles.
pub(super) fn scale_bar(
    context: &Rc<Context>,
    scene: &Scene,
    ground: &Ground,
    side: [f32; 2],
    size: (u32, u32),
) -> Result<Option<SpriteBuffers>, RenderError> {
    let picture = [size.0 as f32, size.1 as f32];
    let width = if scene.is_flat() {
        flat_width(side, scene.view.tile, size)
    } else {
        width_seen(
            &scene.camera,
            &ground.seen_in(scene),
            picture[0] / picture[1],
        )
    };
    let Some(width) = width.map(|half_tiles| half_tiles * metres(scene)) else {
        return Ok(None);
    };
    let Some(length) = RoundLength::within(width * LONGEST) else {
        return Ok(None);
    };
    let pixels = (length.metres() / width * f64::from(size.0)) as f32;
    let canvas = drawn(&length.to_string(), pixels, size);
    let gap = (letters(size) * 0.8).round();
    let extent = Vec2::new(canvas.width() as f32, canvas.height() as f32);
    let middle = Vec2::from(picture) - Vec2::splat(gap) - extent * 0.5;
    let mut sprites = Sprites::default();
    let canvas = sprites.picture(canvas);
    sprites.put(canvas, middle.into(), 0.0);
    sprites.upload(context)
}

/// Width of a picture in plan view, in half tiles.
fn flat_width(side: [f32; 2], tiles: u32, size: (u32, u32)) -> Option<f64> {
    let tile = FlatView::new(side, tiles, size).tile[0];
    let width = f64::from(side[0]) * f64::from(size.0) / f64::from(tile);
    width.is_finite().then_some(width)
}

/// Draw a bar of `length` pixels between two ticks, with its label above.
fn drawn(words: &str, length: f32, picture: (u32, u32)) -> Canvas {
    let size = letters(picture);
    let (pad, thick) = (size * 0.6, (size * 0.14).max(line_width(picture)).max(1.5));
    let tick = size * 0.32;
    let across = length.max(lettering::width(words, size));
    let mut canvas = Canvas::new(across + 2.0 * pad, size * 2.0 + pad);
    let extent = [canvas.width() as f32, canvas.height() as f32];
    canvas.rounded([0.0; 2], extent, size * 0.4, PAPER);
    let middle = extent[0] * 0.5;
    canvas.words_around(words, size, [middle, pad * 0.5 + size * 0.5], INK);
    let (left, right) = (middle - length * 0.5, middle + length * 0.5);
    let bottom = extent[1] - pad * 0.8;
    let mut fill = |low: [f32; 2], high: [f32; 2]| canvas.rounded(low, high, 0.0, (INK, 1.0));
    fill([left, bottom - thick], [right, bottom]);
    fill([left, bottom - tick], [left + thick, bottom]);
    fill([right - thick, bottom - tick], [right, bottom]);
    canvas
}
