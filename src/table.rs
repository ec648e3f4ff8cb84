//! Plain data as TOML tables and back, always through text: so each type has one writer and one
//! reader, and numbers are as short in tables as in files.

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

/// The value as a table with every key that it writes.
///
/// # Panics
/// It is not plain data: maps with keys that are no texts, or a value before a table.
pub(crate) fn to_table<T: Serialize>(value: &T) -> Table {
    let text = toml::to_string(value).expect("plain data");
    text.parse().expect("what was just written")
}

/// The value that a table holds.
///
/// # Errors
/// An unknown key, or a value of the wrong type; places in it are those of the table's own text.
pub(crate) fn from_table<T: DeserializeOwned>(table: &Table) -> Result<T, toml::de::Error> {
    toml::from_str(&table.to_string())
}
