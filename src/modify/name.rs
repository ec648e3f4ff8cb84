//! Names that users give to layers, modifiers and layers of plants. They are for people only: no stage depends
//! on one.

use crate::util::language::tr;
use crate::util::param::OutOfRange;

/// Largest number of characters of a name.
pub const MOST_NAME_LETTERS: usize = 60;

/// Item of a list that has a kind, and perhaps a name.
pub trait Named {
    /// Name given by the user; empty for that of the kind.
    fn name(&self) -> &str;

    /// Mutable version of [`Named::name`].
    fn name_mut(&mut self) -> &mut String;

    /// Name of the item's kind.
    fn kind_name(&self) -> &'static str;

    /// Name given by the user, or else that of the kind.
    fn label(&self) -> &str {
        match self.name() {
            "" => self.kind_name(),
            name => name,
        }
    }
}

/// Check the name of an item; `table` is its path in the scene.
pub(crate) fn check_name(name: &str, table: &str) -> Result<(), OutOfRange> {
    let is_one_line = !name.chars().any(char::is_control);
    if is_one_line && name.chars().count() <= MOST_NAME_LETTERS {
        return Ok(());
    }
    Err(OutOfRange {
        key: format!("{table}.name"),
        value: format!("{name:?}"),
        allowed: tr!(
            "at most {MOST_NAME_LETTERS} characters in one line",
            MOST_NAME_LETTERS
        ),
    })
}
