//! The settings files: what survives a restart, as TOML.
//!
//! ```text
//! settings.toml            what all windows share
//! window.toml              the scene in the window, and what it belongs to
//! window-2.toml …          the same of a second window
//! window.lock …            held by the window as long as it is open, however it ends
//! window.starting …        there from a start until the scene kept in window.toml was drawn
//! window.failed.toml …     a scene that was not, out of the way
//! ```
//!
//! They live in the user's configuration folder, or in the folder that the environment variable
//! `LANDFORM_CONFIG_DIR` names (a portable install, a test).
//!
//! Of what is shared, a window writes only what was changed in it, over what the others wrote.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use toml::{Table, Value};

use crate::app::document::Document;
use crate::app::recent::Recent;
use crate::app::seeds::SeedHistory;
use crate::app::state::Persisted;
use crate::export;
use crate::scene::{Scene, read_with_scenes};
use crate::words::named;

/// Names the folder of the settings file in place of the usual one.
pub const FOLDER_VARIABLE: &str = "LANDFORM_CONFIG_DIR";
/// Names the folder that pictures are saved in, in place of the user's Pictures.
pub const PICTURES_VARIABLE: &str = "LANDFORM_PICTURES_DIR";

const FILE: &str = "settings.toml";
/// The settings that each window has for itself.
const OWN: [&str; 3] = ["seeds", "scene", "document"];
/// The list in the settings that windows add to.
const RECENT: &str = "recent";
/// Windows that are remembered.
const MOST_WINDOWS: usize = 32;
/// End of the name of what lies beside a window's own file until its scene was drawn.
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

/// The settings of one window, and its claim on their files.
pub struct Store {
    folder: PathBuf,
    own: PathBuf,
    written: Mutex<Written>,
    /// Held as long as the window is open; the system lets go of it if the program is killed.
    _lock: File,
}

/// What this window knows of the files.
struct Written {
    /// What all windows share, as this one read or wrote it last.
    shared: Table,
    /// Whether nothing more may be written.
    closed: bool,
}

impl Store {
    /// Claims the files of a window in `folder` and reads them: those of a window that was left
    /// with changes that are not saved, else the first that no other window holds. With `given`
    /// another scene will be shown, so that one with such changes is left for another start.
    /// Else, if the last start of that window ended before [`Store::started`], it begins with the
    /// default scene, and the one it had is kept beside it.
    /// Complaints are as those of [`load`], or tell of that.
    ///
    /// # Errors
    /// The folder cannot be made or written, a file in it cannot be read (so that it is not lost
    /// to another), or too many windows are open.
    pub fn open(folder: &Path, given: bool) -> io::Result<(Self, Persisted, Option<String>)> {
        fs::create_dir_all(folder)?;
        let mut free = Vec::new();
        for number in 1..=MOST_WINDOWS {
            let own = own_file(folder, number);
            let known = own.exists();
            match claim(&own.with_extension("lock"))? {
                Some(lock) => free.push((number, own, lock)),
                None => continue,
            }
            if !known {
                break;
            }
        }
        let left = free.iter().map(|(_, own, _)| holds_work(own));
        let left: Vec<bool> = left.collect();
        let with_work = left.iter().position(|left| *left);
        let chosen = match given {
            true => left.iter().position(|left| !left),
            false => with_work.or((!free.is_empty()).then_some(0)),
        };
        let chosen = chosen.ok_or_else(|| io::Error::other("too many windows are open"))?;
        let (number, own, lock) = free.swap_remove(chosen);
        drop(free);
        let (mut persisted, complaint) = read(folder, &own)?;
        if number > 1 {
            // Two windows in one place look like one.
            persisted.position = None;
            if !own.exists() {
                (persisted.scene, persisted.document) = Default::default();
                persisted.document.baseline.clone_into(&mut persisted.scene);
            }
        }
        let mark = own.with_extension(MARK);
        let set_aside = match !given && mark.exists() {
            true => set_aside(&own, &mut persisted),
            false => None,
        };
        let store = Self {
            folder: folder.to_owned(),
            own,
            written: Mutex::new(Written {
                shared: shared(&persisted)?,
                closed: false,
            }),
            _lock: lock,
        };
        if set_aside.is_some()
            && let Err(error) = store.save(&persisted)
        {
            log::warn!("{error}: {}", named(&store.own));
        }
        if !given && let Err(error) = replace(&mark, "") {
            log::warn!("cannot note the start: {error}: {}", named(&mark));
        }
        Ok((store, persisted, complaint.or(set_aside)))
    }

    /// Notes that the scene was drawn: it does not end the program.
    pub fn started(&self) {
        let mark = self.own.with_extension(MARK);
        if let Err(error) = fs::remove_file(&mark)
            && error.kind() != io::ErrorKind::NotFound
        {
            log::warn!("{error}: {}", named(&mark));
        }
    }

    /// The folder of the files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the settings.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn save(&self, persisted: &Persisted) -> io::Result<()> {
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        match written.closed {
            true => Ok(()),
            false => write(&self.folder, &self.own, &mut written.shared, persisted),
        }
    }

    /// Writes the settings for the last time: what still waits to be written is older.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn close(&self, persisted: &Persisted) -> io::Result<()> {
        let result = self.save(persisted);
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.closed = true;
        result
    }
}

