//! Dialogs and tool windows above the scene, and the Esc key, which closes one element at a time,
//! the topmost first.
//!
//! Menus, drop-downs and modal dialogs handle Esc themselves. Here it closes windows above the
//! scene, then activities in the scene.

pub mod analysis;
pub mod command_palette;
pub mod differences;
pub mod export;
pub mod file;
pub mod help;
pub mod palette;
pub mod pass;
pub mod picture;
pub mod plants;
pub mod questions;
pub mod reader;
pub mod statistics;

use egui::{
    Align2, Button, Context, Id, Key, LayerId, Modifiers, Order, Popup, Rect, RichText, ScrollArea,
    Ui, Vec2, Window, vec2,
};

use crate::app::commands::{Action, TourAction};
use crate::app::floating::{self, GAP};
use crate::app::state::tool::Tool;
use crate::app::state::{Derived, UiState};
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

/// Window of fixed size over the scene in `area`, with a scroll bar if it is too high.
fn scene_window(
    ctx: &Context,
    title: &'static str,
    align: Align2,
    area: Rect,
    open: &mut bool,
    add: impl FnOnce(&mut Ui),
) {
    let window = floating::window(ctx, title, align, area, &[]);
    let window = window.open(open).resizable(false);
    window.show(ctx, |ui| scrolled(ui, room_in(area), add));
}

/// Draw the main button of a dialog, below its settings. Returns true if it was clicked; `why` is the
/// tooltip if it is disabled.
fn main_button(ui: &mut Ui, enabled: bool, words: &str, why: &str) -> bool {
    let button = Button::new(RichText::new(words).strong()).min_size(vec2(0.0, 26.0));
    let button = ui.vertical_centered_justified(|ui| ui.add_enabled(enabled, button));
    button.inner.on_disabled_hover_text(why).clicked()
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

/// True if Esc was pressed for something closed here; consumes the key.
pub fn wants_to_close(ctx: &Context, state: &UiState) -> bool {
    // The first Esc only removes the focus from a text box, earlier in the frame.
    let theirs = state.transient.typing || Popup::is_any_open(ctx);
    !theirs && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
}

/// Close the topmost window; without one, end the present activity, such as a sheet, an animation
/// or a mouse tool.
pub fn close_topmost(ctx: &Context, state: &mut UiState) {
    let layers: Vec<_> = ctx.memory(|memory| memory.layer_ids().collect());
    let seen = ctx.memory(|memory| memory.areas().visible_layer_ids());
    let height = |title: &str| {
        let layer = LayerId::new(Order::Middle, Id::new(title));
        let place = layers.iter().position(|other| *other == layer);
        place.filter(|_| seen.contains(&layer))
    };
    let open = open_windows(state).into_iter();
    let open =
        open.filter_map(|(title, is_open)| height(title).filter(|_| is_open).zip(Some(title)));
    match open.max() {
        Some((_, title)) => close(state, title),
        None => end_what_goes_on(state),
    }
}

/// Titles of all windows that Esc closes, each with a test if it is open.
fn open_windows(state: &UiState) -> Vec<(&'static str, bool)> {
    let (persisted, transient) = (&state.persisted, &state.transient);
    let compared = transient.compared.as_ref();
    vec![
        (
            command_palette::TITLE,
            transient.dialogs.command_palette.is_some(),
        ),
        (help::KEYS_TITLE, transient.dialogs.keys),
        (help::ABOUT_TITLE, transient.dialogs.about),
        (reader::TITLE, transient.dialogs.chapter.is_some()),
        (help::TOUR_TITLE, transient.tour.is_some()),
        (export::TITLE, persisted.exporting.shown),
        (picture::PICTURE_TITLE, persisted.photo.shown),
        (picture::FILM_TITLE, persisted.filming.shown),
        (plants::TITLE, persisted.plant_export.shown),
        (palette::TITLE, transient.palettes.editor.is_some()),
        (questions::KEEP_TITLE, transient.browser.keeping.is_some()),
        (statistics::TITLE, persisted.statistics),
        (differences::TITLE, compared.is_some_and(|it| it.list)),
        (analysis::PROFILE_TITLE, !transient.profile_hidden),
    ]
}

/// Close the window with this title.
fn close(state: &mut UiState, title: &str) {
    let (persisted, transient) = (&mut state.persisted, &mut state.transient);
    match title {
        command_palette::TITLE => transient.dialogs.command_palette = None,
        help::KEYS_TITLE => transient.dialogs.keys = false,
        help::ABOUT_TITLE => transient.dialogs.about = false,
        reader::TITLE => transient.dialogs.chapter = None,
        help::TOUR_TITLE => drop(state.apply(Action::Tour(TourAction::End))),
        export::TITLE => persisted.exporting.shown = false,
        picture::PICTURE_TITLE => persisted.photo.shown = false,
        picture::FILM_TITLE => persisted.filming.shown = false,
        plants::TITLE => persisted.plant_export.shown = false,
        palette::TITLE => transient.palettes.editor = None,
        questions::KEEP_TITLE => transient.browser.keeping = None,
        statistics::TITLE => persisted.statistics = false,
        differences::TITLE => transient.compared.iter_mut().for_each(|it| it.list = false),
        analysis::PROFILE_TITLE => transient.profile_hidden = true,
        _ => {}
    }
}

fn end_what_goes_on(state: &mut UiState) {
    let transient = &mut state.transient;
    if transient.uncover_scene() {
        return;
    }
    let played = transient.timeline.is_playing();
    transient.timeline.stop();
    if transient.playing.take().is_some() || played {
        return;
    }
    let is_used = transient.tool.suits(&state.persisted.scene);
    if is_used && transient.tool != Tool::Camera {
        transient.tool = Tool::Camera;
    } else if transient.filter.is_on() {
        transient.filter.clear();
    } else if transient.full_screen {
        state.toggle_full_screen();
    } else if transient.compared.take().is_none() && state.derived.narrow {
        transient.panel_over_scene = false;
    }
}
