//! Output files: written as temporary files, or to standard output, and renamed when all files of an export
//! are complete.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::error::{ExportError, write_error};
use super::names::is_standard_output;
use super::overwrite_guard::{check_place, companion_place, place_of};
use super::temp_file::{RenameLock, TempFile};
use crate::files::formats::checksum::checksum;
use crate::files::formats::sidecar::{Companion, Sidecar, sidecar_of};
use crate::generate::GenerateError;
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
            let kept = temp.file().set_permissions(found.permissions());
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
            Destination::Temp(temp) => Some(temp.path()),
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
            Destination::Temp(temp) => temp.file(),
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
        match &self.destination {
            Destination::Temp(temp) if !temp.is_filled()? => {
                Err(io::Error::other(tr("nothing was written")))
            }
            _ => Ok(()),
        }
    }

    /// File with the bytes that were written.
    fn written(&self) -> &File {
        match &self.destination {
            Destination::Standard(out, whole) => whole.get().unwrap_or(out),
            Destination::Temp(temp) => temp.file(),
        }
    }

    /// Name, length and checksum, for a sidecar.
    fn summary(&self) -> Result<Companion, ExportError> {
        let written = self.written().try_clone();
        let (bytes, checksum) = written
            .and_then(|mut file| checksum(&mut file))
            .map_err(write_error(&self.path))?;
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
            Destination::Temp(temp) => temp.file().sync_all(),
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
        job.check().map_err(GenerateError::from)?;
        let place = sidecar_of(&file.path);
        let sidecar = match sidecar {
            _ if file.is_standard_output() => None,
            Some(sidecar) => {
                let Companion {
                    bytes, checksum, ..
                } = file.summary()?;
                let sidecar = Sidecar {
                    bytes: Some(bytes),
                    checksum: Some(checksum),
                    beside: beside
                        .iter()
                        .map(OutputFile::summary)
                        .collect::<Result<_, _>>()?,
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
    job.check().map_err(GenerateError::from)?;
    rename(&mut files)?;
    // An old sidecar would describe a file that has been replaced.
    old_sidecars.retain(|file| Sidecar::read_own(file).is_some());
    old_sidecars
        .iter()
        .for_each(|file| drop(fs::remove_file(file)));
    Ok(())
}

/// Rename all files, or none if something that may not be replaced has appeared.
fn rename(files: &mut [OutputFile]) -> Result<(), ExportError> {
    let mut lock = RenameLock::wait();
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