/// Reads the settings of the first window in `folder`. A file that cannot be used is set aside
/// under another name and the defaults come back, with a line that says so.
#[must_use]
pub fn load(folder: &Path) -> (Persisted, Option<String>) {
    read(folder, &own_file(folder, 1)).unwrap_or_else(|error| {
        let line = format!("could not read the settings: {error}: {}", named(folder));
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

fn own_file(folder: &Path, number: usize) -> PathBuf {
    match number {
        1 => folder.join("window.toml"),
        number => folder.join(format!("window-{number}.toml")),
    }
}

/// The lock of a window, if no other window holds it.
fn claim(path: &Path) -> io::Result<Option<File>> {
    plain(path)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            // A file system without locks: then there is but one window.
            log::warn!("{error}: {}", named(path));
            Ok(Some(file))
        }
        Ok(()) => Ok(Some(file)),
    }
}

/// A scene that ended the last start must not end this one too: the default takes its place, and
/// it goes into a file of its own. Returns words for the user, unless it was the default already.
fn set_aside(own: &Path, persisted: &mut Persisted) -> Option<String> {
    let default = Persisted::default();
    if persisted.scene == default.scene {
        return None;
    }
    let name = |number| match number {
        1 => own.with_extension("failed.toml"),
        number => own.with_extension(format!("failed-{number}.toml")),
    };
    let free = (1..).map(name).find(|path| !path.exists())?;
    let words = "the last start ended before its scene was drawn";
    Some(match export::scene(&free, &persisted.scene) {
        Ok(()) => {
            (persisted.scene, persisted.document) = (default.scene, default.document);
            let kept = named(&free);
            format!("{words}, so this one begins with the default scene; the other is in {kept}")
        }
        // Better the same again than a scene lost.
        Err(error) => format!("{words}, and it could not be kept elsewhere: {error}"),
    })
}

/// Whether a window was left with changes that are not saved.
fn holds_work(own: &Path) -> bool {
    let text = read_text(own).ok().flatten().unwrap_or_default();
    let left = parse(&text);
    left.is_ok_and(|left| !text.is_empty() && left.document.holds_work(&left.scene))
}

fn read(folder: &Path, own: &Path) -> io::Result<(Persisted, Option<String>)> {
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
                Ok(()) => format!("the old ones are kept in {}", named(&aside)),
                Err(error) => format!("{error}: {}", named(path)),
            };
            let line = format!("the settings could not be used ({reason}); {kept}");
            (None, Some(line))
        }
    })
}

fn parse(text: &str) -> Result<Persisted, String> {
    let scenes: &[&[&'static str]] = &[&["scene"], &["document", "baseline"]];
    let persisted: Persisted = read_with_scenes(text, scenes).map_err(|error| error.to_string())?;
    for scene in [&persisted.scene, &persisted.document.baseline] {
        scene.validate().map_err(|error| error.to_string())?;
    }
    Ok(persisted)
}

/// Writes both files, and takes note in `base` of what all windows share.
fn write(folder: &Path, own: &Path, base: &mut Table, persisted: &Persisted) -> io::Result<()> {
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
        Some(mut theirs) => {
            OWN.iter().for_each(|key| drop(theirs.remove(*key)));
            let recent = recent(&mine).merged(&recent(base), &recent(&theirs));
            let mut merged = merge(base, &mine, theirs);
            merged.insert(
                RECENT.to_owned(),
                Value::try_from(recent).map_err(io::Error::other)?,
            );
            merged
        }
        None => mine.clone(),
    };
    let text = toml::to_string_pretty(&merged).map_err(io::Error::other)?;
    replace(&path, &text)?;
    *base = mine;
    Ok(())
}

/// Writes a file: beside the old one first, so that a crash leaves one of the two whole. A link
/// stays a link.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    plain(path)?;
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    export::replace(&path, text.as_bytes())
}

/// What a file holds; nothing if there is none.
fn read_text(path: &Path) -> io::Result<Option<String>> {
    plain(path)?;
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Refuses what is there and no file: a pipe would keep whoever opens it waiting for ever.
fn plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(io::Error::other("it is no file")),
        _ => Ok(()),
    }
}

/// What all windows share.
fn shared(persisted: &Persisted) -> io::Result<Table> {
    let mut table = Table::try_from(persisted).map_err(io::Error::other)?;
    OWN.iter().for_each(|key| drop(table.remove(*key)));
    Ok(table)
}

fn recent(table: &Table) -> Recent {
    let list = table.get(RECENT).cloned();
    let list = list.and_then(|list| list.try_into().ok());
    list.unwrap_or_default()
}

/// `theirs`, with what in `mine` is not as in the `base` that both began with.
fn merge(base: &Table, mine: &Table, mut theirs: Table) -> Table {
    for key in base.keys().filter(|key| !mine.contains_key(*key)) {
        theirs.remove(key);
    }
    for (key, value) in mine {
        let before = base.get(key);
        if before == Some(value) {
            continue;
        }
        let merged = match (value, before, theirs.remove(key)) {
            (Value::Table(mine), Some(Value::Table(base)), Some(Value::Table(theirs))) => {
                Value::Table(merge(base, mine, theirs))
            }
            _ => value.clone(),
        };
        theirs.insert(key.clone(), merged);
    }
    theirs
}
