//! Which settings the panel shows: all of them, those that are searched for, or those that were
//! changed.

use std::collections::BTreeSet;

/// What is searched for in the panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Words that all stand in a setting's name, key, help or choices, or in the title of its
    /// section; empty for any setting.
    pub query: String,
    /// Whether only what differs from the preset or the file is shown.
    pub only_changed: bool,
    /// Whether the keyboard goes into the box for the words.
    pub asks: bool,
    /// The settings that were shown last. One in use stays, whatever value it passes through.
    pub shown: BTreeSet<String>,
}

impl Filter {
    /// Whether not all settings are shown.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.only_changed || !self.query.trim().is_empty()
    }

    /// Shows all settings again.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
