//! The files opened or saved last, newest first.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How many files are remembered.
const MOST: usize = 10;

/// The files opened or saved last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Recent(Vec<PathBuf>);

impl Recent {
    /// Puts a file first. Names that are not UTF-8 cannot be kept.
    pub fn note(&mut self, file: &Path) {
        if file.to_str().is_some() {
            self.forget(file);
            self.0.insert(0, file.to_owned());
            self.0.truncate(MOST);
        }
    }

    /// Takes a file off the list; returns whether it was on it.
    pub fn forget(&mut self, file: &Path) -> bool {
        let before = self.0.len();
        self.0.retain(|known| known != file);
        self.0.len() < before
    }

    /// Takes all files off the list.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The files, newest first.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.0
    }

    /// This list, with what another window has added to the `base` that both began with.
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
