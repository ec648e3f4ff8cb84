//! `.jpg`, `.bmp`, `.pgm`: images decoded with the `image` crate.

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::MAX_SIDE;
use super::brightness::{self, Pixels};
use super::reader::{Broken, Holding, Raster, Reader, Recipe, Source, check_memory, check_room};

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
        _ => return Err(Broken::wrong("pixels of floats; allowed: whole numbers")),
    };
    brightness::raster(
        [rows.into(), columns.into()],
        &pixels,
        source.context.reading.coding,
    )
}

fn explain(error: ImageError) -> Broken {
    match error {
        ImageError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}

// `.jpg`: 8-bit JPEG images. The compression is lossy: suited to pictures, not to heights.

/// Reader of JPEG images.
pub const JPEG: Reader = Reader {
    name: "JPEG",
    extensions: &["jpg", "jpeg"],
    mark: Some(|bytes| bytes.starts_with(b"\xFF\xD8\xFF")),
    holds: Holding::Brightness(read_jpeg),
    recipe: |_| Ok(Recipe::None),
};

fn read_jpeg(source: &mut Source<'_>) -> Result<Raster, Broken> {
    // The decoder pads a truncated file with grey, so the end marker is checked here.
    let tail = source.tail(1 << 16)?;
    if !tail.windows(2).any(|pair| pair == b"\xFF\xD9") {
        return Err(Broken::cut_short());
    }
    source.rewind()?;
    // A block of 64 pixels takes at least one bit.
    read(source, ImageFormat::Jpeg, 512.0)
}

// `.bmp`: images in grey or colour with 8 bits per channel.

/// Reader of BMP images.
pub const BMP: Reader = Reader {
    name: "BMP",
    extensions: &["bmp"],
    mark: Some(|bytes| bytes.starts_with(b"BM")),
    // A run of up to 255 pixels takes two bytes.
    holds: Holding::Brightness(|source| read(source, ImageFormat::Bmp, 128.0)),
    recipe: |_| Ok(Recipe::None),
};

// `.pgm`, `.ppm`, `.pbm`: Netpbm images with 8 or 16 bits, text or binary.

/// Reader of Netpbm images.
pub const PGM: Reader = Reader {
    name: "PGM",
    extensions: &["pgm", "ppm", "pbm", "pnm", "pam"],
    mark: Some(|bytes| matches!(bytes, [b'P', b'1'..=b'7', ..])),
    // A bitmap has 8 pixels per byte.
    holds: Holding::Brightness(|source| read(source, ImageFormat::Pnm, 8.0)),
    recipe: |_| Ok(Recipe::None),
};
