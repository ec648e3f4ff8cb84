//! Words for what changed between two scenes: "H", "Camera", "4 settings".

use toml::Value;

use crate::param::{Params, TableVisitor};
use crate::scene::Scene;

/// What differs between two scenes, in the panel's words.
#[must_use]
pub fn difference(before: &Scene, after: &Scene) -> String {
    let [old, new] = [before, after].map(|scene| Value::Table(scene.written_out()));
    let mut keys = Vec::new();
    changed_keys("", Some(&old), Some(&new), &mut keys);
    let all_in = |place: &str| {
        let below = |key: &String| key == place || key.starts_with(&format!("{place}."));
        keys.iter().all(below)
    };
    match keys.as_slice() {
        [key] if !all_in("path") && !all_in("section") => label(key, after),
        _ if all_in("camera") => "camera".to_owned(),
        _ if all_in("path") => "camera path".to_owned(),
        _ if all_in("section") => "cross-section".to_owned(),
        keys => format!("{} settings", keys.len()),
    }
}

/// Finds the keys whose values differ. Keys in lists of the same length have numbers, as in
/// `modifiers.0.blur.radius`.
fn changed_keys(path: &str, before: Option<&Value>, after: Option<&Value>, keys: &mut Vec<String>) {
    if before == after {
        return;
    }
    let below = |name: &str| match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    };
    match (before, after) {
        (Some(Value::Table(old)), Some(Value::Table(new))) => {
            let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                changed_keys(&below(name), old.get(name), new.get(name), keys);
            }
        }
        (Some(Value::Array(old)), Some(Value::Array(new)))
            if old.len() == new.len() && old.iter().all(Value::is_table) =>
        {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                changed_keys(&below(&index.to_string()), Some(old), Some(new), keys);
            }
        }
        _ => keys.push(path.to_owned()),
    }
}

/// The panel's words for a key of `scene`, with the list that the key is in, if it is in one. A key
/// that no table has stands for itself.
fn label(key: &str, scene: &Scene) -> String {
    let mut finder = Finder { key, label: None };
    scene.clone().visit_tables(&mut finder);
    let steps: Vec<_> = key.split('.').collect();
    let name = steps.last().copied().unwrap_or_default();
    let words = finder
        .label
        .map_or_else(|| name.replace('_', " "), str::to_owned);
    let is_number = |step: &&str| step.parse::<usize>().is_ok();
    match steps.iter().position(is_number) {
        Some(number) if number > 0 => format!("{words} ({})", steps[number - 1]),
        _ => words,
    }
}

/// Finds the label of a key in the tables of a scene.
struct Finder<'a> {
    key: &'a str,
    label: Option<&'static str>,
}

impl TableVisitor for Finder<'_> {
    fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
        let key = self.key.strip_prefix(place);
        if let Some(key) = key.and_then(|rest| rest.strip_prefix('.')) {
            let row = T::PARAMS.iter().find(|param| param.key == key);
            self.label = self.label.or(row.map(|param| param.label));
        }
    }
}
