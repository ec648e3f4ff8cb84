//! Cache of decoded files, in the user's cache folder: one folder per file and way of reading it, the oldest
//! removed when together they become too large.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::companions::Companions;
use super::virtual_files::check_sources;
use crate::files::formats::checksum::{checksum, checksum_at};
use crate::files::gdal::Gdal;
use crate::generate::{InputSources, Reading};

/// The size limit of the cache, in bytes.
const MAX_BYTES: u64 = 2 << 30;
/// The version of the cache format; increase it with every change.
const FORMAT: u32 = 6;

/// The folder of the cache; `None` if the system has no cache folder.
pub fn cache_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let caches = if cfg!(windows) {
        folder("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        folder("HOME")?.join("Library/Caches")
    } else {
        folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?
    };
    Some(caches.join("landform").join("decoded"))
}

/// The cache folder of a file and its import options.
pub fn folder_of(gdal: &Gdal, path: &Path, reading: &Reading) -> Option<PathBuf> {
    let mut words = format!(
        "{FORMAT} {} {} {} {}",
        gdal.version(),
        reading.band,
        reading.coding.name(),
        reading.spacing.is_empty()
    );
    let mut files = Companions::of(path).files;
    // GDAL reads headers, colours and statistics of raw rasters from these files.
    for end in ["hdr", "HDR", "clr", "stx"] {
        files.push(path.with_extension(end));
    }
    files.push(PathBuf::from(format!("{}.aux.xml", path.display())));
    check_sources(path, InputSources::Anywhere, &mut files).ok()?;
    let (length, sum) = checksum_at(path)?;
    words += &format!(" {length} {sum}");
    for file in files {
        if let Some((length, sum)) = checksum_at(&file) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            words += &format!(" {name} {length} {sum}");
        }
    }
    let (length, sum) = checksum(&mut Cursor::new(words)).ok()?;
    Some(cache_folder()?.join(format!("{sum}-{length}")))
}

/// Move decoded files to the cache, and remove the oldest entries above the size limit.
pub fn store(work: tempfile::TempDir, folder: &Path) -> std::io::Result<()> {
    let parent = folder.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    // A rename on the same disk shows other processes either the whole entry or none.
    let staged = tempfile::tempdir_in(parent)?;
    for entry in fs::read_dir(work.path())? {
        let entry = entry?;
        fs::copy(entry.path(), staged.path().join(entry.file_name()))?;
    }
    let staged = staged.keep();
    // An existing entry was not usable: the other files that it was read from have changed.
    drop(fs::remove_dir_all(folder));
    if fs::rename(&staged, folder).is_err() {
        fs::remove_dir_all(&staged)?;
    }
    let bytes = |folder: &Path| -> u64 {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files
            .filter_map(|file| Some(file.metadata().ok()?.len()))
            .sum()
    };
    let mut folders: Vec<(SystemTime, PathBuf, u64)> = fs::read_dir(parent)?
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            // Another run fills a folder whose name begins with a point.
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                return None;
            }
            Some((
                entry.metadata().ok()?.modified().ok()?,
                path.clone(),
                bytes(&path),
            ))
        })
        .collect();
    folders.sort();
    let mut all: u64 = folders.iter().map(|(.., bytes)| bytes).sum();
    for (_, path, bytes) in folders {
        if all <= MAX_BYTES || path == folder {
            break;
        }
        fs::remove_dir_all(path)?;
        all -= bytes;
    }
    Ok(())
}
