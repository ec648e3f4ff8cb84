//! `.bmp`: grey or colour of 8 bits a channel.

use image::ImageFormat;

use super::recipe::Recipe;
use super::{Format, picture};

/// The format.
pub const FORMAT: Format = Format {
    name: "BMP",
    extensions: &["bmp"],
    mark: Some(|bytes| bytes.starts_with(b"BM")),
    read: |source| picture::read(source, ImageFormat::Bmp, MOST),
    recipe: |_| Ok(Recipe::None),
    is_heights: false,
    is_mesh: false,
};

/// A run of up to 255 pixels takes two bytes.
const MOST: f64 = 128.0;
