//! Version of a scene, and keys of later versions that this program does not use. They are kept, so
//! that loading and saving a scene loses nothing.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};

use super::{Scene, SceneError, plain};
use crate::language::tr;

/// Largest number of unknown keys in a scene that is still read.
const MOST_KEPT: usize = 100;

/// Version of the scenes that this program writes. It increases with every change that older programs
/// would have to reject or would render differently.
pub const VERSION: u32 = 5;

/// Version of a scene, [`VERSION`] or later. Older scenes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Version(u32);

impl Default for Version {
    fn default() -> Self {
        Self(VERSION)
    }
}

impl From<Version> for u32 {
    fn from(version: Version) -> Self {
        version.0
    }
}

impl TryFrom<u32> for Version {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, Self::Error> {
        match version {
            VERSION.. => Ok(Self(version)),
            _ => Err(too_old(version.into())),
        }
    }
}

/// Message that a scene's version is older than [`VERSION`].
fn too_old(version: i64) -> String {
    tr!(
        "scene version {version} is too old, only version {VERSION} is read",
        version,
        VERSION
    )
}

/// Keys of a later version with their values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Later(Vec<Kept>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// Path to the key: keys, and indices in lists.
    path: Vec<String>,
    value: toml::Value,
}

impl Later {
    /// True if no keys were kept.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Dotted names of the keys.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|kept| kept.path.join(".")).collect()
    }

    /// Put the kept keys back into the text of the rest of the scene. If an item of a list is gone, its
    /// keys are dropped.
    pub(super) fn restored(&self, text: String) -> String {
        let Ok(mut table) = text.parse::<toml::Table>() else {
            return text;
        };
        for Kept { path, value } in &self.0 {
            if let Some((last, path)) = path.split_last()
                && let Some(place) = table_at(&mut table, path)
            {
                place.entry(last.clone()).or_insert(value.clone());
            }
        }
        toml::to_string_pretty(&table).unwrap_or(text)
    }
}

/// Table at the end of a path.
fn table_at<'a>(table: &'a mut toml::Table, path: &[String]) -> Option<&'a mut toml::Table> {
    let Some((first, path)) = path.split_first() else {
        return Some(table);
    };
    let mut place = table.get_mut(first)?;
    for step in path {
        place = match place {
            toml::Value::Table(table) => table.get_mut(step)?,
            toml::Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    place.as_table_mut()
}

/// Read a scene of a later version and set its unknown keys aside, or refuse one of an older version.
/// `None` if the text does not declare another version.
pub(super) fn read_other_version(text: &str) -> Option<Result<Scene, SceneError>> {
    let mut table: toml::Table = text.parse().ok()?;
    let version = table.get("version")?.as_integer()?;
    match version.cmp(&i64::from(VERSION)) {
        Ordering::Less => return Some(Err(SceneError::Set(too_old(version)))),
        Ordering::Equal => return None,
        Ordering::Greater => {}
    }
    let mut later = Later::default();
    let refused = |words: &str| {
        SceneError::Set(format!(
            "{words}; it is of scene version {version}, this program knows up to {VERSION}"
        ))
    };
    // The parser reports one unknown key at a time, so each pass removes one and parses again.
    loop {
        let text = toml::to_string(&table).ok()?;
        let error = match toml::from_str::<Scene>(&text) {
            Ok(mut scene) => {
                scene.later.0.extend(later.0);
                let checked = scene.validate();
                return Some(match checked {
                    Ok(()) => Ok(scene),
                    Err(error) => Err(refused(&error.to_string())),
                });
            }
            Err(error) => error,
        };
        let is_unknown = error.message().starts_with("unknown field");
        let path = error
            .span()
            .filter(|_| is_unknown && later.0.len() < MOST_KEPT);
        let path = path.and_then(|span| {
            let document = DeTable::parse(&text).ok()?;
            let mut path = Vec::new();
            find(document.get_ref(), &span, &mut path).then_some(path)
        });
        let removed = path.and_then(|path| {
            let (last, above) = path.split_last()?;
            let value = table_at(&mut table, above)?.remove(last)?;
            Some(Kept { path, value })
        });
        match removed {
            Some(kept) => later.0.push(kept),
            None => return Some(Err(refused(&plain(error.message())))),
        }
    }
}

/// Search a table for the key at a position in the text; if found, `path` leads to it afterwards.
fn find(table: &DeTable<'_>, span: &std::ops::Range<usize>, path: &mut Vec<String>) -> bool {
    for (key, value) in table {
        path.push(key.get_ref().to_string());
        if key.span() == *span || find_in(value.get_ref(), span, path) {
            return true;
        }
        path.pop();
    }
    false
}

fn find_in(value: &DeValue<'_>, span: &std::ops::Range<usize>, path: &mut Vec<String>) -> bool {
    match value {
        DeValue::Table(table) => find(table, span, path),
        DeValue::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(index.to_string());
                if find_in(item.get_ref(), span, path) {
                    return true;
                }
                path.pop();
            }
            false
        }
        _ => false,
    }
}
