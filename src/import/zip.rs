//! `.zip` with one file of heights in it, as tiles of elevation are handed out: `N49E008.hgt.zip`,
//! `N49E008.SRTMGL1.hgt.zip`.

use std::io::{Cursor, Read};
use std::path::Path;

use ::zip::ZipArchive;
use ::zip::result::ZipError;

use super::Format;
use super::format::{self, named};
use super::recipe::Recipe;
use super::samples::Samples;
use super::source::{Beside, Broken, Source, check_bytes};

/// The format.
pub const FORMAT: Format = Format {
    name: "ZIP",
    extensions: &["zip"],
    mark: Some(|bytes| bytes.starts_with(b"PK\x03\x04")),
    read,
    recipe: |_| Ok(Recipe::None),
    is_heights: true,
    is_mesh: false,
};

/// Bytes that one byte may become: what deflate can do.
const MOST_PACKED: u64 = 1032;
/// What small files may take whatever they hold.
const ROOM: u64 = 1 << 16;

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let most = source.length.saturating_mul(MOST_PACKED) + ROOM;
    source.rewind()?;
    let mut archive = ZipArchive::new(&mut *source.bytes).map_err(explain)?;
    let extension = |name: &str| {
        let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
        // A file in a file in a file is nobody's map.
        let end = end.filter(|end| named(end).is_some_and(|format| format.name != FORMAT.name));
        end.unwrap_or_default()
    };
    let is_map = |name: &str| named(&extension(name)).is_some_and(|format| !format.is_mesh);
    let names = archive.file_names();
    let names = names.map(|name| Ok(name.map_err(explain)?.into_owned()));
    let names = names.collect::<Result<Vec<String>, Broken>>()?;
    let mut maps = names.iter().filter(|name| is_map(name));
    let (Some(name), None) = (maps.next(), maps.next()) else {
        return Err(Broken::wrong(format!(
            "{} files, allowed in a .zip is one with heights",
            names.len()
        )));
    };
    let file = archive.by_name(name).map_err(explain)?;
    let mut bytes = Vec::new();
    // What it says of its length may be wrong, but then no more is read.
    let most = most.min(file.size());
    check_bytes("what it unpacks to needs", most)?;
    let length = file.take(most).read_to_end(&mut bytes)? as u64;
    // Where a tile lies is in the name that it has in there.
    let stem = Path::new(name).file_stem().unwrap_or_default();
    let stem = stem.to_string_lossy();
    let mut inner = Source {
        bytes: &mut Cursor::new(bytes),
        length,
        beside: Beside {
            stem: &stem,
            ..source.beside
        },
    };
    let format = format::of(&extension(name), &mut inner)?;
    if format.name == FORMAT.name {
        return Err(Broken::wrong("a .zip in a .zip"));
    }
    (format.read)(&mut inner)
}

fn explain(error: ZipError) -> Broken {
    match error {
        ZipError::Io(error) => error.into(),
        error => Broken::wrong(error),
    }
}
