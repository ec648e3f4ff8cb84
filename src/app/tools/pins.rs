//! Pin tool: places fixed heights on the map. A click adds a pin, a drag moves it, the wheel
//! changes its height.
//!
//! The pins are drawn with the scene; this file handles the mouse and draws the numbers of the
//! hovered pin.

use egui::{
    Align2, Color32, CursorIcon, FontId, Key, PointerButton, Pos2, Response, Stroke, Ui, pos2,
};

use super::map::MapView;
use crate::app::controls::is_typing;
use crate::app::controls::number::short;
use crate::app::state::tool::PinTool;
use crate::app::theme;
use crate::fractal::Edges;
use crate::generate::Surface;
use crate::generate::pins::{MOST_PINS, Pin};
use crate::scene::Scene;
use crate::terrain::heightmap::Heightmap;
use crate::util::language::tr;

/// Pick radius of a pin in points, and the larger one where no other pin can be placed.
const REACH: f32 = 10.0;
const REACH_ALONE: f32 = 40.0;
/// Height change of a pin per point of dragging and of scrolling, in half tiles.
const HEIGHT_PER_POINT: f32 = 0.004;
const HEIGHT_PER_SCROLL: f32 = 0.001;
/// Limit of a pin's height, up and down.
const MOST_HEIGHT: f32 = 1000.0;

/// Change the pins, unless two would share a lattice point or one would leave the map. Returns true
/// if the change was applied.
pub fn edit(surface: &mut Surface, change: impl FnOnce(&mut Surface)) -> bool {
    let before = (surface.pins.clone(), surface.pin_level);
    change(surface);
    let allowed = surface.check_pins().is_ok();
    if !allowed {
        (surface.pins, surface.pin_level) = before;
    }
    allowed
}

