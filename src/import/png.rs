//! `.png`: grey or colour of 1 to 16 bits, and what Landform itself writes into text chunks.

use image::ImageFormat;

use super::samples::{Meaning, Samples};
use super::source::{Broken, Source, check_room};
use super::{Format, picture};
use crate::scene::Scene;

/// The format.
pub const FORMAT: Format = Format {
    name: "PNG",
    extensions: &["png"],
    mark: Some(|bytes| bytes.starts_with(b"\x89PNG")),
    read,
    scene: |source| Scene::parse(&text_chunk(source, SCENE_CHUNK)?).ok(),
    is_heights: false,
    is_mesh: false,
};

/// Text chunk that holds a picture's scene.
pub const SCENE_CHUNK: &str = "landform-scene";
/// Text chunk that holds the heights of black and white: two numbers.
pub const RANGE_CHUNK: &str = "landform-range";

/// Deflate shrinks bytes to no less than a 1032nd.
pub const MOST_DEFLATED: f64 = 1032.0;

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    check_bits(source)?;
    source.rewind()?;
    // A pixel has a bit at least; how many it really has is checked above.
    let mut samples = picture::read(source, ImageFormat::Png, 8.0 * MOST_DEFLATED)?;
    if let Meaning::Levels { heights, .. } = &mut samples.meaning {
        *heights = range(source);
    }
    Ok(samples)
}

/// The heights of black and white in a height map that Landform saved.
fn range(source: &mut Source<'_>) -> Option<(f64, f64)> {
    let text = text_chunk(source, RANGE_CHUNK)?;
    let mut numbers = text.split_whitespace().map(str::parse::<f32>);
    let (low, high) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (low.is_finite() && high.is_finite()).then_some((low.into(), high.into()))
}

/// The size that the header says, against the bytes that there are.
fn check_bits(source: &mut Source<'_>) -> Result<(), Broken> {
    // Signature, length, name, then width, height, bits of a channel, kind of colour.
    let head = source.head(26)?;
    let Some(&[a, b, c, d, e, f, g, h, depth, kind]) = head.get(16..) else {
        return Err(Broken::cut_short());
    };
    let (columns, rows) = (
        u32::from_be_bytes([a, b, c, d]),
        u32::from_be_bytes([e, f, g, h]),
    );
    let channels = [1, 1, 3, 1, 2, 1, 4].get(usize::from(kind)).copied();
    let bits = f64::from(depth.max(1)) * f64::from(channels.unwrap_or(1));
    check_room(
        columns.into(),
        rows.into(),
        source.length,
        8.0 * MOST_DEFLATED / bits,
    )
}

/// The text under `keyword` before the pixels.
fn text_chunk(source: &mut Source<'_>, keyword: &str) -> Option<String> {
    source.rewind().ok()?;
    let reader = png::Decoder::new(&mut *source.bytes).read_info().ok()?;
    let info = reader.info();
    let mut latin = info.uncompressed_latin1_text.iter();
    if let Some(chunk) = latin.find(|chunk| chunk.keyword == keyword) {
        return Some(chunk.text.clone());
    }
    let mut utf8 = info.utf8_text.iter();
    let mut chunk = utf8.find(|chunk| chunk.keyword == keyword)?.clone();
    // Up to 2 MiB, unlike `get_text` alone.
    chunk.decompress_text().ok()?;
    chunk.get_text().ok()
}
