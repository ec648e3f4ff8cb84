//! Changing one key of a scene, at any path.

use super::{Bookmark, KeyFrame, Scene, SceneError, SettingsKey, plain};
use crate::generate::pins::Pin;
use crate::modify::Modifier;
use crate::modify::layer::Layer;
use crate::util::param::{Tables, from_table, to_table};

impl Scene {
    /// Serialize the scene as a TOML table with every option of every modifier and layer.
    pub(crate) fn written_out(&self) -> toml::Table {
        let mut document = self.full_table();
        write_out_lists(self, &mut document);
        document
    }

    /// Change one key, such as `surface.hurst` to `0.5`. Dashes in keys count as underscores; a value
    /// that is not TOML is taken as a text. Modifiers and layers have numbers, as in
    /// `modifiers.0.blur.radius`; the number after the last adds one, as in `modifiers.1.kind`. The same
    /// holds for pins: `surface.pins.0.height`.
    ///
    /// # Errors
    /// There is no such key, or the value has the wrong type or is out of range.
    pub fn with(&self, key: &str, value: &str) -> Result<Self, SceneError> {
        let mut document = toml::Value::Table(self.written_out());
        let key = key.replace('-', "_");
        let mut path: Vec<&str> = key.split('.').collect();
        let last = match path.as_slice() {
            // A settings key in a key frame contains dots itself, so it is not split.
            ["film", "keys", _, "set", ..] if path.len() > 4 => path.split_off(4).join("."),
            _ => path.pop().unwrap_or_default().to_owned(),
        };
        let last = last.as_str();
        let unknown = || SceneError::Set(format!("unknown key `{key}`"));
        // The version and the kept keys are not settings.
        if ["version", "later"].contains(&key.split('.').next().unwrap_or_default()) {
            return Err(unknown());
        }
        let mut place = &mut document;
        let mut list = "";
        for step in path {
            place = entry(place, list, step).ok_or_else(unknown)?;
            list = step;
        }
        let parsed = toml::from_str::<toml::Table>(&format!("v = {value}"))
            .ok()
            .and_then(|mut table| table.remove("v"))
            .unwrap_or_else(|| toml::Value::String(value.to_owned()));
        // A whole number is also valid for a real number, as in `surface.hurst=1`.
        let old = entry(place, list, last).cloned();
        let parsed = match (old, parsed) {
            // A formula may look like a number.
            (Some(toml::Value::String(_)), parsed) if !parsed.is_str() => {
                toml::Value::String(value.to_owned())
            }
            (Some(toml::Value::Float(_)), toml::Value::Integer(whole)) => {
                toml::Value::Float(whole as f64)
            }
            // `.5` and `5.` are accepted as numbers, though TOML does not allow them.
            (Some(toml::Value::Float(_)), toml::Value::String(text)) => match text.trim().parse() {
                Ok(number) => toml::Value::Float(number),
                Err(_) => toml::Value::String(text),
            },
            (_, parsed) => parsed,
        };
        match place {
            toml::Value::Table(table) => {
                table.insert(last.to_owned(), parsed);
            }
            place => *entry(place, list, last).ok_or_else(unknown)? = parsed,
        }
        let toml::Value::Table(document) = document else {
            return Err(unknown());
        };
        let scene: Self = from_table(&document).map_err(|error| {
            SceneError::Set(format!("{key} = {value}: {}", plain(error.message())))
        })?;
        scene.validate()?;
        Ok(scene)
    }
}

/// Write every option of every modifier and layer, and the list of pins, into `document`, so that
/// each can be changed.
fn write_out_lists(scene: &Scene, document: &mut toml::Table) {
    let list = |items: Vec<toml::Table>| -> toml::Value {
        let tables = items.into_iter().map(toml::Value::Table);
        toml::Value::Array(tables.collect())
    };
    let modifiers = scene.modifiers.iter().map(Modifier::to_table).collect();
    document.insert("modifiers".to_owned(), list(modifiers));
    let layers = scene.layers.iter().map(Layer::to_table).collect();
    document.insert("layers".to_owned(), list(layers));
    if let Some(toml::Value::Table(surface)) = document.get_mut("surface") {
        scene.surface.write_out(surface);
    }
    document.entry("bookmarks").or_insert(list(Vec::new()));
    if let Some(toml::Value::Table(path)) = document.get_mut("path") {
        path.entry("frames").or_insert(list(Vec::new()));
        path.entry("constant_speed").or_insert(false.into());
    }
    if let Some(toml::Value::Table(film)) = document.get_mut("film") {
        film.entry("keys").or_insert(list(Vec::new()));
    }
}

/// Entry under `key` in a table, or at that index in the list named `list`; the index after the last
/// adds an entry.
fn entry<'a>(value: &'a mut toml::Value, list: &str, key: &str) -> Option<&'a mut toml::Value> {
    match value {
        toml::Value::Table(table) => table.get_mut(key),
        toml::Value::Array(items) => {
            let index: usize = key.parse().ok()?;
            if index == items.len() {
                let new = match list {
                    "pins" => to_table(&Pin::default()),
                    "bookmarks" => to_table(&Bookmark::default()),
                    "frames" => to_table(&KeyFrame::default()),
                    "keys" => to_table(&SettingsKey::default()),
                    "layers" => Layer::default().to_table(),
                    _ => Modifier::default().to_table(),
                };
                items.push(toml::Value::Table(new));
            }
            items.get_mut(index)
        }
        _ => None,
    }
}
