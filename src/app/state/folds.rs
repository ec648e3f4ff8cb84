//! Which sections of the panel are folded away.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The sections that are not as they are at first, by their names, and whether they are open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Folds(BTreeMap<String, bool>);

impl Folds {
    /// Whether a section is open that is `usually` so.
    #[must_use]
    pub fn is_open(&self, section: &str, usually: bool) -> bool {
        self.0.get(section).copied().unwrap_or(usually)
    }

    /// Takes note of whether a section is open.
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
