//! Text chunks of PNG files, and the checksum of their pixels.

use std::io::{self, Write};

use png::text_metadata::TEXtChunk;
use png::{BitDepth, ColorType, Encoder};

use super::checksum::{Adds, ByteSum};
use crate::scene::Scene;

/// Magic number, the first eight bytes.
pub const SIGNATURE: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
/// Types of text chunks.
pub const TEXT_CHUNKS: [&[u8; 4]; 3] = [b"tEXt", b"zTXt", b"iTXt"];
/// Keyword of the text chunk with the scene.
pub const SCENE_CHUNK: &str = "landform-scene";
/// Keyword of the text chunk with the heights and the size of a grey image, see [`range_text`].
pub const RANGE_CHUNK: &str = "landform-range";
/// Keyword of the text chunk with the checksum of the pixels, which follows them.
pub const SUM_CHUNK: &str = "landform-samples";
/// Keyword of the text chunk with the request for a picture, as JSON.
pub const PICTURE_CHUNK: &str = "landform-request";
/// Keyword of the text chunk with the program, in textures of meshes.
pub const PROGRAM_CHUNK: &str = "Software";
/// Keyword of the text chunk that describes a picture.
pub const DESCRIPTION_CHUNK: &str = "Description";

/// Text of a range chunk: the heights of black and white in half tiles, the sample spacing in metres, and
/// the tile size in metres.
#[must_use]
pub fn range_text((low, high): (f32, f32), step_m: f64, tile_size_m: f32) -> String {
    format!("{low} {high} {step_m} {tile_size_m}")
}

/// Heights of black and white from the text of a range chunk.
#[must_use]
pub fn heights_in(text: &str) -> Option<(f32, f32)> {
    let mut numbers = text.split_whitespace().map(str::parse::<f32>);
    let (low, high) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// Sample spacing and tile size in metres from the text of a range chunk. Older files lack both.
#[must_use]
pub fn spacing_in(text: &str) -> Option<(f64, f32)> {
    let mut numbers = text.split_whitespace().skip(2);
    let (step, tile): (f64, f32) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
    let is_usable = tile > 0.0 && tile.is_finite() && step > 0.0 && step.is_finite();
    is_usable.then_some((step, tile))
}

/// Start the checksum of an image's size, colour type and bit depth. The caller adds the bytes of all
/// rows, without filter bytes or compression.
#[must_use]
pub fn sum_of_rows(rows: u32, columns: u32, color: ColorType, depth: BitDepth) -> ByteSum {
    let mut sum = ByteSum::new(rows as usize, columns as usize);
    sum.add(&[color as u8, depth as u8]);
    sum
}

/// Checksum chunk that follows the pixels.
#[must_use]
pub fn sum_chunk(sum: &ByteSum) -> TEXtChunk {
    TEXtChunk::new(SUM_CHUNK, sum.sum().text())
}

/// Add the scene as a text chunk.
///
/// # Errors
/// The text does not fit into a chunk.
pub fn add_scene<W: Write>(encoder: &mut Encoder<'_, W>, scene: &Scene) -> io::Result<()> {
    let text = scene.to_toml();
    if text.is_ascii() {
        encoder.add_text_chunk(SCENE_CHUNK.to_owned(), text)?;
    } else {
        encoder.add_itxt_chunk(SCENE_CHUNK.to_owned(), text)?;
    }
    Ok(())
}
