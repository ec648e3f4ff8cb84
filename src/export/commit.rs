//! Atomic commit of an export: complete files are renamed into place. If the run is killed half way, the
//! next run can finish the commit.
//!
//! All files are on disk under temporary names before the first is renamed. The sidecar is renamed first.
//! It holds length and checksum of its file and of the companion files, so it tells which temporary files
//! belong to the export ([`finish`]). Until they are renamed, the sidecar does not match and is ignored.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::ExportError;
use super::permission::check_place;
use super::target::{Target, write_error};
use super::unfinished::{Naming, Unfinished};
use crate::formats::checksum::checksum;
use crate::formats::sidecar::{Companion, Sidecar, sidecar_of};
use crate::generate::GenerateError;
use crate::job::Job;

/// A complete file, with its companions and its sidecar.
pub struct Complete {
    /// The file.
    pub file: Target,
    /// The companion files, such as a texture.
    pub beside: Vec<Target>,
    /// Sidecar of the file, still without lengths and checksums.
    pub sidecar: Option<Sidecar>,
}

impl From<Target> for Complete {
    fn from(file: Target) -> Self {
        Self {
            file,
            beside: Vec::new(),
            sidecar: None,
        }
    }
}

/// Rename complete files into place, unless the job was cancelled.
pub fn commit(all: Vec<Complete>, job: &Job) -> Result<(), ExportError> {
    let (mut sets, mut alone) = (Vec::new(), Vec::new());
    for Complete {
        file,
        beside,
        sidecar,
    } in all
    {
        job.check().map_err(GenerateError::from)?;
        let mut files = Vec::new();
        if let Some(sidecar) = sidecar.filter(|_| !file.is_standard_output()) {
            let target = Target::companion(&sidecar_of(file.path()))?;
            target.fill(sealed(sidecar, &file, &beside)?.text().as_bytes())?;
            files.push(target);
        } else if !file.is_standard_output() {
            alone.push(sidecar_of(file.path()));
        }
        // Renamed in this order, the sidecar first.
        files.extend(beside);
        files.push(file);
        files.iter().try_for_each(Target::settle)?;
        sets.push(files);
    }
    job.check().map_err(GenerateError::from)?;
    name_all(&mut sets)?;
    // An old sidecar would describe a file that has been replaced.
    for sidecar in alone
        .iter()
        .filter(|file| Sidecar::read_own(file).is_some())
    {
        drop(fs::remove_file(sidecar));
    }
    Ok(())
}

fn name_all(sets: &mut [Vec<Target>]) -> Result<(), ExportError> {
    let mut naming = Naming::begin();
    // Check all before renaming any: a new sidecar beside an old file looks like a changed file.
    let files = sets.iter().flatten();
    let mut files = files.filter(|file| !file.is_standard_output());
    files.try_for_each(|file| check_place(file.path()))?;
    let mut folders = BTreeSet::new();
    for files in sets {
        let count = files.len();
        for (index, file) in files.iter_mut().enumerate() {
            file.name(&mut naming)?;
            let folder = file.path().parent().map(Path::to_owned);
            // The sidecar must be on disk before the files that it describes.
            if let (0, true, Some(folder)) = (index, count > 1, &folder) {
                sync_folder(folder);
            }
            folders.extend(folder);
        }
    }
    folders.iter().for_each(|folder| sync_folder(folder));
    Ok(())
}

/// Flush a folder's entries to disk. Systems that cannot do this are ignored.
fn sync_folder(folder: &Path) {
    let folder = if folder == Path::new("") {
        Path::new(".")
    } else {
        folder
    };
    if cfg!(unix) {
        drop(File::open(folder).and_then(|folder| folder.sync_all()));
    }
}

