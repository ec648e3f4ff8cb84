//! Why a file could not be taken, on one line.

use std::io;
use std::path::PathBuf;

use crate::language::tr;
use crate::scene::SceneError;

/// Why a file could not be taken. The path comes last, since it may be long.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The system would not open or read it.
    #[error("{}", tr!("cannot read: {}: {}", reason(source), crate::words::named(path)))]
    Read {
        /// What the system says.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
    /// Not a scene.
    #[error("{}", tr!("not a scene: {source}: {}", crate::words::named(path), source))]
    Scene {
        /// What is wrong with it, and where.
        source: SceneError,
        /// The file.
        path: PathBuf,
    },
    /// Not a palette.
    #[error("{}", tr!("not a palette: {message}: {}", crate::words::named(path), message))]
    Palette {
        /// What is wrong with it, and where.
        message: String,
        /// The file.
        path: PathBuf,
    },
    /// Not an image, or one that is broken or too large.
    #[error("{}", tr!("not a usable image: {message}: {}", crate::words::named(path), message))]
    Image {
        /// What is wrong with it.
        message: String,
        /// The file.
        path: PathBuf,
    },
}

/// What the system says, in the style of our messages: lower case, without the error number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => tr("unknown error").to_owned(),
    }
}
