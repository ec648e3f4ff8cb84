//! User preset: its data, and the rules for its name and tags.

use std::sync::Arc;

use crate::scene::Scene;
use crate::scene::palette::Palette;
use crate::util::language::tr;

/// Maximum length of a name in characters; file systems allow 255 bytes.
const LONGEST: usize = 60;

/// Preset made by the user.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnPreset {
    /// Name, also the name of its file.
    pub name: String,
    /// Search words.
    pub tags: Vec<String>,
    /// Scene of the preset.
    pub scene: Arc<Scene>,
}

/// True if two names denote the same file. Case is ignored, as on many file systems.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Parse a list of tags separated by commas or line breaks; drops duplicates.
#[must_use]
pub fn listed(text: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in text.split([',', '\n']).map(str::trim) {
        if !tag.is_empty() && !tags.iter().any(|known| known == tag) {
            tags.push(tag.to_owned());
        }
    }
    tags
}

/// Reason why a name is not valid for a preset, or `None`. Names must be valid file names on every
/// system.
#[must_use]
pub fn objection(name: &str) -> Option<&'static str> {
    let forbidden = |letter: char| letter.is_control() || r#"/\:*?"<>|"#.contains(letter);
    if name.trim().is_empty() {
        Some(tr("It needs a name."))
    } else if name.chars().count() > LONGEST {
        Some(tr("A name can have at most 60 characters."))
    } else if name.chars().any(forbidden) {
        Some(tr("A name cannot contain / \\ : * ? \" < > |"))
    } else if name.starts_with('.') || name.ends_with('.') || name.trim() != name {
        Some(tr("A name cannot begin or end with a dot or a space."))
    } else if is_device(name) {
        Some(tr("Windows reserves this name for a device."))
    } else {
        None
    }
}

/// Reason why a palette cannot be saved under its name, or `None`.
#[must_use]
pub fn palette_objection(name: &str) -> Option<&'static str> {
    let is_builtin = |palette: &Palette| is_same(&palette.name, name);
    let builtin = Palette::builtin().iter().any(is_builtin);
    objection(name).or(builtin.then(|| tr("A built-in palette has this name.")))
}

/// True if Windows reserves the name for a device; the part after a dot does not matter.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let stem = stem.trim().to_lowercase();
    let numbered = |kind: &str| {
        let number = stem.strip_prefix(kind);
        number.is_some_and(|number| number.len() == 1 && number.parse().is_ok_and(|n: u8| n > 0))
    };
    ["con", "prn", "aux", "nul"].contains(&&stem[..]) || numbered("com") || numbered("lpt")
}
