//! Settings files in TOML: the state that survives a restart.
//!
//! ```text
//! settings.toml            settings shared by all windows
//! window.toml              scene and document of the first window
//! window-2.toml …          scene and document of a second window
//! window.lock …            locked while the window is open; released even after a crash
//! window.starting …        exists from a start until the scene in window.toml was drawn
//! window.failed.toml …     last three scenes that were never drawn
//! ```
//!
//! The files are in the user's configuration folder, or in the folder that the environment variable
//! `LANDFORM_CONFIG_DIR` names (for a portable installation or a test).
//!
//! Shared settings are merged: a window writes only the settings changed in it and keeps what other
//! windows have written.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::app::state::Persisted;
use crate::util::language::tr;
use crate::util::words::named;

mod file;
pub mod own_presets;
mod shared;
mod store;

use file::{own_file, read, write};

pub use store::Store;

/// Environment variable for the folder of the settings files.
pub const FOLDER_VARIABLE: &str = "LANDFORM_CONFIG_DIR";
/// Environment variable for the folder of saved images, in place of the user's Pictures folder.
pub const PICTURES_VARIABLE: &str = "LANDFORM_PICTURES_DIR";

/// Folder of the settings files; `None` where the system has no place for them.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return Some(folder.into());
    }
    let folders = directories::ProjectDirs::from("", "", "landform")?;
    Some(folders.config_dir().to_owned())
}

/// Folder of saved images: the user's Pictures folder, or the home folder if there is none.
#[must_use]
pub fn pictures_folder() -> PathBuf {
    if let Some(folder) = std::env::var_os(PICTURES_VARIABLE) {
        return folder.into();
    }
    let Some(folders) = directories::UserDirs::new() else {
        return PathBuf::from(".");
    };
    let pictures = folders.picture_dir().filter(|folder| folder.is_dir());
    pictures.unwrap_or(folders.home_dir()).to_owned()
}

/// Read the settings of the first window in `folder`. A file that cannot be used is renamed and
/// replaced by the defaults, with a message for the user.
#[must_use]
pub fn load(folder: &Path) -> (Persisted, Option<String>) {
    read(folder, &own_file(folder, 1)).unwrap_or_else(|error| {
        let line = tr!(
            "could not read the settings: {error}: {}",
            named(folder),
            error
        );
        (Persisted::default(), Some(line))
    })
}

/// Write the settings of the first window in `folder`, without merging the changes of other
/// windows.
///
/// # Errors
/// The folder cannot be made or written.
pub fn save(folder: &Path, persisted: &Persisted) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    write(folder, &own_file(folder, 1), &mut Table::new(), persisted)
}
