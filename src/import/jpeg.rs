//! `.jpg`: 8-bit brightness. Lossy: for pictures, not for heights.

use image::ImageFormat;

use super::picture;
use super::raster::Raster;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::source::{Broken, Source};

/// The format.
pub const READER: Reader = Reader {
    name: "JPEG",
    extensions: &["jpg", "jpeg"],
    mark: Some(|bytes| bytes.starts_with(b"\xFF\xD8\xFF")),
    holds: Holding::Brightness(read),
    recipe: |_| Ok(Recipe::None),
};

/// A block of 64 pixels has a bit at least.
const MOST: f64 = 512.0;

fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    // The decoder fills what is missing from a cut file with grey, so its end is looked for here.
    let tail = source.tail(1 << 16)?;
    if !tail.windows(2).any(|pair| pair == b"\xFF\xD9") {
        return Err(Broken::cut_short());
    }
    source.rewind()?;
    picture::read(source, ImageFormat::Jpeg, MOST)
}
