//! Words for what changed between two scenes: "H", "Camera", "4 settings".

use toml::Value;

use crate::generate::Surface;
use crate::param::Params;
use crate::scene::{Camera, Clouds, Fog, Light, Scene, Teximage, View, Water};

/// What differs between two scenes, in the panel's words.
#[must_use]
pub fn difference(before: &Scene, after: &Scene) -> String {
    let (Ok(before), Ok(after)) = (Value::try_from(before), Value::try_from(after)) else {
        return "settings".to_owned();
    };
    let mut keys = Vec::new();
    changed_keys("", Some(&before), Some(&after), &mut keys);
    match keys.as_slice() {
        [key] if key == "path" || key.starts_with("path.") => "camera path".to_owned(),
        [key] => label(key),
        keys if keys.iter().all(|key| key.starts_with("camera.")) => "camera".to_owned(),
        keys if keys.iter().all(|key| key.starts_with("path.")) => "camera path".to_owned(),
        keys => format!("{} settings", keys.len()),
    }
}

fn changed_keys(path: &str, before: Option<&Value>, after: Option<&Value>, keys: &mut Vec<String>) {
    if before == after {
        return;
    }
    let (Some(Value::Table(old)), Some(Value::Table(new))) = (before, after) else {
        keys.push(path.to_owned());
        return;
    };
    let mut names: Vec<_> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let below = match path {
            "" => name.clone(),
            path => format!("{path}.{name}"),
        };
        changed_keys(&below, old.get(name), new.get(name), keys);
    }
}

/// The panel's words for a scene key; a key without a row in a table speaks for itself.
fn label(key: &str) -> String {
    let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
    let found = match table {
        "surface" => label_in::<Surface>(name),
        "teximage" => label_in::<Teximage>(name),
        "clouds" => label_in::<Clouds>(name),
        "view" => label_in::<View>(name),
        "light" => label_in::<Light>(name),
        "water" => label_in::<Water>(name),
        "fog" => label_in::<Fog>(name),
        "camera" => label_in::<Camera>(name),
        _ => None,
    };
    found.map_or_else(|| name.replace('_', " "), str::to_owned)
}

fn label_in<T: Params>(key: &str) -> Option<&'static str> {
    let row = T::PARAMS.iter().find(|param| param.key == key)?;
    Some(row.label)
}
