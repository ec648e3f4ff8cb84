//! Images that come with the program, named `builtin:NAME` wherever a path is.

use std::path::Path;

/// A piece of Tennessee from SRTM (public domain): 403 × 344 samples of about 90 m, 16-bit grey
/// in metres.
const JACKSBORO: &[u8] = include_bytes!("../../assets/heightmaps/jacksboro.png");

const IMAGES: &[(&str, &[u8])] = &[("jacksboro", JACKSBORO)];

/// The bytes of the image that `path` names, if it names one that comes with the program.
pub fn image(path: &Path) -> Option<&'static [u8]> {
    let name = path.to_str()?.strip_prefix("builtin:")?;
    let found = IMAGES.iter().find(|(known, _)| *known == name);
    found.map(|(_, bytes)| *bytes)
}

/// Whether a path names an image that comes with the program.
#[must_use]
pub fn is_builtin(path: &Path) -> bool {
    image(path).is_some()
}
