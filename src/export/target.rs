//! Destination of an output file: a temporary file beside its final path, or standard output.

use crate::language::{mark, tr};
use std::cell::OnceCell;
use std::fs::{self, File, FileType};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::ExportError;
use super::unfinished::{Naming, Unfinished};

/// Buffered sink that formats write to.
pub type Sink = BufWriter<File>;

/// Buffer size, large enough for long sequential disk writes.
const BUFFER_BYTES: usize = 1 << 20;
/// Path that means standard output.
const STANDARD_OUTPUT: &str = "-";

/// Destination of an output file.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    goes: Goes,
}

#[derive(Debug)]
enum Goes {
    /// Standard output, with an unnamed temporary file for formats that must seek.
    Standard(File, OnceCell<File>),
    /// Temporary file beside `path`, removed unless it is renamed into place.
    Beside(Unfinished),
}

impl Target {
    /// Open an output file. Its final path does not exist before it is complete.
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        if is_standard_output(path) {
            let out = standard_output().map_err(write_error(path))?;
            return Ok(Self {
                path: path.to_owned(),
                goes: Goes::Standard(out, OnceCell::new()),
            });
        }
        Self::beside(place_of(path)?)
    }

    /// As [`Target::create`], for a companion file, which must not be a link.
    pub fn companion(path: &Path) -> Result<Self, ExportError> {
        Self::beside(companion_place(path)?)
    }

    fn beside(path: PathBuf) -> Result<Self, ExportError> {
        let unfinished = Unfinished::create(&path).map_err(write_error(&path))?;
        if let Ok(there) = fs::metadata(&path) {
            // The new file keeps the permissions of the replaced one.
            let kept = unfinished.file().set_permissions(there.permissions());
            kept.map_err(write_error(&path))?;
        }
        Ok(Self {
            path,
            goes: Goes::Beside(unfinished),
        })
    }

    /// Final path, for error messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the temporary file, for another program to write; `None` for standard output.
    pub fn unfinished(&self) -> Option<&Path> {
        match &self.goes {
            Goes::Standard(..) => None,
            Goes::Beside(unfinished) => Some(unfinished.path()),
        }
    }

    /// True if this is standard output.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.goes, Goes::Standard(..))
    }

    /// Sink from the first to the last byte. The caller must flush it.
    pub fn sink(&self) -> Result<Sink, ExportError> {
        self.buffered(match &self.goes {
            Goes::Standard(out, _) => out,
            Goes::Beside(unfinished) => unfinished.file(),
        })
    }

    /// As [`Target::sink`], for a format that must seek.
    pub fn seekable(&self) -> Result<Sink, ExportError> {
        if let Goes::Standard(_, whole) = &self.goes
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

    /// File with the bytes that were written.
    pub(super) fn written(&self) -> &File {
        match &self.goes {
            Goes::Standard(out, whole) => whole.get().unwrap_or(out),
            Goes::Beside(unfinished) => unfinished.file(),
        }
    }

    /// Flush the written bytes to disk, or copy them to standard output.
    pub(super) fn settle(&self) -> Result<(), ExportError> {
        let settled = match &self.goes {
            Goes::Beside(unfinished) => unfinished.file().sync_all(),
            Goes::Standard(out, whole) => whole.get().map_or(Ok(()), |whole| {
                let (mut whole, mut out) = (whole, out);
                whole.rewind()?;
                io::copy(&mut whole, &mut out).map(drop)
            }),
        };
        settled.map_err(write_error(&self.path))
    }

    /// Check that another program has written to the temporary file.
    pub(super) fn check_filled(&self) -> io::Result<()> {
        match &self.goes {
            Goes::Beside(unfinished) if !unfinished.is_filled()? => {
                Err(io::Error::other(tr("nothing was written")))
            }
            _ => Ok(()),
        }
    }

    /// Rename the complete file into place.
    pub(super) fn name(&mut self, naming: &mut Naming) -> Result<(), ExportError> {
        match &mut self.goes {
            Goes::Standard(..) => Ok(()),
            Goes::Beside(unfinished) => unfinished
                .name(&self.path, naming)
                .map_err(write_error(&self.path)),
        }
    }

    /// Write the whole content.
    pub(super) fn fill(&self, bytes: &[u8]) -> Result<(), ExportError> {
        let mut sink = self.sink()?;
        let written = sink.write_all(bytes).and_then(|()| sink.flush());
        written.map_err(write_error(&self.path))
    }
}

