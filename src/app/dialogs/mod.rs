//! What lies above the scene: dialogs that ask, and windows that stay open beside the work.

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
use crate::language::tr;

/// Height of a window's title bar and margins.
const FRAME: f32 = 50.0;
/// Narrower scenes, beside a panel that is open in a narrow window, have no room for windows.
const NARROWEST: f32 = 160.0;
/// Lower scenes, between bars in a low window, have none either.
const LOWEST: f32 = 110.0;
/// Smaller scenes have no room for windows that are read.
const ENOUGH: Vec2 = vec2(420.0, 240.0);

/// Whether a scene has room for windows above it.
fn has_room(scene: Rect) -> bool {
    scene.width() >= NARROWEST && scene.height() >= LOWEST
}

/// The height that the contents of a window may have there.
fn room_in(area: Rect) -> f32 {
    (area.height() - 2.0 * GAP - FRAME).max(40.0)
}

/// Draws the contents of a window, which scroll where they are higher than `room`.
fn scrolled<R>(ui: &mut Ui, room: f32, add: impl FnOnce(&mut Ui) -> R) -> R {
    let area = ScrollArea::vertical()
        .max_height(room)
        .min_scrolled_height(room);
    area.show(ui, add).inner
}

/// Where windows lie that are not of the scene: in its place, or between the bars where the panel
/// leaves it no room.
fn middle(derived: &Derived) -> Rect {
    let room = derived.scene_rect.size();
    match room.x < ENOUGH.x || room.y < ENOUGH.y {
        true => derived.between_bars,
        false => derived.scene_rect,
    }
}

/// A window in the middle of that part of the screen that is read and closed.
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
