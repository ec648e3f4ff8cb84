//! The language of the system.

use super::Language;

/// The first of the languages that the user's system asks for and that there is; English if there is
/// none.
#[must_use]
pub fn of_system() -> Language {
    let asked = sys_locale::get_locales();
    asked
        .filter_map(|locale| named(&locale))
        .next()
        .unwrap_or_default()
}

/// The language of a locale such as `de_AT.UTF-8`, `zh-CN` or `C`, if it is one of ours.
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
