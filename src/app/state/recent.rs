//! List of recently opened or saved files, newest first.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Maximum number of files in the list.
const MOST: usize = 10;

/// Recently opened or saved files, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<PathBuf>);

impl Recent {
    /// Move a file to the front. A path that is not UTF-8 cannot be stored and is ignored.
    pub fn note(&mut self, file: &Path) {
        if file.to_str().is_some() {
            self.forget(file);
            self.0.insert(0, file.to_owned());
            self.0.truncate(MOST);
        }
    }

    /// Remove a file from the list. Returns true if it was there.
    pub fn forget(&mut self, file: &Path) -> bool {
        let before = self.0.len();
        self.0.retain(|known| known != file);
        self.0.len() < before
    }

    /// Remove all files from the list.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Files, newest first.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.0
    }

    /// Merge with another window's list, given the `base` that both lists began with.
    #[must_use]
    pub fn merged(&self, base: &Self, theirs: &Self) -> Self {
        if self == base {
            return theirs.clone();
        }
        let news = theirs.0.iter().filter(|file| !base.0.contains(file));
        let added: Vec<_> = news.filter(|file| !self.0.contains(file)).collect();
        let mine = self.0.iter();
        Self(mine.chain(added).take(MOST).cloned().collect())
    }
}
