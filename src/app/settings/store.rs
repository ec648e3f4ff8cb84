//! Settings files of one window: file locking, crash recovery and writing.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use toml::Table;

use super::file::{own_file, parse, plain, read, read_text, replace, write};
use super::shared::shared;
use crate::app::state::Persisted;
use crate::files::export;
use crate::files::import;
use crate::util::language::tr;
use crate::util::words::named;

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
        let Claim { number, own, lock } = claim_one(folder, given)?;
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
        let set_aside = if !given && mark.exists() {
            set_aside(&own, &mut persisted)
        } else {
            None
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

/// Locked files of a window.
struct Claim {
    number: usize,
    own: PathBuf,
    lock: Lock,
}

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
    let left: Vec<bool> = free.iter().map(|claim| holds_work(&claim.own)).collect();
    let chosen = if given {
        left.iter().position(|left| !left)
    } else {
        let with_work = left.iter().position(|left| *left);
        with_work.or((!free.is_empty()).then_some(0))
    };
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
        free.push(Claim { number, own, lock });
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
    let words = tr("the last start ended before its scene was drawn");
    Some(match export::scene(&place, &persisted.scene) {
        Ok(()) => {
            (persisted.scene, persisted.document) = (default.scene, default.document);
            let kept = named(&place);
            tr!(
                "{words}, so this one begins with the default scene; the other is in {kept}",
                words,
                kept
            )
        }
        // Better a second crash than a lost scene.
        Err(error) => tr!(
            "{words}, and it could not be kept elsewhere: {error}",
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
