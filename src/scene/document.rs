//! Scene as a text document: differences, changes of single keys, and scenes of other versions.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};

use super::{Bookmark, KeyFrame, PlantLayer, Scene, SceneError, SettingsKey, plain};
use crate::generate::pins::Pin;
use crate::modify::Modifier;
use crate::modify::layer::Layer;
use crate::util::language::tr;
use crate::util::param::{Tables, from_table, to_table};

/// Key whose values differ in two scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Dotted key, as for [`Scene::with`]. Entries of lists of the same length have numbers, as in
    /// `modifiers.0.blur.radius`; lists of different lengths differ as a whole.
    pub key: String,
    /// Value in both scenes, as TOML in one line; `None` where a scene has none.
    pub values: [Option<String>; 2],
}

impl Scene {
    /// Keys whose values differ from those of another scene, in alphabetical order.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let [one, other] = [self, other].map(|scene| Value::Table(scene.written_out()));
        let mut found = Vec::new();
        compare("", [Some(&one), Some(&other)], &mut found);
        found
    }

    /// Copy the value of a key from another scene. `key` is one of [`Scene::differences`], the name of a
    /// table, or empty for all of the other scene.
    ///
    /// # Errors
    /// The value is not valid together with the rest of this scene, or neither scene has the key.
    pub fn with_value_of(&self, other: &Self, key: &str) -> Result<Self, SceneError> {
        if key.is_empty() {
            return Ok(other.clone());
        }
        let unknown = || SceneError::Set(format!("unknown key `{key}`"));
        let path: Vec<_> = key.split('.').collect();
        let theirs = Value::Table(other.written_out());
        let theirs = path
            .iter()
            .try_fold(&theirs, |place, step| inner(place, step));
        let mut document = Value::Table(self.written_out());
        put(&mut document, &path, theirs.cloned()).ok_or_else(unknown)?;
        let Value::Table(document) = document else {
            return Err(unknown());
        };
        let scene: Self = from_table(&document)
            .map_err(|error| SceneError::Set(format!("{key}: {}", plain(error.message()))))?;
        scene.validate()?;
        Ok(scene)
    }

    /// Serialize the scene as TOML with a line for each key that differs from the defaults, short enough
    /// to read and to send. [`Scene::parse`] restores the same scene. A scene that this form cannot
    /// express is written as by [`Scene::to_toml`]: one with keys of a later version, or without a value
    /// that is there by default.
    #[must_use]
    pub fn to_short_toml(&self) -> String {
        let mut text = format!("version = {VERSION}\n");
        add_lines("", &to_table(self), &to_table(&Self::default()), &mut text);
        if Self::parse(&text).as_ref() == Ok(self) {
            text
        } else {
            self.to_toml()
        }
    }
}

/// Entry of a table or list under a name or number.
fn inner<'a>(place: &'a Value, step: &str) -> Option<&'a Value> {
    match place {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        place => place.get(step),
    }
}

/// Set or remove the value at the end of a path; `None` if the path does not exist.
fn put(place: &mut Value, path: &[&str], value: Option<Value>) -> Option<()> {
    let (first, rest) = path.split_first()?;
    match (place, rest) {
        (Value::Table(table), []) => {
            match value {
                Some(value) => table.insert((*first).to_owned(), value),
                None => table.remove(*first),
            };
            Some(())
        }
        (Value::Table(table), rest) => {
            let empty = || Value::Table(Table::new());
            put(table.entry(*first).or_insert_with(empty), rest, value)
        }
        (Value::Array(items), rest) => {
            let item = items.get_mut(first.parse::<usize>().ok()?)?;
            match (rest, value) {
                ([], Some(value)) => *item = value,
                ([], None) => return None,
                (rest, value) => put(item, rest, value)?,
            }
            Some(())
        }
        _ => None,
    }
}

fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// Append a line for each key of a table whose value differs from the default.
fn add_lines(path: &str, own: &Table, usual: &Table, text: &mut String) {
    for (name, value) in own {
        let key = below(path, name);
        match (value, usual.get(name)) {
            (_, Some(usual)) if usual == value => {}
            (Value::Table(own), Some(Value::Table(usual))) => add_lines(&key, own, usual, text),
            _ => *text += &format!("{key} = {value}\n"),
        }
    }
}

fn compare(path: &str, values: [Option<&Value>; 2], found: &mut Vec<Difference>) {
    if values[0] == values[1] {
        return;
    }
    match values {
        [Some(Value::Table(one)), Some(Value::Table(other))] => {
            let mut names: Vec<_> = one.keys().chain(other.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                compare(&below(path, name), [one.get(name), other.get(name)], found);
            }
        }
        [Some(Value::Array(one)), Some(Value::Array(other))]
            if one.len() == other.len() && one.iter().all(Value::is_table) =>
        {
            for (index, (one, other)) in one.iter().zip(other).enumerate() {
                compare(
                    &below(path, &index.to_string()),
                    [Some(one), Some(other)],
                    found,
                );
            }
        }
        _ => found.push(Difference {
            key: path.to_owned(),
            values: values.map(|value| value.map(Value::to_string)),
        }),
    }
}

// Changing one key of a scene, at any path.

impl Scene {
    /// Serialize the scene as a TOML table with every option of every modifier, layer and layer of plants.
    pub(crate) fn written_out(&self) -> toml::Table {
        let mut document = self.full_table();
        write_out_lists(self, &mut document);
        document
    }

    /// Change one key, such as `surface.hurst` to `0.5`. Dashes in keys count as underscores; a value
    /// that is not TOML is taken as a text. Modifiers, layers and plants have numbers, as in
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

/// Write every option of every modifier, layer and layer of plants, and the list of pins, into `document`, so that
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
    let plants = scene.plants.iter().map(PlantLayer::to_table).collect();
    document.insert("plants".to_owned(), list(plants));
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
                    "plants" => PlantLayer::default().to_table(),
                    _ => Modifier::default().to_table(),
                };
                items.push(toml::Value::Table(new));
            }
            items.get_mut(index)
        }
        _ => None,
    }
}

// Version of a scene, and keys of later versions that this program does not use. They are kept, so
// that loading and saving a scene loses nothing.

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

// Scenes of other versions: older ones are refused, later ones are read with their unknown keys set
// aside.

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
