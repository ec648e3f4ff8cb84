//! The settings files: what survives a restart, as TOML.
//!
//! ```text
//! settings.toml            what all windows share
//! window.toml              the scene in the window, and what it belongs to
//! window-2.toml …          the same of a second window
//! window.lock …            held by the window as long as it is open, however it ends
//! window.starting …        there from a start until the scene kept in window.toml was drawn
//! window.failed.toml …     the last three scenes that were not, out of the way
//! ```
//!
//! They live in the user's configuration folder, or in the folder that the environment variable
//! `LANDFORM_CONFIG_DIR` names (a portable install, a test).
//!
//! A window writes only what was changed in it of what is shared, over what the others wrote.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use toml::Table;

use crate::app::state::Persisted;
use crate::language::tr;
use crate::words::named;

mod file;
pub mod own_presets;
mod shared;
mod store;

use file::{own_file, read, write};

pub use store::Store;

/// Names the folder of the settings file in place of the usual one.
pub const FOLDER_VARIABLE: &str = "LANDFORM_CONFIG_DIR";
/// Names the folder that pictures are saved in, in place of the user's Pictures.
pub const PICTURES_VARIABLE: &str = "LANDFORM_PICTURES_DIR";

/// The folder of the settings file; `None` where the system has no such place.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return Some(folder.into());
    }
    let folders = directories::ProjectDirs::from("", "", "landform")?;
    Some(folders.config_dir().to_owned())
}

/// Where pictures are saved: the user's Pictures, or the home folder where there is none.
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

/// Reads the settings of the first window in `folder`. A file that cannot be used is set aside
/// under another name and the defaults come back, with a line that says so.
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

/// Writes the settings of the first window in `folder`, whatever another has written.
///
/// # Errors
/// The folder cannot be made or written.
pub fn save(folder: &Path, persisted: &Persisted) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    write(folder, &own_file(folder, 1), &mut Table::new(), persisted)
}
