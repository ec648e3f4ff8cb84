//! Import: files are read as scenes, height maps or palettes. One module per format, and a registry of
//! readers.
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
#[cfg(feature = "formats")]
mod bmp;
mod brightness;
mod builtin;
mod comments;
mod companions;
#[cfg(feature = "formats")]
mod decoded_cache;
mod error;
#[cfg(feature = "formats")]
mod exr;
mod extent;
mod file;
mod fill;
mod finish;
#[cfg(feature = "formats")]
mod foreign;
mod glb;
mod hgt;
mod inputs;
#[cfg(feature = "formats")]
mod jpeg;
mod list;
mod maps;
mod notices;
mod npy;
mod obj;
mod opening;
#[cfg(feature = "formats")]
mod pgm;
#[cfg(feature = "formats")]
mod picture;
mod place;
mod ply;
mod png;
mod presets;
mod raster;
mod raw;
mod reader;
mod recipe;
mod rule;
mod samples;
mod sidecar;
mod source;
mod squares;
mod stl;
#[cfg(feature = "formats")]
mod tiff;
mod units;
#[cfg(feature = "formats")]
mod virtual_files;
#[cfg(feature = "formats")]
mod zip;

pub use builtin::is_builtin;
pub use error::ImportError;
pub(crate) use error::reason;
pub use extent::Extent;
pub use file::{read_text, text};
pub use fill::fill;
#[cfg(feature = "formats")]
pub(crate) use foreign::{decoder_of, system_of};
pub use inputs::{FilesNamed, inputs, inputs_by, notice_of_reads, palette, palette_inputs, reads};
pub use list::{extensions, holds_heights, is_read_by_gdal, map_extensions};
pub use maps::{
    extent, extent_by, fit_input, hand_image, heights, image, open_image, open_image_as, samples,
    samples_as, samples_by, samples_in, show_image, stored_metres,
};
pub use opening::{
    Found, Opened, find, open, open_as, open_by, read_scene, recipe_fits, scene, scene_in, sum_of,
    sum_of_input, sum_of_text,
};
pub use presets::{Group, Preset, presets, start};
pub use samples::{Ends, Meaning, Samples};

/// The most samples along a side of an image.
pub const MAX_SIDE: usize = 32_768;

/// True if a file has a sidecar that matches it.
#[must_use]
pub fn has_sidecar(file: &std::path::Path) -> bool {
    crate::files::formats::sidecar::fitting(file).is_some()
}
