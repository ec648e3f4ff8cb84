//! Messages above the scene: what was saved, what went wrong.
//!
//! Each message has a cause. A new message takes the place of the last one with the same cause, and
//! when the cause is gone, so is its message.

use crate::generate::Reading;
use crate::language::tr;
use crate::param::Params;
use crate::words;

/// Messages kept; beyond that the oldest goes.
const MOST: usize = 50;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Something is done. The message goes by itself.
    Done,
    /// Nothing went wrong, but something should be known. The message stays until it is dismissed.
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
    /// When it goes, in egui's seconds; set when it is first shown.
    pub gone_at: Option<f64>,
    /// What tells it from the others.
    pub id: u64,
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
        let text = words::window(&in_the_panel(text.into()));
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
            gone_at: None,
            id: self.next_id,
        });
    }

    /// Takes away the messages of a cause that is gone.
    pub fn settle(&mut self, cause: &Cause) {
        self.list.retain(|notice| notice.cause != *cause);
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
        let stays = |notice: &Notice| notice.gone_at.is_none_or(|at| now < at);
        self.list.retain(stays);
    }

    /// Takes one message away.
    pub fn dismiss(&mut self, id: u64) {
        self.list.retain(|notice| notice.id != id);
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
        text.replace(&flag, &format!("“{}”", tr(param.label)))
    })
}
