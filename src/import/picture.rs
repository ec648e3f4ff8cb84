//! What PNG, JPEG, BMP and PGM share: decoding through the `image` crate, and brightness.

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::MAX_SIDE;
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
    fn grey<T: Copy + Into<f32>>(samples: &[T], channels: usize) -> Vec<f32> {
        samples
            .chunks_exact(channels)
            .map(|p| p[0].into())
            .collect()
    }
    fn colour<T: Copy + Into<f64>>(samples: &[T], channels: usize) -> Vec<f32> {
        let pixels = samples.chunks_exact(channels);
        let brightness = |p: &[T]| weighed([p[0], p[1], p[2]].map(Into::into));
        pixels.map(brightness).collect()
    }
    match image {
        DynamicImage::ImageLuma8(image) => grey(image, 1),
        DynamicImage::ImageLumaA8(image) => grey(image, 2),
        DynamicImage::ImageLuma16(image) => grey(image, 1),
        DynamicImage::ImageLumaA16(image) => grey(image, 2),
        DynamicImage::ImageRgb8(image) => colour(image, 3),
        DynamicImage::ImageRgba8(image) => colour(image, 4),
        DynamicImage::ImageRgb16(image) => colour(image, 3),
        DynamicImage::ImageRgba16(image) => colour(image, 4),
        other => colour(&other.to_rgb32f(), 3),
    }
}

/// The brightness of a colour, by the weights of Rec. 709. In f64 they add up to 1 closely enough
/// that grey pixels keep their exact value.
pub fn weighed([red, green, blue]: [f64; 3]) -> f32 {
    (0.2126 * red + 0.7152 * green + 0.0722 * blue) as f32
}

fn explain(error: ImageError) -> Broken {
    match error {
        ImageError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}
