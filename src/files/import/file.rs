//! Regular files on disk, opened as sources for the readers, and import errors.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::reader::{Broken, Bytes, FileContext, Source};
use crate::scene::SceneError;
use crate::util::language::tr;

/// The size limit of a scene or palette file, in bytes.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// Open a file and call `use_it` with it and its extension.
pub fn with_source<T>(
    path: &Path,
    context: FileContext<'_>,
    use_it: impl FnOnce(&mut Source<'_>, &str) -> Result<T, Broken>,
) -> Result<T, ImportError> {
    let length = length(path).map_err(unreadable(path))?;
    let file = File::open(path).map_err(unreadable(path))?;
    let mut file = BufReader::with_capacity(length.clamp(1 << 10, 1 << 18) as usize, file);
    let bytes: &mut dyn Bytes = &mut file;
    let mut source = Source {
        bytes,
        length,
        context,
    };
    use_it(&mut source, &extension(path)).map_err(|error| match error {
        Broken::Io(source) => unreadable(path)(source),
        Broken::Wrong(message) => broken(path, &message),
        Broken::Foreign { what, .. } => broken(path, &needs_gdal(&what)),
    })
}

/// The message for content that only GDAL supports.
pub fn needs_gdal(what: &str) -> String {
    tr!("only GDAL understands {what}", what)
}

/// The extension of a file in lower case, without the dot.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// True if the file has the given extension (lower case).
pub fn has_extension(path: &Path, wanted: &str) -> bool {
    extension(path) == wanted
}

/// Make the error for a file that is not a usable image.
pub fn broken(path: &Path, message: &str) -> ImportError {
    ImportError::Image {
        message: message.lines().map(str::trim).collect::<Vec<_>>().join(" "),
        path: path.to_owned(),
    }
}

/// Make the error for a file that cannot be read.
pub fn unreadable(path: &Path) -> impl Fn(io::Error) -> ImportError {
    move |source| ImportError::Read {
        source,
        path: path.to_owned(),
    }
}

/// The length of a regular file, in bytes.
///
/// Devices, pipes and folders are refused: opening a pipe may block forever, and a device may have no end.
fn length(path: &Path) -> io::Result<u64> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        let what = if metadata.is_dir() {
            tr("a folder")
        } else {
            tr("it is not a file")
        };
        Err(io::Error::other(what))
    }
}

/// Read a UTF-8 text from a regular file of at most `most` bytes.
///
/// # Errors
/// The file does not exist, is not a regular file, is too long, or is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let length = length(path)?;
    if length > most {
        let words = tr!("{length} bytes; allowed: up to {most}", length, most);
        return Err(io::Error::other(words));
    }
    read_text_from(File::open(path)?, most)
}

fn read_text_from(from: impl Read, most: u64) -> io::Result<String> {
    let mut text = String::new();
    let length = from.take(most + 1).read_to_string(&mut text)? as u64;
    if length > most {
        let words = tr!("more than {most} bytes, which is the most allowed", most);
        return Err(io::Error::other(words));
    }
    Ok(text)
}

/// Read the text of a scene or palette file.
///
/// # Errors
/// As [`read_text`].
pub fn text(path: &Path) -> Result<String, ImportError> {
    read_text(path, MAX_TEXT_BYTES).map_err(unreadable(path))
}

/// Read the text of a scene from an open stream, up to the size limit.
pub fn text_from(from: impl Read, path: &Path) -> Result<String, ImportError> {
    read_text_from(from, MAX_TEXT_BYTES).map_err(unreadable(path))
}

/// Error of an import. The path comes last in the message, since it may be long.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file cannot be opened or read.
    #[error("{}", tr!("cannot read: {}: {}", reason(source), crate::util::words::named(path)))]
    Read {
        /// The error of the operating system.
        source: io::Error,
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is not a valid scene.
    #[error("{}", tr!("not a scene: {source}: {}", crate::util::words::named(path), source))]
    Scene {
        /// The problem and its position.
        source: SceneError,
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is not a valid palette.
    #[error("{}", tr!("not a palette: {message}: {}", crate::util::words::named(path), message))]
    Palette {
        /// The problem and its position.
        message: String,
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is not an image, is broken, or is too large.
    #[error("{}", tr!("not a usable image: {message}: {}", crate::util::words::named(path), message))]
    Image {
        /// The problem.
        message: String,
        /// The path of the file.
        path: PathBuf,
    },
}

/// Format a system error in the style of our messages: lower case, without the error number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => tr("unknown error").to_owned(),
    }
}
