//! `.pgm`, `.ppm`, `.pbm`: Netpbm's grey maps of 8 and 16 bits, and their kin, text or binary.

use image::ImageFormat;

use super::picture;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;

/// The format.
pub const READER: Reader = Reader {
    name: "PGM",
    extensions: &["pgm", "ppm", "pbm", "pnm", "pam"],
    mark: Some(|bytes| matches!(bytes, [b'P', b'1'..=b'7', ..])),
    holds: Holding::Brightness(|source| picture::read(source, ImageFormat::Pnm, MOST)),
    recipe: |_| Ok(Recipe::None),
};

/// Black and white has 8 pixels a byte.
const MOST: f64 = 8.0;
