//! `.bmp`: images in grey or colour with 8 bits per channel.

use image::ImageFormat;

use super::picture;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;

/// Reader of BMP images.
pub const READER: Reader = Reader {
    name: "BMP",
    extensions: &["bmp"],
    mark: Some(|bytes| bytes.starts_with(b"BM")),
    holds: Holding::Brightness(|source| picture::read(source, ImageFormat::Bmp, MOST)),
    recipe: |_| Ok(Recipe::None),
};

/// The most pixels per byte of file: a run of up to 255 pixels takes two bytes.
const MOST: f64 = 128.0;
