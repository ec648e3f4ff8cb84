//! Permissions to replace existing files that Landform did not write. The user grants them before a run,
//! for the files as they are then. They are checked again when the new files are complete, which may be
//! hours later: files changed in the meantime are kept.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf, absolute};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::ExportError;
use super::own::{is_replaceable, is_replaceable_sidecar};
use super::target::place_of;

/// Files that may be replaced, with the state for which this was granted.
static ALLOWED: Mutex<BTreeMap<PathBuf, Stamp>> = Mutex::new(BTreeMap::new());

/// State of a file, which changes with its identity and content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    identity: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &Metadata) -> Self {
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt;
            (file.dev(), file.ino())
        };
        #[cfg(not(unix))]
        let identity = (0, 0);
        Self {
            identity,
            length: file.len(),
            modified: file.modified().ok(),
        }
    }
}

/// Allow the current file at a path to be replaced.
pub fn allow(path: &Path) {
    let place = place_of(path).unwrap_or_else(|_| path.to_owned());
    if let (Ok(found), Ok(place)) = (fs::symlink_metadata(&place), absolute(&place)) {
        allowed().insert(place, Stamp::of(&found));
    }
}

/// True if the file at a path may be replaced and has not changed since that was granted.
pub fn is_allowed(path: &Path) -> bool {
    let place = place_of(path).unwrap_or_else(|_| path.to_owned());
    let (Ok(found), Ok(place)) = (fs::symlink_metadata(&place), absolute(&place)) else {
        return false;
    };
    allowed().get(&place) == Some(&Stamp::of(&found))
}

/// Check that a complete file may be renamed into place.
///
/// # Errors
/// A file is there that may not be replaced.
pub fn check_place(place: &Path) -> Result<(), ExportError> {
    let is_free = match fs::symlink_metadata(place) {
        // Links that existed before the run are already resolved.
        Ok(found) if !found.is_file() => false,
        Ok(_) => is_allowed(place) || is_replaceable(place) || is_replaceable_sidecar(place),
        Err(_) => true,
    };
    is_free.then_some(()).ok_or_else(|| ExportError::Foreign {
        path: place.to_owned(),
    })
}

fn allowed() -> MutexGuard<'static, BTreeMap<PathBuf, Stamp>> {
    ALLOWED.lock().unwrap_or_else(PoisonError::into_inner)
}
