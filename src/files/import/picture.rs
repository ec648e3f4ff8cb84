//! Decoding of JPEG, BMP and Netpbm images with the `image` crate.

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::MAX_SIDE;
use super::brightness::{self, Pixels};
use super::raster::Raster;
use super::source::{Broken, Source, check_memory, check_room};

/// The memory limit per pixel while an image is decoded, in bytes.
const DECODED: u64 = 16;

/// Decode an image to brightness. `most` is the largest number of pixels per byte of the file.
pub fn read(source: &mut Source<'_>, format: ImageFormat, most: f64) -> Result<Raster, Broken> {
    let mut reader = ImageReader::with_format(&mut *source.bytes, format);
    reader.no_limits();
    let decoder = reader.into_decoder().map_err(explain)?;
    let ((columns, rows), decoded) = (decoder.dimensions(), decoder.total_bytes());
    drop(decoder);
    check_room(columns.into(), rows.into(), source.length, most)?;
    let pixels = u64::from(columns) * u64::from(rows);
    check_memory(columns.into(), rows.into(), decoded.div_ceil(pixels.max(1)))?;
    source.rewind()?;
    let mut reader = ImageReader::with_format(&mut *source.bytes, format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE as u32);
    limits.max_image_height = Some(MAX_SIDE as u32);
    // The limit covers the decoded pixels and as much again for the decoder.
    limits.max_alloc = Some(pixels * DECODED + (8 << 20));
    reader.limits(limits);
    let image = reader.decode().map_err(explain)?;
    let pixels = match &image {
        DynamicImage::ImageLuma8(image) => Pixels::Bytes(image, 1),
        DynamicImage::ImageLumaA8(image) => Pixels::Bytes(image, 2),
        DynamicImage::ImageLuma16(image) => Pixels::Shorts(image, 1),
        DynamicImage::ImageLumaA16(image) => Pixels::Shorts(image, 2),
        DynamicImage::ImageRgb8(image) => Pixels::Bytes(image, 3),
        DynamicImage::ImageRgba8(image) => Pixels::Bytes(image, 4),
        DynamicImage::ImageRgb16(image) => Pixels::Shorts(image, 3),
        DynamicImage::ImageRgba16(image) => Pixels::Shorts(image, 4),
        _ => return Err(Broken::wrong("pixels of floats, allowed are whole numbers")),
    };
    brightness::raster(
        [rows.into(), columns.into()],
        &pixels,
        source.beside.reading.coding,
    )
}

fn explain(error: ImageError) -> Broken {
    match error {
        ImageError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}
