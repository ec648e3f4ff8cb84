//! `.jpg`: 8-bit JPEG images. The compression is lossy: suited to pictures, not to heights.

use image::ImageFormat;

use super::picture;
use super::raster::Raster;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::source::{Broken, Source};

/// Reader of JPEG images.
pub const READER: Reader = Reader {
    name: "JPEG",
    extensions: &["jpg", "jpeg"],
    mark: Some(|bytes| bytes.starts_with(b"\xFF\xD8\xFF")),
    holds: Holding::Brightness(read),
    recipe: |_| Ok(Recipe::None),
};

/// The most pixels per byte of file: a block of 64 pixels takes at least one bit.
const MOST: f64 = 512.0;

fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    // The decoder pads a truncated file with grey, so the end marker is checked here.
    let tail = source.tail(1 << 16)?;
    if !tail.windows(2).any(|pair| pair == b"\xFF\xD9") {
        return Err(Broken::cut_short());
    }
    source.rewind()?;
    picture::read(source, ImageFormat::Jpeg, MOST)
}
