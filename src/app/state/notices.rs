//! Messages above the scene: what was saved, what went wrong.
//!
//! Each message has a cause. A new message takes the place of the last one with the same cause, and
//! when the cause is gone, so is its message. Besides, good news goes after some seconds and a
//! warning after a minute, counted from when it is first seen. An error stays until it is dismissed.

use crate::app::commands::Action;
use crate::generate::Reading;
use crate::language::tr;
use crate::param::Params;
use crate::words;

/// Messages kept; beyond that the oldest goes.
const MOST: usize = 50;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something is done. The message goes by itself, unless it offers something.
    Done,
    /// Nothing went wrong, but something should be known. The message stays for a minute.
    Warning,
    /// Something went wrong. The message stays until it is dismissed.
    Error,
}

/// What a message is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The landscape that is being made: a setting, an input.
    Landscape,
    /// The scene, where a setting changes nothing, and the files that it names, as they were read.
    Input,
    /// The file that the document was opened from, as it was opened.
    Opened,
    /// Drawing the landscape: it goes with the next picture.
    Drawing,
    /// Work with files of that sort: opening, exporting.
    Files(&'static str),
    /// The film, at the time of the playhead.
    Film,
    /// The number that was typed last.
    Number,
    /// Nothing else: the message alone.
    Itself,
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// How bad it is.
    pub severity: Severity,
    /// What it is about.
    pub cause: Cause,
    /// The words, in one line or two.
    pub text: String,
    /// A button that does something about it.
    pub offer: Option<Offer>,
    /// When it goes, in egui's seconds; set when it is first shown.
    pub gone_at: Option<f64>,
    /// What tells it from the others.
    pub id: u64,
}

/// The button of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// The words on it.
    pub words: &'static str,
    /// The action that it asks for.
    pub action: Action,
}

/// The messages on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    list: Vec<Notice>,
    /// Warnings of causes that last, which are not said again as long as these do: they were read.
    read: Vec<(Cause, String)>,
    next_id: u64,
}

impl Notices {
    /// Shows good news.
    pub fn done(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Severity::Done, text);
    }

    /// Shows an error.
    pub fn error(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Severity::Error, text);
    }

    /// Shows what should be known.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(Cause::Itself, Severity::Warning, text);
    }

    /// Shows a message in place of the last one with the same cause. Files that are read may cause
    /// several messages; the same words are one message wherever they come from.
    pub fn say(&mut self, cause: Cause, severity: Severity, text: impl Into<String>) {
        self.put(cause, severity, text.into(), None);
    }

    /// Shows good news with a button, until it is used or the cause is gone.
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

    /// Takes away the messages of a cause that is gone.
    pub fn settle(&mut self, cause: &Cause) {
        self.list.retain(|notice| notice.cause != *cause);
        self.read.retain(|(other, _)| other != cause);
    }

    /// Takes over the warnings that a cause has by now. Those that it had before stay as they are: on
    /// screen with the time that they have left, or gone.
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

    /// The messages, oldest first.
    #[must_use]
    pub fn list(&self) -> &[Notice] {
        &self.list
    }

    /// The messages that were said last, so many at most, to be shown.
    pub fn last(&mut self, most: usize) -> &mut [Notice] {
        let first = self.list.len().saturating_sub(most);
        &mut self.list[first..]
    }

    /// Takes away the messages whose time is over.
    pub fn expire(&mut self, now: f64) {
        self.take_away(|notice| notice.gone_at.is_some_and(|at| at <= now));
    }

    /// Takes one message away.
    pub fn dismiss(&mut self, id: u64) {
        self.take_away(|notice| notice.id == id);
    }

    /// Takes all messages away.
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

/// The words of a message as they are shown.
fn shown(text: String) -> String {
    words::window(&in_the_panel(text))
}

/// Names the settings of the command line that say how an image is read as the panel does.
fn in_the_panel(text: String) -> String {
    Reading::PARAMS.iter().fold(text, |text, param| {
        let flag = format!("--input-{}", param.key.replace('_', ""));
        text.replace(&flag, &format!("“{}”", tr(param.label)))
    })
}
