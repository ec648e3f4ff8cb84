//! Plain data as TOML tables and back, always through text, so that each type has one writer and
//! one reader, and numbers are as short in tables as in files.

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

/// The value as a table with every key that it writes.
///
/// # Panics
/// The value is not plain data: it has maps with keys that are not texts, or a value before a
/// table.
pub(crate) fn to_table<T: Serialize>(value: &T) -> Table {
    let text = toml::to_string(value).expect("plain data");
    text.parse().expect("what was just written")
}

/// The value that a table holds.
///
/// # Errors
/// A key is unknown, or a value has the wrong type; places in the error are those of the table's
/// own text.
pub(crate) fn from_table<T: DeserializeOwned>(table: &Table) -> Result<T, toml::de::Error> {
    toml::from_str(&table.to_string())
}
