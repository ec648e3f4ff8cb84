//! File names: `-` for standard output, patterns with placeholders, unused names. Names that are not UTF-8
//! are supported.

use std::fs;
use std::path::{Path, PathBuf};

/// True if a path means standard output: `-`.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// First unused name among `stem-001.extension`, `stem-002.extension` … in `folder`.
#[must_use]
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    (1u64..)
        .map(|number| folder.join(format!("{stem}-{number:03}.{extension}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .expect("more names than files")
}

/// Fill the placeholders of a pattern, such as `{row}`. A name that is not UTF-8 keeps its bytes.
#[must_use]
pub fn filled(pattern: &Path, words: &[(&str, &str)]) -> PathBuf {
    let mut name = bytes_of(pattern);
    for (word, value) in words {
        name = replaced(&name, format!("{{{word}}}").as_bytes(), value.as_bytes());
    }
    path_of(name)
}

/// True if a pattern contains a placeholder.
pub fn has_word(pattern: &Path, word: &str) -> bool {
    pattern.to_string_lossy().contains(&format!("{{{word}}}"))
}

fn replaced(text: &[u8], word: &[u8], value: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.first() {
        match rest.strip_prefix(word) {
            Some(after) => {
                result.extend_from_slice(value);
                rest = after;
            }
            None => {
                result.push(*first);
                rest = &rest[1..];
            }
        }
    }
    result
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().into_owned().into_bytes()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
