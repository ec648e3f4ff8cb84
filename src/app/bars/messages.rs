//! Placement of messages and progress: as cards over the scene if they cover no control, else in a
//! bar below it. Sheets consist of controls only, so there the bar is always used.

use egui::{Context, Frame, Margin, ScrollArea, TopBottomPanel, Ui};

use super::notices::notices_ui;
use super::progress::{has_bar, progress_ui};
use crate::app::commands::Action;
use crate::app::floating::{self, FreeSpace, GAP};
use crate::app::state::UiState;

/// Maximum height of the bar as a fraction of the window's.
const MOST_HEIGHT: f32 = 0.4;

/// Draw the bar below the scene if it is needed. Call it before the layout of the scene.
pub fn message_bar_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let now = ctx.input(|input| input.time);
    state.transient.notices.expire(now);
    let is_covered = state.transient.covers_scene();
    let bar = &mut state.transient.message_bar;
    if !is_covered {
        bar.kept_height = 0.0;
    }
    let kept_height = bar.kept_height;
    if !is_shown(state) {
        return;
    }
    let most = ctx.content_rect().height() * MOST_HEIGHT;
    let shown = TopBottomPanel::bottom("messages")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 5)))
        .min_height(kept_height)
        .show(ctx, |ui| {
            ScrollArea::vertical()
                .max_height(most)
                .auto_shrink([false, true])
                .show(ui, |ui| both_ui(ui, state, actions));
        });
    state.derived.between_bars.max.y = shown.response.rect.top();
    if is_covered {
        state.transient.message_bar.kept_height = shown.response.rect.height().max(kept_height);
    }
}

/// Draw progress and messages as cards unless the bar is shown.
pub fn message_cards_ui(
    ctx: &Context,
    state: &mut UiState,
    space: &mut FreeSpace,
    actions: &mut Vec<Action>,
) {
    let (works, says) = (is_at_work(state), says_something(state));
    if !(works || says) {
        state.transient.message_bar.is_needed = false;
        return;
    }
    let width = state.derived.scene_rect.width() - 2.0 * GAP;
    let has_bar = is_shown(state);
    if has_bar {
        // Check if the cards would fit again, so that the bar can be closed.
        let is_room = (!works || space.reserve(ctx, floating::PROGRESS))
            && (!says || space.reserve(ctx, floating::NOTICES));
        state.transient.message_bar.is_needed = !is_room;
        if is_room && !state.transient.covers_scene() {
            ctx.request_repaint();
        }
        return;
    }
    let mut is_room = true;
    if works {
        let progress = &state.derived.progress;
        let shown = floating::card(ctx, floating::PROGRESS, space, |ui| {
            progress_ui(ui, progress, width)
        });
        is_room &= shown.is_some();
        actions.extend(shown.flatten().map(Action::Window));
    }
    if says {
        let notices = &mut state.transient.notices;
        let shown = floating::card(ctx, floating::NOTICES, space, |ui| {
            notices_ui(ui, notices, width, actions);
        });
        is_room &= shown.is_some();
    }
    if !is_room {
        state.transient.message_bar.is_needed = true;
        ctx.request_repaint();
    }
}

fn is_at_work(state: &UiState) -> bool {
    state.derived.progress.iter().any(has_bar)
}

fn says_something(state: &UiState) -> bool {
    !state.transient.notices.list().is_empty()
}

/// True if the bar is shown.
fn is_shown(state: &UiState) -> bool {
    let bar = &state.transient.message_bar;
    let is_covered = state.transient.covers_scene();
    let has_words = is_at_work(state) || says_something(state);
    (has_words && (is_covered || bar.is_needed)) || (is_covered && bar.kept_height > 0.0)
}

fn both_ui(ui: &mut Ui, state: &mut UiState, actions: &mut Vec<Action>) {
    let width = ui.available_width();
    let cancelled = progress_ui(ui, &state.derived.progress, width);
    actions.extend(cancelled.map(Action::Window));
    if says_something(state) {
        ui.scope(|ui| notices_ui(ui, &mut state.transient.notices, width, actions));
    }
}
