//! Overlay of one picture, built for its size: lines, labels, the cross-section, the legend and the scale bar.

use std::rc::Rc;

use glam::{Vec2, Vec3, Vec4Swizzles};
use glium::backend::Context;

use crate::camera::{Ground, width_seen};
use crate::render::analysis::contours::{height_words, ink_in_space};
use crate::render::analysis::sprites::{Canvas, SpriteBuffers, Sprites};
use crate::render::analysis::strips::{StripBuffers, Strips};
use crate::render::analysis::{Desk, interval_m, letters, line_width, metres};
use crate::render::error::Result;
use crate::render::pass::{Pass, Target};
use crate::render::view::{Eye, FlatView};
use crate::scene::{Analysis, Camera, GroundColor, RenderType, Scene, Section, Water};
use crate::shading::analysis::{
    HEAVY, LEVEL, RoundLength, STEEPEST, aspect_color, next_step, round_step, slope_color,
};
use crate::util::lettering;
use crate::util::numbers::mix_colors;

/// Minimum size of a picture with a legend, and of one with a legend of elevation.
const SMALLEST_PICTURE: u32 = 180;
const SMALLEST_WITH_ELEVATION: u32 = 225;

/// Cache key of an overlay.
#[derive(Clone, PartialEq)]
pub(super) struct OverlayKey {
    analysis: Analysis,
    section: Section,
    tile: u32,
    tile_size_m: f32,
    palette: String,
    render_type: RenderType,
    flat: bool,
    /// True if the legend must leave room for a scale bar.
    scale_bar: bool,
    /// Height of the sea that hides the lower part of the palette, in half tiles.
    sea: Option<f32>,
    /// Camera, if the positions of marks or labels depend on it.
    camera: Option<Camera>,
    size: (u32, u32),
}

impl OverlayKey {
    pub(super) fn new(scene: &Scene, size: (u32, u32)) -> Self {
        let in_space = !scene.is_flat() && scene.section.is_drawn();
        let follows = in_space || labels_follow_camera(scene);
        Self {
            analysis: scene.analysis.clone(),
            section: scene.section,
            tile: scene.view.tile,
            tile_size_m: scene.surface.tile_size_m,
            palette: scene.view.palette.clone(),
            render_type: scene.render_type(),
            flat: scene.is_flat(),
            scale_bar: scene.view.scale_bar,
            sea: charted_sea(scene),
            camera: follows.then(|| scene.camera.clone()),
            size,
        }
    }
}

/// True for labelled contours of a map that its camera sees from above.
fn labels_follow_camera(scene: &Scene) -> bool {
    let labels = scene.analysis.contours && scene.analysis.labels;
    labels && scene.render_type() == RenderType::Map && !scene.is_flat()
}

/// Lines, labels and the legend of one picture.
pub(super) struct Overlay {
    contours: Option<StripBuffers>,
    section: Option<StripBuffers>,
    sprites: Option<SpriteBuffers>,
}

