//! Differences between two scenes, and a short TOML form that lists only differences from the
//! defaults.

use toml::{Table, Value};

use super::{Scene, SceneError, VERSION, plain};
use crate::util::param::{from_table, to_table};

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
