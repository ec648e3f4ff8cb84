//! Output files: written as temporary files, or to standard output, and renamed when all files of an export
//! are complete.
//!
//! A file is written under a temporary name beside its final path, flushed to disk
//! and renamed, so that the final path has the old or the new file, never half of one.
//!
//! The temporary name follows from the final path, and the file is locked while its run lives. So two runs
//! never write the same file, and the next run removes what a killed run has left.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::error::{ExportError, write_error};
use super::names::is_standard_output;
use super::overwrite_guard::{check_place, companion_place, place_of, temp_path};
use crate::files::formats::checksum::checksum;
use crate::files::formats::sidecar::{Companion, Sidecar, sidecar_of};
use crate::util::child_process;
use crate::util::job::Job;
use crate::util::language::tr;

/// Buffered sink that formats write to.
pub type Sink = BufWriter<File>;

/// Buffer size, large enough for long sequential disk writes.
const BUFFER_BYTES: usize = 1 << 20;

/// An output file that is being written.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    destination: Destination,
}

#[derive(Debug)]
enum Destination {
    /// Standard output, with an unnamed temporary file for formats that must seek.
    Standard(File, OnceCell<File>),
    /// Temporary file, removed unless it is renamed.
    Temp(TempFile),
}

impl OutputFile {
    /// Open an output file. Its final path does not exist before it is complete.
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        if is_standard_output(path) {
            let out = standard_output().map_err(write_error(path))?;
            return Ok(Self {
                path: path.to_owned(),
                destination: Destination::Standard(out, OnceCell::new()),
            });
        }
        Self::temp(place_of(path)?)
    }

    /// As [`OutputFile::create`], for a companion file, which must not be a link.
    pub fn companion(path: &Path) -> Result<Self, ExportError> {
        Self::temp(companion_place(path)?)
    }

    fn temp(path: PathBuf) -> Result<Self, ExportError> {
        let temp = TempFile::create(&path).map_err(write_error(&path))?;
        if let Ok(found) = fs::metadata(&path) {
            // The new file keeps the permissions of the replaced one.
            let kept = temp.file.set_permissions(found.permissions());
            kept.map_err(write_error(&path))?;
        }
        Ok(Self {
            path,
            destination: Destination::Temp(temp),
        })
    }

    /// Final path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the temporary file, for another program to write; `None` for standard output.
    pub fn temp_path(&self) -> Option<&Path> {
        match &self.destination {
            Destination::Standard(..) => None,
            Destination::Temp(temp) => Some(&temp.path),
        }
    }

    /// True if this is standard output.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.destination, Destination::Standard(..))
    }

    /// Sink from the first to the last byte. The caller must flush it.
    pub fn sink(&self) -> Result<Sink, ExportError> {
        self.buffered(match &self.destination {
            Destination::Standard(out, _) => out,
            Destination::Temp(temp) => &temp.file,
        })
    }

    /// As [`OutputFile::sink`], for a format that must seek.
    pub fn seekable(&self) -> Result<Sink, ExportError> {
        if let Destination::Standard(_, whole) = &self.destination
            && whole.get().is_none()
        {
            let file = tempfile::tempfile().map_err(write_error(&self.path))?;
            drop(whole.set(file));
        }
        self.buffered(self.written())
    }

    fn buffered(&self, file: &File) -> Result<Sink, ExportError> {
        let file = file.try_clone().map_err(write_error(&self.path))?;
        Ok(BufWriter::with_capacity(BUFFER_BYTES, file))
    }

    /// Write the whole content.
    pub fn fill(&self, bytes: &[u8]) -> Result<(), ExportError> {
        let mut sink = self.sink()?;
        let written = sink.write_all(bytes).and_then(|()| sink.flush());
        written.map_err(write_error(&self.path))
    }

    /// Check that another program has written to the temporary file.
    pub fn check_filled(&self) -> io::Result<()> {
        if let Destination::Temp(TempFile { path, file, .. }) = &self.destination
            && (file.metadata()?.len() == 0 || !is_at(file, path))
        {
            return Err(io::Error::other(tr("nothing was written")));
        }
        Ok(())
    }

    /// File with the bytes that were written.
    fn written(&self) -> &File {
        match &self.destination {
            Destination::Standard(out, whole) => whole.get().unwrap_or(out),
            Destination::Temp(temp) => &temp.file,
        }
    }

    /// Name, length and checksum, for a sidecar.
    pub fn summary(&self) -> Result<Companion, ExportError> {
        let written = self.written().try_clone();
        let sum = written.and_then(|mut file| checksum(&mut file));
        let (bytes, checksum) = sum.map_err(write_error(&self.path))?;
        let name = self.path.file_name().unwrap_or_default();
        Ok(Companion {
            file: name.to_string_lossy().into_owned(),
            bytes,
            checksum,
        })
    }

    /// Flush the written bytes to disk, or copy them to standard output.
    fn sync(&self) -> Result<(), ExportError> {
        let synced = match &self.destination {
            Destination::Temp(temp) => temp.file.sync_all(),
            Destination::Standard(out, whole) => whole.get().map_or(Ok(()), |whole| {
                let (mut whole, mut out) = (whole, out);
                whole.rewind()?;
                io::copy(&mut whole, &mut out).map(drop)
            }),
        };
        synced.map_err(write_error(&self.path))
    }
}

