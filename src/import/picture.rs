//! What JPEG, BMP and PGM share: decoding through the `image` crate.

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::MAX_SIDE;
use super::brightness::of_pixels;
use super::samples::{Meaning, Samples};
use super::source::{Broken, Source, check_memory, check_room};

/// Bytes of a pixel while it is decoded, at most.
const DECODED: u64 = 16;

/// The brightness of every pixel; a byte of the file stands for at most `most` pixels.
pub fn read(source: &mut Source<'_>, format: ImageFormat, most: f64) -> Result<Samples, Broken> {
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
    // What the pixels need, and as much again for the decoder.
    limits.max_alloc = Some(pixels * DECODED + (8 << 20));
    reader.limits(limits);
    let image = reader.decode().map_err(explain)?;
    let top = match image {
        DynamicImage::ImageLuma16(_)
        | DynamicImage::ImageLumaA16(_)
        | DynamicImage::ImageRgb16(_)
        | DynamicImage::ImageRgba16(_) => u16::MAX,
        _ => 255,
    };
    let meaning = Meaning::Levels { top, heights: None };
    Samples::from_vec(rows.into(), columns.into(), luminance(&image), meaning)
        .map_err(|_| Broken::wrong("it holds more or fewer pixels than it says"))
}

/// Each pixel's brightness as stored.
fn luminance(image: &DynamicImage) -> Vec<f32> {
    fn of<T: Copy + Into<f32> + Into<f64>>(numbers: &[T], channels: usize) -> Vec<f32> {
        of_pixels(numbers.len() / channels, channels, |at| numbers[at])
    }
    match image {
        DynamicImage::ImageLuma8(image) => of(image, 1),
        DynamicImage::ImageLumaA8(image) => of(image, 2),
        DynamicImage::ImageLuma16(image) => of(image, 1),
        DynamicImage::ImageLumaA16(image) => of(image, 2),
        DynamicImage::ImageRgb8(image) => of(image, 3),
        DynamicImage::ImageRgba8(image) => of(image, 4),
        DynamicImage::ImageRgb16(image) => of(image, 3),
        DynamicImage::ImageRgba16(image) => of(image, 4),
        other => of(&other.to_rgb32f(), 3),
    }
}

fn explain(error: ImageError) -> Broken {
    match error {
        ImageError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}
