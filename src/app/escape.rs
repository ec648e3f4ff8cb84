//! Esc: it closes one thing at a time, what lies on top first.
//!
//! Menus, drop-downs and dialogs that ask hear Esc themselves. Here are the windows above the
//! scene, and then what goes on in it.

use egui::{Context, Id, Key, LayerId, Modifiers, Order, Popup};

use crate::app::state::UiState;
use crate::app::{pins, section};

/// A window above the scene: its title, whether it is open, and what closes it.
type Closable = (&'static str, fn(&UiState) -> bool, fn(&mut UiState));

const WINDOWS: &[Closable] = &[
    (
        "Keys",
        |state| state.transient.dialogs.keys,
        |state| state.transient.dialogs.keys = false,
    ),
    (
        "About Landform",
        |state| state.transient.dialogs.about,
        |state| state.transient.dialogs.about = false,
    ),
    (
        "Export",
        |state| state.persisted.exporting.shown,
        |state| state.persisted.exporting.shown = false,
    ),
    (
        "Picture",
        |state| state.persisted.photo.shown,
        |state| state.persisted.photo.shown = false,
    ),
    (
        "Statistics",
        |state| state.persisted.statistics,
        |state| state.persisted.statistics = false,
    ),
];

/// Whether Esc was pressed for something that is closed here. Takes the key then.
pub fn wants_to_close(ctx: &Context, state: &UiState) -> bool {
    // The first Esc leaves the box that is typed in, before this is asked.
    let theirs = state.transient.typing || Popup::is_any_open(ctx);
    !theirs && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
}

/// Closes the topmost window; without one, ends what the scene shows or the mouse is about.
pub fn close_topmost(ctx: &Context, state: &mut UiState) {
    let layer = |title: &str| LayerId::new(Order::Middle, Id::new(title));
    let layers: Vec<_> = ctx.memory(|memory| memory.layer_ids().collect());
    let seen = ctx.memory(|memory| memory.areas().visible_layer_ids());
    let height = |title: &str| {
        let layer = layer(title);
        let place = layers.iter().position(|other| *other == layer);
        place.filter(|_| seen.contains(&layer))
    };
    let windows = WINDOWS.iter().filter(|(_, is_open, _)| is_open(state));
    let windows = windows.filter_map(|(title, _, close)| Some((height(title)?, *close)));
    let profile = height(section::TITLE).filter(|_| section::is_shown(ctx));
    let top = windows.max_by_key(|(height, _)| *height);
    match (top, profile) {
        (Some((height, close)), profile) if profile.is_none_or(|other| other < height) => {
            close(state);
        }
        (_, Some(_)) => section::set_shown(ctx, false),
        _ => end_what_goes_on(ctx, state),
    }
}

fn end_what_goes_on(ctx: &Context, state: &mut UiState) {
    let transient = &mut state.transient;
    let scene = &mut state.persisted.scene;
    let journey = transient.journey.take().is_some();
    if transient.playing.take().is_some() || journey {
        return;
    }
    if section::is_drawing(ctx, scene) {
        section::set_drawing(ctx, scene, false);
    } else if pins::is_editing(ctx, scene) {
        pins::set_editing(ctx, scene, false);
    } else if state.derived.narrow {
        transient.panel_over_scene = false;
    }
}
