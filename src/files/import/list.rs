//! Registry of readers, and the choice of a reader by content or extension.

use std::io::Read;
use std::path::Path;

use super::file::extension;
use super::raster::Raster;
use super::reader::{Holding, Reader};
use super::source::{Broken, Source};
use crate::util::language::tr;

/// All readers, in display order.
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

/// The number of leading bytes that identify a format.
const MARK: u64 = 64;

/// Extensions of height formats that are read through GDAL, a selection of some two hundred formats.
pub const BY_GDAL: &[&str] = &[
    "adf", "bag", "bil", "bip", "bsq", "bt", "dem", "dt0", "dt1", "dt2", "flt", "gpkg", "grb",
    "grb2", "grd", "h5", "hdf", "img", "jp2", "kap", "lrc", "mrf", "nc", "ntf", "rst", "sdat",
    "ter", "vrt", "webp", "xyz",
];

/// Find the reader of a file. A format without a magic number is chosen by the extension, all others by their
/// content.
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

/// Find a reader by extension.
pub fn named(end: &str) -> Option<&'static Reader> {
    let found = |reader: &&Reader| reader.extensions.contains(&end);
    READERS.iter().find(found)
}

/// True if files with this extension are maps themselves, not meshes or archives.
pub fn is_map(end: &str) -> bool {
    BY_GDAL.contains(&end) || named(end).is_some_and(Reader::is_map)
}

/// Read the samples of a file.
pub fn read(end: &str, source: &mut Source<'_>) -> Result<Raster, Broken> {
    of(end, source)?.read(source)
}

/// True if the extension stands for heights, not brightness.
#[must_use]
pub fn holds_heights(path: &Path) -> bool {
    let end = extension(path);
    let is_heights =
        |reader: &Reader| matches!(reader.holds, Holding::Heights(_) | Holding::Archive);
    named(&end).map_or_else(|| BY_GDAL.contains(&end.as_str()), is_heights)
}

/// True if files with this extension (lower case, without the dot) are read through GDAL.
#[must_use]
pub fn is_read_by_gdal(end: &str) -> bool {
    BY_GDAL.contains(&end)
}

/// Extensions of all files that can be opened: scenes, height maps, archives and meshes.
#[must_use]
pub fn extensions() -> Vec<&'static str> {
    let extensions = READERS.iter().flat_map(|reader| reader.extensions);
    let extensions = extensions.chain(BY_GDAL).copied();
    std::iter::once("toml").chain(extensions).collect()
}

/// Extensions of all files that hold a grid of brightness or heights.
#[must_use]
pub fn map_extensions() -> Vec<&'static str> {
    let maps = READERS.iter().filter(|reader| !reader.is_mesh());
    let maps = maps.flat_map(|reader| reader.extensions);
    maps.chain(BY_GDAL).copied().collect()
}
