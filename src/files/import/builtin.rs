//! Built-in height maps, named `builtin:NAME` in place of a path.

use std::path::Path;

/// A part of Tennessee from SRTM (public domain): 403 × 344 samples of about 90 m, 16-bit grey in metres.
const JACKSBORO: &[u8] = include_bytes!("../../../assets/heightmaps/jacksboro.png");

const IMAGES: &[(&str, &[u8])] = &[("jacksboro", JACKSBORO)];

/// The bytes of a built-in image; `None` for any other path.
pub fn image(path: &Path) -> Option<&'static [u8]> {
    let name = path.to_str()?.strip_prefix("builtin:")?;
    let found = IMAGES.iter().find(|(known, _)| *known == name);
    found.map(|(_, bytes)| *bytes)
}

/// True if the path names a built-in image.
#[must_use]
pub fn is_builtin(path: &Path) -> bool {
    image(path).is_some()
}
