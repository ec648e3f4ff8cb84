//! `.zip` with one file of heights in it, as tiles of elevation are handed out: `N49E008.hgt.zip`,
//! `N49E008.SRTMGL1.hgt.zip`; `.gz`, one file alone: `N49E008.hgt.gz`.

use std::io::Read;

use ::zip::ZipArchive;
use ::zip::result::ZipError;
use flate2::bufread::MultiGzDecoder;

use super::reader::{Holding, Reader, Unpacked};
use super::recipe::Recipe;
use super::source::{Broken, Source, check_bytes};

/// The format.
pub const READER: Reader = Reader {
    name: "ZIP",
    extensions: &["zip"],
    mark: Some(|bytes| bytes.starts_with(b"PK\x03\x04")),
    holds: Holding::Archive(unpack),
    recipe: |_| Ok(Recipe::None),
};

/// A file alone, whose name is that of the archive without its end.
pub const GZIP: Reader = Reader {
    name: "gzip",
    extensions: &["gz"],
    mark: Some(|bytes| bytes.starts_with(b"\x1f\x8b\x08")),
    holds: Holding::Archive(|source, _| {
        let most = source.length.saturating_mul(MOST_PACKED) + ROOM;
        check_bytes("it needs", source.length)?;
        let mut bytes = Vec::new();
        source.rewind()?;
        let unpacked = MultiGzDecoder::new(&mut *source.bytes);
        // What it says of its length may be wrong, so what comes out of it counts.
        let most = most.min(crate::memory::free().map_or(most, |free| free / 2));
        if unpacked.take(most).read_to_end(&mut bytes)? as u64 == most {
            return Err(Broken::wrong(
                "what it unpacks to does not fit into the free memory",
            ));
        }
        Ok(Unpacked {
            name: source.beside.stem.to_owned(),
            bytes,
        })
    }),
    recipe: |_| Ok(Recipe::None),
};

/// Bytes that one byte may become: what deflate can do.
const MOST_PACKED: u64 = 1032;
/// What small files may take whatever they hold.
const ROOM: u64 = 1 << 16;

fn unpack(source: &mut Source<'_>, is_map: &dyn Fn(&str) -> bool) -> Result<Unpacked, Broken> {
    let most = source.length.saturating_mul(MOST_PACKED) + ROOM;
    source.rewind()?;
    let mut archive = ZipArchive::new(&mut *source.bytes).map_err(explain)?;
    let names = archive.file_names();
    let names = names.map(|name| Ok(name.map_err(explain)?.into_owned()));
    let names = names.collect::<Result<Vec<String>, Broken>>()?;
    let end = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
    let mut maps = names
        .iter()
        .filter(|name| end(name).is_some_and(|end| is_map(&end)));
    let (Some(name), None) = (maps.next(), maps.next()) else {
        return Err(Broken::wrong(format!(
            "{} files, allowed in a .zip is one with heights",
            names.len()
        )));
    };
    let file = archive.by_name(name).map_err(explain)?;
    // What it says of its length may be wrong, but then no more is read.
    let most = most.min(file.size());
    check_bytes("what it unpacks to needs", most)?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(Unpacked {
        name: name.clone(),
        bytes,
    })
}

fn explain(error: ZipError) -> Broken {
    match error {
        ZipError::Io(error) => error.into(),
        error => Broken::wrong(error),
    }
}
