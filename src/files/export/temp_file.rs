//! Temporary output files. A file is written under a temporary name beside its final path, flushed to disk
//! and renamed, so that the final path has the old or the new file, never half of one.
//!
//! The temporary name follows from the final path, and the file is locked while its run lives. So two runs
//! never write the same file, and the next run removes what a killed run has left.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::files::formats::checksum::fnv;
use crate::util::child_process;

/// Paths of this run's temporary files.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Number of attempts to create a file while other runs compete for it.
const TRIES: usize = 20;

/// Lock for renames: one thread has it at a time, and none after [`abandon`].
pub struct RenameLock(MutexGuard<'static, BTreeSet<PathBuf>>);

impl RenameLock {
    /// Wait for the lock.
    pub fn wait() -> Self {
        Self(OPEN.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// End the child processes of this run, remove its temporary files and forbid further renames. For use
/// when the program is about to end while its threads still run.
pub fn abandon() {
    // A child process that still runs would write its file again.
    child_process::kill_all();
    let RenameLock(open) = RenameLock::wait();
    for path in &*open {
        drop(fs::remove_file(path));
    }
    std::mem::forget(open);
}

/// Exit at once, with other threads still running. The usual way out would take apart what a driver that
/// is drawing uses.
#[cfg(any(feature = "window", feature = "cli"))]
pub(crate) fn exit(code: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code)
}

/// A temporary file; removed on drop unless it was renamed.
#[derive(Debug)]
pub struct TempFile {
    path: PathBuf,
    file: File,
    is_renamed: bool,
}

impl TempFile {
    /// Create an empty temporary file for `target`.
    ///
    /// # Errors
    /// It cannot be created, or another run is writing it.
    pub fn create(target: &Path) -> io::Result<Self> {
        let path = temp_path(target);
        for _ in 0..TRIES {
            let mut options = OpenOptions::new();
            let RenameLock(mut open) = RenameLock::wait();
            match options.read(true).write(true).create_new(true).open(&path) {
                // Between create and lock, another run may have taken the file for a leftover.
                Ok(file) if is_locked(&file) && is_at(&file, &path) => {
                    open.insert(path.clone());
                    return Ok(Self::new(path, file));
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    drop(open);
                    drop(Self::leftover(target)?);
                }
                Err(error) => return Err(error),
            }
        }
        Err(busy())
    }

    /// Temporary file of `target` that a killed run has left; `None` if there is none.
    ///
    /// # Errors
    /// Another run is writing it, or it is not a file.
    pub fn leftover(target: &Path) -> io::Result<Option<Self>> {
        let path = temp_path(target);
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => {}
            Ok(_) => return Err(io::Error::other("no file, in the way of an unfinished one")),
            Err(_) => return Ok(None),
        }
        let file = match OpenOptions::new().read(true).write(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        if !is_locked(&file) {
            return Err(busy());
        }
        Ok(is_at(&file, &path).then(|| Self::new(path, file)))
    }

    fn new(path: PathBuf, file: File) -> Self {
        Self {
            path,
            file,
            is_renamed: false,
        }
    }

    /// Path of the temporary file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// File handle for reading and writing.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// True if the file is not empty and still exists at its path.
    pub fn is_filled(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() > 0 && is_at(&self.file, &self.path))
    }

    /// Rename the complete file to its final path.
    pub fn rename(&mut self, target: &Path, lock: &mut RenameLock) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        lock.0.remove(&self.path);
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let RenameLock(mut open) = RenameLock::wait();
            drop(fs::remove_file(&self.path));
            open.remove(&self.path);
        }
    }
}

/// Replace a file by another with these bytes.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temp = TempFile::create(path)?;
    let mut file = temp.file();
    file.write_all(bytes)?;
    file.sync_all()?;
    temp.rename(path, &mut RenameLock::wait())
}

/// Path of the temporary file of `target`. The name is a hash, since that of `target` may already have
/// the maximum length.
pub fn temp_path(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    target.with_file_name(format!(".landform-{:016x}.part", fnv(name)))
}

/// Lock a file; true unless another run has locked it. On disks without locks this always succeeds.
fn is_locked(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

fn busy() -> io::Error {
    io::Error::other("another run is writing it")
}

/// True if the open file is the one at `path`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |file: fs::Metadata| (file.dev(), file.ino());
    let open = file.metadata().map(identity);
    fs::symlink_metadata(path).is_ok_and(|found| open.is_ok_and(|open| open == identity(found)))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}
