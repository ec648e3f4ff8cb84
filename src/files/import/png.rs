//! `.png`: images in grey or colour with 1 to 16 bits, and Landform's own text chunks.

use std::io::SeekFrom;

use png::{BitDepth, Decoder, DecodingError, Info, Limits, Transformations};

use super::brightness::{self, Pixels};
use super::reader::{Broken, Holding, Raster, Reader, Recipe, Source, check_memory, check_room};
use crate::files::formats::checksum::{Adds, Sum};
use crate::files::formats::png::{
    RANGE_CHUNK, SCENE_CHUNK, SIGNATURE, SUM_CHUNK, TEXT_CHUNKS, heights_in, spacing_in,
    sum_of_rows,
};
use crate::scene::Scene;

/// Reader of PNG images.
pub const READER: Reader = Reader {
    name: "PNG",
    extensions: &["png"],
    mark: Some(|bytes| bytes.starts_with(&SIGNATURE[..4])),
    holds: Holding::Brightness(read),
    recipe,
};

/// The largest compression ratio of deflate.
pub const MOST_DEFLATED: f64 = 1032.0;
/// The memory limit for metadata such as texts and colour profiles, in bytes.
const MOST_BESIDE: usize = 64 << 20;

fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    check_bits(source)?;
    let mut raster = pixels(source)?;
    let Some(text) = text_chunk(source, RANGE_CHUNK) else {
        return Ok(raster);
    };
    let is_as_written = is_as_written(source);
    raster.step_heights = heights_in(&text).map(|(low, high)| (low.into(), high.into()));
    raster.old_step_heights = raster.step_heights.filter(|_| !is_as_written);
    if let Some((step, tile)) = spacing_in(&text) {
        raster.steps_tile_m = Some(tile);
        raster.stated.is_ours = true;
        raster.stated.step_m = Some([step, step]);
        if !is_as_written {
            let words = format!("{step} m between samples, as before it was changed");
            raster.stated.assumed_spacing.push(words);
        }
    }
    Ok(raster)
}

/// Decode the brightness of all pixels; palettes are expanded.
fn pixels(source: &mut Source<'_>) -> Result<Raster, Broken> {
    source.rewind()?;
    let coding = source.context.reading.coding;
    let mut decoder = Decoder::new_with_limits(&mut *source.bytes, Limits { bytes: MOST_BESIDE });
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(explain)?;
    let (columns, rows) = (reader.info().width.into(), reader.info().height.into());
    let (color, depth) = reader.output_color_type();
    let channels = color.samples();
    let bytes_each = if depth == BitDepth::Sixteen { 2 } else { 1 };
    check_memory(columns, rows, (channels * bytes_each) as u64)?;
    let length = reader.output_buffer_size();
    let mut bytes = vec![0; length.ok_or_else(|| Broken::wrong("too many pixels"))?];
    reader.next_frame(&mut bytes).map_err(explain)?;
    if bytes_each == 1 {
        return brightness::raster([rows, columns], &Pixels::Bytes(&bytes, channels), coding);
    }
    let numbers = bytes.as_chunks::<2>().0.iter();
    let numbers: Vec<u16> = numbers.map(|bytes| u16::from_be_bytes(*bytes)).collect();
    drop(bytes);
    brightness::raster([rows, columns], &Pixels::Shorts(&numbers, channels), coding)
}

/// Convert a decoder's error to an import error.
fn explain(error: DecodingError) -> Broken {
    match error {
        DecodingError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}

/// True if the checksum in the text chunks matches the pixels.
fn is_as_written(source: &mut Source<'_>) -> bool {
    let stated = text_chunk(source, SUM_CHUNK);
    stated.is_some_and(|stated| sum(source).is_ok_and(|sum| sum.text() == stated.trim()))
}

/// Check the image size in the header against the length of the file.
fn check_bits(source: &mut Source<'_>) -> Result<(), Broken> {
    // Signature, chunk length and type, then width, height, bit depth and colour type.
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

/// Read the scene from a text chunk, and check it against the pixels.
fn recipe(source: &mut Source<'_>) -> Result<Recipe, Broken> {
    let Some(text) = text_chunk(source, SCENE_CHUNK) else {
        // The chunk may exist but be broken.
        let lost = has_chunk(source, SCENE_CHUNK);
        let words = "its recipe cannot be read (its text chunk is broken)";
        return Ok(if lost {
            Recipe::Useless(words.to_owned())
        } else {
            Recipe::None
        });
    };
    let scene = Scene::parse(&text).map_err(|error| error.to_string());
    let stated = scene.is_ok().then(|| text_chunk(source, SUM_CHUNK));
    let stated = stated.flatten();
    Ok(Recipe::of(scene, stated.as_deref(), || sum(source)))
}

/// The checksum of the pixels.
fn sum(source: &mut Source<'_>) -> Result<Sum, Broken> {
    check_bits(source)?;
    source.rewind()?;
    let mut decoder = png::Decoder::new(&mut *source.bytes);
    decoder.set_transformations(Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(explain)?;
    let info = reader.info();
    let mut sum = sum_of_rows(info.height, info.width, info.color_type, info.bit_depth);
    while let Some(row) = reader.next_row().map_err(explain)? {
        sum.add(row.data());
    }
    Ok(sum.sum())
}

/// Read the text under `keyword`, before the pixels or after them, where other programs write it.
fn text_chunk(source: &mut Source<'_>, keyword: &str) -> Option<String> {
    if !has_chunk(source, keyword) {
        return None;
    }
    source.rewind().ok()?;
    let mut reader = png::Decoder::new(&mut *source.bytes).read_info().ok()?;
    if let Some(text) = text_in(reader.info(), keyword) {
        return Some(text);
    }
    reader.finish().ok()?;
    text_in(reader.info(), keyword)
}

fn text_in(info: &Info<'_>, keyword: &str) -> Option<String> {
    let mut latin = info.uncompressed_latin1_text.iter();
    if let Some(chunk) = latin.find(|chunk| chunk.keyword == keyword) {
        return Some(chunk.text.clone());
    }
    let mut packed = info.compressed_latin1_text.iter();
    if let Some(chunk) = packed.find(|chunk| chunk.keyword == keyword) {
        let mut chunk = chunk.clone();
        chunk.decompress_text().ok()?;
        return chunk.get_text().ok();
    }
    let mut utf8 = info.utf8_text.iter();
    let mut chunk = utf8.find(|chunk| chunk.keyword == keyword)?.clone();
    // Allows up to 2 MiB, more than `get_text` alone.
    chunk.decompress_text().ok()?;
    chunk.get_text().ok()
}

/// True if a text chunk with `keyword` exists anywhere in the file. Chunks are not decompressed.
fn has_chunk(source: &mut Source<'_>, keyword: &str) -> bool {
    let mut place = SIGNATURE.len() as u64;
    while place + 12 <= source.length {
        let mut head = [0; 8];
        let there = source.bytes.seek(SeekFrom::Start(place));
        if there.is_err() || source.bytes.read_exact(&mut head).is_err() {
            return false;
        }
        let [a, b, c, d, name @ ..] = head;
        let length = u64::from(u32::from_be_bytes([a, b, c, d]));
        if TEXT_CHUNKS.contains(&&name) {
            let mut found = vec![0; keyword.len() + 1];
            let read = source.bytes.read_exact(&mut found);
            if read.is_ok() && found.strip_suffix(&[0]) == Some(keyword.as_bytes()) {
                return true;
            }
        }
        place += length + 12;
    }
    false
}
