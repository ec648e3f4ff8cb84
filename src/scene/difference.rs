//! What differs between two scenes, and a scene in the lines in which it differs from the defaults.

use toml::{Table, Value};

use super::{Scene, VERSION};
use crate::table::to_table;

/// A key whose values differ in two scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The key, as for [`Scene::with`]. Entries of lists of the same length have numbers, as in
    /// `modifiers.0.blur.radius`; lists of different lengths differ as a whole.
    pub key: String,
    /// The value in both scenes, as TOML in one line; `None` where a scene has none.
    pub values: [Option<String>; 2],
}

impl Scene {
    /// The keys whose values differ in another scene, in the order of the alphabet.
    #[must_use]
    pub fn differences(&self, other: &Self) -> Vec<Difference> {
        let [one, other] = [self, other].map(|scene| Value::Table(scene.written_out()));
        let mut found = Vec::new();
        compare("", [Some(&one), Some(&other)], &mut found);
        found
    }

    /// The scene as TOML with a line for each key that differs from the defaults, for people to read and
    /// to send. [`Scene::parse`] makes the same scene of it. A scene that cannot be told so is written
    /// out as by [`Scene::to_toml`]: one with keys of a later version, or without a value that is there
    /// by default.
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

fn below(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// Adds a line for each key of a table whose value is not the usual one.
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
