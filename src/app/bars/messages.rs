//! Messages, progress and the first-use hint. Progress and messages are cards over the scene if
//! they cover no control, else a bar below it. Sheets consist of controls only, so there the bar is
//! always used.

use std::time::Duration;

use egui::{
    Align2, Button, Color32, Context, FontId, Frame, Label, LayerId, Margin, ProgressBar, RichText,
    ScrollArea, Stroke, TopBottomPanel, Ui, Vec2, vec2,
};

use crate::app::commands::Action;
use crate::app::floating::{self, FreeSpace, GAP};
use crate::app::state::notices::{Cause, Notice, Notices, Severity};
use crate::app::state::tool::Tool;
use crate::app::state::{Progress, UiState};
use crate::app::theme;
use crate::scene::{Camera, RenderType};
use crate::util::language::{mark, tr};

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
                .show(ui, |ui| {
                    let width = ui.available_width();
                    progress_ui(ui, &state.derived.progress, width, actions);
                    if says_something(state) {
                        let notices = &mut state.transient.notices;
                        ui.scope(|ui| notices_ui(ui, notices, width, actions));
                    }
                });
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
            progress_ui(ui, progress, width, actions);
        });
        is_room &= shown.is_some();
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

/// Minimum and maximum width of a message, in points.
const LEAST_WIDTH: f32 = 80.0;
const MOST_WIDTH: f32 = 520.0;
/// Maximum number of messages shown; older ones are only counted.
const MOST_SHOWN: usize = 3;

/// Draw the messages in a column of this width and push the actions of their buttons to `actions`.
fn notices_ui(ui: &mut Ui, notices: &mut Notices, width: f32, actions: &mut Vec<Action>) {
    let now = ui.input(|input| input.time);
    let hidden = notices.list().len().saturating_sub(MOST_SHOWN);
    let mut dismissed = None;
    ui.set_max_width(width.clamp(LEAST_WIDTH, MOST_WIDTH));
    let all = hidden > 0 && more_ui(ui, hidden);
    for notice in notices.last(MOST_SHOWN) {
        // A message with a button stays until it is used.
        if let Some(lifetime) = lifetime(notice).filter(|_| notice.offer.is_none()) {
            let gone_at = *notice.gone_at.get_or_insert(now + lifetime);
            ui.ctx().request_repaint_after_secs((gone_at - now) as f32);
        }
        if notice_ui(ui, notice, actions) {
            dismissed = Some(notice.id);
        }
    }
    if all {
        notices.clear();
    }
    if let Some(id) = dismissed {
        notices.dismiss(id);
    }
}

/// Lifetime of a message in seconds after it is first shown; `None` for errors, which stay until
/// dismissed.
fn lifetime(notice: &Notice) -> Option<f64> {
    match notice.severity {
        // It says where a file is: time to read a path.
        Severity::Done if matches!(notice.cause, Cause::Files(_)) => Some(20.0),
        Severity::Done => Some(6.0),
        Severity::Warning => Some(60.0),
        Severity::Error => None,
    }
}

/// Draw the number of older messages; returns true if the user dismisses all.
fn more_ui(ui: &mut Ui, hidden: usize) -> bool {
    let more = notice_frame(theme::WARNING).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(tr!("and {hidden} more", hidden));
            ui.button(tr("Dismiss all")).clicked()
        })
    });
    more.inner.inner
}

fn notice_frame(color: Color32) -> Frame {
    Frame::new()
        .fill(Color32::from_rgba_unmultiplied(18, 21, 26, 240))
        .stroke(Stroke::new(1.0, color))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(10, 7))
}

