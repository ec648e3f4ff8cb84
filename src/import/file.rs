//! Files on the disk as sources.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use super::error::ImportError;
use super::source::{Beside, Broken, Bytes, Source};

/// A scene or palette file of more bytes is not one.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Opens a file and hands it on, with the end of its name.
pub fn with_source<T>(
    path: &Path,
    beside: Beside<'_>,
    use_it: impl FnOnce(&mut Source<'_>, &str) -> Result<T, Broken>,
) -> Result<T, ImportError> {
    let length = length(path)?;
    let file = File::open(path).map_err(unreadable(path))?;
    let mut file = BufReader::with_capacity(length.clamp(1 << 10, 1 << 18) as usize, file);
    let bytes: &mut dyn Bytes = &mut file;
    let mut source = Source {
        bytes,
        length,
        beside,
    };
    use_it(&mut source, &extension(path)).map_err(|error| match error {
        Broken::Io(source) => unreadable(path)(source),
        Broken::Wrong(message) => broken(path, &message),
    })
}

/// The end of a file's name, small, without the dot.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Whether a file's name has that end.
pub fn has_extension(path: &Path, wanted: &str) -> bool {
    extension(path) == wanted
}

/// The error that a file is no usable image.
pub fn broken(path: &Path, message: &str) -> ImportError {
    ImportError::Image {
        message: message.lines().map(str::trim).collect::<Vec<_>>().join(" "),
        path: path.to_owned(),
    }
}

/// The error that the system would not read a file.
pub fn unreadable(path: &Path) -> impl Fn(io::Error) -> ImportError {
    move |source| ImportError::Read {
        source,
        path: path.to_owned(),
    }
}

/// The length of a regular file; devices, pipes and folders are refused.
fn length(path: &Path) -> Result<u64, ImportError> {
    let metadata = fs::metadata(path).map_err(unreadable(path))?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        let what = if metadata.is_dir() {
            "a folder"
        } else {
            "not a file"
        };
        Err(unreadable(path)(io::Error::other(what)))
    }
}

/// The text of a small file: a scene, a palette.
pub fn text(path: &Path) -> Result<String, ImportError> {
    let length = length(path)?;
    if length > MAX_TEXT_BYTES {
        let message = format!("{length} bytes, allowed is up to {MAX_TEXT_BYTES}");
        return Err(unreadable(path)(io::Error::other(message)));
    }
    text_from(File::open(path).map_err(unreadable(path))?, path)
}

/// The text that a small file of that name holds, as far as it is allowed to be long.
pub fn text_from(from: impl Read, path: &Path) -> Result<String, ImportError> {
    let mut text = String::new();
    let read = from.take(MAX_TEXT_BYTES + 1).read_to_string(&mut text);
    let length = read.map_err(unreadable(path))? as u64;
    if length > MAX_TEXT_BYTES {
        let message = format!("more than {MAX_TEXT_BYTES} bytes, which is the most allowed");
        return Err(unreadable(path)(io::Error::other(message)));
    }
    Ok(text)
}
