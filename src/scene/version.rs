//! Version of a scene, and keys of later versions that this program does not use. They are kept, so
//! that loading and saving a scene loses nothing.

use serde::{Deserialize, Serialize};

use crate::util::language::tr;

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
pub(super) fn too_old(version: i64) -> String {
    tr!(
        "scene version {version} is too old, only version {VERSION} is read",
        version,
        VERSION
    )
}

/// Keys of a later version with their values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Later(pub(super) Vec<Kept>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    /// Path to the key: keys, and indices in lists.
    pub(super) path: Vec<String>,
    pub(super) value: toml::Value,
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
pub(super) fn table_at<'a>(
    table: &'a mut toml::Table,
    path: &[String],
) -> Option<&'a mut toml::Table> {
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
