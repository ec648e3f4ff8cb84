//! Pictures: 8-bit colour PNG with the scene in a text chunk, so that a picture can be opened
//! again as the landscape it shows.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use ::png::text_metadata::TEXtChunk;
use ::png::{BitDepth, ColorType, Compression, Decoder, Encoder};

use super::ExportError;
use super::scene::portable;
use super::target::{Target, write_error};
use crate::grid::Grid;
use crate::import::{Adds, ByteSum, SCENE_CHUNK, SUM_CHUNK, sum_of_rows};
use crate::scene::Scene;

/// Writes a picture (sRGB, row 0 at the top) of a scene as PNG, whatever the file's name.
///
/// # Errors
/// The file cannot be written.
pub fn picture(path: &Path, pixels: &Grid<[u8; 3]>, scene: &Scene) -> Result<(), ExportError> {
    let target = Target::create(path)?;
    let scene = &portable(scene, target.path());
    encode(pixels, scene, target.sink()?).map_err(write_error(path))?;
    target.commit()
}

/// Writes a picture as [`picture`] does, a band of rows at a time, so that it need not fit in
/// memory; with alpha if it is `transparent`. `make` hands the rows over, sRGB and alpha, from top
/// to bottom; `size` is that of the whole.
///
/// # Errors
/// The file cannot be written, there are not as many rows as said, and what `make` says.
pub fn picture_in_bands<E: From<ExportError>>(
    path: &Path,
    size: (u32, u32),
    transparent: bool,
    scene: &Scene,
    make: impl FnOnce(&mut dyn FnMut(&Grid<[u8; 4]>) -> Result<(), ExportError>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = write_error(path);
    let target = Target::create(path)?;
    let mut sink = target.sink()?;
    let color = match transparent {
        true => ColorType::Rgba,
        false => ColorType::Rgb,
    };
    let encoder = encoder(&mut sink, size, color, scene).map_err(&failed)?;
    let broken = |error: ::png::EncodingError| failed(error.into());
    let mut writer = encoder.write_header().map_err(broken)?;
    let mut sum = sum_of_rows(size.1, size.0, color, BitDepth::Eight);
    let mut stream = writer.stream_writer().map_err(broken)?;
    make(&mut |band| {
        let pixels = band.as_slice();
        let written = match transparent {
            true => {
                let bytes = bytemuck::cast_slice(pixels);
                sum.add(bytes);
                stream.write_all(bytes)
            }
            false => pixels.chunks(1 << 16).try_for_each(|pixels| {
                let opaque: Vec<_> = pixels.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
                let bytes = bytemuck::cast_slice(&opaque);
                sum.add(bytes);
                stream.write_all(bytes)
            }),
        };
        written.map_err(&failed)
    })?;
    stream.finish().map_err(broken)?;
    let chunk = sum_chunk(&sum);
    writer.write_text_chunk(&chunk).map_err(broken)?;
    writer.finish().map_err(broken)?;
    sink.flush().map_err(&failed)?;
    target.commit()?;
    Ok(())
}

/// Whether a file is a picture of that size, with alpha if and only if it is `transparent`.
#[must_use]
pub fn is_picture(path: &Path, size: (u32, u32), transparent: bool) -> bool {
    let Ok(file) = File::open(path) else {
        return false;
    };
    let reader = Decoder::new(BufReader::new(file)).read_info();
    reader.is_ok_and(|reader| {
        let info = reader.info();
        let alpha = info.color_type == ColorType::Rgba;
        (info.width, info.height) == size && alpha == transparent
    })
}

/// An encoder with the scene in it.
fn encoder<'a>(
    sink: &'a mut super::Sink,
    (width, height): (u32, u32),
    color: ColorType,
    scene: &Scene,
) -> io::Result<Encoder<'static, &'a mut super::Sink>> {
    let mut encoder = Encoder::new(sink, width, height);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    add_scene(&mut encoder, scene)?;
    Ok(encoder)
}

fn encode(pixels: &Grid<[u8; 3]>, scene: &Scene, mut sink: super::Sink) -> io::Result<()> {
    let size = (pixels.columns() as u32, pixels.rows() as u32);
    let encoder = encoder(&mut sink, size, ColorType::Rgb, scene)?;
    let mut writer = encoder.write_header()?;
    let bytes = bytemuck::cast_slice(pixels.as_slice());
    writer.write_image_data(bytes)?;
    let mut sum = sum_of_rows(size.1, size.0, ColorType::Rgb, BitDepth::Eight);
    sum.add(bytes);
    writer.write_text_chunk(&sum_chunk(&sum))?;
    writer.finish()?;
    sink.flush()
}

/// The chunk after the pixels, with their checksum.
pub(super) fn sum_chunk(sum: &ByteSum) -> TEXtChunk {
    TEXtChunk::new(SUM_CHUNK, sum.sum().text())
}

/// Puts the scene into a text chunk.
pub(super) fn add_scene<W: io::Write>(
    encoder: &mut Encoder<'_, W>,
    scene: &Scene,
) -> io::Result<()> {
    let text = scene.to_toml();
    if text.is_ascii() {
        encoder.add_text_chunk(SCENE_CHUNK.to_owned(), text)?;
    } else {
        encoder.add_itxt_chunk(SCENE_CHUNK.to_owned(), text)?;
    }
    Ok(())
}
