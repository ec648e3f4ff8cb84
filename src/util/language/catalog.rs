//! Translation catalogues, parsed at first use.

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
