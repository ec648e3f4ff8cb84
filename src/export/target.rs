//! Where a file goes: beside its place until it is complete; into devices and pipes directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::ExportError;
use super::parts::Part;

/// What formats write into.
pub type Sink = BufWriter<File>;

/// Large enough that a disk sees long writes.
const BUFFER_BYTES: usize = 1 << 20;

/// A file that is being written.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// A device or a pipe.
    Direct(File),
    /// A file beside `path`, deleted unless it is committed.
    Beside { file: NamedTempFile, _part: Part },
}

impl Target {
    /// Opens a file to be written. Nothing is there under its name before [`Target::commit`].
    pub fn create(path: &Path) -> Result<Self, ExportError> {
        // A link stays a link: the file it points to is replaced.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let place = place(&real).map_err(write_error(path))?;
        Ok(Self { path: real, place })
    }

    /// The path, to be named in errors.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it is a device or a pipe.
    pub fn is_direct(&self) -> bool {
        matches!(self.place, Place::Direct(_))
    }

    /// What to write into; it must be flushed before [`Target::commit`].
    pub fn sink(&self) -> Result<Sink, ExportError> {
        let file = match &self.place {
            Place::Direct(file) => file,
            Place::Beside { file, .. } => file.as_file(),
        };
        let file = file.try_clone().map_err(write_error(&self.path))?;
        Ok(BufWriter::with_capacity(BUFFER_BYTES, file))
    }

    /// Gives the complete file its name.
    pub fn commit(self) -> Result<(), ExportError> {
        match self.place {
            Place::Direct(_) => Ok(()),
            Place::Beside { file, .. } => match file.persist(&self.path) {
                Ok(_) => Ok(()),
                Err(error) => Err(write_error(&self.path)(error.error)),
            },
        }
    }
}

fn place(path: &Path) -> io::Result<Place> {
    let there = fs::metadata(path).ok();
    match &there {
        Some(there) if there.is_dir() => return Err(io::Error::other("a folder")),
        Some(there) if !there.is_file() => {
            let file = OpenOptions::new().write(true).open(path)?;
            return Ok(Place::Direct(file));
        }
        Some(there) if there.permissions().readonly() => {
            return Err(io::Error::other("the file is read-only"));
        }
        _ => {}
    }
    if path.file_name().is_none() {
        return Err(io::Error::other("no file name"));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".landform-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the user's mask takes away, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    if let Some(there) = there {
        file.as_file().set_permissions(there.permissions())?;
    }
    let _part = Part::new(file.path());
    Ok(Place::Beside { file, _part })
}

/// Whether a path is there and is no regular file or folder: written as it is, not replaced.
#[must_use]
pub fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// An error of the system at `path`. A failure of tempfile names its own path; ours comes last.
pub fn write_error(path: &Path) -> impl Fn(io::Error) -> ExportError {
    move |error| {
        let source = match error.raw_os_error().or_else(|| os_error_within(&error)) {
            Some(code) => io::Error::from_raw_os_error(code),
            None => error,
        };
        ExportError::Write {
            source,
            path: path.to_owned(),
        }
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

/// Writes one small file: complete or not at all.
pub fn write_all(path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
    use io::Write;
    let target = Target::create(path)?;
    let mut sink = target.sink()?;
    sink.write_all(bytes)
        .and_then(|()| sink.flush())
        .map_err(write_error(path))?;
    target.commit()
}

/// The first of `stem-001.extension`, `stem-002.extension` … in `folder` that is not there yet.
#[must_use]
pub fn free_name(folder: &Path, stem: &str, extension: &str) -> PathBuf {
    (1u64..)
        .map(|number| folder.join(format!("{stem}-{number:03}.{extension}")))
        .find(|path| fs::symlink_metadata(path).is_err())
        .expect("more names than files")
}
