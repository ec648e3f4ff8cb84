//! Messages above the scene: what was saved, what went wrong.

use egui::{Align2, Area, Color32, Context, Frame, Id, Margin, RichText, Stroke, vec2};

use crate::app::theme;
use crate::words;

/// Seconds that good news stays.
const LIFETIME: f64 = 6.0;
/// Messages kept; beyond that the oldest goes.
const MOST: usize = 5;

/// Good or bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Goes by itself.
    Done,
    /// Nothing went wrong, but it should be known. Stays until it is dismissed.
    Warning,
    /// Stays until it is dismissed.
    Error,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Good or bad.
    pub kind: Kind,
    /// One line or two.
    pub text: String,
    /// When it goes, in egui's seconds; set when it is first shown.
    gone_at: Option<f64>,
    id: u64,
}

/// The messages on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    list: Vec<Notice>,
    next_id: u64,
}

impl Notices {
    /// Shows good news.
    pub fn done(&mut self, text: impl Into<String>) {
        self.push(Kind::Done, words::window(&text.into()));
    }

    /// Shows an error. The same error twice in a row, as from a slider being dragged, is one.
    pub fn error(&mut self, text: impl Into<String>) {
        let text = words::window(&text.into());
        log::warn!("{text}");
        if self.list.last().is_none_or(|last| last.text != text) {
            self.push(Kind::Error, text);
        }
    }

    /// Shows what should be known, once as long as it is there.
    pub fn warn(&mut self, text: impl Into<String>) {
        let text = words::window(&text.into());
        log::warn!("{text}");
        if self.list.iter().all(|notice| notice.text != text) {
            self.push(Kind::Warning, text);
        }
    }

    fn push(&mut self, kind: Kind, text: String) {
        if self.list.len() == MOST {
            self.list.remove(0);
        }
        self.next_id += 1;
        self.list.push(Notice {
            kind,
            text,
            gone_at: None,
            id: self.next_id,
        });
    }

    /// The messages, oldest first.
    #[must_use]
    pub fn list(&self) -> &[Notice] {
        &self.list
    }

    /// Takes all messages away.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

/// Draws the messages at the lower left of the scene.
pub fn notices_ui(ctx: &Context, notices: &mut Notices, scene: egui::Rect) {
    let now = ctx.input(|input| input.time);
    notices.list.retain(|n| n.gone_at.is_none_or(|at| now < at));
    if notices.list.is_empty() {
        return;
    }
    let mut dismissed = None;
    Area::new(Id::new("notices"))
        .pivot(Align2::LEFT_BOTTOM)
        .fixed_pos(scene.left_bottom() + vec2(12.0, -12.0))
        .constrain_to(scene)
        .show(ctx, |ui| {
            ui.set_max_width((scene.width() - 24.0).clamp(80.0, 520.0));
            for notice in &mut notices.list {
                if notice.kind == Kind::Done {
                    let gone_at = *notice.gone_at.get_or_insert(now + LIFETIME);
                    ctx.request_repaint_after_secs((gone_at - now) as f32);
                }
                if notice_ui(ui, notice) {
                    dismissed = Some(notice.id);
                }
            }
        });
    notices.list.retain(|notice| Some(notice.id) != dismissed);
}

/// One message; returns whether it was dismissed.
fn notice_ui(ui: &mut egui::Ui, notice: &Notice) -> bool {
    let (color, sign) = match notice.kind {
        Kind::Done => (theme::ACCENT, "✔"),
        Kind::Warning => (theme::WARNING, "⚠"),
        Kind::Error => (theme::ERROR, "⚠"),
    };
    let frame = Frame::new()
        .fill(Color32::from_rgba_unmultiplied(18, 21, 26, 240))
        .stroke(Stroke::new(1.0, color))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(10, 7));
    let inner = frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(sign).color(color));
            let room = ui.available_width() - 26.0;
            ui.scope(|ui| {
                ui.set_max_width(room.max(40.0));
                ui.add(egui::Label::new(&notice.text).wrap());
            });
            ui.add(egui::Button::new("✖").frame(false).small())
                .on_hover_text("Dismiss")
                .clicked()
        })
        .inner
    });
    inner.inner
}
