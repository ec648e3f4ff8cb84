//! Esc: it closes one thing at a time, what lies on top first.
//!
//! Menus, drop-downs and dialogs that ask hear Esc themselves. Here are the windows above the
//! scene, and then what goes on in it.

use egui::{Context, Id, Key, LayerId, Modifiers, Order, Popup};

use super::{about, differences, export, film, keep, keys, photo, profile, statistics, tour};
use crate::app::commands::{Action, TourAction};
use crate::app::state::UiState;
use crate::app::state::tool::Tool;

/// A window above the scene: its title, whether it is open, and what closes it.
type Closable = (&'static str, fn(&UiState) -> bool, fn(&mut UiState));

const WINDOWS: &[Closable] = &[
    (
        keys::TITLE,
        |state| state.transient.dialogs.keys,
        |state| state.transient.dialogs.keys = false,
    ),
    (
        about::TITLE,
        |state| state.transient.dialogs.about,
        |state| state.transient.dialogs.about = false,
    ),
    (
        export::TITLE,
        |state| state.persisted.exporting.shown,
        |state| state.persisted.exporting.shown = false,
    ),
    (
        photo::TITLE,
        |state| state.persisted.photo.shown,
        |state| state.persisted.photo.shown = false,
    ),
    (
        film::TITLE,
        |state| state.persisted.filming.shown,
        |state| state.persisted.filming.shown = false,
    ),
    (
        keep::TITLE,
        |state| state.transient.browser.keeping.is_some(),
        |state| state.transient.browser.keeping = None,
    ),
    (
        tour::TITLE,
        |state| state.transient.tour.is_some(),
        |state| {
            state.apply(Action::Tour(TourAction::End));
        },
    ),
    (
        statistics::TITLE,
        |state| state.persisted.statistics,
        |state| state.persisted.statistics = false,
    ),
    (
        differences::TITLE,
        |state| state.transient.compared.as_ref().is_some_and(|it| it.list),
        |state| {
            if let Some(compared) = &mut state.transient.compared {
                compared.list = false;
            }
        },
    ),
    (
        profile::TITLE,
        |state| !state.transient.profile_hidden,
        |state| state.transient.profile_hidden = true,
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
    match windows.max_by_key(|(height, _)| *height) {
        Some((_, close)) => close(state),
        None => end_what_goes_on(state),
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
