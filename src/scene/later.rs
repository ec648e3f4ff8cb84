//! Scenes of other versions: older ones are refused, later ones are read with their unknown keys set
//! aside.

use std::cmp::Ordering;

use toml::de::{DeTable, DeValue};

use super::version::{Kept, Later, VERSION, table_at, too_old};
use super::{Scene, SceneError, plain};

/// Largest number of unknown keys in a scene that is still read.
const MOST_KEPT: usize = 100;

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
