//! The list of what can be read, and how a file finds its reader.

use std::io::Read;

use super::recipe::Recipe;
use super::samples::Samples;
use super::source::{Broken, Source};
use super::{
    asc, bmp, exr, glb, hgt, jpeg, netcdf, numpy, obj, pgm, ply, png, raw, stl, tiff, zip,
};

/// One format of heights, or of meshes that hold a scene.
pub struct Format {
    /// What it is called in messages.
    pub name: &'static str,
    /// The ends of its files' names, small, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a file begins like one; none where only the name tells.
    pub mark: Option<fn(&[u8]) -> bool>,
    /// The samples; not a number where there is no data.
    pub read: fn(&mut Source<'_>) -> Result<Samples, Broken>,
    /// The recipe that the file holds.
    pub recipe: fn(&mut Source<'_>) -> Result<Recipe, Broken>,
    /// Whether its numbers are heights rather than brightness.
    pub is_heights: bool,
    /// Whether it is a mesh, which has no grid.
    pub is_mesh: bool,
}

/// Every format, in the order shown.
pub const FORMATS: &[Format] = &[
    png::FORMAT,
    jpeg::FORMAT,
    bmp::FORMAT,
    pgm::FORMAT,
    tiff::FORMAT,
    exr::FORMAT,
    numpy::FORMAT,
    raw::R16,
    raw::R32,
    asc::FORMAT,
    hgt::FORMAT,
    netcdf::FORMAT,
    zip::FORMAT,
    obj::FORMAT,
    ply::FORMAT,
    stl::FORMAT,
    glb::FORMAT,
];

/// Bytes that tell one format from another.
const MARK: u64 = 64;

/// How files of heights begin that are told from others, but not read.
const UNREAD: &[(&[u8], &str)] = &[(b"Lerc2 ", "LERC"), (b"CntZImage ", "LERC")];

/// The format of a file. Formats without a mark go by the name; of the others the content
/// decides, whatever the name is.
pub fn of(extension: &str, source: &mut Source<'_>) -> Result<&'static Format, Broken> {
    let mut head = Vec::new();
    source.rewind()?;
    (&mut *source.bytes).take(MARK).read_to_end(&mut head)?;
    source.rewind()?;
    let is_marked = |format: &&Format| format.mark.is_some_and(|is| is(&head));
    let by_name = named(extension).filter(|format| format.mark.is_none());
    let found = by_name.or_else(|| FORMATS.iter().find(is_marked));
    found.ok_or_else(|| {
        if let Some((_, name)) = UNREAD.iter().find(|(mark, _)| head.starts_with(mark)) {
            return Broken::wrong(format!(
                "{name} is read within a TIFF alone; GDAL makes one: gdal_translate IN OUT.tif"
            ));
        }
        let names = FORMATS.iter().filter(|format| format.mark.is_some());
        let names: Vec<_> = names.map(|format| format.name).collect();
        Broken::wrong(format!("its content is none of {}", names.join(", ")))
    })
}

/// The format whose files' names end so.
pub fn named(extension: &str) -> Option<&'static Format> {
    let found = |format: &&Format| format.extensions.contains(&extension);
    FORMATS.iter().find(found)
}

/// The samples of a mesh: none.
pub fn mesh(_: &mut Source<'_>) -> Result<Samples, Broken> {
    Err(Broken::wrong(
        "a mesh has no grid of heights, and this one does not hold the scene it was made from",
    ))
}
