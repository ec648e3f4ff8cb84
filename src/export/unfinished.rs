//! A file that is not complete yet. It lies beside its place under a name that follows from its
//! own, locked for as long as its run lives: so two runs never write one file at a time, and what
//! a killed run has left is known as such, and used or removed by the next.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::child_process;
use crate::formats::checksum::fnv;

/// The unfinished files of this run.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// How often a place is tried that other runs reach for at the same time.
const TRIES: usize = 20;

/// The right to give unfinished files their names: of one thread at a time, and of none once the
/// run is [`abandon`]ed.
pub struct Naming(MutexGuard<'static, BTreeSet<PathBuf>>);

impl Naming {
    /// Waits for it.
    pub fn begin() -> Self {
        Self(OPEN.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Ends the child processes of this run, removes its unfinished files and names no more of them:
/// the program is about to end, whatever its threads are at.
pub fn abandon() {
    // Else a child would write its file again.
    child_process::kill_all();
    let Naming(open) = Naming::begin();
    for path in &*open {
        drop(fs::remove_file(path));
    }
    std::mem::forget(open);
}

/// As [`abandon`], where there is no memory or no other thread runs on: it waits for nobody.
pub fn abandon_at_once() {
    child_process::kill_all_at_once();
    if let Ok(open) = OPEN.try_lock() {
        open.iter().for_each(|path| drop(fs::remove_file(path)));
    }
}

/// A file that is not complete yet; removed when it is dropped without a name.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    file: File,
    is_named: bool,
}

impl Unfinished {
    /// An empty one for a file at `target`.
    pub fn create(target: &Path) -> io::Result<Self> {
        let path = path_of(target);
        for _ in 0..TRIES {
            let mut options = OpenOptions::new();
            let Naming(mut open) = Naming::begin();
            match options.read(true).write(true).create_new(true).open(&path) {
                // Between the two another run may take it for left over.
                Ok(file) if is_held(&file) && is_at(&file, &path) => {
                    open.insert(path.clone());
                    return Ok(Self::of(path, file));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    drop(open);
                    drop(Self::left_over(target)?);
                }
                Err(error) => return Err(error),
            }
        }
        Err(busy())
    }

    /// What a run that is no more has left of a file at `target`.
    pub fn left_over(target: &Path) -> io::Result<Option<Self>> {
        let path = path_of(target);
        match fs::symlink_metadata(&path) {
            Ok(there) if there.is_file() => {}
            Ok(_) => return Err(io::Error::other("no file, in the way of an unfinished one")),
            Err(_) => return Ok(None),
        }
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        if !is_held(&file) {
            return Err(busy());
        }
        Ok(is_at(&file, &path).then(|| Self::of(path, file)))
    }

    fn of(path: PathBuf, file: File) -> Self {
        Self {
            path,
            file,
            is_named: false,
        }
    }

    /// Where it lies by now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is written into.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Whether something is in it, and it still has its own name.
    pub fn is_filled(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() > 0 && is_at(&self.file, &self.path))
    }

    /// Gives the complete file its name.
    pub fn name(&mut self, target: &Path, naming: &mut Naming) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        naming.0.remove(&self.path);
        self.is_named = true;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_named {
            let Naming(mut open) = Naming::begin();
            drop(fs::remove_file(&self.path));
            open.remove(&self.path);
        }
    }
}

/// Writes a file that is no export: whole, and on the disk, before it has its name.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = Unfinished::create(path)?;
    let mut file = unfinished.file();
    file.write_all(bytes)?;
    file.sync_all()?;
    unfinished.name(path, &mut Naming::begin())
}

/// Where the unfinished file of `target` lies: its name is a checksum, since `target` may be as
/// long as the system allows already.
fn path_of(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    target.with_file_name(format!(".landform-{:016x}.part", fnv(name)))
}

/// Whether no other run holds it; it is held from now on. Disks that know no locks hold nothing.
fn is_held(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

fn busy() -> io::Error {
    io::Error::other("another run is writing it")
}

/// Whether the open file is the one that has the name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let named = fs::symlink_metadata(path);
    named.is_ok_and(|named| {
        let open = file.metadata();
        open.is_ok_and(|open| (open.dev(), open.ino()) == (named.dev(), named.ino()))
    })
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
