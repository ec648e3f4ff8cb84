//! Messages above the scene: what was saved, what went wrong.
//!
//! Each has a cause. What is new of a cause takes the place of what was said of it before, and
//! when the cause is gone, so is its message.

use egui::{Align2, Area, Color32, Context, Frame, Id, Margin, RichText, Stroke, vec2};

use crate::app::files::Done;
use crate::app::theme;
use crate::app::worker::Outbox;
use crate::generate::Reading;
use crate::param::Params;
use crate::words;

/// Seconds that good news stays.
const LIFETIME: f64 = 6.0;
/// Messages shown; of older ones only how many there are.
const MOST_SHOWN: usize = 3;
/// Messages kept; beyond that the oldest goes.
const MOST: usize = 50;

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

/// What a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The landscape that is being made: a setting, an input.
    Landscape,
    /// The file that a scene names, as it was read.
    Input,
    /// The file that the document was opened from, as it was opened.
    Opened,
    /// Drawing the landscape: it goes with the next picture.
    Drawing,
    /// Work with files of that sort: opening, exporting.
    Files(&'static str),
    /// The number that was typed last.
    Number,
    /// Nothing else: the message alone.
    Itself,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Good or bad.
    pub kind: Kind,
    /// What it is about.
    pub cause: Cause,
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
        self.say(Cause::Itself, Kind::Done, text);
    }

    /// Shows an error.
    pub fn error(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Kind::Error, text);
    }

    /// Shows what should be known.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Kind::Warning, text);
    }

    /// Shows a message in place of what was said of the same cause before. Of a file that
    /// is read several things may be said, and the same words are one message wherever they come
    /// from.
    pub fn say(&mut self, cause: Cause, kind: Kind, text: impl Into<String>) {
        let text = words::window(&in_the_panel(text.into()));
        match kind {
            Kind::Done => log::info!("{text}"),
            Kind::Warning | Kind::Error => log::warn!("{text}"),
        }
        let same = |notice: &Notice| notice.kind == kind && notice.text == text;
        if kind != Kind::Done && self.list.iter().any(same) {
            return;
        }
        let alone = !matches!(cause, Cause::Itself | Cause::Input | Cause::Opened);
        self.list
            .retain(|notice| !(same(notice) || alone && notice.cause == cause));
        if self.list.len() == MOST {
            self.list.remove(0);
        }
        self.next_id += 1;
        self.list.push(Notice {
            kind,
            cause,
            text,
            gone_at: None,
            id: self.next_id,
        });
    }

    /// Takes note of a number that was typed, and of what there is to say of it.
    pub fn note_number(&mut self, words: Option<String>) {
        match words {
            Some(words) => self.say(Cause::Number, Kind::Warning, words),
            None => self.settle(&Cause::Number),
        }
    }

    /// Takes note of what the worker has to say; `newest` is the request that counts.
    pub fn note_landscape(&mut self, outbox: &mut Outbox, newest: u64) {
        let made = outbox.made.as_ref().map(|made| made.number);
        if made == Some(newest) {
            self.settle(&Cause::Landscape);
        }
        if let Some((number, message)) = outbox.failed.take()
            && number == newest
        {
            self.say(Cause::Landscape, Kind::Error, message);
        }
        if let Some(notices) = outbox.notices.take() {
            self.settle(&Cause::Input);
            for notice in notices {
                self.say(Cause::Input, Kind::Warning, notice);
            }
        }
    }

    /// Takes note of how work of the sort `what` with a file has ended: whatever went wrong the
    /// last time, this time is what counts.
    pub fn note_file(&mut self, what: &'static str, done: &Done) {
        let cause = Cause::Files(what);
        self.settle(&cause);
        match done {
            Done::Saved(words) => self.say(cause, Kind::Done, words),
            Done::SavedScene(path, ..) => {
                self.say(cause, Kind::Done, format!("Saved {}", words::named(path)));
            }
            Done::Failed(words) | Done::NotOpened(_, words) | Done::NotSavedScene(words) => {
                self.say(cause, Kind::Error, words);
            }
            Done::Noted(words) => self.say(Cause::Opened, Kind::Warning, words),
            Done::Quiet
            | Done::Changed(_)
            | Done::Opened(..)
            | Done::OpenedMap(..)
            | Done::Measured(..) => {}
        }
    }

    /// Takes away what was said of a cause that is gone.
    pub fn settle(&mut self, cause: &Cause) {
        self.list.retain(|notice| notice.cause != *cause);
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

/// Names the settings of the command line that say how an image is read as the panel does.
fn in_the_panel(text: String) -> String {
    Reading::PARAMS.iter().fold(text, |text, param| {
        let flag = format!("--input-{}", param.key.replace('_', ""));
        text.replace(&flag, &format!("“{}”", param.label))
    })
}

/// Draws the messages at the lower left of the scene.
pub fn notices_ui(ctx: &Context, notices: &mut Notices, scene: egui::Rect) {
    let now = ctx.input(|input| input.time);
    notices.list.retain(|n| n.gone_at.is_none_or(|at| now < at));
    if notices.list.is_empty() {
        return;
    }
    let hidden = notices.list.len().saturating_sub(MOST_SHOWN);
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
            for notice in &mut notices.list[hidden..] {
                if notice.kind == Kind::Done {
                    let gone_at = *notice.gone_at.get_or_insert(now + LIFETIME);
                    ctx.request_repaint_after_secs((gone_at - now) as f32);
                }
                if notice_ui(ui, notice) {
                    dismissed = Some(notice.id);
                }
            }
        });
    notices
        .list
        .retain(|notice| !all && Some(notice.id) != dismissed);
}

/// How many older messages there are; returns whether all are dismissed.
fn more_ui(ui: &mut egui::Ui, hidden: usize) -> bool {
    frame(theme::WARNING)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(format!("and {hidden} more"));
                ui.button("Dismiss all").clicked()
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

/// One message; returns whether it was dismissed.
fn notice_ui(ui: &mut egui::Ui, notice: &Notice) -> bool {
    let (color, sign) = match notice.kind {
        Kind::Done => (theme::ACCENT, "✔"),
        Kind::Warning => (theme::WARNING, "⚠"),
        Kind::Error => (theme::ERROR, "⚠"),
    };
    let inner = frame(color).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new(sign).color(color));
            let room = ui.available_width() - 26.0;
            ui.scope(|ui| {
                ui.set_max_width(room.max(40.0));
                ui.add(egui::Label::new(&notice.text).wrap());
            });
            ui.add(egui::Button::new("✖").frame(false).small())
                .on_hover_text("Dismiss.")
                .clicked()
        })
        .inner
    });
    inner.inner
}
