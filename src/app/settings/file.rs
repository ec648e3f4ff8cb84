//! Reading and writing of the individual settings files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use toml::Table;

use super::shared::{merged, shared};
use crate::app::state::Persisted;
use crate::app::state::document::Document;
use crate::app::state::seeds::SeedHistory;
use crate::files::export;
use crate::files::import;
use crate::scene::{Scene, from_toml};
use crate::util::language::tr;
use crate::util::words::named;

/// File shared by all windows.
const FILE: &str = "settings.toml";

/// Maximum size of a settings file in bytes: several times that of a scene, since a window's file
/// holds two scenes.
const MOST_BYTES: u64 = 16 << 20;

/// Path of the file of window `number`, from 1.
pub fn own_file(folder: &Path, number: usize) -> PathBuf {
    match number {
        1 => folder.join("window.toml"),
        number => folder.join(format!("window-{number}.toml")),
    }
}

/// Read the shared file and the window's own file. Also returns a message about a file that could
/// not be used.
pub fn read(folder: &Path, own: &Path) -> io::Result<(Persisted, Option<String>)> {
    let (shared, complaint) = read_file(&folder.join(FILE))?;
    let (left, other) = read_file(own)?;
    let mut persisted = shared.unwrap_or_default();
    if let Some(left) = left {
        let Persisted {
            seeds,
            scene,
            document,
            ..
        } = left;
        (persisted.seeds, persisted.scene, persisted.document) = (seeds, scene, document);
    }
    Ok((persisted, complaint.or(other)))
}

/// Read the settings in one file; `None` with a message if they could not be used. The broken file
/// is renamed.
fn read_file(path: &Path) -> io::Result<(Option<Persisted>, Option<String>)> {
    let parsed = match read_text(path) {
        Ok(None) => return Ok((None, None)),
        Ok(Some(text)) => parse(&text),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error.to_string()),
        Err(error) => return Err(error),
    };
    Ok(match parsed {
        Ok(persisted) => (Some(persisted), None),
        Err(reason) => {
            let aside = path.with_extension("toml.broken");
            let kept = match fs::rename(path, &aside) {
                Ok(()) => tr!("the old ones are kept in {}", named(&aside)),
                Err(error) => format!("{error}: {}", named(path)),
            };
            let line = tr!(
                "the settings could not be used ({reason}); {kept}",
                reason,
                kept
            );
            (None, Some(line))
        }
    })
}

/// Parse and validate settings.
pub fn parse(text: &str) -> Result<Persisted, String> {
    let persisted: Persisted = from_toml(text).map_err(|error| error.to_string())?;
    for scene in [&persisted.scene, &persisted.document.baseline] {
        scene.validate().map_err(|error| error.to_string())?;
    }
    Ok(persisted)
}

/// Write both files, and store the shared settings in `base` for the next merge.
pub fn write(folder: &Path, own: &Path, base: &mut Table, persisted: &Persisted) -> io::Result<()> {
    #[derive(Serialize)]
    struct Own<'a> {
        seeds: &'a SeedHistory,
        scene: &'a Scene,
        document: &'a Document,
    }
    let Persisted {
        seeds,
        scene,
        document,
        ..
    } = persisted;
    let text = toml::to_string_pretty(&Own {
        seeds,
        scene,
        document,
    });
    replace(own, &text.map_err(io::Error::other)?)?;
    // The lock makes reading, merging and writing one step; other windows wait.
    let lock = folder.join("settings.lock");
    plain(&lock)?;
    let lock = File::create(lock)?;
    if let Err(error) = lock.lock() {
        log::warn!("{error}: {}", named(folder));
    }
    let mine = shared(persisted)?;
    let path = folder.join(FILE);
    let theirs = read_text(&path)?;
    let theirs = theirs.and_then(|text| text.parse::<Table>().ok());
    let merged = match theirs {
        Some(theirs) => merged(base, &mine, theirs)?,
        None => mine.clone(),
    };
    let text = toml::to_string_pretty(&merged).map_err(io::Error::other)?;
    replace(&path, &text)?;
    *base = mine;
    Ok(())
}

/// Replace a file atomically: a new file is written first, so a crash leaves the old or the new one
/// intact. A symbolic link is followed and kept.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    plain(path)?;
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    export::replace(&path, text.as_bytes())
}

/// Read a file; `None` if it does not exist.
pub fn read_text(path: &Path) -> io::Result<Option<String>> {
    match import::read_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Fail if `path` exists and is not a regular file: opening a pipe would block for ever.
pub fn plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(io::Error::other(tr("it is no file"))),
        _ => Ok(()),
    }
}
