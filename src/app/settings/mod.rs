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
//! Shared settings are merged three ways: a window writes only the settings changed in it and keeps
//! what other windows have written.

pub mod own_palettes;
pub mod own_presets;

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use toml::{Table, Value};

use crate::app::state::document::Document;
use crate::app::state::{Persisted, Recent, SeedHistory};
use crate::files::{export, import};
use crate::scene::{Scene, from_toml};
use crate::util::language::tr;
use crate::util::words::named;

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

/// Maximum number of windows with stored settings.
const MOST_WINDOWS: usize = 32;
/// Maximum number of failed scenes kept for each window.
const MOST_FAILED: u32 = 3;
/// Extension of the marker file that exists from a start until the scene was drawn.
const MARK: &str = "starting";

/// Settings files of one window, locked while it is open.
pub struct Store {
    folder: PathBuf,
    own: PathBuf,
    known: Mutex<Known>,
    /// Lock held while the window is open; the system releases it if the program is killed.
    _lock: Lock,
}

/// State of the files as last read or written by this window.
struct Known {
    /// Shared settings as this window last read or wrote them.
    shared: Table,
    /// True after the final write; later writes are ignored.
    closed: bool,
}

impl Store {
    /// Lock the files of a window in `folder` and read them. A window left with unsaved changes
    /// comes first, else the first one that is not open. If `given`, another scene will be shown,
    /// and windows with unsaved changes are left for another start.
    ///
    /// If the last start of that window ended before [`Store::started`], its scene may have crashed
    /// the program. Unless `given`, the window then begins with the default scene, and the old
    /// scene is kept in another file. The returned message reports that, or files that could not be
    /// used.
    ///
    /// # Errors
    /// The folder cannot be made or written, a file in it cannot be read (an error, so that it is
    /// not overwritten), or too many windows are open.
    pub fn open(folder: &Path, given: bool) -> io::Result<(Self, Persisted, Option<String>)> {
        fs::create_dir_all(folder)?;
        let (number, own, lock) = claim_one(folder, given)?;
        let (mut persisted, complaint) = read(folder, &own)?;
        if number > 1 {
            // At the same position one window would hide the other.
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
            known: Mutex::new(Known {
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

    /// Remove the marker file: the scene was drawn without a crash.
    pub fn started(&self) {
        let mark = self.own.with_extension(MARK);
        if let Err(error) = fs::remove_file(&mark)
            && error.kind() != io::ErrorKind::NotFound
        {
            log::warn!("{error}: {}", named(&mark));
        }
    }

    /// Folder of the settings files.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Write the settings.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn save(&self, persisted: &Persisted) -> io::Result<()> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.closed {
            return Ok(());
        }
        write(&self.folder, &self.own, &mut known.shared, persisted)
    }

    /// Write the settings for the last time. Older writes that are still queued are then ignored.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn close(&self, persisted: &Persisted) -> io::Result<()> {
        let result = self.save(persisted);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.closed = true;
        result
    }
}

/// Locked files of a window: its number, its own file and the lock.
type Claim = (usize, PathBuf, Lock);

/// Locked file, unlocked when it is dropped. Closing the file is not enough: a child process that
/// is just being started holds a copy of the open file, and with it the lock, until it runs its own
/// program.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file follows anyway, so an error does not matter.
        drop(self.0.unlock());
    }
}

/// Lock the files of a window. `given` is true if another scene than the stored one will be shown.
fn claim_one(folder: &Path, given: bool) -> io::Result<Claim> {
    let mut free = free_windows(folder)?;
    let left: Vec<bool> = free.iter().map(|(_, own, _)| holds_work(own)).collect();
    let wanted = left.iter().position(|left| *left != given);
    let chosen = wanted.or((!given && !free.is_empty()).then_some(0));
    let chosen = chosen.ok_or_else(|| io::Error::other(tr("too many windows are open")))?;
    Ok(free.swap_remove(chosen))
}

/// Lock the files of all windows that are not open, and of the first unused one.
fn free_windows(folder: &Path) -> io::Result<Vec<Claim>> {
    let mut free = Vec::new();
    for number in 1..=MOST_WINDOWS {
        let own = own_file(folder, number);
        let known = own.exists();
        let Some(lock) = claim(&own.with_extension("lock"))? else {
            continue;
        };
        free.push((number, own, lock));
        if !known {
            break;
        }
    }
    Ok(free)
}

/// Lock a file; `None` if another window holds the lock.
fn claim(path: &Path) -> io::Result<Option<Lock>> {
    plain(path)?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            // Without file locks in the file system, assume that this is the only window.
            log::warn!("{error}: {}", named(path));
            Ok(Some(Lock(file)))
        }
        Ok(()) => Ok(Some(Lock(file))),
    }
}

