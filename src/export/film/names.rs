//! The names of a film's pictures, a file each.

use std::path::{Path, PathBuf};

use super::super::pattern::{filled, has_word};
use super::FilmFormat;

/// A pattern for the files of numbered pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    pattern: PathBuf,
    digits: usize,
}

impl Numbered {
    /// The pattern that a path is: `name-####.png`, where the signs stand for the digits of a number,
    /// `name-{frame}.png`, or a folder for `frame-####.png`: a name that ends with a slash, or one that
    /// is there, unless it is called as a film is. `None` if it is the name of one file. Numbers have four digits or more, and as many
    /// as `most`.
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

    /// The file of a picture.
    #[must_use]
    pub fn file(&self, number: u32) -> PathBuf {
        let digits = self.digits;
        filled(&self.pattern, &[("frame", &format!("{number:0digits$}"))])
    }

    /// The name of the files, with `{frame}` for the number.
    #[must_use]
    pub fn pattern(&self) -> &Path {
        &self.pattern
    }

    /// How many digits numbers have at least.
    #[must_use]
    pub fn digits(&self) -> usize {
        self.digits
    }
}
