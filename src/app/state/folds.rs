//! Open and folded sections of the panel, and items of its lists.

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

    /// True if an item of a list is open, which is the default.
    #[must_use]
    pub fn is_item_open(&self, list: &str, index: usize) -> bool {
        self.is_open(&item_name(list, index), true)
    }

    /// Record that an item of a list was opened or folded.
    pub fn note_item(&mut self, list: &str, index: usize, open: bool) {
        self.note(&item_name(list, index), true, open);
    }

    /// Let the states of a list's items follow the items. `origins` has the former index of each;
    /// one without is new, and open.
    pub fn follow_items(&mut self, list: &str, origins: &[Option<usize>]) {
        let is_open = |origin: &Option<usize>| origin.is_none_or(|at| self.is_item_open(list, at));
        let open: Vec<_> = origins.iter().map(is_open).collect();
        let is_item = |name: &str| {
            let number = name
                .strip_prefix(list)
                .and_then(|rest| rest.strip_prefix('-'));
            number.is_some_and(|number| number.parse::<usize>().is_ok())
        };
        self.0.retain(|name, _| !is_item(name));
        for (index, open) in open.into_iter().enumerate() {
            self.note_item(list, index, open);
        }
    }
}

/// Name of the fold of an item, such as `Modifiers-1`.
fn item_name(list: &str, index: usize) -> String {
    format!("{list}-{}", index + 1)
}
