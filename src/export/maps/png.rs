//! PNG of several channels, written a few rows at a time, with the scene in a text chunk: such a
//! file opens again as the landscape that it was made from.

use std::io::{self, Write};

use ::png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::Asked;
use crate::export::Sink;
use crate::import::SCENE_CHUNK;

/// What a picture holds.
pub struct Picture<'a> {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Its channels.
    pub color: ColorType,
    /// Their bits; 16-bit samples are given high byte first.
    pub depth: BitDepth,
    /// What it shows, for its text chunk.
    pub description: &'a str,
}

impl Picture<'_> {
    /// Writes the picture into `sink`; `rows` makes the bytes of all rows by calling the writer
    /// that it is given.
    pub fn write(
        &self,
        asked: &Asked<'_>,
        mut sink: Sink,
        rows: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
    ) -> io::Result<()> {
        let side = |samples: usize| {
            u32::try_from(samples).map_err(|_| io::Error::other("too many samples for a PNG"))
        };
        let mut encoder = Encoder::new(&mut sink, side(self.columns)?, side(self.rows)?);
        encoder.set_color(self.color);
        encoder.set_depth(self.depth);
        encoder.set_compression(Compression::Fast);
        if self.depth == BitDepth::Sixteen {
            encoder.set_filter(Filter::Paeth);
        }
        encoder.add_text_chunk("Description".to_owned(), self.description.to_owned())?;
        let scene = asked.scene.to_toml();
        if scene.is_ascii() {
            encoder.add_text_chunk(SCENE_CHUNK.to_owned(), scene)?;
        } else {
            encoder.add_itxt_chunk(SCENE_CHUNK.to_owned(), scene)?;
        }
        let mut writer = encoder.write_header()?;
        let mut pixels = writer.stream_writer_with_size(1 << 18)?;
        rows(&mut |bytes| {
            // Little enough at once that a cancelled job stops soon.
            bytes.chunks(1 << 20).try_for_each(|bytes| {
                asked.job.check().map_err(io::Error::other)?;
                pixels.write_all(bytes)
            })
        })?;
        pixels.finish()?;
        writer.finish()?;
        sink.flush()
    }
}
