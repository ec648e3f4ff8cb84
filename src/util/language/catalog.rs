//! Translation catalogues, parsed at first use, and the language of the system.

use std::path::Path;
use std::sync::OnceLock;

use tr::PoTranslator;

use super::Language;

/// Catalogue file of a language; empty for English, whose texts are in the code.
#[must_use]
pub fn file(language: Language) -> &'static str {
    match language {
        Language::English => "",
        Language::German => include_str!("../../../assets/languages/de.po"),
        Language::Russian => include_str!("../../../assets/languages/ru.po"),
        Language::Chinese => include_str!("../../../assets/languages/zh-Hans.po"),
    }
}

/// Catalogue of a language; `None` for English.
pub fn of(language: Language) -> Option<&'static PoTranslator> {
    static CATALOGS: [OnceLock<PoTranslator>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let read = || {
        // tr 0.1.11 cannot parse bytes, but `from_path` also accepts the text itself as the path.
        let text = Path::new(file(language));
        PoTranslator::from_path(text).expect("a test reads every language")
    };
    let catalog = &CATALOGS[language as usize];
    (language != Language::English).then(|| catalog.get_or_init(read))
}

/// First of the user's preferred languages that is available; English if there is none.
#[must_use]
pub fn of_system() -> Language {
    let asked = sys_locale::get_locales();
    asked
        .filter_map(|locale| named(&locale))
        .next()
        .unwrap_or_default()
}

/// Language of a locale such as `de_AT.UTF-8`, `zh-CN` or `C`, if available.
fn named(locale: &str) -> Option<Language> {
    let first = locale.split(['-', '_', '.', '@']).next()?;
    match first.to_ascii_lowercase().as_str() {
        "en" | "c" | "posix" => Some(Language::English),
        "de" => Some(Language::German),
        "ru" => Some(Language::Russian),
        "zh" => Some(Language::Chinese),
        _ => None,
    }
}
