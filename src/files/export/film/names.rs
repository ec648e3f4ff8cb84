//! File names of a film's frames, one file per frame.

use std::path::{Path, PathBuf};

use super::FilmFormat;
use crate::files::export::names::{filled, has_word};

/// File name pattern of numbered frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    pattern: PathBuf,
    digits: usize,
}

impl Numbered {
    /// Parse a path as a pattern; `None` if it names a single file. Patterns are `name-####.png`, where
    /// `#` stands for digits, `name-{frame}.png`, or a folder for `frame-####.png`: a path that ends with
    /// a slash, or an existing folder without the extension of a film. Without `#`, numbers have at least
    /// four digits, and enough for `most`.
    #[must_use]
    pub fn of(path: &Path, most: u32) -> Option<Self> {
        let usual = most.to_string().len().max(4);
        let ends_with_slash = {
            let bytes = path.as_os_str().as_encoded_bytes();
            bytes
                .last()
                .is_some_and(|byte| [b'/', std::path::MAIN_SEPARATOR as u8].contains(byte))
        };
        if ends_with_slash || (path.is_dir() && FilmFormat::of(path).is_none()) {
            return Some(Self {
                pattern: path.join("frame-{frame}.png"),
                digits: usual,
            });
        }
        let name = path.file_name()?.to_string_lossy().into_owned();
        let signs = name.rfind('#').map(|last| {
            let before = name[..=last].trim_end_matches('#').len();
            (before, last + 1)
        });
        match signs {
            Some((from, to)) => Some(Self {
                pattern: path.with_file_name(format!("{}{{frame}}{}", &name[..from], &name[to..])),
                digits: to - from,
            }),
            None if has_word(path, "frame") => Some(Self {
                pattern: path.to_owned(),
                digits: usual,
            }),
            None => None,
        }
    }

    /// Path of a frame.
    #[must_use]
    pub fn file(&self, number: u32) -> PathBuf {
        let digits = self.digits;
        filled(&self.pattern, &[("frame", &format!("{number:0digits$}"))])
    }

    /// The pattern, with `{frame}` in place of the number.
    #[must_use]
    pub fn pattern(&self) -> &Path {
        &self.pattern
    }

    /// Minimum number of digits.
    #[must_use]
    pub fn digits(&self) -> usize {
        self.digits
    }
}
