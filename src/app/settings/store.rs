//! The settings of one window, and its claim on their files.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use toml::Table;

use super::file::{own_file, parse, plain, read, read_text, replace, write};
use super::shared::shared;
use crate::app::state::Persisted;
use crate::export;
use crate::import;
use crate::language::tr;
use crate::words::named;

/// Windows that are remembered.
const MOST_WINDOWS: usize = 32;
/// Scenes that ended a start which are kept for each window.
const MOST_FAILED: u32 = 3;
/// End of the name of what lies beside a window's own file until its scene was drawn.
const MARK: &str = "starting";

/// The settings of one window, and its claim on their files.
pub struct Store {
    folder: PathBuf,
    own: PathBuf,
    known: Mutex<Known>,
    /// Held as long as the window is open; the system lets go of it if the program is killed.
    _lock: Lock,
}

/// What this window knows of the files.
struct Known {
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
    /// Words tell of that, and of files that cannot be used.
    ///
    /// # Errors
    /// The folder cannot be made or written, a file in it cannot be read (so that it is not lost
    /// to another), or too many windows are open.
    pub fn open(folder: &Path, given: bool) -> io::Result<(Self, Persisted, Option<String>)> {
        fs::create_dir_all(folder)?;
        let Claim { number, own, lock } = claim_one(folder, given)?;
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
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.closed {
            return Ok(());
        }
        write(&self.folder, &self.own, &mut known.shared, persisted)
    }

    /// Writes the settings for the last time: what still waits to be written is older.
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

/// The files of a window that no other window has.
struct Claim {
    number: usize,
    own: PathBuf,
    lock: Lock,
}

/// A locked file, let go of when it is dropped: closing it alone would leave it locked where a
/// program is just being started, which has all that was open until it runs.
struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // It is closed anyway.
        drop(self.0.unlock());
    }
}

/// Claims the files of a window; `given` says that another scene than the one in them will be
/// shown.
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

/// Claims the files of all windows that were left, and of the first new one.
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

/// The lock of a window, if no other window holds it.
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
            // A file system without locks: then there is but one window.
            log::warn!("{error}: {}", named(path));
            Ok(Some(Lock(file)))
        }
        Ok(()) => Ok(Some(Lock(file))),
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
    let names = || (1..=MOST_FAILED).map(name);
    // A scene that is kept already need not be kept again; if all names are taken, the oldest goes.
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
        // Better the same again than a scene lost.
        Err(error) => tr!(
            "{words}, and it could not be kept elsewhere: {error}",
            words,
            error
        ),
    })
}

/// Whether a window was left with changes that are not saved.
fn holds_work(own: &Path) -> bool {
    let text = read_text(own).ok().flatten().unwrap_or_default();
    let left = parse(&text);
    left.is_ok_and(|left| !text.is_empty() && left.document.holds_work(&left.scene))
}