impl Overlay {
    pub(super) fn new(context: &Rc<Context>, desk: &Desk<'_>) -> Result<Self> {
        let Desk { scene, map, .. } = *desk;
        let mut sprites = Sprites::default();
        let flat = scene.is_flat();
        let tiles = scene.view.tile;
        let view = FlatView::new(map.layout.side, tiles, desk.size);
        let mut interval = interval_m(scene, map);
        let mut lines = Strips::default();
        match desk.relief.filter(|_| scene.analysis.contours) {
            Some(relief) if flat => {
                interval = desk.contours(relief, &view, interval, &mut lines, &mut sprites);
            }
            Some(relief) if labels_follow_camera(scene) => {
                desk.camera_labels(relief, interval, &mut sprites);
            }
            _ => {}
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

    pub(super) fn draw(&self, pass: &Pass<'_>, surface: &mut Target<'_>) -> Result {
        for lines in [&self.contours, &self.section].into_iter().flatten() {
            lines.draw(pass, surface)?;
        }
        let mut sprites = self.sprites.iter();
        sprites.try_for_each(|sprites| sprites.draw(pass, surface))
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
        let contours = (analysis.contours && steep).then(|| self.contour_part(size, interval));
        let Some(picture) = legend(analysis, size, self.elevation(size), contours) else {
            return;
        };
        let gap = (size * 0.8).round();
        let [width, height] = [picture.width(), picture.height()].map(|side| side as f32);
        // In a narrow picture the legend lies above the scale bar.
        let is_wide = width + 3.0 * gap + widest_bar(self.size) <= self.size.0 as f32;
        let raised = match self.scene.view.scale_bar && !is_wide {
            true => bar_height(size) + gap,
            false => 0.0,
        };
        let middle = [
            gap + width * 0.5,
            self.size.1 as f32 - gap - raised - height * 0.5,
        ];
        let picture = sprites.picture(picture);
        sprites.put(picture, middle, 0.0);
    }
}

impl Desk<'_> {
    /// Draw the legend of elevation of a map with contours: the palette between the lowest and the highest
    /// height, with round heights in metres below it.
    fn elevation(&self, size: f32) -> Option<Canvas> {
        let (scene, (low, high)) = (self.scene, self.map.range);
        let is_shown = scene.render_type() == RenderType::Map
            && scene.analysis.contours
            && scene.analysis.color == GroundColor::Height
            && self.size.0.min(self.size.1) >= SMALLEST_WITH_ELEVATION;
        let lowest = charted_sea(scene).unwrap_or(low).max(low);
        if !is_shown || lowest >= high {
            return None;
        }
        let [from, to] = [lowest, high].map(|height| f64::from(height) * metres(scene));
        let color = |along: f32| {
            let height = lowest + (high - lowest) * along;
            self.palette.color((height - low) / (high - low))
        };
        Some(elevation_part(size, (from, to), color))
    }

    /// Draw a sample of a contour and one of an index contour in the middle of the heights, each beside its
    /// interval.
    fn contour_part(&self, size: f32, interval: f64) -> Canvas {
        let (low, high) = self.map.range;
        let low = charted_sea(self.scene).unwrap_or(low).clamp(low, high);
        let middle = f64::from(0.5 * (low + high)) * metres(self.scene);
        let index = (middle / interval).round() as i64;
        let ground = self.ground(index, interval);
        let ground = ground.unwrap_or(match self.scene.analysis.color {
            GroundColor::Slope => slope_color(0.0),
            _ => LEVEL,
        });
        let samples = [(1, false, 0.04), (HEAVY, true, 0.075)];
        let samples = samples.map(|(times, heavy, thick): (i64, bool, f32)| {
            let words = format!("{} m", height_words(times, interval));
            let ink = match self.scene.render_type() {
                RenderType::Map => self.ink(index, interval, heavy),
                _ => ink_in_space(ground),
            };
            (words, ink, size * thick)
        });
        let (side, gap) = (size * 1.6, size * 0.5);
        let widths = samples.each_ref().map(|sample| {
            let (words, ..) = sample;
            side + gap + lettering::width(words, size) + size * 1.1
        });
        let mut canvas = Canvas::new(widths[0] + widths[1] - size * 1.1 + 1.0, size * 1.2);
        let (bottom, middle) = (canvas.height() as f32, canvas.height() as f32 * 0.5);
        let mut left = 0.0;
        for ((words, [r, g, b, alpha], thick), width) in samples.iter().zip(widths) {
            canvas.rounded(
                [left, 0.0],
                [left + side, bottom],
                size * 0.15,
                (ground, 1.0),
            );
            let half = thick.max(0.4);
            canvas.paint(|x, y| {
                let inside = edge(x - left) * edge(left + side - x);
                let cover = edge(half - (y - middle).abs());
                ([*r, *g, *b], alpha * inside * cover)
            });
            canvas.words(words, size, [left + side + gap, middle], INK);
            left += width;
        }
        canvas
    }
}

/// Height of the sea in a map, which hides the ground below it, in half tiles.
fn charted_sea(scene: &Scene) -> Option<f32> {
    scene.charted_water().and_then(Water::height)
}

/// Colour of the line and of the marks.
pub(super) const SECTION: [f32; 3] = [0.80, 0.10, 0.18];

impl Desk<'_> {
    /// Add the line of the cross-section, red with a white border.
    fn section(&self, ends: [[f32; 2]; 2], lines: &mut Strips) {
        let width = line_width(self.size);
        let [r, g, b] = SECTION;
        lines.line(&ends, false, width * 5.0, [1.0, 1.0, 1.0, 0.85]);
        lines.line(&ends, false, width * 2.6, [r, g, b, 1.0]);
    }

