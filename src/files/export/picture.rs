//! Picture writer: 8-bit colour PNG with the scene in a text chunk, so that a picture can be opened again
//! as its landscape.

use std::io::{self, Write};
use std::path::Path;

use ::png::{BitDepth, ColorType, Compression, Encoder};

use super::error::{ExportError, write_error};
use super::file::{OutputFile, Sink, commit};
use super::outputs::{Output, check_outputs};
use super::portable::portable;
use super::request::{PictureRequest, as_json};
use crate::files::formats::checksum::Adds;
use crate::files::formats::png::{PICTURE_CHUNK, add_scene, sum_chunk, sum_of_rows};
use crate::files::import::reads;
use crate::generate::GenerateError;
use crate::scene::Scene;
use crate::terrain::grid::Grid;
use crate::util::job::Job;

/// Pixels that are encoded between two checks for cancellation: a few milliseconds.
const AT_ONCE: usize = 1 << 14;

/// Write a picture of a scene as PNG (sRGB, row 0 at the top), whatever the file name.
///
/// # Errors
/// The file cannot be written.
pub fn picture(path: &Path, pixels: &Grid<[u8; 3]>, scene: &Scene) -> Result<(), ExportError> {
    picture_unless_cancelled(path, pixels, scene, &Job::new())
}

/// As [`picture`], but keep the old file if the job is cancelled.
///
/// # Errors
/// As [`picture`], or the job was cancelled.
pub fn picture_unless_cancelled(
    path: &Path,
    pixels: &Grid<[u8; 3]>,
    scene: &Scene,
    job: &Job,
) -> Result<(), ExportError> {
    let request = PictureRequest {
        size: (pixels.columns() as u32, pixels.rows() as u32),
        samples: 1,
        transparent: false,
    };
    let opaque = |row: usize| {
        let pixels = pixels.row(row).iter();
        let pixels = pixels.map(|[r, g, b]| [*r, *g, *b, u8::MAX]).collect();
        Grid::from_vec(1, request.size.0 as usize, pixels).expect("a row of the picture")
    };
    picture_in_bands(path, request, scene, job, |put| {
        (0..pixels.rows()).try_for_each(|row| put(&opaque(row)))
    })
}

/// Write a picture like [`picture`], but one band of rows at a time, so that it need not fit in memory;
/// with alpha if it is transparent. `make` passes on the rows, sRGB with alpha, from top to bottom.
///
/// # Errors
/// The file cannot be written, the number of rows is wrong, `make` fails, or the job was cancelled.
pub fn picture_in_bands<E: From<ExportError>>(
    path: &Path,
    request: PictureRequest,
    scene: &Scene,
    job: &Job,
    make: impl FnOnce(&mut dyn FnMut(&Grid<[u8; 4]>) -> Result<(), ExportError>) -> Result<(), E>,
) -> Result<(), E> {
    let failed = write_error(path);
    let transparent = request.transparent;
    check_outputs(&[Output::picture(path, request)], &reads(scene), &|_| false)?;
    let target = OutputFile::create(path)?;
    let scene = &portable(scene, target.path()).map_err(ExportError::from)?;
    let mut sink = target.sink()?;
    let encoder = encoder(&mut sink, request, scene).map_err(&failed)?;
    let broken = |error: ::png::EncodingError| failed(error.into());
    let mut writer = encoder.write_header().map_err(broken)?;
    let (columns, rows) = request.size;
    let mut sum = sum_of_rows(rows, columns, color_of(request), BitDepth::Eight);
    let mut stream = writer.stream_writer().map_err(broken)?;
    make(&mut |band| {
        band.as_slice().chunks(AT_ONCE).try_for_each(|pixels| {
            job.check().map_err(GenerateError::from)?;
            let opaque: Vec<_>;
            let bytes = if transparent {
                bytemuck::cast_slice(pixels)
            } else {
                opaque = pixels.iter().map(|[r, g, b, _]| [*r, *g, *b]).collect();
                bytemuck::cast_slice(&opaque)
            };
            sum.add(bytes);
            stream.write_all(bytes).map_err(&failed)
        })
    })?;
    stream.finish().map_err(broken)?;
    let chunk = sum_chunk(&sum);
    writer.write_text_chunk(&chunk).map_err(broken)?;
    writer.finish().map_err(broken)?;
    sink.flush().map_err(&failed)?;
    commit(vec![target.into()], job)?;
    Ok(())
}

/// PNG encoder with text chunks for the scene and the request.
fn encoder<'a>(
    sink: &'a mut Sink,
    request: PictureRequest,
    scene: &Scene,
) -> io::Result<Encoder<'static, &'a mut Sink>> {
    let (width, height) = request.size;
    let mut encoder = Encoder::new(sink, width, height);
    encoder.set_color(color_of(request));
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    add_scene(&mut encoder, scene)?;
    let request = as_json(&request, scene).to_string();
    encoder.add_text_chunk(PICTURE_CHUNK.to_owned(), request)?;
    Ok(encoder)
}

fn color_of(request: PictureRequest) -> ColorType {
    if request.transparent {
        ColorType::Rgba
    } else {
        ColorType::Rgb
    }
}