/// Handle the mouse for pins and highlight the hovered one.
pub fn pins_ui(
    ui: &Ui,
    response: &Response,
    scene: &mut Scene,
    ground: Option<&Heightmap>,
    tool: &mut PinTool,
) {
    let ctx = ui.ctx();
    let view = MapView::new(response.rect, ctx.pixels_per_point(), scene, [2.0, 2.0]);
    let surface = &mut scene.surface;
    let pointer = response.hover_pos().or(response.interact_pointer_pos());
    let under = |surface: &Surface| pointer.and_then(|at| pin_at(&view, surface, at));
    if response.drag_started_by(PointerButton::Primary) {
        let origin = ctx.input(|input| input.pointer.press_origin());
        tool.dragged = origin.and_then(|at| pin_at(&view, surface, at));
    }
    match (tool.dragged, pointer) {
        (Some(index), Some(at)) if response.dragged_by(PointerButton::Primary) => {
            if ctx.input(|input| input.modifiers.shift) {
                raise(surface, index, -response.drag_delta().y * HEIGHT_PER_POINT);
            } else {
                let ([x, z], level) = (view.place(at), surface.pin_level);
                edit(surface, |surface| {
                    if let Some(pin) = surface.pins.get_mut(index) {
                        *pin = Pin { x, z, ..*pin }.snapped(level);
                    }
                });
            }
        }
        _ => tool.dragged = None,
    }
    if response.clicked_by(PointerButton::Primary)
        && under(surface).is_none()
        && let Some(at) = pointer.filter(|at| view.holds(*at))
    {
        add(surface, view.place(at), ground);
    }
    let hovered = tool.dragged.or(under(surface));
    let delete = !is_typing(ctx) && ctx.input(|input| input.key_pressed(Key::Delete));
    match hovered.filter(|index| *index < surface.pins.len()) {
        Some(index) if delete || response.clicked_by(PointerButton::Secondary) => {
            surface.pins.remove(index);
            tool.dragged = None;
        }
        Some(index) => {
            let scrolled = ctx.input(|input| input.smooth_scroll_delta.y);
            if scrolled != 0.0 && response.hovered() {
                raise(surface, index, scrolled * HEIGHT_PER_SCROLL);
                tool.wheeled_at = Some(ctx.input(|input| input.time));
            }
            ctx.set_cursor_icon(CursorIcon::Grab);
            highlight(ui, &view, surface, index);
        }
        None if pointer.is_some_and(|at| view.holds(at)) => {
            ctx.set_cursor_icon(CursorIcon::Crosshair);
        }
        None => {}
    }
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

fn raise(surface: &mut Surface, index: usize, by: f32) {
    if let Some(pin) = surface.pins.get_mut(index) {
        pin.height = (pin.height + by).clamp(-MOST_HEIGHT, MOST_HEIGHT);
    }
}

/// Window positions of a pin in the tile at `near`: on its lattice point, and with wrapped edges
/// also on the opposite edge.
fn positions(
    view: &MapView,
    surface: &Surface,
    pin: &Pin,
    near: Pos2,
) -> impl Iterator<Item = Pos2> {
    let pin = pin.snapped(surface.pin_level);
    let wraps = surface.pin_edges() == Some(Edges::Wrap);
    let both = |place: f32| match wraps && place.abs() == 1.0 {
        true => [place, -place],
        false => [place, place],
    };
    let (xs, zs, corner) = (both(pin.x), both(pin.z), view.corner(near));
    let places = xs.into_iter().flat_map(move |x| zs.map(|z| [x, z]));
    places.map(move |place| view.position(place, corner))
}

/// Nearest pin within its pick radius.
fn pin_at(view: &MapView, surface: &Surface, at: Pos2) -> Option<usize> {
    let [x, z] = view.place(at);
    let wraps = surface.pin_edges() == Some(Edges::Wrap);
    let point = |pin: &Pin| pin.point(surface.pin_level, wraps);
    let under = point(&Pin { x, z, height: 0.0 });
    let distance = |pin: &Pin| {
        let positions = positions(view, surface, pin, at).map(|p| p.distance(at));
        let distance = positions.fold(f32::INFINITY, f32::min);
        let reach = match point(pin) == under {
            true => REACH_ALONE,
            false => REACH,
        };
        (distance <= reach).then_some(distance)
    };
    let pins = surface.pins.iter().enumerate();
    let near = pins.filter_map(|(index, pin)| Some((index, distance(pin)?)));
    near.min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(index, _)| index)
}

/// Draw a ring around a pin, with its coordinates.
fn highlight(ui: &Ui, view: &MapView, surface: &Surface, index: usize) {
    let pointer = ui.ctx().input(|input| input.pointer.latest_pos());
    let Some((pin, pointer)) = surface.pins.get(index).zip(pointer) else {
        return;
    };
    let nearest = positions(view, surface, pin, pointer)
        .min_by(|a, b| a.distance(pointer).total_cmp(&b.distance(pointer)));
    let at = nearest.unwrap_or(pointer);
    let painter = ui.painter();
    painter.circle_stroke(at, REACH + 1.0, Stroke::new(2.0, theme::ACCENT));
    let numbers = [pin.x, pin.z, pin.height].map(|value| short(f64::from(value), 0, 3));
    let [x, z, height] = numbers;
    let words = tr!("pin {index}: x {}, z {}, height {}", x, z, height, index);
    let font = FontId::proportional(13.0);
    let words = painter.layout_no_wrap(words, font, Color32::WHITE);
    let right = at.x + 18.0 + words.size().x < painter.clip_rect().right();
    let (side, anchor) = match right {
        true => (18.0, Align2::LEFT_CENTER),
        false => (-18.0, Align2::RIGHT_CENTER),
    };
    let rect = anchor.anchor_size(pos2(at.x + side, at.y), words.size());
    painter.rect_filled(rect.expand(4.0), 4, Color32::from_black_alpha(190));
    painter.galley(rect.min, words, Color32::WHITE);
}