#[cfg(unix)]
fn standard_output() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn standard_output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdout().as_handle().try_clone_to_owned()?.into())
}

/// A complete file, with its companions and its sidecar.
#[derive(Debug)]
pub struct Complete {
    /// The file.
    pub file: OutputFile,
    /// The companion files, such as a texture.
    pub beside: Vec<OutputFile>,
    /// Sidecar of the file, still without lengths and checksums.
    pub sidecar: Option<Sidecar>,
}

impl From<OutputFile> for Complete {
    fn from(file: OutputFile) -> Self {
        Self {
            file,
            beside: Vec::new(),
            sidecar: None,
        }
    }
}

/// Complete files of several exports, to be renamed together.
#[derive(Debug, Default)]
pub struct Together(Mutex<Vec<Complete>>);

impl Together {
    /// Add complete files.
    pub fn add(&self, files: Vec<Complete>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(files);
    }

    /// Take all files, in the order in which they were added.
    pub fn take(&self) -> Vec<Complete> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Flush complete files to disk and rename them, unless the job was cancelled. The sidecar comes last: if
/// the run is killed before, the old one does not match the new file and is not believed.
pub fn commit(all: Vec<Complete>, job: &Job) -> Result<(), ExportError> {
    let (mut files, mut old_sidecars) = (Vec::new(), Vec::new());
    for Complete {
        file,
        beside,
        sidecar,
    } in all
    {
        job.check()?;
        let place = sidecar_of(&file.path);
        let sidecar = match sidecar {
            _ if file.is_standard_output() => None,
            Some(sidecar) => {
                let main = file.summary()?;
                let companions = beside.iter().map(OutputFile::summary);
                let sidecar = Sidecar {
                    bytes: Some(main.bytes),
                    checksum: Some(main.checksum),
                    beside: companions.collect::<Result<_, _>>()?,
                    ..sidecar
                };
                let target = OutputFile::companion(&place)?;
                target.fill(sidecar.text().as_bytes())?;
                Some(target)
            }
            None => {
                old_sidecars.push(place);
                None
            }
        };
        let first = files.len();
        files.extend(beside.into_iter().chain([file]).chain(sidecar));
        files[first..].iter().try_for_each(OutputFile::sync)?;
    }
    job.check()?;
    rename(&mut files)?;
    // An old sidecar would describe a file that has been replaced.
    old_sidecars.retain(|file| Sidecar::read_own(file).is_some());
    let old_sidecars = old_sidecars.iter();
    old_sidecars.for_each(|file| drop(fs::remove_file(file)));
    Ok(())
}

/// Rename all files, or none if something that may not be replaced has appeared.
fn rename(files: &mut [OutputFile]) -> Result<(), ExportError> {
    let mut lock = open_files();
    let mut named = files.iter().filter(|file| !file.is_standard_output());
    named.try_for_each(|file| check_place(&file.path))?;
    let mut folders = BTreeSet::new();
    for OutputFile { path, destination } in files {
        if let Destination::Temp(temp) = destination {
            temp.rename(path, &mut lock).map_err(write_error(path))?;
            folders.extend(path.parent());
        }
    }
    folders.into_iter().for_each(sync_folder);
    Ok(())
}

/// Flush a folder's entries to disk. Systems that cannot do this are ignored.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        // The empty path is the current folder.
        let folder = File::open(folder.join("."));
        drop(folder.and_then(|folder| folder.sync_all()));
    }
}

/// Paths of this run's temporary files.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Number of attempts to create a file while other runs compete for it.
const TRIES: usize = 20;

/// Lock for renames: one thread has it at a time, and none after [`abandon`].
type OpenFiles = MutexGuard<'static, BTreeSet<PathBuf>>;

/// Wait for the lock.
fn open_files() -> OpenFiles {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// End the child processes of this run, remove its temporary files and forbid further renames. For use
/// when the program is about to end while its threads still run.
pub fn abandon() {
    // A child process that still runs would write its file again.
    child_process::kill_all();
    let open = open_files();
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
            let mut open = open_files();
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
            Ok(_) => {
                return Err(io::Error::other(
                    "something that is not a file has the name of \
                     the unfinished file",
                ));
            }
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

    /// Rename the complete file to its final path.
    fn rename(&mut self, target: &Path, open: &mut OpenFiles) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        open.remove(&self.path);
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            let mut open = open_files();
            drop(fs::remove_file(&self.path));
            open.remove(&self.path);
        }
    }
}

/// Replace a file by another with these bytes.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temp = TempFile::create(path)?;
    temp.file.write_all(bytes)?;
    temp.file.sync_all()?;
    temp.rename(path, &mut open_files())
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
