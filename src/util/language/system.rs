//! Language of the system.

use super::Language;

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
