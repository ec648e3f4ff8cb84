//! `.pgm`, `.ppm`, `.pbm`: Netpbm's grey maps of 8 and 16 bits, and their kin, text or binary.

use image::ImageFormat;

use super::recipe::Recipe;
use super::{Format, picture};

/// The format.
pub const FORMAT: Format = Format {
    name: "PGM",
    extensions: &["pgm", "ppm", "pbm", "pnm", "pam"],
    mark: Some(|bytes| matches!(bytes, [b'P', b'1'..=b'7', ..])),
    read: |source| picture::read(source, ImageFormat::Pnm, MOST),
    recipe: |_| Ok(Recipe::None),
    is_heights: false,
    is_mesh: false,
};

/// Black and white has 8 pixels a byte.
const MOST: f64 = 8.0;
