//! Pins placed by hand on the map: a click sets one, a drag moves it, the wheel raises it.
//!
//! The dots are part of the picture; here are only what the mouse does and the numbers of the
//! pin under it.

use std::sync::Arc;

use egui::{
    Align2, Color32, Context, CursorIcon, FontId, Id, Key, PointerButton, Pos2, Rect, Response,
    Stroke, Ui, Vec2, pos2, vec2,
};

use crate::app::input;
use crate::app::panel::param_ui::short;
use crate::app::theme;
use crate::fractal::Edges;
use crate::generate::Surface;
use crate::generate::pins::{MOST_PINS, Pin};
use crate::heightmap::Heightmap;
use crate::pipeline::Pipeline;
use crate::render::flat_rectangle;
use crate::scene::{RenderType, Scene};

/// Points between pointer and pin at which it is meant; more where no other pin can be placed.
const REACH: f32 = 10.0;
const REACH_ALONE: f32 = 40.0;
/// Half tiles that a point of dragging or of scrolling raises a pin.
const HEIGHT_PER_POINT: f32 = 0.004;
const HEIGHT_PER_SCROLL: f32 = 0.001;
/// Seconds after the last turn of the wheel until it is one step of undo.
const WHEEL_SETTLES: f64 = 0.5;
/// Samples a side of the ground that new pins take their height from.
const GROUND_SIDE: usize = 1025;
/// Highest and lowest pin.
const MOST_HEIGHT: f32 = 1000.0;

/// What the mouse is about.
#[derive(Clone, Copy, Default)]
struct Mouse {
    on: bool,
    dragged: Option<usize>,
    wheeled_at: Option<f64>,
}

fn mouse(ctx: &Context) -> Mouse {
    ctx.data(|data| data.get_temp(mouse_id()))
        .unwrap_or_default()
}

fn set_mouse(ctx: &Context, mouse: Mouse) {
    ctx.data_mut(|data| data.insert_temp(mouse_id(), mouse));
}

fn mouse_id() -> Id {
    Id::new("pins on the map")
}

/// Whether the mouse on the map edits pins. Only where the map is shown of a generator that
/// takes pins; elsewhere it is switched off for good.
pub fn is_editing(ctx: &Context, scene: &Scene) -> bool {
    let mut mouse = mouse(ctx);
    let possible = scene.render_type() == RenderType::Map && scene.surface.pin_edges().is_some();
    if mouse.on && !possible {
        mouse.on = false;
        set_mouse(ctx, mouse);
    }
    mouse.on
}

/// Switches the mouse between pins and the view; on, the map is shown.
pub fn set_editing(ctx: &Context, scene: &mut Scene, on: bool) {
    if on {
        scene.view.render_type = RenderType::Map;
    }
    let mouse = Mouse {
        on,
        ..Mouse::default()
    };
    set_mouse(ctx, mouse);
}

/// Whether the wheel has just changed a height, so that its next turn is the same step of undo.
pub fn wheel_turns(ctx: &Context) -> bool {
    let now = ctx.input(|input| input.time);
    let at = mouse(ctx).wheeled_at;
    at.is_some_and(|at| now - at < 2.0 * WHEEL_SETTLES)
}

/// Changes the pins unless that would put two on one point, or one off the map. Returns
/// whether it did.
pub fn edit(surface: &mut Surface, change: impl FnOnce(&mut Surface)) -> bool {
    let before = (surface.pins.clone(), surface.pin_level);
    change(surface);
    let allowed = surface.check_pins().is_ok();
    if !allowed {
        (surface.pins, surface.pin_level) = before;
    }
    allowed
}

/// The ground of a landscape that was made just now, before its modifiers, thinned: what new
/// pins take their height from. `None` where no pins can be placed.
pub fn ground_for_pins(scene: &Scene, pipeline: &Pipeline) -> Option<Arc<Heightmap>> {
    if scene.render_type() != RenderType::Map || scene.surface.pin_edges().is_none() {
        return None;
    }
    let map = pipeline.generated()?;
    let stride = ((map.rows() - 1) / (GROUND_SIDE - 1)).max(1);
    let thinned = |count: usize| (0..count).step_by(stride);
    let heights: Vec<f32> = thinned(map.rows())
        .flat_map(|row| thinned(map.columns()).map(move |column| map.at(row, column)))
        .collect();
    let (rows, columns) = (thinned(map.rows()).count(), thinned(map.columns()).count());
    Some(Arc::new(Heightmap::new(
        rows,
        columns,
        map.wraps(),
        heights,
    )))
}