    /// Add the marks A and B at the ends.
    fn marks(&self, ends: [Option<[f32; 2]>; 2], sprites: &mut Sprites) {
        let size = letters(self.size);
        let radius = size * 0.72;
        for (words, end) in ["A", "B"].into_iter().zip(ends) {
            let Some(end) = end else {
                continue;
            };
            let mut mark = Canvas::new(2.0 * radius + 4.0, 2.0 * radius + 4.0);
            let middle = [mark.width() as f32 * 0.5, mark.height() as f32 * 0.5];
            let disc = |mark: &mut Canvas, radius: f32, color| {
                let (low, high) = (middle.map(|m| m - radius), middle.map(|m| m + radius));
                mark.rounded(low, high, radius, (color, 1.0));
            };
            disc(&mut mark, radius + 1.2, [1.0; 3]);
            disc(&mut mark, radius, SECTION);
            mark.words_around(words, size, middle, [1.0; 3]);
            let picture = sprites.picture(mark);
            sprites.put(picture, end, 0.0);
        }
    }

    /// Project a point of the cross-section on the ground into the picture, in pixels.
    fn seen(&self, place: [f32; 2]) -> Option<[f32; 2]> {
        let (tiles, side) = (self.scene.view.tile, self.map.layout.side);
        let tile = [0, 1].map(|i: usize| {
            (place[i] / side[i] + 0.5)
                .floor()
                .clamp(0.0, tiles as f32 - 1.0)
                * side[i]
        });
        let height = self
            .relief?
            .height_at(place[0] - tile[0], place[1] - tile[1]);
        let middle = side.map(|side| (tiles as f32 - 1.0) * 0.5 * side);
        let world = Vec3::new(place[0] - middle[0], height, place[1] - middle[1]);
        let eye = Eye::new(&self.scene.camera, self.size);
        let clip = eye.clip_from_world(0.001, 1000.0) * world.extend(1.0);
        if clip.w <= 0.0 {
            return None;
        }
        let at = clip.xy() / clip.w;
        let picture = [self.size.0 as f32, self.size.1 as f32];
        Some([
            (at.x + 1.0) * 0.5 * picture[0],
            (1.0 - at.y) * 0.5 * picture[1],
        ])
    }
}

const PAPER: ([f32; 3], f32) = ([0.07, 0.08, 0.10], 0.74);
const INK: [f32; 3] = [0.93, 0.94, 0.96];
const PALE: [f32; 3] = [0.70, 0.73, 0.77];

/// Draw the legend with text of `size` pixels; `None` if there is nothing to explain. `elevation` explains
/// the colours by height, `contours` the lines.
fn legend(
    analysis: &Analysis,
    size: f32,
    elevation: Option<Canvas>,
    contours: Option<Canvas>,
) -> Option<Canvas> {
    let parts = [
        match analysis.color {
            GroundColor::Height => elevation,
            GroundColor::Slope => Some(slope_part(size)),
            GroundColor::Aspect => Some(aspect_part(size)),
        },
        contours,
    ];
    let parts: Vec<Canvas> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return None;
    }
    let (pad, gap) = (size * 0.6, size * 0.35);
    let width = parts.iter().map(Canvas::width).max().unwrap_or(0) as f32;
    let heights: f32 = parts.iter().map(|part| part.height() as f32).sum();
    let height = heights + gap * (parts.len() - 1) as f32;
    let mut canvas = Canvas::new(width + 2.0 * pad, height + 2.0 * pad);
    let high = [canvas.width() as f32, canvas.height() as f32];
    canvas.rounded([0.0; 2], high, size * 0.4, PAPER);
    let mut top = pad;
    for part in parts {
        canvas.stamp(&part, [pad.round() as usize, top.round() as usize]);
        top += part.height() as f32 + gap;
    }
    Some(canvas)
}

