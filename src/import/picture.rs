//! PNG, JPEG, BMP, PGM and TIFF through the `image` crate, and what Landform itself writes into
//! the text chunks of a PNG.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use image::{DynamicImage, ImageError, ImageFormat, ImageReader, Limits};

use super::{ImportError, MAX_SIDE, broken, check_size, unreadable};
use crate::grid::Grid;
use crate::scene::Scene;

/// Text chunk that holds a picture's scene.
pub const SCENE_CHUNK: &str = "landform-scene";
/// Text chunk that holds the heights of black and white: two numbers.
pub const RANGE_CHUNK: &str = "landform-range";

/// Deflate shrinks a file to no less than a 1032nd.
const MOST_DEFLATED: u64 = 1032;

/// The image's values, see [`super::image`].
pub fn read(path: &Path, length: u64) -> Result<Grid<f32>, ImportError> {
    let file = File::open(path).map_err(unreadable(path))?;
    let open = |file: File| {
        ImageReader::new(BufReader::new(file))
            .with_guessed_format()
            .map_err(unreadable(path))
    };
    let mut reader = open(file.try_clone().map_err(unreadable(path))?)?;
    let Some(format) = reader.format() else {
        let message = "its content is none of PNG, JPEG, BMP, PGM, TIFF";
        return Err(broken(path, message));
    };
    reader.no_limits();
    let (columns, rows) = reader.into_dimensions().map_err(explain(path))?;
    check_size(path, columns.into(), rows.into())?;
    if format == ImageFormat::Png
        && u64::from(columns) * u64::from(rows) / 8 > length * MOST_DEFLATED
    {
        let message = format!("it says {columns} × {rows} pixels, {length} bytes cannot hold them");
        return Err(broken(path, &message));
    }
    if format == ImageFormat::Jpeg {
        check_jpeg_end(path, &file, length)?;
    }
    let mut file = file;
    file.seek(SeekFrom::Start(0)).map_err(unreadable(path))?;
    let mut reader = open(file)?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE as u32);
    limits.max_image_height = Some(MAX_SIDE as u32);
    limits.max_alloc = Some((MAX_SIDE * MAX_SIDE * 8) as u64);
    reader.limits(limits);
    let values = luminance(&reader.decode().map_err(explain(path))?);
    Grid::from_vec(rows as usize, columns as usize, values)
        .ok_or_else(|| broken(path, "it holds more or fewer pixels than it says"))
}

/// The values of an image in memory.
pub fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Grid<f32>, ImportError> {
    let image = image::load_from_memory(bytes).map_err(explain(path))?;
    let (columns, rows) = (image.width() as usize, image.height() as usize);
    Grid::from_vec(rows, columns, luminance(&image))
        .ok_or_else(|| broken(path, "it holds more or fewer pixels than it says"))
}

/// The decoder fills what is missing from a cut JPEG with grey, so its end is looked for here.
fn check_jpeg_end(path: &Path, mut file: &File, length: u64) -> Result<(), ImportError> {
    const END: [u8; 2] = [0xFF, 0xD9];
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(1 << 16)))
        .and_then(|_| file.read_to_end(&mut tail))
        .map_err(unreadable(path))?;
    if tail.windows(2).any(|pair| pair == END) {
        Ok(())
    } else {
        Err(broken(path, "the file is cut short"))
    }
}

/// Each pixel's brightness as stored.
fn luminance(image: &DynamicImage) -> Vec<f32> {
    fn grey<T: Copy + Into<f32>>(samples: &[T], channels: usize) -> Vec<f32> {
        samples
            .chunks_exact(channels)
            .map(|p| p[0].into())
            .collect()
    }
    // In f64 the weights add up to 1 closely enough that grey pixels keep their exact value.
    fn colour<T: Copy + Into<f64>>(samples: &[T], channels: usize) -> Vec<f32> {
        let luminance =
            |p: &[T]| 0.2126 * p[0].into() + 0.7152 * p[1].into() + 0.0722 * p[2].into();
        let pixels = samples.chunks_exact(channels);
        pixels.map(|pixel| luminance(pixel) as f32).collect()
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

fn explain(path: &Path) -> impl Fn(ImageError) -> ImportError {
    move |error| match error {
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            broken(path, "the file is cut short")
        }
        error => broken(path, &error.to_string()),
    }
}

/// The scene in a picture that Landform saved, if it is one.
pub fn embedded_scene(path: &Path) -> Option<Scene> {
    Scene::parse(&text_chunk(path, SCENE_CHUNK)?).ok()
}

/// The heights of black and white in a height map that Landform saved as PNG.
pub fn embedded_range(path: &Path) -> Option<(f32, f32)> {
    let text = text_chunk(path, RANGE_CHUNK)?;
    let mut numbers = text.split_whitespace().map(str::parse::<f32>);
    let (low, high) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// The text under `keyword` before the pixels of a PNG.
fn text_chunk(path: &Path, keyword: &str) -> Option<String> {
    let mut file = BufReader::new(File::open(path).ok()?);
    if !file.fill_buf().ok()?.starts_with(b"\x89PNG") {
        return None;
    }
    let reader = png::Decoder::new(file).read_info().ok()?;
    let info = reader.info();
    let mut latin = info.uncompressed_latin1_text.iter();
    if let Some(chunk) = latin.find(|chunk| chunk.keyword == keyword) {
        return Some(chunk.text.clone());
    }
    let chunk = info
        .utf8_text
        .iter()
        .find(|chunk| chunk.keyword == keyword)?;
    chunk.get_text().ok()
}
