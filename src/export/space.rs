//! Whether a file fits on its disk, known before the work starts.

use std::path::Path;

use super::ExportError;
use crate::memory::free_on_disk;

/// Files of fewer bytes are not worth the question.
const SMALL: u64 = 256 << 20;

/// Refuses a file of so many bytes if its disk has not got the room. A disk that says nothing
/// of itself is trusted.
///
/// # Errors
/// [`ExportError::Space`] with both numbers.
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

/// Refuses so many more pictures of a film if each takes as many bytes as the one at that path and
/// the disk has not got the room.
///
/// # Errors
/// [`ExportError::SpaceOfFilm`] with all three numbers.
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
