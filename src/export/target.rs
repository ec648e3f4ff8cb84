//! Where a file goes: beside its place until it is complete, or to standard output.

use crate::language::{mark, tr};
use std::cell::OnceCell;
use std::fs::{self, File, FileType};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use super::ExportError;
use super::unfinished::{Naming, Unfinished};

/// What formats write into.
pub type Sink = BufWriter<File>;

/// Large enough that a disk sees long writes.
const BUFFER_BYTES: usize = 1 << 20;
/// What standard output is called.
const STANDARD_OUTPUT: &str = "-";

/// A file that is being written.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    goes: Goes,
}

#[derive(Debug)]
enum Goes {
    /// Standard output, and a file without a name for a format that goes back and forth.
    Standard(File, OnceCell<File>),
    /// A file beside `path`, removed unless it gets its name.
    Beside(Unfinished),
}

impl Target {
    /// Opens a file to be written. Nothing is there under its name before it is complete.
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

    /// As [`Target::create`], of a file that lies beside another and is no link.
    pub fn companion(path: &Path) -> Result<Self, ExportError> {
        Self::beside(companion_place(path)?)
    }

    fn beside(path: PathBuf) -> Result<Self, ExportError> {
        let unfinished = Unfinished::create(&path).map_err(write_error(&path))?;
        if let Ok(there) = fs::metadata(&path) {
            let kept = unfinished.file().set_permissions(there.permissions());
            kept.map_err(write_error(&path))?;
        }
        Ok(Self {
            path,
            goes: Goes::Beside(unfinished),
        })
    }

    /// The path, to be named in errors.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the file lies until it is complete, for another program to write; `None` if it is
    /// standard output.
    pub fn unfinished(&self) -> Option<&Path> {
        match &self.goes {
            Goes::Standard(..) => None,
            Goes::Beside(unfinished) => Some(unfinished.path()),
        }
    }

    /// Whether it is standard output.
    pub fn is_standard_output(&self) -> bool {
        matches!(self.goes, Goes::Standard(..))
    }

    /// What to write into, from the first byte to the last; it must be flushed before the end.
    pub fn sink(&self) -> Result<Sink, ExportError> {
        self.buffered(match &self.goes {
            Goes::Standard(out, _) => out,
            Goes::Beside(unfinished) => unfinished.file(),
        })
    }

    /// As [`Target::sink`], for a format that goes back and forth.
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

    /// The bytes that were written.
    pub(super) fn written(&self) -> &File {
        match &self.goes {
            Goes::Standard(out, whole) => whole.get().unwrap_or(out),
            Goes::Beside(unfinished) => unfinished.file(),
        }
    }

    /// Makes sure that what was written is on the disk, or at the other end.
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

    /// Checks that another program has written something, and into the file that it was told to.
    pub(super) fn check_filled(&self) -> io::Result<()> {
        match &self.goes {
            Goes::Beside(unfinished) if !unfinished.is_filled()? => {
                Err(io::Error::other(tr("nothing was written")))
            }
            _ => Ok(()),
        }
    }

    /// Gives the complete file its name.
    pub(super) fn name(&mut self, naming: &mut Naming) -> Result<(), ExportError> {
        match &mut self.goes {
            Goes::Standard(..) => Ok(()),
            Goes::Beside(unfinished) => unfinished
                .name(&self.path, naming)
                .map_err(write_error(&self.path)),
        }
    }

    /// Writes all of it.
    pub(super) fn fill(&self, bytes: &[u8]) -> Result<(), ExportError> {
        let mut sink = self.sink()?;
        let written = sink.write_all(bytes).and_then(|()| sink.flush());
        written.map_err(write_error(&self.path))
    }
}

/// Whether a path means standard output: `-`.
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

/// The file that a path stands for: a link stays a link, and what it points to is replaced.
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

/// The place of a file that lies beside another: links lead away from there.
pub(super) fn companion_place(path: &Path) -> Result<PathBuf, ExportError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_symlink() => Err(refused(path, "a link")),
        _ => check_kind(path).map(|()| path.to_owned()),
    }
}

/// Refuses what is there and no file that can be replaced.
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

/// Whether a link goes by way of the system's own names for open files, such as `/dev/stdout`:
/// those may look like a file, and replacing that would not reach whoever has it open.
fn leads_to_a_device(link: &Path) -> bool {
    /// More links in a row no system follows.
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

/// An error of the system at `path`. A failure of tempfile names its own path; ours comes last.
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

/// The system's error inside one that a library wrapped.
fn os_error_within(error: &io::Error) -> Option<i32> {
    let mut inner = error.get_ref()? as &(dyn std::error::Error + 'static);
    loop {
        if let Some(error) = inner.downcast_ref::<io::Error>() {
            return error.raw_os_error().or_else(|| os_error_within(error));
        }
        inner = inner.source()?;
    }
}

/// The first of `stem-001.extension`, `stem-002.extension` … in `folder` that is not there yet.
#[must_use]
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    (1u64..)
        .map(|number| folder.join(format!("{stem}-{number:03}.{extension}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .expect("more names than files")
}
