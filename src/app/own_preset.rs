//! A preset of the user's own: what it is, and what its name and its tags may be.

use std::sync::Arc;

use crate::language::tr;
use crate::scene::Scene;

/// Letters of a name at most: file systems allow 255 bytes.
const LONGEST: usize = 60;

/// A preset of the user's own.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnPreset {
    /// Its name, which is its file's.
    pub name: String,
    /// Words that it is found by.
    pub tags: Vec<String>,
    /// The scene.
    pub scene: Arc<Scene>,
}

/// Whether two names are those of one file: many systems take large and small letters for the same.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Tags as they are typed, with commas between them, each once.
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

/// Why that is no name for a preset, if it is none: it is a file's name on every system.
#[must_use]
pub fn objection(name: &str) -> Option<&'static str> {
    let forbidden = |letter: char| letter.is_control() || r#"/\:*?"<>|"#.contains(letter);
    if name.trim().is_empty() {
        Some(tr("It needs a name."))
    } else if name.chars().count() > LONGEST {
        Some(tr("A name has 60 letters at most."))
    } else if name.chars().any(forbidden) {
        Some(tr("A name has none of / \\ : * ? \" < > |"))
    } else if name.starts_with('.') || name.ends_with('.') || name.trim() != name {
        Some(tr("A name begins and ends with no dot and no space."))
    } else if is_device(name) {
        Some(tr("Windows has a device of that name."))
    } else {
        None
    }
}

/// Whether Windows takes that for a device, whatever comes after a dot.
fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    let numbered = |kind: &str| {
        let number = stem.strip_prefix(kind);
        number.is_some_and(|number| number.len() == 1 && number.parse().is_ok_and(|n: u8| n > 0))
    };
    ["con", "prn", "aux", "nul"].contains(&&stem[..]) || numbered("com") || numbered("lpt")
}
