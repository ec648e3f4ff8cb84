//! The list of what can be read, and how a file finds its reader.

use std::io::Read;
use std::path::Path;

use super::file::extension;
use super::raster::Raster;
use super::reader::{Holding, Reader};
use super::source::{Broken, Source};
use crate::language::tr;

/// Every format, in the order shown.
pub const READERS: &[Reader] = &[
    super::png::READER,
    #[cfg(feature = "formats")]
    super::jpeg::READER,
    #[cfg(feature = "formats")]
    super::bmp::READER,
    #[cfg(feature = "formats")]
    super::pgm::READER,
    #[cfg(feature = "formats")]
    super::tiff::READER,
    #[cfg(feature = "formats")]
    super::exr::READER,
    super::npy::READER,
    super::raw::R16,
    super::raw::R32,
    super::asc::READER,
    super::hgt::READER,
    #[cfg(feature = "formats")]
    super::zip::READER,
    #[cfg(feature = "formats")]
    super::zip::GZIP,
    super::obj::READER,
    super::ply::READER,
    super::stl::READER,
    super::glb::READER,
];

/// Bytes that tell one format from another.
const MARK: u64 = 64;

/// Ends of the names of files of heights that GDAL reads, the most usual of two hundred formats.
pub const BY_GDAL: &[&str] = &[
    "adf", "bag", "bil", "bip", "bsq", "bt", "dem", "dt0", "dt1", "dt2", "flt", "gpkg", "grb",
    "grb2", "grd", "h5", "hdf", "img", "jp2", "kap", "lrc", "mrf", "nc", "ntf", "rst", "sdat",
    "ter", "vrt", "webp", "xyz",
];

/// The reader of a file whose name has that end. Formats without a mark go by the name; of the others the content
/// decides, whatever the name is.
pub fn of(end: &str, source: &mut Source<'_>) -> Result<&'static Reader, Broken> {
    let mut head = Vec::new();
    source.rewind()?;
    (&mut *source.bytes).take(MARK).read_to_end(&mut head)?;
    source.rewind()?;
    let is_marked = |reader: &&Reader| reader.mark.is_some_and(|is| is(&head));
    let by_name = named(end).filter(|reader| reader.mark.is_none());
    let found = by_name.or_else(|| READERS.iter().find(is_marked));
    found.ok_or_else(|| {
        let names = READERS.iter().filter(|reader| reader.mark.is_some());
        let names: Vec<_> = names.map(|reader| reader.name).collect();
        Broken::foreign(tr!("its content, which is none of {}", names.join(", ")))
    })
}

/// The reader of files whose names have that end.
pub fn named(end: &str) -> Option<&'static Reader> {
    let found = |reader: &&Reader| reader.extensions.contains(&end);
    READERS.iter().find(found)
}

/// Whether a file whose name has that end is a map.
pub fn is_map(end: &str) -> bool {
    BY_GDAL.contains(&end) || named(end).is_some_and(Reader::is_map)
}

/// Read the samples of a file.
pub fn read(end: &str, source: &mut Source<'_>) -> Result<Raster, Broken> {
    of(end, source)?.read(source)
}

/// Whether a file's numbers are heights as they are, not brightness, by the end of its name.
#[must_use]
pub fn holds_heights(path: &Path) -> bool {
    let end = extension(path);
    let is_heights =
        |reader: &Reader| matches!(reader.holds, Holding::Heights(_) | Holding::Archive);
    named(&end).map_or_else(|| BY_GDAL.contains(&end.as_str()), is_heights)
}

/// Whether files whose names have that end, small and without the dot, are left to GDAL.
#[must_use]
pub fn is_read_by_gdal(end: &str) -> bool {
    BY_GDAL.contains(&end)
}

/// The ends of the names of files that can be opened: scenes, height maps, meshes.
#[must_use]
pub fn extensions() -> Vec<&'static str> {
    let extensions = READERS.iter().flat_map(|reader| reader.extensions);
    let extensions = extensions.chain(BY_GDAL).copied();
    std::iter::once("toml").chain(extensions).collect()
}

/// The ends of the names of files that hold a grid of brightness or heights.
#[must_use]
pub fn map_extensions() -> Vec<&'static str> {
    let maps = READERS.iter().filter(|reader| !reader.is_mesh());
    let maps = maps.flat_map(|reader| reader.extensions);
    maps.chain(BY_GDAL).copied().collect()
}
