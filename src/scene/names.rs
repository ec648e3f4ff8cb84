//! Migration of renamed settings: one table of old names, with which scenes, presets, recipes, window
//! settings and `--set` of older versions still work.

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer, Error};

use super::{CameraMode, RenderType, SceneError, syntax};

/// Setting, or table of settings, with a new name.
struct Renamed {
    /// Old key; `*` stands for any item of a list.
    old: &'static str,
    /// New name, in the same table.
    new: &'static str,
    /// Conversion from an old value to a new one, if values have changed.
    value: Option<fn(f64) -> f64>,
}

/// Every name of version 1 that newer versions no longer have.
const RENAMED: &[Renamed] = &[
    Renamed {
        old: "ground",
        new: "material",
        value: None,
    },
    Renamed {
        old: "light.azimuth",
        new: "bearing",
        value: Some(bearing_of_azimuth),
    },
    Renamed {
        old: "camera.yaw",
        new: "bearing",
        value: None,
    },
    Renamed {
        old: "bookmarks.*.camera.yaw",
        new: "bearing",
        value: None,
    },
    Renamed {
        old: "path.frames.*.camera.yaw",
        new: "bearing",
        value: None,
    },
];

/// Compass bearing of a direction in degrees from east towards south. A value that was out of range
/// stays out of range.
fn bearing_of_azimuth(azimuth: f64) -> f64 {
    if (0.0..=360.0).contains(&azimuth) {
        (azimuth + 90.0) % 360.0
    } else {
        azimuth
    }
}

/// Parse a TOML document that holds scenes at the given paths, under old names or new ones. If the
/// document itself is a scene, its path is empty.
///
/// # Errors
/// The text is not TOML, or a key is unknown, or a value has the wrong type; the error names the
/// line.
pub(crate) fn read<T: DeserializeOwned>(
    text: &str,
    scenes: &[&[&'static str]],
) -> Result<T, SceneError> {
    let text = with_new_values(text, scenes).map_err(|error| syntax(text, &error))?;
    let mut document = DeTable::parse(&text).map_err(|error| syntax(&text, &error))?;
    for place in scenes {
        for renamed in RENAMED {
            let (tables, last) = renamed.steps(place);
            each_table(document.get_mut(), &tables, &mut |table| {
                rename(table, last, renamed.new);
            });
        }
    }
    for place in scenes {
        each_table(document.get_mut(), place, &mut show_map_whole);
    }
    T::deserialize(Deserializer::from(document)).map_err(|error| syntax(&text, &error))
}

/// Translate a key of `--set` and its value to current names.
pub(super) fn renewed(key: &str, value: &str) -> (String, String) {
    let steps: Vec<&str> = key.split('.').collect();
    for renamed in RENAMED {
        let (mut old, last) = renamed.steps(&[]);
        old.push(last);
        let matches = steps.len() >= old.len()
            && (old.iter().zip(&steps)).all(|(old, step)| *old == "*" || old == step);
        if matches {
            let mut steps = steps;
            steps[old.len() - 1] = renamed.new;
            let number = value.trim().parse().ok();
            let value = match renamed.value.zip(number) {
                Some((new_value, number)) => format!("{:?}", new_value(number)),
                None => value.to_owned(),
            };
            return (steps.join("."), value);
        }
    }
    (key.to_owned(), value.to_owned())
}

impl Renamed {
    /// Path of tables from the document to the setting, and the setting's old name.
    fn steps(&self, place: &[&'static str]) -> (Vec<&'static str>, &'static str) {
        let (tables, last) = match self.old.rsplit_once('.') {
            Some((tables, last)) => (tables.split('.').collect(), last),
            None => (Vec::new(), self.old),
        };
        ([place, &tables].concat(), last)
    }
}

/// Convert the values of renamed settings in the text; they stay in their lines.
fn with_new_values(text: &str, scenes: &[&[&'static str]]) -> Result<String, Error> {
    let mut document = DeTable::parse(text)?;
    let mut values = Vec::new();
    for place in scenes {
        for renamed in RENAMED {
            let Some(new_value) = renamed.value else {
                continue;
            };
            let (tables, last) = renamed.steps(place);
            each_table(document.get_mut(), &tables, &mut |table| {
                let old = table.get(last).filter(|_| !table.contains_key(renamed.new));
                if let Some(number) = old.and_then(number) {
                    values.push((table[last].span(), format!("{:?}", new_value(number))));
                }
            });
        }
    }
    values.sort_by_key(|(span, _)| span.start);
    let mut text = text.to_owned();
    for (span, value) in values.into_iter().rev() {
        text.replace_range(span, &value);
    }
    Ok(text)
}

fn number(value: &Spanned<DeValue<'_>>) -> Option<f64> {
    match value.get_ref() {
        DeValue::Integer(whole) => whole.as_str().parse().ok(),
        DeValue::Float(number) => number.as_str().parse().ok(),
        _ => None,
    }
}

/// Drop the camera mode of maps older than version 3, when a map had no camera in any mode.
fn show_map_whole(scene: &mut DeTable<'_>) {
    const WITH_CAMERA: f64 = 3.0;
    let is_older = (scene.get("version"))
        .and_then(number)
        .is_some_and(|version| version < WITH_CAMERA);
    let table = |name: &str| scene.get(name).and_then(|table| table.get_ref().as_table());
    let word = |name: &str, key: &str| table(name)?.get(key)?.get_ref().as_str().map(str::to_owned);
    let is_map = word("view", "render_type").as_deref() == Some(RenderType::Map.name());
    let from_above = word("camera", "mode").as_deref() == Some(CameraMode::Top.name());
    if is_older && is_map && from_above {
        each_table(scene, &["camera"], &mut |camera| {
            camera.remove("mode");
        });
    }
}

/// Rename the key `old` of a table to `new`, unless `new` exists as well.
fn rename(table: &mut DeTable<'_>, old: &str, new: &'static str) {
    if table.contains_key(new) {
        return;
    }
    if let Some((key, value)) = table.remove_entry(old) {
        table.insert(Spanned::new(key.span(), new.into()), value);
    }
}

/// Call `change` with every table at the end of the path.
fn each_table<'i>(
    table: &mut DeTable<'i>,
    path: &[&str],
    change: &mut impl FnMut(&mut DeTable<'i>),
) {
    let Some((first, path)) = path.split_first() else {
        return change(table);
    };
    let Some(value) = table.get_mut(*first) else {
        return;
    };
    match (value.get_mut(), path.split_first()) {
        (DeValue::Table(table), _) => each_table(table, path, change),
        (DeValue::Array(items), Some((&"*", path))) => {
            for item in items.iter_mut() {
                if let DeValue::Table(table) = item.get_mut() {
                    each_table(table, path, change);
                }
            }
        }
        _ => {}
    }
}
