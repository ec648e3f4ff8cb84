//! Registry of heightfield and mesh formats, and the lookup by file name.

use std::path::Path;

use super::error::ExportError;
use super::format::Format;
use super::names::is_standard_output;
use super::png;
use crate::shading::maps::{Kind, Map};

/// All heightfield and mesh formats, in display order.
pub const FORMATS: &[Format] = &[
    super::npy::FORMAT,
    super::png::PNG,
    super::png::PNG8,
    super::raw::R16,
    super::raw::R32,
    #[cfg(feature = "formats")]
    super::tiff::F32,
    #[cfg(feature = "formats")]
    super::tiff::U16,
    #[cfg(feature = "formats")]
    super::tiff::COG,
    #[cfg(feature = "formats")]
    super::exr::FORMAT,
    super::asc::FORMAT,
    super::obj::FORMAT,
    super::ply::FORMAT,
    super::stl::FORMAT,
    super::glb::FORMAT,
];

/// Default format, which most programs read.
pub const USUAL: &Format = &png::PNG;

impl Format {
    /// Find a format by its name or by an extension.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let by_name = FORMATS.iter().find(|format| format.name == name);
        by_name.or_else(|| with_extension(name))
    }
}

/// Find a format by the extension of a file name.
///
/// # Errors
/// [`ExportError::UnknownFormat`]; for standard output [`ExportError::NoFormat`].
pub fn format_of(path: &Path) -> Result<&'static Format, ExportError> {
    if is_standard_output(path) {
        return Err(ExportError::NoFormat);
    }
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_lowercase();
    with_extension(&extension).ok_or_else(|| ExportError::UnknownFormat {
        extension,
        allowed: extensions(),
        path: path.to_owned(),
    })
}

fn with_extension(extension: &str) -> Option<&'static Format> {
    let has_it =
        |format: &&Format| format.extension == extension || format.also.contains(&extension);
    FORMATS.iter().find(has_it)
}

/// Formats available for a map. If several share an extension, the first is the default for a file.
#[must_use]
pub fn formats_of_map(map: &Map) -> Vec<&'static Format> {
    let heights = FORMATS.iter().filter(|format| !format.is_mesh());
    match map.kind {
        Kind::Heights => FORMATS.iter().collect(),
        Kind::Relief(_) | Kind::Whole(_) => heights.collect(),
        // Clouds have no place on the ground, so no georeference.
        Kind::Clouds => heights.filter(|format| !format.says_north).collect(),
        Kind::Normal(_) => vec![&png::PNG8, &png::PNG],
        Kind::Bands(_) | Kind::Paint(_) | Kind::Colors | Kind::Sky => vec![&png::PNG8],
    }
}

/// Format of a map's file: the requested one, else by the extension.
///
/// # Errors
/// There is no such format, or the map is not available in it.
pub fn format_of_map(
    path: &Path,
    map: &Map,
    asked: Option<&'static Format>,
) -> Result<&'static Format, ExportError> {
    let named = asked.map_or_else(|| format_of(path), Ok)?;
    let formats = formats_of_map(map);
    let fits = |format: &&&'static Format| match asked {
        Some(asked) => format.name == asked.name,
        None => format.extension == named.extension,
    };
    let found = formats.iter().find(fits).copied();
    found.ok_or_else(|| ExportError::MapFormat {
        map: map.name,
        format: named.name,
        allowed: names(formats).join(", "),
        path: path.to_owned(),
    })
}

/// Names of formats.
pub fn names<'a>(formats: impl IntoIterator<Item = &'a Format>) -> Vec<&'static str> {
    formats.into_iter().map(|format| format.name).collect()
}

/// Names of the mesh formats, for messages.
#[must_use]
pub fn mesh_names() -> Vec<&'static str> {
    names(FORMATS.iter().filter(|format| format.is_mesh()))
}

/// Extensions of all formats, for messages: `npy, png, …`.
#[must_use]
pub fn extensions() -> String {
    let mut names: Vec<_> = FORMATS.iter().map(|format| format.extension).collect();
    names.extend(FORMATS.iter().rev().flat_map(|format| format.also));
    names.dedup();
    names.join(", ")
}
