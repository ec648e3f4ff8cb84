//! Import: files are read as scenes, height maps or palettes. One module per format (`meshes` and `pictures`
//! hold the short ones), and a registry of readers in `maps`.
//!
//! ```text
//! .toml                       a scene; or a palette, where a scene refers to one
//! PNG, JPEG, BMP, PGM         brightness as heights
//! TIFF, OpenEXR, NumPy, ASC   heights; all of these are identified by their content
//! .r16 .r32 .hgt              heights without a magic number, identified by their extension
//! .zip .gz                    archives with one of these files
//! .obj .ply .stl .glb         meshes, for the scene that is stored in them
//! builtin:NAME                a built-in image
//! all else                    formats that GDAL reads, if it is installed
//! ```
//!
//! Readers are strict: a file with anything that they do not support is left to GDAL, see `foreign`. They
//! return numbers as stored, with the metadata of the file (`raster`); a common rule (`rule`) converts them
//! to heights.
//!
//! Every file that Landform writes contains its scene, or has it in a `.json` sidecar, see [`open`]. Heights
//! are restored to the last bit. If an image of the scene is missing or has changed, the heights in the file
//! are used.
//!
//! Memory is limited: a file may expand only as far as its compression allows (1032 times for deflate, 3000
//! times for LZW, 512 pixels per byte for JPEG), and a side has at most [`MAX_SIDE`] samples.

mod asc;
mod brightness;
#[cfg(feature = "formats")]
mod decoded_cache;
#[cfg(feature = "formats")]
mod exr;
mod file;
mod finish;
#[cfg(feature = "formats")]
mod foreign;
mod maps;
mod meshes;
mod npy;
#[cfg(feature = "formats")]
mod pictures;
mod place;
mod png;
mod raw;
mod reader;
mod rule;
mod samples;
mod scenes;
#[cfg(feature = "formats")]
mod tiff;
#[cfg(feature = "formats")]
mod zip;

pub(crate) use file::reason;
pub use file::{ImportError, read_text, text};
pub use finish::fill;
#[cfg(feature = "formats")]
pub(crate) use foreign::{decoder_of, system_of};
pub use maps::{
    extensions, extent, extent_by, fit_input, hand_image, heights, holds_heights, image,
    is_builtin, is_read_by_gdal, map_extensions, open_image, open_image_as, samples, samples_as,
    samples_by, samples_in, show_image, stored_metres,
};
pub use samples::{Ends, Extent, Meaning, Samples};
pub use scenes::{
    FilesNamed, Found, Group, Opened, Preset, find, inputs, inputs_by, is_palette_file,
    notice_of_reads, open, open_as, open_by, palette, palette_inputs, presets, read_scene, reads,
    recipe_fits, scene, scene_in, start, sum_of, sum_of_input, sum_of_text,
};

/// The most samples along a side of an image.
pub const MAX_SIDE: usize = 32_768;

/// True if a file has a sidecar that matches it.
#[must_use]
pub fn has_sidecar(file: &std::path::Path) -> bool {
    crate::files::formats::sidecar::fitting(file).is_some()
}
