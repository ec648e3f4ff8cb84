//! `.zip` with one file of heights in it, as tiles of elevation are handed out: `N49E008.hgt.zip`,
//! `N49E008.SRTMGL1.hgt.zip`; `.gz`, one file alone: `N49E008.hgt.gz`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ::zip::ZipArchive;
use ::zip::result::ZipError;
use flate2::bufread::MultiGzDecoder;
use tempfile::TempDir;

use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::source::Broken;

/// The format.
pub const READER: Reader = Reader {
    name: "ZIP",
    extensions: &["zip"],
    mark: Some(|bytes| bytes.starts_with(b"PK\x03\x04")),
    holds: Holding::Archive,
    recipe: |_| Ok(Recipe::None),
};

/// A file alone, whose name is that of the archive without its end.
pub const GZIP: Reader = Reader {
    name: "gzip",
    extensions: &["gz"],
    mark: Some(|bytes| bytes.starts_with(b"\x1f\x8b\x08")),
    holds: Holding::Archive,
    recipe: |_| Ok(Recipe::None),
};

/// Bytes that one byte may become: what deflate can do.
const MOST_PACKED: u64 = 1032;
/// An archive of more files is none of a map.
const MOST_FILES: usize = 1000;
/// What small files may take whatever they hold.
const ROOM: u64 = 1 << 16;

/// What an archive holds, unpacked into a folder of its own, and which of it is the map.
pub struct Folder {
    /// The folder, which is removed with this.
    _folder: TempDir,
    /// The map.
    pub map: PathBuf,
}

/// Unpacks a file if it is an archive, with all that lies beside the map in it.
pub fn unpacked(path: &Path, is_map: &dyn Fn(&str) -> bool) -> Result<Option<Folder>, Broken> {
    // Whoever opens a pipe waits for ever.
    if !path.is_file() {
        return Ok(None);
    }
    let mut file = BufReader::new(File::open(path)?);
    let length = file.get_ref().metadata()?.len();
    let head = file.fill_buf()?;
    let is_zip = head.starts_with(b"PK\x03\x04");
    if !is_zip && !head.starts_with(b"\x1f\x8b\x08") {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    let most = length.saturating_mul(MOST_PACKED) + ROOM;
    let free = crate::memory::free_on_disk(folder.path()).unwrap_or(u64::MAX);
    let mut left = most.min(free / 2);
    let mut write = |name: &str, from: &mut dyn Read| {
        let to = folder.path().join(name);
        let copied = std::io::copy(&mut from.take(left), &mut File::create(&to)?)?;
        left -= copied;
        if left == 0 {
            return Err(Broken::wrong("what it unpacks to does not fit on the disk"));
        }
        Ok(to)
    };
    if !is_zip {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let map = write(&name, &mut MultiGzDecoder::new(file))?;
        return Ok(Some(Folder {
            _folder: folder,
            map,
        }));
    }
    let mut archive = ZipArchive::new(file).map_err(explain)?;
    let (count, mut maps) = (archive.len(), Vec::new());
    for index in 0..count.min(MOST_FILES) {
        let mut file = archive.by_index(index).map_err(explain)?;
        // Folders within it are none here: what belongs together lies together.
        let name = file.name().map_err(explain)?.into_owned();
        let name = name
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .to_owned();
        if file.is_dir() || name.is_empty() || name.starts_with('.') {
            continue;
        }
        let written = write(&name, &mut file)?;
        let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
        if end.is_some_and(|end| is_map(&end)) {
            maps.push(written);
        }
    }
    match <[PathBuf; 1]>::try_from(maps) {
        Ok([map]) => Ok(Some(Folder {
            _folder: folder,
            map,
        })),
        Err(_) => Err(not_one(count)),
    }
}

fn not_one(count: usize) -> Broken {
    Broken::wrong(format!(
        "{count} files, allowed in a .zip is one with heights"
    ))
}

fn explain(error: ZipError) -> Broken {
    match error {
        ZipError::Io(error) => error.into(),
        error => Broken::wrong(error),
    }
}
