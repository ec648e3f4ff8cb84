//! Archives with one height file, as elevation tiles are distributed: `.zip` such as `N49E008.hgt.zip` or
//! `N49E008.SRTMGL1.hgt.zip`, and `.gz` such as `N49E008.hgt.gz`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ::zip::ZipArchive;
use ::zip::result::ZipError;
use flate2::bufread::MultiGzDecoder;
use tempfile::TempDir;

use super::reader::{Broken, Holding, Reader, Recipe};

/// Reader of ZIP archives.
pub const READER: Reader = Reader {
    name: "ZIP",
    extensions: &["zip"],
    mark: Some(|bytes| bytes.starts_with(b"PK\x03\x04")),
    holds: Holding::Archive,
    recipe: |_| Ok(Recipe::None),
};

/// Reader of gzip files; the content has the name of the archive without `.gz`.
pub const GZIP: Reader = Reader {
    name: "gzip",
    extensions: &["gz"],
    mark: Some(|bytes| bytes.starts_with(b"\x1f\x8b\x08")),
    holds: Holding::Archive,
    recipe: |_| Ok(Recipe::None),
};

/// The largest compression ratio of deflate.
const MOST_PACKED: u64 = 1032;
/// The most files of an archive that are unpacked.
const MOST_FILES: usize = 1000;
/// The unpacked size that is always allowed, in bytes, so that small archives are not refused.
const ROOM: u64 = 1 << 16;

/// Unpacked archive in a temporary folder.
pub struct Folder {
    /// The temporary folder, deleted on drop.
    _folder: TempDir,
    /// The path of the map in the folder.
    pub map: PathBuf,
}

/// Unpack a file if it is an archive, with all companion files of the map.
pub fn unpacked(path: &Path, is_map: &dyn Fn(&str) -> bool) -> Result<Option<Folder>, Broken> {
    // Opening a pipe would block.
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
    let free = crate::util::memory::free_on_disk(folder.path()).unwrap_or(u64::MAX);
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
        // Paths inside the archive are flattened, so that companion files lie in one folder.
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
        Err(_) => Err(Broken::wrong(format!(
            "{count} files, allowed in a .zip is one with heights"
        ))),
    }
}

fn explain(error: ZipError) -> Broken {
    match error {
        ZipError::Io(error) => error.into(),
        error => Broken::wrong(error),
    }
}
