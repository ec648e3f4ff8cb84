//! Dialogs and tool windows above the scene.

pub mod about;
pub mod differences;
pub mod escape;
pub mod export;
pub mod file;
mod file_system;
mod file_words;
pub mod film;
pub mod keep;
pub mod keys;
pub mod photo;
pub mod profile;
pub mod questions;
pub mod statistics;
pub mod tour;
pub mod watershed;

use egui::{Align2, Id, Rect, ScrollArea, Ui, Vec2, Window, vec2};

use crate::app::floating::GAP;
use crate::app::state::Derived;
use crate::util::language::tr;

/// Height of a window's title bar and margins, in points.
const FRAME: f32 = 50.0;
/// Minimum width of a scene with windows above it, in points. A panel open in a narrow window
/// leaves less.
const NARROWEST: f32 = 160.0;
/// Minimum height of a scene with windows above it, in points. Bars in a low window leave less.
const LOWEST: f32 = 110.0;
/// Minimum size of a scene that has windows with text to read, in points.
const ENOUGH: Vec2 = vec2(420.0, 240.0);

/// True if the scene has room for windows above it.
fn has_room(scene: Rect) -> bool {
    scene.width() >= NARROWEST && scene.height() >= LOWEST
}

/// Maximum height of a window's contents in this area, in points.
fn room_in(area: Rect) -> f32 {
    (area.height() - 2.0 * GAP - FRAME).max(40.0)
}

/// Draw the contents of a window, with a scroll bar if they are higher than `room`.
fn scrolled<R>(ui: &mut Ui, room: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    let area = ScrollArea::vertical()
        .max_height(room)
        .min_scrolled_height(room);
    area.show(ui, add).inner
}

/// Area for windows that do not belong to the scene: the scene's own, or all between the bars if
/// the panel leaves too little of it.
fn middle(derived: &Derived) -> Rect {
    let room = derived.scene_rect.size();
    match room.x < ENOUGH.x || room.y < ENOUGH.y {
        true => derived.between_bars,
        false => derived.scene_rect,
    }
}

/// Fixed window in the centre of an area, to read and close.
fn sheet<'a>(title: &'static str, open: &'a mut bool, area: Rect) -> Window<'a> {
    let middle = area.center();
    Window::new(tr(title))
        .id(Id::new(title))
        .open(open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(middle)
        .constrain_to(area)
}
