//! Streaming PNG writer for pictures of several channels. The scene is in a text chunk, so that the file
//! can be opened again as the landscape that it was made from.

use std::io::{self, Write};

use ::png::{BitDepth, ColorType, Compression, Encoder, Filter};

use crate::files::export::error::{ExportError, write_error};
use crate::files::export::file::{Complete, OutputFile, Sink, commit};
use crate::files::export::piece::Piece;
use crate::files::export::plan::OpenFile;
use crate::files::export::portable::portable;
use crate::files::export::request::as_json;
use crate::files::export::sidecar;
use crate::files::export::written::Written;
use crate::files::formats::checksum::Adds;
use crate::files::formats::png::{DESCRIPTION_CHUNK, add_scene, sum_chunk, sum_of_rows};
use crate::files::formats::sidecar::BandInPicture;
use crate::generate::GenerateError;
use crate::scene::Scene;
use crate::shading::maps::Map;

/// Sink for the bytes of some rows.
pub type PixelSink<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// Error that ended the making of a picture.
pub struct Stop(io::Error);

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

impl From<GenerateError> for Stop {
    fn from(error: GenerateError) -> Self {
        Self(io::Error::other(error))
    }
}

/// Layout of a picture.
pub struct Picture<'a> {
    /// Rows and columns.
    pub size: [usize; 2],
    /// Channels.
    pub color: ColorType,
    /// Bits a channel; 16-bit samples are big-endian.
    pub depth: BitDepth,
    /// Description for the text chunk.
    pub description: &'a str,
}

impl Picture<'_> {
    /// Layout of a colour picture.
    pub fn rgb(map: &Map, size: [usize; 2], depth: BitDepth) -> Self {
        Self {
            size,
            color: ColorType::Rgb,
            depth,
            description: map.help,
        }
    }

    /// Write the picture; `make` passes the bytes of all rows to its sink.
    pub fn write(
        &self,
        piece: &Piece<'_>,
        target: &OutputFile,
        make: impl FnOnce(&mut PixelSink<'_>) -> Result<(), Stop>,
    ) -> Result<(), ExportError> {
        let scene = portable(piece.scene, target.path())?;
        let done = self.write_into(piece, &scene, target.sink()?, make);
        piece.job.check().map_err(GenerateError::from)?;
        done.map_err(write_error(target.path()))
    }

    fn write_into(
        &self,
        piece: &Piece<'_>,
        scene: &Scene,
        mut sink: Sink,
        make: impl FnOnce(&mut PixelSink<'_>) -> Result<(), Stop>,
    ) -> io::Result<()> {
        let side = |samples: usize| {
            u32::try_from(samples).map_err(|_| io::Error::other("too many samples for a PNG"))
        };
        let [rows, columns] = self.size;
        let (rows, columns) = (side(rows)?, side(columns)?);
        let mut encoder = Encoder::new(&mut sink, columns, rows);
        encoder.set_color(self.color);
        encoder.set_depth(self.depth);
        encoder.set_compression(Compression::Fast);
        if self.depth == BitDepth::Sixteen {
            encoder.set_filter(Filter::Paeth);
        }
        encoder.add_text_chunk(DESCRIPTION_CHUNK.to_owned(), self.description.to_owned())?;
        add_scene(&mut encoder, scene)?;
        let mut writer = encoder.write_header()?;
        let mut sum = sum_of_rows(rows, columns, self.color, self.depth);
        let mut pixels = writer.stream_writer_with_size(1 << 18)?;
        let made = make(&mut |bytes| {
            // In small portions, so that a cancelled job stops soon.
            bytes.chunks(1 << 20).try_for_each(|bytes| {
                piece.job.check().map_err(io::Error::other)?;
                sum.add(bytes);
                pixels.write_all(bytes)
            })
        });
        made.map_err(|Stop(error)| error)?;
        pixels.finish()?;
        writer.write_text_chunk(&sum_chunk(&sum))?;
        writer.finish()?;
        sink.flush()
    }
}

/// Rename complete pictures of one size into place and write their sidecars, with the bands of each.
pub fn finish(
    piece: &Piece<'_>,
    files: Vec<(OpenFile, Vec<BandInPicture>)>,
    size: [usize; 2],
) -> Result<Written, ExportError> {
    let complete = files.into_iter().map(|(file, bands)| {
        let request = as_json(&file.request, piece.scene);
        let path = file.target.path();
        let sidecar = sidecar::of_picture(piece.map, bands, piece.scene, size, request, path)?;
        Ok(Complete {
            sidecar: Some(sidecar),
            ..file.target.into()
        })
    });
    commit(complete.collect::<Result<_, ExportError>>()?, piece.job)?;
    Ok(Written::of_size(size))
}
