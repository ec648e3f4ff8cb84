//! Generic access to settings by key: type, value, and assignment.

use std::str::FromStr;

use toml::Value as Toml;

use super::{Scene, Settings};
use crate::util::param::{Kind, OutOfRange, Param, Params, TableVisitor, Value};

/// Setting of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Dotted key, such as `light.elevation`.
    pub key: String,
    /// Label on the panel.
    pub label: &'static str,
    /// Unit, or empty.
    pub unit: &'static str,
    /// Type and range.
    pub kind: Kind,
    /// Current value.
    pub value: Value,
}

impl Scene {
    /// All settings that a film may change, in the order of their tables.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        struct All(Vec<Setting>);
        impl TableVisitor for All {
            fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
                if !may_change(place) {
                    return;
                }
                self.0.extend(T::PARAMS.iter().map(|param| Setting {
                    key: format!("{place}.{}", param.key),
                    label: param.label,
                    unit: param.unit,
                    kind: param.kind(),
                    value: param.value(table),
                }));
            }
        }
        let mut all = All(Vec::new());
        self.clone().visit_tables(&mut all);
        all.0
    }

    /// Assign values to settings. A key of a list item that the scene does not have changes nothing.
    ///
    /// # Errors
    /// There is no such setting, or the value has the wrong type or is out of range. Earlier settings
    /// may have been changed by then.
    pub fn put(&mut self, values: &Settings) -> Result<(), OutOfRange> {
        let mut put = Put {
            values,
            found: 0,
            wrong: None,
        };
        self.visit_tables(&mut put);
        if let Some(wrong) = put.wrong {
            return Err(wrong);
        }
        let lacking = |key: &&String| self.lacks_item(key);
        let idle = values.0.keys().filter(lacking).count();
        if put.found + idle == values.0.len() {
            return Ok(());
        }
        let all = self.settings();
        let known = |key: &str| all.iter().any(|setting| setting.key == key);
        let unknown = (values.0.iter()).find(|(key, _)| !known(key) && !self.lacks_item(key));
        unknown.map_or(Ok(()), |(key, value)| {
            Err(OutOfRange {
                key: key.clone(),
                value: value.to_string(),
                allowed: "a setting's key, such as light.elevation".to_owned(),
            })
        })
    }

    /// True if the key names a list item that the scene does not have.
    pub(super) fn lacks_item(&self, key: &str) -> bool {
        let mut steps = key.split('.');
        let count = match steps.next() {
            Some("layers") => self.layers.len(),
            Some("modifiers") => self.modifiers.len(),
            Some("plants") => self.plants.len(),
            _ => return false,
        };
        let index = steps.next().and_then(|index| usize::from_str(index).ok());
        index.is_some_and(|index| index >= count)
    }

    /// Check the values of all key frames of settings.
    pub(super) fn check_film(&self) -> Result<(), OutOfRange> {
        if self.film.keys.is_empty() {
            return Ok(());
        }
        let mut changed = self.clone();
        for (index, key) in self.film.keys.iter().enumerate() {
            changed.put(&key.set).map_err(|error| OutOfRange {
                key: format!("film.keys.{index}.set.{}", error.key),
                ..error
            })?;
        }
        Ok(())
    }

    /// Keys in the film's key frames that name list items the scene does not have. They have no effect.
    pub(super) fn idle_film_keys(&self) -> Vec<&str> {
        let keys = self.film.keys.iter().flat_map(|key| key.set.0.keys());
        let mut idle: Vec<_> = keys
            .map(String::as_str)
            .filter(|key| self.lacks_item(key))
            .collect();
        idle.sort_unstable();
        idle.dedup();
        idle
    }
}

/// True if a film may change the settings of a table. The film itself and stored cameras are
/// excluded.
fn may_change(place: &str) -> bool {
    let table = place.split('.').next().unwrap_or_default();
    !["film", "path", "bookmarks"].contains(&table)
}

/// Convert a value from a scene file to the type of a setting; `None` if it has another type.
#[must_use]
pub fn value_of(kind: &Kind, written: &Toml) -> Option<Value> {
    Some(match kind {
        Kind::Float { .. } => {
            let whole = written.as_integer().map(|whole| whole as f32);
            Value::Float(written.as_float().map(|number| number as f32).or(whole)?)
        }
        Kind::Int { .. } => Value::Int(u32::try_from(written.as_integer()?).ok()?),
        Kind::Seed => Value::Seed(match written {
            Toml::String(digits) => digits.parse().ok()?,
            number => u64::try_from(number.as_integer()?).ok()?,
        }),
        Kind::Switch => Value::Switch(written.as_bool()?),
        Kind::Choice { names, .. } => {
            let name = written.as_str()?;
            Value::Choice(names.iter().position(|other| *other == name)?)
        }
        Kind::Text => Value::Text(written.as_str()?.to_owned()),
    })
}

/// Convert a setting's value to its form in a scene file.
#[must_use]
pub fn written(kind: &Kind, value: &Value) -> Toml {
    match value {
        // Through text, so that the number is as short as in a scene file: 0.7, not 0.699999988.
        Value::Float(number) => Toml::Float(number.to_string().parse().unwrap_or_default()),
        Value::Int(number) => Toml::Integer((*number).into()),
        Value::Seed(seed) => match i64::try_from(*seed) {
            Ok(number) => Toml::Integer(number),
            Err(_) => Toml::String(seed.to_string()),
        },
        Value::Switch(on) => Toml::Boolean(*on),
        Value::Choice(_) | Value::Text(_) => Toml::String(kind.words(value)),
    }
}

/// Visitor that assigns values to tables and checks them.
struct Put<'a> {
    values: &'a Settings,
    found: usize,
    wrong: Option<OutOfRange>,
}

impl TableVisitor for Put<'_> {
    fn visit<T: Params>(&mut self, place: &str, table: &mut T) {
        if !may_change(place) {
            return;
        }
        let below = format!("{place}.");
        for (key, written) in self.values.0.range(below.clone()..) {
            let Some(name) = key.strip_prefix(&below) else {
                break;
            };
            let Some(param) = T::PARAMS.iter().find(|param| param.key == name) else {
                continue;
            };
            self.found += 1;
            if let Err(error) = put(param, table, place, written) {
                self.wrong.get_or_insert(error);
            }
        }
    }
}

fn put<T>(param: &Param<T>, table: &mut T, place: &str, written: &Toml) -> Result<(), OutOfRange> {
    let kind = param.kind();
    let value = value_of(&kind, written).ok_or_else(|| OutOfRange {
        key: format!("{place}.{}", param.key),
        value: written.to_string(),
        allowed: match kind {
            Kind::Choice { names, .. } => names.join(", "),
            Kind::Switch => "true, false".to_owned(),
            Kind::Text => "a text".to_owned(),
            kind => kind.range().unwrap_or_default(),
        },
    })?;
    if let Value::Text(text) = &value {
        param
            .check_text(table, text)
            .map_err(|allowed| OutOfRange {
                key: format!("{place}.{}", param.key),
                value: format!("{text:?}"),
                allowed,
            })?;
    }
    param.set(table, value);
    param.check(table, place)
}