/// Sidecar with length and checksum of its file and of the companion files.
fn sealed(sidecar: Sidecar, file: &Target, beside: &[Target]) -> Result<Sidecar, ExportError> {
    let companion = |target: &Target| {
        let written = target.written().try_clone();
        let (bytes, checksum) = written
            .and_then(|mut file| checksum(&mut file))
            .map_err(write_error(target.path()))?;
        let name = target.path().file_name().unwrap_or_default();
        Ok::<_, ExportError>(Companion {
            file: name.to_string_lossy().into_owned(),
            bytes,
            checksum,
        })
    };
    let content = companion(file)?;
    Ok(Sidecar {
        bytes: Some(content.bytes),
        checksum: Some(content.checksum),
        beside: beside.iter().map(companion).collect::<Result<_, _>>()?,
        ..sidecar
    })
}

/// True if all companion files exist and match the sidecar of `file`.
pub fn fits_beside(file: &Path, sidecar: &Sidecar) -> bool {
    let mut all = sidecar.beside.iter();
    all.all(|said| is_as_said(&file.with_file_name(&said.file), said))
}

/// True if a companion file exists but does not match the sidecar.
pub fn is_changed(file: &Path, sidecar: &Sidecar) -> bool {
    let said = said_beside(file, sidecar);
    said.is_some_and(|said| file.exists() && !is_as_said(file, said))
}

/// True if a companion file exists and matches the sidecar.
pub fn is_said(file: &Path, sidecar: &Sidecar) -> bool {
    said_beside(file, sidecar).is_some() && !is_changed(file, sidecar)
}

/// Sidecar entry for a companion file, found by its name.
fn said_beside<'a>(file: &Path, sidecar: &'a Sidecar) -> Option<&'a Companion> {
    let name = file.file_name()?.to_str()?;
    sidecar.beside.iter().find(|said| said.file == name)
}

/// True if a file has the recorded length and checksum.
fn is_as_said(file: &Path, said: &Companion) -> bool {
    let is_file = fs::symlink_metadata(file).is_ok_and(|there| there.is_file());
    is_file && File::open(file).is_ok_and(|mut file| is_sum_said(&mut file, said))
}

fn is_sum_said(file: &mut File, said: &Companion) -> bool {
    checksum(file).is_ok_and(|(length, sum)| length == said.bytes && sum == said.checksum)
}

/// Finish the interrupted commit of a file: rename the temporary files that match its sidecar, and remove
/// all others.
pub fn finish(
    file: &Path,
    sidecar: Option<&Sidecar>,
    others: &[PathBuf],
) -> Result<(), ExportError> {
    let left = |path: &Path| Unfinished::left_over(path).map_err(write_error(path));
    let mut left_overs = Vec::new();
    for path in others.iter().map(PathBuf::as_path).chain([file]) {
        left_overs.extend(left(path)?.map(|unfinished| (path.to_owned(), unfinished)));
    }
    let Some(sidecar) = sidecar else {
        return Ok(());
    };
    let own = sidecar.content().map(|(bytes, checksum)| Companion {
        file: sidecar.file.clone(),
        bytes,
        checksum: checksum.to_owned(),
    });
    let mut naming = Naming::begin();
    for (path, unfinished) in &mut left_overs {
        let own = own.as_ref().filter(|_| path == file);
        let Some(said) = said_beside(path, sidecar).or(own) else {
            continue;
        };
        let is_next = unfinished
            .file()
            .try_clone()
            .is_ok_and(|mut file| is_sum_said(&mut file, said));
        if is_next && !is_as_said(path, said) && !is_newer(path, unfinished) {
            let named = unfinished.name(path, &mut naming);
            named.map_err(write_error(path))?;
        }
    }
    Ok(())
}

/// True if the file at `path` was put there after the temporary file was written.
fn is_newer(path: &Path, unfinished: &Unfinished) -> bool {
    let Ok(there) = fs::symlink_metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let put = {
        use std::os::unix::fs::MetadataExt;
        let seconds = u64::try_from(there.ctime()).unwrap_or_default();
        let nanos = u32::try_from(there.ctime_nsec()).unwrap_or_default();
        Some(std::time::UNIX_EPOCH + std::time::Duration::new(seconds, nanos))
    };
    #[cfg(not(unix))]
    let put = there.modified().ok();
    let written = unfinished
        .file()
        .metadata()
        .and_then(|file| file.modified());
    put > written.ok()
}
