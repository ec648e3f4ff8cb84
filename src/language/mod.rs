//! The languages that the window and the command speak.
//!
//! English stands in the code, and each other language is one file of `assets/languages` in the
//! format of gettext, which finds its words by the English ones:
//!
//! - `tr("Save")` is a text in the language spoken, `tr!("{} of {}", done, all)` one with values in
//!   it, `tr!("one file" | "{n} files" % count)` one that depends on a number, by the rules of the
//!   language;
//! - [`mark`] marks a text in a table that is a constant, for `tr` where it is shown;
//! - the words of tables of settings, presets and formats need no mark: they are translated where
//!   they are shown, and tests find them by the tables.
//!
//! A language is one file and one line in the list below.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use ::tr::tr;
use ::tr::{Translator, set_translator};

use crate::param::choice;

#[cfg(any(feature = "window", feature = "cli"))]
pub mod catalog;
#[cfg(any(feature = "window", feature = "cli"))]
mod system;
#[cfg(any(feature = "window", feature = "cli"))]
pub use system::of_system;

choice! {
    /// A language of the window and of the command's help.
    pub enum Language: "language" {
        #[default]
        English = "en", "English";
        German = "de", "Deutsch";
        Russian = "ru", "Русский";
        Chinese = "zh-Hans", "简体中文";
    }
}

impl Language {
    /// What the language calls itself.
    #[must_use]
    pub fn own_name(self) -> &'static str {
        Self::HELPS[self as usize]
    }
}

/// The language of all threads that have none of their own.
static SPOKEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SPOKEN_HERE: Cell<Option<Language>> = const { Cell::new(None) };
}

/// Lets all threads speak that language; English at first.
pub fn speak(language: Language) {
    prepare();
    SPOKEN.store(language as usize, Ordering::Relaxed);
}

/// Lets this thread speak that language, whatever the others speak.
pub fn speak_here(language: Language) {
    prepare();
    SPOKEN_HERE.set(Some(language));
}

/// The language that this thread speaks.
#[must_use]
pub fn spoken() -> Language {
    let here = SPOKEN_HERE.get();
    here.unwrap_or_else(|| Language::ALL[SPOKEN.load(Ordering::Relaxed)])
}

fn prepare() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| set_translator!(Spoken));
}

/// A text in the language spoken; the text itself where the language has no words for it.
#[must_use]
pub fn tr(text: &'static str) -> &'static str {
    match looked_up(text, None) {
        Cow::Borrowed(text) => text,
        Cow::Owned(_) => text,
    }
}

/// Marks a constant text as one to translate where it is shown.
#[must_use]
pub const fn mark(text: &'static str) -> &'static str {
    text
}

/// What the `tr!` macro asks.
struct Spoken;

impl Translator for Spoken {
    fn translate<'a>(&'a self, text: &'a str, context: Option<&'a str>) -> Cow<'a, str> {
        looked_up(text, context)
    }

    fn ntranslate<'a>(
        &'a self,
        count: u64,
        one: &'a str,
        many: &'a str,
        context: Option<&'a str>,
    ) -> Cow<'a, str> {
        #[cfg(any(feature = "window", feature = "cli"))]
        if let Some(catalog) = catalog::of(spoken()) {
            return catalog.ntranslate(count, one, many, context);
        }
        let _ = context;
        Cow::Borrowed(if count == 1 { one } else { many })
    }
}

/// A text that is not constant in the language spoken, or the text itself.
#[must_use]
pub fn translated(text: &str) -> Cow<'_, str> {
    looked_up(text, None)
}

fn looked_up<'a>(text: &'a str, context: Option<&'a str>) -> Cow<'a, str> {
    #[cfg(any(feature = "window", feature = "cli"))]
    if let Some(catalog) = catalog::of(spoken()) {
        return catalog.translate(text, context);
    }
    let _ = context;
    Cow::Borrowed(text)
}
