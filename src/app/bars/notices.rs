//! Messages at the lower left of the scene.

use egui::{
    Align2, Area, Button, Color32, Context, Frame, Id, Label, Margin, Rect, RichText, Stroke, Ui,
    vec2,
};

use crate::app::state::notices::{Notice, Notices, Severity};
use crate::app::theme;
use crate::language::tr;

/// Seconds that good news stays.
const LIFETIME: f64 = 6.0;
/// Messages shown; of older ones only how many there are.
const MOST_SHOWN: usize = 3;

/// Draws the messages.
pub fn notices_ui(ctx: &Context, notices: &mut Notices, scene: Rect) {
    let now = ctx.input(|input| input.time);
    notices.expire(now);
    if notices.list().is_empty() {
        return;
    }
    let hidden = notices.list().len().saturating_sub(MOST_SHOWN);
    let mut dismissed = None;
    let mut all = false;
    Area::new(Id::new("notices"))
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(scene.left_bottom() + vec2(12.0, -12.0))
        .constrain_to(scene)
        .show(ctx, |ui| {
            ui.set_max_width((scene.width() - 24.0).clamp(80.0, 520.0));
            if hidden > 0 {
                all = more_ui(ui, hidden);
            }
            for notice in notices.last(MOST_SHOWN) {
                if notice.severity == Severity::Done {
                    let gone_at = *notice.gone_at.get_or_insert(now + LIFETIME);
                    ctx.request_repaint_after_secs((gone_at - now) as f32);
                }
                if notice_ui(ui, notice) {
                    dismissed = Some(notice.id);
                }
            }
        });
    if all {
        notices.clear();
    }
    if let Some(id) = dismissed {
        notices.dismiss(id);
    }
}

/// Draws how many older messages there are; returns whether all are dismissed.
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

/// Draws one message; returns whether it was dismissed.
fn notice_ui(ui: &mut Ui, notice: &Notice) -> bool {
    let (color, sign) = match notice.severity {
        Severity::Done => (theme::ACCENT, "✔"),
        Severity::Warning => (theme::WARNING, "⚠"),
        Severity::Error => (theme::ERROR, "⚠"),
    };
    let inner = frame(color).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(sign).color(color));
            let room = ui.available_width() - 26.0;
            ui.scope(|ui| {
                ui.set_max_width(room.max(40.0));
                ui.add(Label::new(&notice.text).wrap());
            });
            ui.add(Button::new("✖").frame(false).small())
                .on_hover_text(tr("Dismiss."))
                .clicked()
        })
        .inner
    });
    inner.inner
}
