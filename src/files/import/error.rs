//! Import errors, each with a message on one line.

use std::io;
use std::path::PathBuf;

use crate::scene::SceneError;
use crate::util::language::tr;

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