/// Draw one message; returns true if it was dismissed. A click on its button pushes the offered
/// action to `actions`.
fn notice_ui(ui: &mut Ui, notice: &Notice, actions: &mut Vec<Action>) -> bool {
    let (color, sign) = match notice.severity {
        Severity::Done => (theme::ACCENT, "✔"),
        Severity::Warning => (theme::WARNING, "⚠"),
        Severity::Error => (theme::ERROR, "⚠"),
    };
    let inner = notice_frame(color).show(ui, |ui| {
        let dismissed = ui.horizontal(|ui| {
            ui.label(RichText::new(sign).color(color));
            let room = ui.available_width() - 26.0;
            ui.scope(|ui| {
                ui.set_max_width(room.max(40.0));
                ui.add(Label::new(&notice.text).wrap());
            });
            ui.add(Button::new("✖").frame(false).small())
                .on_hover_text(tr("Dismiss."))
                .clicked()
        });
        let taken = (notice.offer.as_ref()).filter(|offer| ui.button(offer.words).clicked());
        actions.extend(taken.map(|offer| offer.action.clone()));
        dismissed.inner || taken.is_some()
    });
    inner.inner
}

/// Running time before a job gets a progress bar; a shorter flash would be of no use.
const BAR_FROM: Duration = Duration::from_millis(300);
/// Width reserved for label and button beside a bar, and limits of the bar's width, in points.
const BESIDE: f32 = 260.0;
const LEAST_BAR: f32 = 40.0;
const MOST_BAR: f32 = 200.0;

/// True if the job has been running long enough for a progress bar.
fn has_bar(work: &Progress) -> bool {
    work.elapsed >= BAR_FROM
}

/// Draw a progress bar for each long job, within this width; a Cancel button pushes its action to
/// `actions`.
fn progress_ui(ui: &mut Ui, progress: &[Progress], width: f32, actions: &mut Vec<Action>) {
    let frame = Frame::new()
        .fill(Color32::from_rgba_unmultiplied(18, 21, 26, 230))
        .stroke(Stroke::new(1.0, theme::ACCENT.gamma_multiply(0.5)))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(10, 6));
    for work in progress.iter().filter(|work| has_bar(work)) {
        let show = |ui: &mut Ui| {
            ui.label(&work.what);
            let bar = ProgressBar::new(work.done)
                .desired_width((width - BESIDE).clamp(LEAST_BAR, MOST_BAR))
                .desired_height(12.0);
            ui.add(bar.fill(theme::ACCENT.gamma_multiply(0.8)));
            if ui.button(tr("Cancel")).clicked() {
                actions.push(Action::Window(work.cancel.clone()));
            }
        };
        frame.show(ui, |ui| ui.horizontal(show));
    }
}

/// Text of the hint, and that in a map.
const HINT: &str = mark("Drag to look around, wheel to zoom in, F1 for keys");
const MAP_HINT: &str = mark("Drag to shift the map, wheel to zoom in, F1 for keys");

/// Margin around the text, in points.
const HINT_MARGIN: Vec2 = vec2(12.0, 6.0);

/// Draw the hint if it is still needed and there is free space for it.
pub fn hint_ui(ctx: &Context, state: &UiState, space: &FreeSpace) {
    let transient = &state.transient;
    let moves_camera = transient.tool == Tool::Camera && !transient.covers_scene();
    if state.persisted.has_dragged || !moves_camera || transient.tour.is_some() {
        return;
    }
    let words = match state.persisted.scene.render_type() {
        RenderType::Map => tr(MAP_HINT),
        // It has no camera.
        shown if shown.is_flat() => return,
        _ => tr(HINT),
    };
    let scene = state.derived.scene_rect;
    let painter = ctx.layer_painter(LayerId::background());
    let painter = painter.with_clip_rect(scene);
    let font = FontId::proportional(14.0);
    let width = scene.width() * 0.9;
    let words = painter.layout(words.to_owned(), font, Color32::WHITE, width);
    let size = words.size() + 2.0 * HINT_MARGIN;
    let Some(behind) = space.find(size, Align2::CENTER_BOTTOM) else {
        return;
    };
    let round = behind.height() / 2.0;
    painter.rect_filled(behind, round, Color32::from_black_alpha(150));
    painter.galley(behind.min + HINT_MARGIN, words, Color32::WHITE);
}

/// Record that the user has moved the camera by mouse or keyboard since the start of the frame. The
/// hint is then never shown again.
pub fn note_hand(ctx: &Context, state: &mut UiState, before: &Camera) {
    let flies = state.transient.flying.is_held(ctx) && !state.transient.covers_scene();
    state.persisted.has_dragged |= flies || state.persisted.scene.camera != *before;
}
