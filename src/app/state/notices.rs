//! Messages over the scene: successes, warnings and errors.
//!
//! Each message has a cause. A new message replaces the last one with the same cause. When the
//! cause is gone, its message is removed. A success also disappears after some seconds and a
//! warning after a minute, counted from when it is first shown. An error stays until it is
//! dismissed.

use crate::app::commands::Action;
use crate::generate::Reading;
use crate::util::language::tr;
use crate::util::param::Params;
use crate::util::words;

/// Maximum number of messages; beyond it the oldest is removed.
const MOST: usize = 50;

/// Severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// A success. The message disappears by itself, unless it has a button.
    Done,
    /// A warning. The message stays for a minute.
    Warning,
    /// An error. The message stays until it is dismissed.
    Error,
}

/// Cause of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The landscape being computed: a setting or an input.
    Landscape,
    /// The scene, where a setting has no effect, and the files it refers to, as they were read.
    Input,
    /// The file that the document was opened from, as it was read.
    Opened,
    /// Drawing of the landscape; the message is removed with the next frame.
    Drawing,
    /// File work of the named kind, such as opening or exporting.
    Files(&'static str),
    /// The film, at the time of the playhead.
    Film,
    /// The number typed last.
    Number,
    /// No lasting cause; every message stands alone.
    Itself,
}

/// Message on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Severity of the message.
    pub severity: Severity,
    /// Cause of the message.
    pub cause: Cause,
    /// Text, in one line or two.
    pub text: String,
    /// Button for an action related to the message.
    pub offer: Option<Offer>,
    /// Expiry time, in egui's seconds; set when the message is first shown.
    pub gone_at: Option<f64>,
    /// Unique number of the message.
    pub id: u64,
}

/// Button of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Text of the button.
    pub words: &'static str,
    /// Action of the button.
    pub action: Action,
}

/// List of messages on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    list: Vec<Notice>,
    /// Dismissed or expired warnings about inputs. They are not repeated while their cause lasts.
    read: Vec<(Cause, String)>,
    next_id: u64,
}

impl Notices {
    /// Show a success.
    pub fn done(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Severity::Done, text);
    }

    /// Show an error.
    pub fn error(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Severity::Error, text);
    }

    /// Show a warning.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Severity::Warning, text);
    }

    /// Show a message in place of the last one with the same cause. Reading files may give several
    /// messages with one cause. A warning or error with the text of one on screen is not repeated.
    pub fn say(&mut self, cause: Cause, severity: Severity, text: impl Into<String>) {
        self.put(cause, severity, text.into(), None);
    }

    /// Show a success with a button, until it is used or the cause is gone.
    pub fn offer(&mut self, cause: Cause, text: impl Into<String>, offer: Offer) {
        self.put(cause, Severity::Done, text.into(), Some(offer));
    }

    fn put(&mut self, cause: Cause, severity: Severity, text: String, offer: Option<Offer>) {
        let text = shown(text);
        match severity {
            Severity::Done => log::info!("{text}"),
            Severity::Warning | Severity::Error => log::warn!("{text}"),
        }
        let same = |notice: &Notice| notice.severity == severity && notice.text == text;
        if severity != Severity::Done && self.list.iter().any(same) {
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
            severity,
            cause,
            text,
            offer,
            gone_at: None,
            id: self.next_id,
        });
    }

    /// Remove the messages of a cause that is gone.
    pub fn settle(&mut self, cause: &Cause) {
        self.list.retain(|notice| notice.cause != *cause);
        self.read.retain(|(other, _)| other != cause);
    }

    /// Replace the warnings of a cause. A warning that was there before keeps its remaining time,
    /// or stays dismissed.
    pub fn renew(&mut self, cause: &Cause, warnings: Vec<String>) {
        let warnings: Vec<_> = warnings.into_iter().map(shown).collect();
        let lasts = |other: &Cause, text: &String| other != cause || warnings.contains(text);
        self.list
            .retain(|notice| lasts(&notice.cause, &notice.text));
        self.read.retain(|(other, text)| lasts(other, text));
        for text in warnings {
            let was_read = self.read.iter().any(|(_, other)| *other == text);
            if !was_read {
                self.say(cause.clone(), Severity::Warning, text);
            }
        }
    }

    /// Messages on screen, oldest first.
    #[must_use]
    pub fn list(&self) -> &[Notice] {
        &self.list
    }

    /// Newest messages, at most `most`, mutable so that their expiry can be set.
    pub fn last(&mut self, most: usize) -> &mut [Notice] {
        let first = self.list.len().saturating_sub(most);
        &mut self.list[first..]
    }

    /// Remove the messages whose time has expired.
    pub fn expire(&mut self, now: f64) {
        self.take_away(|notice| notice.gone_at.is_some_and(|at| at <= now));
    }

    /// Remove one message.
    pub fn dismiss(&mut self, id: u64) {
        self.take_away(|notice| notice.id == id);
    }

    /// Remove all messages.
    pub fn clear(&mut self) {
        self.take_away(|_| true);
    }

    fn take_away(&mut self, goes: impl Fn(&Notice) -> bool) {
        let gone = self.list.extract_if(.., |notice| goes(notice));
        let lasts = gone.filter(|notice| notice.cause == Cause::Input);
        self.read
            .extend(lasts.map(|notice| (notice.cause, notice.text)));
    }
}

/// Text of a message in the vocabulary of the window.
fn shown(text: String) -> String {
    words::window(&in_the_panel(text))
}

/// Replace command-line options for reading an image with the panel's labels.
fn in_the_panel(text: String) -> String {
    Reading::PARAMS.iter().fold(text, |text, param| {
        let flag = format!("--input-{}", param.key.replace('_', ""));
        text.replace(&flag, &format!("“{}”", tr(param.label)))
    })
}
