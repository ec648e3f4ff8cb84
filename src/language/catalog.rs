//! The files of the languages, read when they are first spoken.

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
        let bytes = file(language).as_bytes().to_vec();
        PoTranslator::from_vec_u8(bytes).expect("a test reads every language")
    };
    let catalog = &CATALOGS[language as usize];
    (language != Language::English).then(|| catalog.get_or_init(read))
}
