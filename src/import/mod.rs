//! Files into scenes, heights and palettes: one format a file, and a list of them.
//!
//! ```text
//! .toml                       a scene; or, where a scene names a palette, a palette
//! PNG, JPEG, BMP, PGM         brightness as heights
//! TIFF, OpenEXR, NumPy, ASC   heights; all of these are known by their content, not their name
//! .r16 .r32 .hgt              heights without a mark, known by their name
//! .zip .gz                    one of these in an archive
//! .obj .ply .stl .glb         meshes, for the scene that they were made from
//! builtin:NAME                an image that comes with the program
//! all else                    whatever GDAL's programs read, if they are installed
//! ```
//!
//! Readers are strict: a file that holds something they do not understand is left to GDAL, see `foreign`.
//! They hand out numbers as stored and what the file says of them (`raster`); one rule (`rule`) makes heights.
//!
//! Every file that Landform writes gives its scene back, from inside it or from the `.json`
//! beside it, see [`open`]; as heights it gives them back to the last bit. If an image that the scene names is
//! gone or another, the heights in the file count.
//!
//! No file makes the program take more memory than it can hold: of packed formats at most what
//! its packing can reach (a 1032nd for deflate, a 3000th for LZW, a 512th for JPEG), and a side of at
//! most [`MAX_SIDE`].

mod asc;
#[cfg(feature = "formats")]
mod bmp;
mod brightness;
mod builtin;
mod comments;
mod companions;
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
    sum_of_text,
};
pub use presets::{Group, Preset, presets, start};
pub use samples::{Ends, Meaning, Samples};

/// Most samples a side of an image.
pub const MAX_SIDE: usize = 32_768;

/// Whether a file has a sidecar that belongs to it.
#[must_use]
pub fn has_sidecar(file: &std::path::Path) -> bool {
    crate::formats::sidecar::fitting(file).is_some()
}