/// True if a path means standard output: `-`.
#[must_use]
pub fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == STANDARD_OUTPUT
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

/// Resolve the file to write: a link is kept, and the file that it points to is replaced.
pub(super) fn place_of(path: &Path) -> Result<PathBuf, ExportError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => {
            if leads_to_a_device(path) {
                return Err(refused(path, mark("a device")));
            }
            let real = fs::canonicalize(path);
            let real = real.map_err(|_| refused(path, "a link that leads nowhere"))?;
            check_kind(path)?;
            Ok(real)
        }
        _ => check_kind(path).map(|()| path.to_owned()),
    }
}

/// Resolve the path of a companion file. Links are refused, since they lead elsewhere.
pub(super) fn companion_place(path: &Path) -> Result<PathBuf, ExportError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(refused(path, "a link")),
        _ => check_kind(path).map(|()| path.to_owned()),
    }
}

/// Refuse an existing object that is not a replaceable file.
fn check_kind(path: &Path) -> Result<(), ExportError> {
    let unnamed = || write_error(path)(io::Error::other("no file name"));
    path.file_name().ok_or_else(unnamed)?;
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(refused(path, kind(there.file_type()))),
        Ok(there) if there.permissions().readonly() => {
            Err(write_error(path)(io::Error::other("the file is read-only")))
        }
        _ => Ok(()),
    }
}

fn kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() || kind.is_socket() {
            return mark("a pipe");
        }
    }
    if kind.is_dir() {
        mark("a folder")
    } else {
        mark("a device")
    }
}

/// True if a link leads through the system's names for open files, such as `/dev/stdout`. They may look
/// like a regular file, but replacing it would not reach the process that has it open.
fn leads_to_a_device(link: &Path) -> bool {
    /// Maximum length of a chain of links, above that of any system.
    const MOST: usize = 64;
    let mut link = link.to_owned();
    for _ in 0..MOST {
        let folder = link.parent().unwrap_or(Path::new("")).join(".");
        let folder = fs::canonicalize(folder).unwrap_or_default();
        if folder == Path::new("/dev") || folder.starts_with("/proc") {
            return true;
        }
        match fs::read_link(&link) {
            Ok(next) => link = folder.join(next),
            Err(_) => return false,
        }
    }
    false
}

fn refused(path: &Path, what: &'static str) -> ExportError {
    ExportError::Output {
        what,
        path: path.to_owned(),
    }
}

/// Error of the system at `path`. Errors of tempfile contain the path of the temporary file, so only the
/// system's error is kept.
pub fn write_error(path: &Path) -> impl Fn(io::Error) -> ExportError {
    move |error| {
        let source = match error.raw_os_error().or_else(|| os_error_within(&error)) {
            Some(code) => io::Error::from_raw_os_error(code),
            None => error,
        };
        let path = if is_standard_output(path) {
            PathBuf::from("standard output")
        } else {
            path.to_owned()
        };
        ExportError::Write { source, path }
    }
}

/// System error inside an error that a library has wrapped.
fn os_error_within(error: &io::Error) -> Option<i32> {
    let mut inner = error.get_ref()? as &(dyn std::error::Error + 'static);
    loop {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            return error.raw_os_error().or_else(|| os_error_within(error));
        }
        inner = inner.source()?;
    }
}

/// First unused name among `stem-001.extension`, `stem-002.extension` … in `folder`.
#[must_use]
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    (1u64..)
        .map(|number| folder.join(format!("{stem}-{number:03}.{extension}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .expect("more names than files")
}
