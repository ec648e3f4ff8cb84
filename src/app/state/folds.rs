//! Open and folded sections of the panel.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Sections that differ from their default, by name; true if open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Folds(BTreeMap<String, bool>);

impl Folds {
    /// True if a section is open; `usually` is its default.
    #[must_use]
    pub fn is_open(&self, section: &str, usually: bool) -> bool {
        self.0.get(section).copied().unwrap_or(usually)
    }

    /// Record that a section was opened or folded.
    pub fn note(&mut self, section: &str, usually: bool, open: bool) {
        if self.is_open(section, usually) == open {
            return;
        }
        if open == usually {
            self.0.remove(section);
        } else {
            self.0.insert(section.to_owned(), open);
        }
    }
}