/// Move a scene that was not drawn at the last start to a file of its own, and use the default
/// scene instead. Returns a message for the user, unless the scene was the default one already.
fn set_aside(own: &Path, persisted: &mut Persisted) -> Option<String> {
    let default = Persisted::default();
    if persisted.scene == default.scene {
        return None;
    }
    let name = |number| match number {
        1 => own.with_extension("failed.toml"),
        number => own.with_extension(format!("failed-{number}.toml")),
    };
    let names = || (1..=MOST_FAILED).map(name);
    // A scene that is already kept is not written again; if all names are taken, the oldest goes.
    let holds = |path: &PathBuf| {
        path.is_file() && import::open(path).is_ok_and(|kept| kept == persisted.scene)
    };
    let written = |path: &PathBuf| path.metadata().and_then(|file| file.modified()).ok();
    let kept = names().find(holds);
    let free = || names().find(|path| !path.exists());
    let place = kept.or_else(free).or_else(|| names().min_by_key(written))?;
    let words = tr("the last session ended before its scene was drawn");
    Some(match export::scene(&place, &persisted.scene) {
        Ok(()) => {
            (persisted.scene, persisted.document) = (default.scene, default.document);
            tr!(
                "{words}, so this session starts with the default scene; the last scene is in \
                 {kept}",
                words,
                kept = named(&place)
            )
        }
        // Better a second crash than a lost scene.
        Err(error) => tr!(
            "{words}, and it could not be saved elsewhere: {error}",
            words,
            error
        ),
    })
}

/// True if a window was left with unsaved changes.
fn holds_work(own: &Path) -> bool {
    let text = read_text(own).ok().flatten().unwrap_or_default();
    let left = parse(&text);
    left.is_ok_and(|left| !text.is_empty() && left.document.holds_work(&left.scene))
}

/// File shared by all windows.
const FILE: &str = "settings.toml";

/// Maximum size of a settings file in bytes: several times that of a scene, since a window's file
/// holds two scenes.
const MOST_BYTES: u64 = 16 << 20;

/// Path of the file of window `number`, from 1.
fn own_file(folder: &Path, number: usize) -> PathBuf {
    match number {
        1 => folder.join("window.toml"),
        number => folder.join(format!("window-{number}.toml")),
    }
}

/// Read the shared file and the window's own file. Also returns a message about a file that could
/// not be used.
fn read(folder: &Path, own: &Path) -> io::Result<(Persisted, Option<String>)> {
    let (shared, complaint) = read_file(&folder.join(FILE))?;
    let (left, other) = read_file(own)?;
    let mut persisted = shared.unwrap_or_default();
    if let Some(left) = left {
        (persisted.seeds, persisted.scene, persisted.document) =
            (left.seeds, left.scene, left.document);
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
fn parse(text: &str) -> Result<Persisted, String> {
    let persisted: Persisted = from_toml(text).map_err(|error| error.to_string())?;
    for scene in [&persisted.scene, &persisted.document.baseline] {
        scene.validate().map_err(|error| error.to_string())?;
    }
    Ok(persisted)
}

/// Write both files, and store the shared settings in `base` for the next merge.
fn write(folder: &Path, own: &Path, base: &mut Table, persisted: &Persisted) -> io::Result<()> {
    #[derive(Serialize)]
    struct Own<'a> {
        seeds: &'a SeedHistory,
        scene: &'a Scene,
        document: &'a Document,
    }
    let text = toml::to_string_pretty(&Own {
        seeds: &persisted.seeds,
        scene: &persisted.scene,
        document: &persisted.document,
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
fn replace(path: &Path, text: &str) -> io::Result<()> {
    plain(path)?;
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    export::replace(&path, text.as_bytes())
}

/// Read a file; `None` if it does not exist.
fn read_text(path: &Path) -> io::Result<Option<String>> {
    match import::read_text(path, MOST_BYTES) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Fail if `path` exists and is not a regular file: opening a pipe would block for ever.
fn plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(io::Error::other(tr("it is not a file"))),
        _ => Ok(()),
    }
}

/// Keys of the settings that belong to a single window.
const OF_WINDOW: [&str; 3] = ["seeds", "scene", "document"];
/// Key of the list of recent files, to which all windows add.
const RECENT: &str = "recent";

/// Extract the settings that all windows share.
fn shared(persisted: &Persisted) -> io::Result<Table> {
    let mut table = Table::try_from(persisted).map_err(io::Error::other)?;
    table.retain(|key, _| !OF_WINDOW.contains(&key));
    Ok(table)
}

/// Merge this window's changes into `theirs`, the settings in the file. `base` holds the settings
/// as this window last read or wrote them, `mine` its present ones.
fn merged(base: &Table, mine: &Table, mut theirs: Table) -> io::Result<Table> {
    theirs.retain(|key, _| !OF_WINDOW.contains(&key));
    let recent = recent(mine).merged(&recent(base), &recent(&theirs));
    let mut merged = merge(base, mine, theirs);
    let recent = Value::try_from(recent).map_err(io::Error::other)?;
    merged.insert(RECENT.to_owned(), recent);
    Ok(merged)
}

fn recent(table: &Table) -> Recent {
    let list = table.get(RECENT).cloned();
    let list = list.and_then(|list| list.try_into().ok());
    list.unwrap_or_default()
}

/// Three-way merge of tables: `theirs` with every difference between `base` and `mine` applied.
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