/// What the mouse does to the pins, and the pin under it.
pub fn pins_ui(
    ui: &Ui,
    response: &Response,
    surface: &mut Surface,
    tiles: u32,
    ground: Option<&Heightmap>,
) {
    let ctx = ui.ctx();
    let view = MapView::new(response.rect, ctx.pixels_per_point(), tiles, [2.0, 2.0]);
    let mut mouse = mouse(ctx);
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    let under = |surface: &Surface| pointer.and_then(|at| view.pin_at(surface, at));
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ctx.input(|input| input.pointer.press_origin());
        mouse.dragged = origin.and_then(|at| view.pin_at(surface, at));
    }
    match (mouse.dragged, pointer) {
        (Some(index), Some(at)) if response.dragged_by(PointerButton::Primary) => {
            if ctx.input(|input| input.modifiers.shift) {
                raise(surface, index, -response.drag_delta().y * HEIGHT_PER_POINT);
            } else {
                move_to(surface, index, view.place(at));
            }
        }
        _ => mouse.dragged = None,
    }
    if response.clicked_by(PointerButton::Primary)
        && under(surface).is_none()
        && let Some(at) = pointer.filter(|at| view.holds(*at))
    {
        add(surface, view.place(at), ground);
    }
    let hovered = mouse.dragged.or(under(surface));
    let delete = !input::is_typing(ctx) && ctx.input(|input| input.key_pressed(Key::Delete));
    match hovered.filter(|index| *index < surface.pins.len()) {
        Some(index) if delete || response.clicked_by(PointerButton::Secondary) => {
            surface.pins.remove(index);
            mouse.dragged = None;
        }
        Some(index) => {
            let scrolled = ctx.input(|input| input.smooth_scroll_delta.y);
            if scrolled != 0.0 && response.hovered() {
                raise(surface, index, scrolled * HEIGHT_PER_SCROLL);
                mouse.wheeled_at = Some(ctx.input(|input| input.time));
            }
            ctx.set_cursor_icon(CursorIcon::Grab);
            view.highlight(ui, surface, index);
        }
        None if pointer.is_some_and(|at| view.holds(at)) => {
            ctx.set_cursor_icon(CursorIcon::Crosshair);
        }
        None => {}
    }
    set_mouse(ctx, mouse);
}

fn add(surface: &mut Surface, [x, z]: [f32; 2], ground: Option<&Heightmap>) {
    if surface.pins.len() == MOST_PINS {
        return;
    }
    let pin = Pin { x, z, height: 0.0 }.snapped(surface.pin_level);
    let there = ground.map_or(0.0, |ground| ground.height_at(pin.x, pin.z));
    let height = match surface.height_scale {
        0.0 => 0.0,
        scale => (there / scale).clamp(-MOST_HEIGHT, MOST_HEIGHT),
    };
    edit(surface, |surface| surface.pins.push(Pin { height, ..pin }));
}

fn move_to(surface: &mut Surface, index: usize, [x, z]: [f32; 2]) {
    let level = surface.pin_level;
    edit(surface, |surface| {
        if let Some(pin) = surface.pins.get_mut(index) {
            *pin = Pin { x, z, ..*pin }.snapped(level);
        }
    });
}

fn raise(surface: &mut Surface, index: usize, by: f32) {
    if let Some(pin) = surface.pins.get_mut(index) {
        pin.height = (pin.height + by).clamp(-MOST_HEIGHT, MOST_HEIGHT);
    }
}

/// Where in the window the map lies.
pub(super) struct MapView {
    center: Pos2,
    /// Half of what all tiles fill, in points.
    half: Vec2,
    tiles: f32,
}

impl MapView {
    /// A map of tiles with those sides along x and z, half tiles, in the part of the window that
    /// the scene is drawn in.
    pub(super) fn new(scene: Rect, pixels_per_point: f32, tiles: u32, side: [f32; 2]) -> Self {
        let pixels = |points: f32| (points * pixels_per_point).round().max(1.0) as u32;
        let size = (pixels(scene.width()), pixels(scene.height()));
        let filled = flat_rectangle(side, size);
        Self {
            center: scene.center(),
            half: vec2(filled[0] * scene.width(), filled[1] * scene.height()) * 0.5,
            tiles: tiles as f32,
        }
    }

    /// Tiles from the north-west corner of all.
    pub(super) fn tile_at(&self, at: Pos2) -> Vec2 {
        ((at - self.center) / self.half + vec2(1.0, 1.0)) * 0.5 * self.tiles
    }

