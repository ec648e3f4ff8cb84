//! The last step of every export: complete files get their names, in an order that a run which is
//! killed half way can be finished by the next.
//!
//! All files lie on the disk, unfinished by name alone, before the first is named. The sidecar is
//! named first: it says length and checksum of the file that it belongs to and of those beside it,
//! so it tells which unfinished files are to follow ([`finish`]). Until they have, it does not fit
//! and is not believed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::ExportError;
use super::own::own_sidecar;
use super::part::{Naming, Part};
use super::target::{Target, write_error};
use crate::generate::GenerateError;
use crate::import::{checksum, sidecar_of};
use crate::job::Job;

/// A complete file, with what belongs to it.
pub struct Complete {
    /// The file.
    pub file: Target,
    /// Those beside it.
    pub beside: Vec<Target>,
    /// The text of its sidecar.
    pub sidecar: Option<String>,
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

/// Gives complete files their names, unless the job was cancelled.
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
        if let Some(text) = sidecar.filter(|_| !file.is_standard_output()) {
            let target = Target::companion(&sidecar_of(file.path()))?;
            target.fill(sealed(&text, &file, &beside)?.as_bytes())?;
            files.push(target);
        } else if !file.is_standard_output() {
            alone.push(sidecar_of(file.path()));
        }
        // The order of their names.
        files.extend(beside);
        files.push(file);
        files.iter().try_for_each(Target::settle)?;
        sets.push(files);
    }
    job.check().map_err(GenerateError::from)?;
    name_all(&mut sets)?;
    // Of a file that was there before, of which it would go on telling.
    for sidecar in alone.iter().filter(|file| own_sidecar(file).is_some()) {
        drop(fs::remove_file(sidecar));
    }
    Ok(())
}

fn name_all(sets: &mut [Vec<Target>]) -> Result<(), ExportError> {
    let mut naming = Naming::begin();
    let mut folders = BTreeSet::new();
    for files in sets {
        let count = files.len();
        for (index, file) in files.iter_mut().enumerate() {
            file.name(&mut naming)?;
            let folder = file.path().parent().map(Path::to_owned);
            // A sidecar is on the disk before what it announces.
            if let (0, true, Some(folder)) = (index, count > 1, &folder) {
                sync_folder(folder);
            }
            folders.extend(folder);
        }
    }
    folders.iter().for_each(|folder| sync_folder(folder));
    Ok(())
}

/// Puts a folder's names on the disk. Not every system can; the names are there all the same.
fn sync_folder(folder: &Path) {
    let folder = match folder == Path::new("") {
        true => Path::new("."),
        false => folder,
    };
    if cfg!(unix) {
        drop(File::open(folder).and_then(|folder| folder.sync_all()));
    }
}

/// A sidecar's text with length and checksum of the files that it belongs to.
fn sealed(text: &str, file: &Target, beside: &[Target]) -> Result<String, ExportError> {
    let sum_of = |target: &Target| {
        let written = target.written().try_clone();
        let sum = written.and_then(|mut file| checksum(&mut file));
        sum.map_err(write_error(target.path()))
    };
    let (length, sum) = sum_of(file)?;
    let mut lines = format!("\n  \"bytes\": {length},\n  \"checksum\": \"{sum}\",");
    let mut all = Vec::new();
    for target in beside {
        let (length, sum) = sum_of(target)?;
        let name = target.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        all.push(json!({ "file": name, "bytes": length, "checksum": sum }));
    }
    if !all.is_empty() {
        lines += &format!("\n  \"beside\": {},", Value::from(all));
    }
    Ok(text.replacen('{', &format!("{{{lines}"), 1))
}

/// Whether the files beside one are there and as its sidecar says.
pub fn fits_beside(file: &Path, sidecar: &Value) -> bool {
    let all = sidecar["beside"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().all(|said| match said["file"].as_str() {
        Some(name) => is_as_said(&file.with_file_name(name), said),
        None => false,
    })
}

/// Whether a file that lies beside another is there, and not as the other's sidecar says.
pub fn is_changed(file: &Path, sidecar: &Value) -> bool {
    let name = file.file_name().and_then(|name| name.to_str());
    let all = sidecar["beside"].as_array().map_or(&[][..], Vec::as_slice);
    let said = all.iter().find(|said| said["file"].as_str() == name);
    said.is_some_and(|said| file.exists() && !is_as_said(file, said))
}

/// Whether a file has the length and checksum that are said of it.
fn is_as_said(file: &Path, said: &Value) -> bool {
    let is_file = fs::symlink_metadata(file).is_ok_and(|there| there.is_file());
    is_file && File::open(file).is_ok_and(|mut file| sum_is_said(&mut file, said))
}

fn sum_is_said(file: &mut File, said: &Value) -> bool {
    checksum(file).is_ok_and(|(length, sum)| {
        said["bytes"].as_u64() == Some(length) && said["checksum"].as_str() == Some(&sum)
    })
}

/// Finishes what a killed run has left of a file with its sidecar and those beside it: names the
/// unfinished files that the sidecar tells of, and removes all others.
pub fn finish(file: &Path, sidecar: Option<&Value>, others: &[PathBuf]) -> Result<(), ExportError> {
    let left = |path: &Path| Part::left_over(path).map_err(write_error(path));
    let mut left_overs = Vec::new();
    for path in others.iter().map(PathBuf::as_path).chain([file]) {
        left_overs.extend(left(path)?.map(|part| (path.to_owned(), part)));
    }
    let Some(sidecar) = sidecar else {
        return Ok(());
    };
    let beside = sidecar["beside"].as_array().map_or(&[][..], Vec::as_slice);
    let said_of = |path: &Path| {
        let name = path.file_name()?.to_str()?;
        let named = |said: &&Value| said["file"].as_str() == Some(name);
        beside
            .iter()
            .find(named)
            .or((path == file).then_some(sidecar))
    };
    let mut naming = Naming::begin();
    for (path, part) in &mut left_overs {
        let Some(said) = said_of(path) else {
            continue;
        };
        let is_next = part
            .file()
            .try_clone()
            .is_ok_and(|mut file| sum_is_said(&mut file, said));
        if is_next && !is_as_said(path, said) && !is_newer(path, part) {
            part.name(path, &mut naming).map_err(write_error(path))?;
        }
    }
    Ok(())
}

/// Whether somebody has put a file in the place since the unfinished one was written.
fn is_newer(path: &Path, part: &Part) -> bool {
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
    let written = part.file().metadata().and_then(|part| part.modified()).ok();
    put > written
}
