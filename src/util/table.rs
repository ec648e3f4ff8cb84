//! Conversion of plain data to TOML tables and back, through text, so that each type has one serializer,
//! and numbers are as short in tables as in files.

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::Table;

/// Serialize a value to a table.
///
/// # Panics
/// The value is not plain data: for example it has maps with keys that are not texts.
pub(crate) fn to_table<T: Serialize>(value: &T) -> Table {
    let text = toml::to_string(value).expect("plain data");
    text.parse().expect("what was just written")
}

/// Deserialize a value from a table.
///
/// # Errors
/// A key is unknown, or a value has the wrong type. Positions in the error refer to the table's own text.
pub(crate) fn from_table<T: DeserializeOwned>(table: &Table) -> Result<T, toml::de::Error> {
    toml::from_str(&table.to_string())
}
