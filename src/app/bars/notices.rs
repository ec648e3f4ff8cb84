//! Message list: confirmations, warnings and errors.

use egui::{Button, Color32, Frame, Label, Margin, RichText, Stroke, Ui};

use crate::app::commands::Action;
use crate::app::state::notices::{Notice, Notices, Severity};
use crate::app::theme;
use crate::util::language::tr;

/// Minimum and maximum width of a message, in points.
const LEAST_WIDTH: f32 = 80.0;
const MOST_WIDTH: f32 = 520.0;
/// Maximum number of messages shown; older ones are only counted.
const MOST_SHOWN: usize = 3;

/// Draw the messages in a column of this width and push the actions of their buttons to `actions`.
pub fn notices_ui(ui: &mut Ui, notices: &mut Notices, width: f32, actions: &mut Vec<Action>) {
    let now = ui.input(|input| input.time);
    let hidden = notices.list().len().saturating_sub(MOST_SHOWN);
    let mut dismissed = None;
    let mut all = false;
    ui.set_max_width(width.clamp(LEAST_WIDTH, MOST_WIDTH));
    if hidden > 0 {
        all = more_ui(ui, hidden);
    }
    for notice in notices.last(MOST_SHOWN) {
        // A message with a button stays until it is used.
        if let Some(lifetime) = lifetime(notice.severity).filter(|_| notice.offer.is_none()) {
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
fn lifetime(severity: Severity) -> Option<f64> {
    match severity {
        Severity::Done => Some(6.0),
        Severity::Warning => Some(60.0),
        Severity::Error => None,
    }
}

/// Draw the number of older messages; returns true if the user dismisses all.
fn more_ui(ui: &mut Ui, hidden: usize) -> bool {
    frame(theme::WARNING)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(tr!("and {hidden} more", hidden));
                ui.button(tr("Dismiss all")).clicked()
            })
            .inner
        })
        .inner
}

fn frame(color: Color32) -> Frame {
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
    let inner = frame(color).show(ui, |ui| {
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
