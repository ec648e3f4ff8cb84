//! The settings files, read and written one by one.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use toml::Table;

use super::shared::{merged, shared};
use crate::app::state::Persisted;
use crate::app::state::document::Document;
use crate::app::state::seeds::SeedHistory;
use crate::export;
use crate::import;
use crate::language::tr;
use crate::scene::{Scene, read_with_scenes};
use crate::words::named;

/// The file that all windows share.
const FILE: &str = "settings.toml";

/// Bytes of a settings file at most: some times those of a scene, of which a window keeps two.
const MOST_BYTES: u64 = 16 << 20;

/// The file of the window of that number.
pub fn own_file(folder: &Path, number: usize) -> PathBuf {
    match number {
        1 => folder.join("window.toml"),
        number => folder.join(format!("window-{number}.toml")),
    }
}

/// Reads both files of a window. What of them cannot be used is told, too.
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

/// The settings in one file, or why there are none in it.
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

/// The settings that a text is.
pub fn parse(text: &str) -> Result<Persisted, String> {
    let scenes: &[&[&'static str]] = &[&["scene"], &["document", "baseline"]];
    let persisted: Persisted = read_with_scenes(text, scenes).map_err(|error| error.to_string())?;
    for scene in [&persisted.scene, &persisted.document.baseline] {
        scene.validate().map_err(|error| error.to_string())?;
    }
    Ok(persisted)
}

/// Writes both files, and takes note in `base` of what all windows share.
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
    // Others wait while this window reads and writes.
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

/// Writes a file: beside the old one first, so that a crash leaves one of the two whole. A link
/// stays a link.
pub fn replace(path: &Path, text: &str) -> io::Result<()> {
    plain(path)?;
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    export::replace(&path, text.as_bytes())
}

/// What a file holds; nothing if there is none.
pub fn read_text(path: &Path) -> io::Result<Option<String>> {
    match import::read_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Refuses what is there and no file: a pipe would keep whoever opens it waiting for ever.
pub fn plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(io::Error::other(tr("it is no file"))),
        _ => Ok(()),
    }
}
