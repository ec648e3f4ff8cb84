//! The files of the languages, read when they are first spoken.

use std::path::Path;
use std::sync::OnceLock;

use tr::PoTranslator;

use super::Language;

/// The file of a language; empty of English, which stands in the code.
#[must_use]
pub fn file(language: Language) -> &'static str {
    match language {
        Language::English => "",
        Language::German => include_str!("../../assets/languages/de.po"),
        Language::Russian => include_str!("../../assets/languages/ru.po"),
        Language::Chinese => include_str!("../../assets/languages/zh-Hans.po"),
    }
}

/// The words of a language; none of English.
pub fn of(language: Language) -> Option<&'static PoTranslator> {
    static CATALOGS: [OnceLock<PoTranslator>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let read = || {
        // tr 0.1.11 reads nothing from bytes; what it takes for a path may be the text itself.
        let text = Path::new(file(language));
        PoTranslator::from_path(text).expect("a test reads every language")
    };
    let catalog = &CATALOGS[language as usize];
    (language != Language::English).then(|| catalog.get_or_init(read))
}
