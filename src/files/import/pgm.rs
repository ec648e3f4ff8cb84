//! `.pgm`, `.ppm`, `.pbm`: Netpbm images with 8 or 16 bits, text or binary.

use image::ImageFormat;

use super::picture;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;

/// Reader of Netpbm images.
pub const READER: Reader = Reader {
    name: "PGM",
    extensions: &["pgm", "ppm", "pbm", "pnm", "pam"],
    mark: Some(|bytes| matches!(bytes, [b'P', b'1'..=b'7', ..])),
    holds: Holding::Brightness(|source| picture::read(source, ImageFormat::Pnm, MOST)),
    recipe: |_| Ok(Recipe::None),
};

/// The most pixels per byte of file: a bitmap has 8.
const MOST: f64 = 8.0;
