//! The settings file: what survives a restart, as TOML.
//!
//! It lives in the user's configuration folder, or in the folder that the environment variable
//! `LANDFORM_CONFIG_DIR` names (a portable install, a test).

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::app::state::Persisted;

/// Names the folder of the settings file in place of the usual one.
pub const FOLDER_VARIABLE: &str = "LANDFORM_CONFIG_DIR";
/// Names the folder that pictures are saved in, in place of the user's Pictures.
pub const PICTURES_VARIABLE: &str = "LANDFORM_PICTURES_DIR";

const FILE: &str = "settings.toml";
/// Lies beside it from the start until a picture was drawn.
const MARK: &str = "starting";

/// The folder of the settings file; `None` where the system has no such place.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os(FOLDER_VARIABLE) {
        return Some(folder.into());
    }
    let folders = directories::ProjectDirs::from("", "", "landform")?;
    Some(folders.config_dir().to_owned())
}

/// Where pictures are saved: the user's Pictures, or the current folder.
#[must_use]
pub fn pictures_folder() -> PathBuf {
    if let Some(folder) = std::env::var_os(PICTURES_VARIABLE) {
        return folder.into();
    }
    directories::UserDirs::new()
        .and_then(|folders| folders.picture_dir().map(Path::to_owned))
        .filter(|folder| folder.is_dir())
        .unwrap_or_else(|| PathBuf::from("."))
}

/// Reads the settings in `folder`. A file that cannot be used is set aside under another name
/// and the defaults come back, with a line that says so.
#[must_use]
pub fn load(folder: &Path) -> (Persisted, Option<String>) {
    let path = folder.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return (Persisted::default(), None);
        }
        Err(error) => {
            let line = format!(
                "could not read the settings: {error}: {}",
                crate::words::named(&path)
            );
            return (Persisted::default(), Some(line));
        }
    };
    match parse(&text) {
        Ok(persisted) => (persisted, None),
        Err(reason) => {
            let aside = path.with_extension("toml.broken");
            let kept = match fs::rename(&path, &aside) {
                Ok(()) => format!("the old ones are kept in {}", crate::words::named(&aside)),
                Err(error) => format!("{error}: {}", crate::words::named(&path)),
            };
            let line = format!("the settings could not be used ({reason}); {kept}");
            (Persisted::default(), Some(line))
        }
    }
}

/// Notes that a start has begun; returns whether the one before never came to [`started`].
#[must_use]
pub fn start(folder: &Path) -> bool {
    let mark = folder.join(MARK);
    let failed = mark.exists();
    let noted = fs::create_dir_all(folder).and_then(|()| fs::write(&mark, ""));
    if let Err(error) = noted {
        log::warn!("cannot note the start: {error}: {}", mark.display());
    }
    failed
}

/// Notes that a picture of the scene was drawn.
pub fn started(folder: &Path) {
    let _ = fs::remove_file(folder.join(MARK));
}

fn parse(text: &str) -> Result<Persisted, String> {
    let persisted: Persisted = toml::from_str(text).map_err(|error| {
        error
            .message()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    })?;
    persisted
        .scene
        .validate()
        .map_err(|error| error.to_string())?;
    Ok(persisted)
}

/// Writes the settings: beside the old file first, so that a crash leaves one of the two whole.
///
/// # Errors
/// The folder cannot be made or written.
pub fn save(folder: &Path, persisted: &Persisted) -> io::Result<()> {
    let text = toml::to_string_pretty(persisted).map_err(io::Error::other)?;
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(folder.join(FILE))?;
    Ok(())
}