    /// Where a place counted in tiles is in the window.
    pub(super) fn at_tile(&self, tile: Vec2) -> Pos2 {
        self.center + (tile / self.tiles * 2.0 - vec2(1.0, 1.0)) * self.half
    }

    /// Whether a place in the window is on the map, or close by its border.
    pub(super) fn holds(&self, at: Pos2) -> bool {
        let from = (at - self.center).abs() - self.half;
        from.max_elem() <= REACH
    }

    /// The first row and column of the tile at a place in the window.
    fn corner(&self, at: Pos2) -> Vec2 {
        let last = Vec2::splat(self.tiles - 1.0);
        self.tile_at(at).floor().clamp(Vec2::ZERO, last)
    }

    /// x and z of a place in the window; beyond the map those of its border.
    fn place(&self, at: Pos2) -> [f32; 2] {
        let inside = (self.tile_at(at) - self.corner(at)) * 2.0 - vec2(1.0, 1.0);
        [inside.x.clamp(-1.0, 1.0), inside.y.clamp(-1.0, 1.0)]
    }

    /// Where x and z of the tile with that corner are in the window.
    fn position(&self, [x, z]: [f32; 2], corner: Vec2) -> Pos2 {
        self.at_tile(corner + (vec2(x, z) + vec2(1.0, 1.0)) * 0.5)
    }

    /// Where a pin is in the window, in the tile that a place is in: on its lattice point, and
    /// with wrapped edges also across the map.
    fn positions(&self, surface: &Surface, pin: &Pin, near: Pos2) -> impl Iterator<Item = Pos2> {
        let pin = pin.snapped(surface.pin_level);
        let wraps = surface.pin_edges() == Some(Edges::Wrap);
        let both = |place: f32| {
            [
                place,
                if wraps && place.abs() == 1.0 {
                    -place
                } else {
                    place
                },
            ]
        };
        let (xs, zs, corner) = (both(pin.x), both(pin.z), self.corner(near));
        let places = xs.into_iter().flat_map(move |x| zs.map(|z| [x, z]));
        places.map(move |place| self.position(place, corner))
    }

    /// The nearest pin within reach.
    fn pin_at(&self, surface: &Surface, at: Pos2) -> Option<usize> {
        let [x, z] = self.place(at);
        let wraps = surface.pin_edges() == Some(Edges::Wrap);
        let point = |pin: &Pin| pin.point(surface.pin_level, wraps);
        let under = point(&Pin { x, z, height: 0.0 });
        let distance = |pin: &Pin| {
            let positions = self.positions(surface, pin, at);
            let distance = positions
                .map(|p| p.distance(at))
                .fold(f32::INFINITY, f32::min);
            let reach = if point(pin) == under {
                REACH_ALONE
            } else {
                REACH
            };
            (distance <= reach).then_some(distance)
        };
        let pins = surface.pins.iter().enumerate();
        let near = pins.filter_map(|(index, pin)| Some((index, distance(pin)?)));
        near.min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(index, _)| index)
    }

    /// A ring around a pin, and its numbers.
    fn highlight(&self, ui: &Ui, surface: &Surface, index: usize) {
        let (Some(pin), Some(pointer)) = (
            surface.pins.get(index),
            ui.ctx().input(|input| input.pointer.latest_pos()),
        ) else {
            return;
        };
        let nearest = self
            .positions(surface, pin, pointer)
            .min_by(|a, b| a.distance(pointer).total_cmp(&b.distance(pointer)));
        let at = nearest.unwrap_or(pointer);
        let painter = ui.painter();
        painter.circle_stroke(at, REACH + 1.0, Stroke::new(2.0, theme::ACCENT));
        let number = |value: f32| short(f64::from(value), 0, 3);
        let numbers = format!(
            "pin {index}: x {}, z {}, height {}",
            number(pin.x),
            number(pin.z),
            number(pin.height)
        );
        let font = FontId::proportional(13.0);
        let words = painter.layout_no_wrap(numbers, font, Color32::WHITE);
        let right = at.x + 18.0 + words.size().x < painter.clip_rect().right();
        let (side, anchor) = match right {
            true => (18.0, Align2::LEFT_CENTER),
            false => (-18.0, Align2::RIGHT_CENTER),
        };
        let rect = anchor.anchor_size(pos2(at.x + side, at.y), words.size());
        painter.rect_filled(rect.expand(4.0), 4, Color32::from_black_alpha(190));
        painter.galley(rect.min, words, Color32::WHITE);
    }
}
