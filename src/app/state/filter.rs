//! Filter for the settings in the panel: all, search results, or changed settings only.

use std::collections::BTreeSet;

/// Search text and filter of the panel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Search words. A setting matches if its name, key, help, choices or section title contain all
    /// of them; an empty text matches every setting.
    pub query: String,
    /// True to show only settings that differ from the preset or the file.
    pub only_changed: bool,
    /// True until the search box has received the keyboard focus.
    pub asks: bool,
    /// Settings shown last. A setting being edited stays visible at every value.
    pub shown: BTreeSet<String>,
}

impl Filter {
    /// True if the filter hides any settings.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.only_changed || !self.query.trim().is_empty()
    }

    /// Show all settings again.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