fn slope_part(size: f32) -> Canvas {
    let marks = [0.0, 30.0, 60.0, 90.0f32];
    let marks = marks.map(|degrees| (degrees / STEEPEST, format!("{degrees}°")));
    ramp_part("Slope", size, 10.0, &marks, |along| {
        slope_color(along * STEEPEST)
    })
}

/// Length of the legend of elevation in text heights, and the maximum number of heights below it.
const ELEVATIONS: f32 = 14.0;
const MOST_HEIGHTS: f64 = 5.0;
/// Size of the labels of a colour ramp, in text heights.
const LABELS: f32 = 0.9;

/// Draw the colours between two heights in metres, with round heights below them.
fn elevation_part(size: f32, (low, high): (f64, f64), color: impl Fn(f32) -> [f32; 3]) -> Canvas {
    let marks = |step: f64| {
        let indices = (low / step).ceil() as i64..=(high / step).floor() as i64;
        let mark = |index: i64| {
            let along = (index as f64 * step - low) / (high - low);
            (along as f32, height_words(index, step))
        };
        indices.map(mark).collect::<Vec<_>>()
    };
    let is_legible = |marks: &[(f32, String)]| {
        let width = |words: &str| lettering::width(words, size * LABELS) + size * 0.6;
        marks.windows(2).all(|pair| {
            let [(left, a), (right, b)] = [&pair[0], &pair[1]];
            (right - left) * size * ELEVATIONS >= 0.5 * (width(a) + width(b))
        })
    };
    let mut step = round_step((high - low) / MOST_HEIGHTS);
    while !is_legible(&marks(step)) {
        step = next_step(step);
    }
    ramp_part("Height in metres", size, ELEVATIONS, &marks(step), color)
}

/// Draw a heading, a colour ramp of `length` text heights below it, and marks along the ramp: their places,
/// 0…1, and labels.
fn ramp_part(
    heading: &str,
    size: f32,
    length: f32,
    marks: &[(f32, String)],
    color: impl Fn(f32) -> [f32; 3],
) -> Canvas {
    let (length, thick) = (size * length, size * 0.75);
    let margin = size * 0.9;
    let mut canvas = Canvas::new(length + 2.0 * margin, size * 3.3);
    canvas.words(heading, size, [0.0, size * 0.5], INK);
    let top = size * 1.2;
    canvas.paint(|x, y| {
        let along = (x - margin) / length;
        let inside = edge(x - margin) * edge(margin + length - x);
        let alpha = inside * edge(y - top) * edge(top + thick - y);
        (color(along.clamp(0.0, 1.0)), alpha)
    });
    for (along, words) in marks {
        let x = margin + length * along;
        let middle = [x, top + thick + size * 0.7];
        canvas.words_around(words, size * LABELS, middle, PALE);
    }
    canvas
}

fn aspect_part(size: f32) -> Canvas {
    let radius = size * 1.9;
    let middle = [radius + size * 1.6, radius + size * 2.3];
    let mut canvas = Canvas::new(2.0 * middle[0], middle[1] + radius + size * 1.2);
    canvas.words("Falls to the", size, [0.0, size * 0.5], INK);
    canvas.paint(|x, y| {
        let (east, north) = (x - middle[0], middle[1] - y);
        let away = east.hypot(north);
        // Saturation rises with the slope: none at the centre, full on steep ground.
        let hue = aspect_color(east.atan2(north).to_degrees());
        let full = (away / radius * 1.5 - 0.2).clamp(0.0, 1.0);
        (mix_colors(LEVEL, hue, full), edge(radius - away))
    });
    let out = radius + size * 0.65;
    for (words, east, south) in [
        ("N", 0.0, -1.0),
        ("E", 1.0, 0.0),
        ("S", 0.0, 1.0),
        ("W", -1.0, 0.0),
    ] {
        let at = [middle[0] + east * out, middle[1] + south * out];
        canvas.words_around(words, size * 0.9, at, PALE);
    }
    canvas
}

