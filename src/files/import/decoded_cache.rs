//! Cache of decoded files, in the user's cache folder: one folder per file and way of reading it, the oldest
//! removed when together they become too large.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::file::read_text;
use super::place::Companions;
use super::reader::Broken;
use crate::files::formats::checksum::{checksum, checksum_at};
use crate::files::gdal::Gdal;
use crate::generate::{InputSources, Reading};
use crate::util::language::tr;

/// The size limit of the cache, in bytes.
const MAX_BYTES: u64 = 2 << 30;
/// The version of the cache format; increase it with every change.
const FORMAT: u32 = 7;

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

// Safety check of GDAL's virtual files (`.vrt`): XML that refers to the files with the samples. A file from
// an untrusted source could refer to any file on this computer, so the sources are checked before GDAL reads
// them.

/// The size limit of a VRT, in bytes.
const MOST_VRT: u64 = 16 << 20;

/// Refuse a VRT with sources outside its folder, unless the user allows them. Collects the sources.
pub fn check_sources(
    path: &Path,
    allowed: InputSources,
    files: &mut Vec<PathBuf>,
) -> Result<(), Broken> {
    // Opening a pipe would block.
    if !path.is_file() {
        let path = crate::util::words::named(path);
        return Err(Broken::wrong(tr!(
            "its source {source} does not exist",
            source = path
        )));
    }
    let mut head = [0; 4096];
    let length = std::io::Read::read(&mut File::open(path)?, &mut head)?;
    if !String::from_utf8_lossy(&head[..length]).contains("<VRTDataset") {
        return Ok(());
    }
    let text = read_text(path, MOST_VRT)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    // GDAL ignores the case of tags, unlike XML. ASCII lower case keeps byte positions.
    let small = text.to_ascii_lowercase();
    for tag in ["<sourcefilename", "<sourcedataset"] {
        for (at, _) in small.match_indices(tag) {
            let Some((attributes, rest)) = text[at..].split_once('>') else {
                continue;
            };
            let name = rest.split('<').next().unwrap_or_default().trim();
            let name = name
                .replace("&quot;", "\"")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&");
            // An empty name may mean a CDATA section, which is not parsed.
            let is_odd = name.is_empty() || name.contains(['<', '>']) || name.contains("&#");
            if is_odd {
                return Err(Broken::wrong(tr(
                    "one of its sources is not a plain file name, the only kind allowed",
                )));
            }
            let attributes = attributes.to_ascii_lowercase();
            let is_relative = attributes.contains("relativetovrt=\"1\"");
            // For a name such as `NETCDF:"file":map`, only the file matters.
            let file = name.split('"').nth(1).unwrap_or(&name);
            let source = if is_relative {
                folder.join(file)
            } else {
                PathBuf::from(file)
            };
            let Ok(real) = fs::canonicalize(&source) else {
                let source = crate::util::words::named(&source);
                return Err(Broken::wrong(tr!(
                    "its source {source} does not exist",
                    source
                )));
            };
            if !real.starts_with(folder) && allowed == InputSources::Folder {
                let source = crate::util::words::named(&source);
                return Err(Broken::wrong(tr!(
                    "its source {source} lies outside its folder; --input-sources anywhere allows that",
                    source
                )));
            }
            // A VRT may refer to itself through others, so each source is checked only once.
            if !files.contains(&real) {
                files.push(real.clone());
                check_sources(&real, allowed, files)?;
            }
        }
    }
    Ok(())
}
