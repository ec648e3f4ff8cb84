//! Handling of the Esc key, which closes one element at a time, the topmost first.
//!
//! Menus, drop-downs and modal dialogs handle Esc themselves. Here it closes windows above the
//! scene, then activities in the scene.

use egui::{Context, Id, Key, LayerId, Modifiers, Order, Popup};

use super::{about, differences, export, film, keep, keys, photo, profile, statistics, tour};
use crate::app::commands::{Action, TourAction};
use crate::app::state::UiState;
use crate::app::state::tool::Tool;

/// Closable window: its title, a test if it is open, and the action that closes it.
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

/// True if Esc was pressed for something closed here; consumes the key.
pub fn wants_to_close(ctx: &Context, state: &UiState) -> bool {
    // The first Esc only removes the focus from a text box, earlier in the frame.
    let theirs = state.transient.typing || Popup::is_any_open(ctx);
    !theirs && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
}

/// Close the topmost window; without one, end the present activity, such as a sheet, an animation
/// or a mouse tool.
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