/// Coverage of a pixel by the inner side of an edge at a signed distance, for antialiasing.
fn edge(distance: f32) -> f32 {
    (distance + 0.5).clamp(0.0, 1.0)
}

impl Canvas {
    /// Blend another image over this one, with its top left pixel at the given column and row.
    fn stamp(&mut self, other: &Self, corner: [usize; 2]) {
        let grid = other.to_grid();
        self.paint(|x, y| {
            let (x, y) = (x as usize, y as usize);
            let (Some(column), Some(row)) = (x.checked_sub(corner[0]), y.checked_sub(corner[1]))
            else {
                return ([0.0; 3], 0.0);
            };
            if column >= grid.columns() || row >= grid.rows() {
                return ([0.0; 3], 0.0);
            }
            let [r, g, b, a] = grid.row(row)[column].map(|byte| f32::from(byte) / 255.0);
            let whole = a.max(1e-6);
            ([r / whole, g / whole, b / whole], a)
        });
    }
}

const BAR_PAPER: ([f32; 3], f32) = ([0.07, 0.08, 0.10], 0.62);
const BAR_INK: [f32; 3] = [0.96, 0.96, 0.97];
/// Maximum length of the bar, as a fraction of the picture's width.
const LONGEST: f64 = 0.25;
/// Minimum size of a picture with a scale bar.
const SMALLEST_WITH_BAR: u32 = 64;

/// Cache key of a scale bar.
#[derive(Clone, PartialEq)]
pub(super) struct ScaleBarKey {
    camera: Camera,
    render_type: RenderType,
    tile: u32,
    tile_size_m: f32,
    endless: bool,
    water: Option<f32>,
    size: (u32, u32),
}

impl ScaleBarKey {
    /// The key of a picture with a scale bar; `None` without one.
    pub(super) fn new(scene: &Scene, size: (u32, u32)) -> Option<Self> {
        let has_room = size.0.min(size.1) >= SMALLEST_WITH_BAR;
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
) -> Result<Option<SpriteBuffers>> {
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

/// Height of the scale bar with text of `size` pixels, and the width it needs at most, in pixels.
fn bar_height(size: f32) -> f32 {
    size * 2.6
}

fn widest_bar(picture: (u32, u32)) -> f32 {
    let size = letters(picture);
    let longest = picture.0 as f32 * LONGEST as f32;
    longest.max(lettering::width("500 km", size)) + 1.2 * size
}

/// Draw a bar of `length` pixels between two ticks, with its label above.
fn drawn(words: &str, length: f32, picture: (u32, u32)) -> Canvas {
    let size = letters(picture);
    let (pad, thick) = (size * 0.6, (size * 0.14).max(line_width(picture)).max(1.5));
    let tick = size * 0.32;
    let across = length.max(lettering::width(words, size));
    let mut canvas = Canvas::new(across + 2.0 * pad, bar_height(size));
    let extent = [canvas.width() as f32, canvas.height() as f32];
    canvas.rounded([0.0; 2], extent, size * 0.4, BAR_PAPER);
    let middle = extent[0] * 0.5;
    canvas.words_around(words, size, [middle, pad * 0.5 + size * 0.5], BAR_INK);
    let (left, right) = (middle - length * 0.5, middle + length * 0.5);
    let bottom = extent[1] - pad * 0.8;
    let mut fill = |low: [f32; 2], high: [f32; 2]| canvas.rounded(low, high, 0.0, (BAR_INK, 1.0));
    fill([left, bottom - thick], [right, bottom]);
    fill([left, bottom - tick], [left + thick, bottom]);
    fill([right - thick, bottom - tick], [right, bottom]);
    canvas
}
