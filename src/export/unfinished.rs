//! Temporary output file. It lies beside its final path under a name derived from that, and is locked
//! while its run lives. So two runs never write the same file, and the next run recognizes what a killed
//! run has left, and uses or removes it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::child_process;
use crate::formats::checksum::fnv;

/// Paths of this run's temporary files.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Number of attempts to create a file while other runs compete for it.
const TRIES: usize = 20;

/// Permission to rename temporary files into place. Only one thread has it at a time, and none once the
/// run is [`abandon`]ed.
pub struct Naming(MutexGuard<'static, BTreeSet<PathBuf>>);

impl Naming {
    /// Wait for the permission.
    pub fn begin() -> Self {
        Self(OPEN.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// End the child processes of this run, remove its temporary files and forbid further renames. For use
/// when the program is about to end while its threads still run.
pub fn abandon() {
    // A child process that still runs would write its file again.
    child_process::kill_all();
    let Naming(open) = Naming::begin();
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

/// A temporary output file; removed on drop unless it was renamed into place.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    file: File,
    is_named: bool,
}

impl Unfinished {
    /// Create an empty temporary file for `target`.
    pub fn create(target: &Path) -> io::Result<Self> {
        let path = path_of(target);
        for _ in 0..TRIES {
            let mut options = OpenOptions::new();
            let Naming(mut open) = Naming::begin();
            match options.read(true).write(true).create_new(true).open(&path) {
                // Between create and lock, another run may have taken the file for a leftover.
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

    /// Temporary file of `target` that an ended run has left; `None` if there is none.
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

    /// Current path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// File handle for writing.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// True if the file is not empty and still exists at its path.
    pub fn is_filled(&self) -> io::Result<bool> {
        Ok(self.file.metadata()?.len() > 0 && is_at(&self.file, &self.path))
    }

    /// Rename the complete file into place.
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

/// Replace a file atomically: the content is on disk before the file gets its name.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut unfinished = Unfinished::create(path)?;
    let mut file = unfinished.file();
    file.write_all(bytes)?;
    file.sync_all()?;
    unfinished.name(path, &mut Naming::begin())
}

/// Path of the temporary file of `target`. The name is a hash, since that of `target` may already have
/// the maximum length.
fn path_of(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().as_encoded_bytes();
    target.with_file_name(format!(".landform-{:016x}.part", fnv(name)))
}

/// Lock a file; true unless another run holds it. On disks without locks this always succeeds.
fn is_held(file: &File) -> bool {
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

fn busy() -> io::Error {
    io::Error::other("another run is writing it")
}

/// True if the open file is the one at `path`.
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
