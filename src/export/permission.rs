//! Which files a run may replace: none that is there and not from Landform, but those that somebody
//! agreed to lose, as they were then. It is asked before a run, and again when its files are
//! complete, which may be hours later: what others have put in their places by then stays.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf, absolute};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::ExportError;
use super::own::{is_replaceable, is_replaceable_sidecar};
use super::target::place_of;

/// The files that may be replaced, as long as they are so.
static ALLOWED: Mutex<BTreeMap<PathBuf, Stamp>> = Mutex::new(BTreeMap::new());

/// What tells a file from another in its place, and from itself after a change.
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

/// Allows what a path leads to now to be replaced.
pub fn allow(path: &Path) {
    let place = place_of(path).unwrap_or_else(|_| path.to_owned());
    if let (Ok(found), Ok(place)) = (fs::symlink_metadata(&place), absolute(&place)) {
        allowed().insert(place, Stamp::of(&found));
    }
}

/// Whether what a path leads to was allowed to be replaced, and is still the same.
pub fn is_allowed(path: &Path) -> bool {
    let place = place_of(path).unwrap_or_else(|_| path.to_owned());
    let (Ok(found), Ok(place)) = (fs::symlink_metadata(&place), absolute(&place)) else {
        return false;
    };
    allowed().get(&place) == Some(&Stamp::of(&found))
}

/// Checks that a complete file may take its place.
///
/// # Errors
/// Something is there that nobody agreed to lose.
pub fn check_place(place: &Path) -> Result<(), ExportError> {
    let is_free = match fs::symlink_metadata(place) {
        // A link that was there before has been followed.
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
