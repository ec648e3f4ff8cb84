//! Disk space check before the work starts.

use std::path::Path;

use super::ExportError;
use crate::memory::free_on_disk;

/// Files of fewer bytes are not checked.
const SMALL: u64 = 256 << 20;

/// Check that the disk has room for a file of this many bytes. Disks that do not report their free space
/// are trusted.
///
/// # Errors
/// [`ExportError::Space`] with needed and free bytes.
pub fn check_space(path: &Path, needed: u64) -> Result<(), ExportError> {
    if needed < SMALL {
        return Ok(());
    }
    check(path, needed, free_on_disk(path))
}

fn check(path: &Path, needed: u64, free: Option<u64>) -> Result<(), ExportError> {
    match free {
        Some(free) if needed > free => Err(ExportError::Space {
            needed,
            free,
            path: path.to_owned(),
        }),
        _ => Ok(()),
    }
}

/// Check that the disk has room for the remaining frames of a film, each as large as the one at this path.
///
/// # Errors
/// [`ExportError::SpaceOfFilm`] with needed and free bytes.
pub fn check_space_of_film(picture: &Path, more: u32) -> Result<(), ExportError> {
    let bytes = std::fs::metadata(picture).map_or(0, |picture| picture.len());
    match check_space(picture, bytes.saturating_mul(more.into())) {
        Err(ExportError::Space { needed, free, path }) => Err(ExportError::SpaceOfFilm {
            pictures: more,
            needed,
            free,
            path,
        }),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_is_free_is_refused_and_a_silent_disk_is_trusted() {
        let path = Path::new("x.obj");
        for free in [None, Some(7 << 20)] {
            assert!(check(path, 7 << 20, free).is_ok());
        }
        let error = check(path, 7 << 20, Some(3 << 20)).expect_err("too much");
        let line = "the file needs 7 MB, 3 MB are free: x.obj";
        assert_eq!(error.to_string(), line);
    }

    #[test]
    fn little_is_not_asked_about() {
        assert!(check_space(Path::new("/nowhere/x.obj"), SMALL - 1).is_ok());
    }
}
