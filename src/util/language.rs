//! Languages of the window and the command line.
//!
//! English texts are in the code. Each other language is a gettext file in `assets/languages`, keyed by
//! the English texts:
//!
//! - `tr("Save")` is a text in the current language, `tr!("{} of {}", done, all)` one with values,
//!   `tr!("one file" | "{n} files" % count)` one with a plural, by the rules of the language;
//! - [`mark`] marks a text in a constant table, to be translated with `tr` where it is shown;
//! - texts in the tables of settings, presets and formats need no mark: they are translated where they
//!   are shown, and tests find them in the tables.
//!
//! A language is one file, a variant below and a line in `catalog`.

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::tr::{Translator, set_translator};
use serde::{Deserialize, Serialize};

#[cfg(any(feature = "window", feature = "cli"))]
pub mod catalog;

pub use ::tr::tr;
#[cfg(any(feature = "window", feature = "cli"))]
pub use catalog::of_system;

/// Language of the window and of the command's help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// English, the language of the code.
    #[default]
    #[serde(rename = "en")]
    English,
    /// Deutsch.
    #[serde(rename = "de")]
    German,
    /// Русский.
    #[serde(rename = "ru")]
    Russian,
    /// 简体中文, in simplified characters.
    #[serde(rename = "zh-Hans")]
    Chinese,
}

impl Language {
    /// All languages, in display order.
    pub const ALL: &'static [Self] = &[Self::English, Self::German, Self::Russian, Self::Chinese];

    /// Name of the language in that language.
    #[must_use]
    pub fn own_name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::German => "Deutsch",
            Self::Russian => "Русский",
            Self::Chinese => "简体中文",
        }
    }
}

/// Current language of all threads without one of their own.
static SPOKEN: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SPOKEN_HERE: Cell<Option<Language>> = const { Cell::new(None) };
}

/// Set the language of all threads; initially English.
pub fn speak(language: Language) {
    prepare();
    SPOKEN.store(language as usize, Ordering::Relaxed);
}

/// Set the language of this thread, independent of the others.
pub fn speak_here(language: Language) {
    prepare();
    SPOKEN_HERE.set(Some(language));
}

/// Current language of this thread.
#[must_use]
pub fn spoken() -> Language {
    let here = SPOKEN_HERE.get();
    here.unwrap_or_else(|| Language::ALL[SPOKEN.load(Ordering::Relaxed)])
}

fn prepare() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| set_translator!(Spoken));
}

/// Translate a constant text; without a translation the text itself.
#[must_use]
pub fn tr(text: &'static str) -> &'static str {
    match looked_up(text, None) {
        Cow::Borrowed(text) => text,
        Cow::Owned(_) => text,
    }
}

/// Mark a constant text for translation where it is shown.
#[must_use]
pub const fn mark(text: &'static str) -> &'static str {
    text
}

/// Translator for the `tr!` macro.
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

/// Translate a text that is not constant; without a translation the text itself.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_rules_of_their_language() {
        let settings = |language, counts: [u64; 5]| {
            speak_here(language);
            counts.map(|count| tr!("1 setting" | "{n} settings" % count))
        };
        let counts = [1, 2, 5, 11, 21];
        let english = [
            "1 setting",
            "2 settings",
            "5 settings",
            "11 settings",
            "21 settings",
        ];
        assert_eq!(settings(Language::English, counts), english);
        let german = settings(Language::German, counts);
        assert!(german[0] != german[1].replace('2', "1"), "{german:?}");
        let russian = [
            "1 параметр",
            "2 параметра",
            "5 параметров",
            "11 параметров",
            "21 параметр",
        ];
        assert_eq!(settings(Language::Russian, counts), russian);
        speak_here(Language::Chinese);
        assert_eq!(tr("Cancel"), "取消");
        assert_eq!(translated("no such text"), "no such text");
    }
}
