//! PNG of several channels, written a few rows at a time, with the scene in a text chunk: such a
//! file opens again as the landscape that it was made from.

use std::io::{self, Write};

use ::png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::Asked;
use crate::export::picture::add_scene;
use crate::export::scene::portable;
use crate::export::target::{Target, write_error};
use crate::export::{ExportError, Sink};
use crate::formats::checksum::Adds;
use crate::formats::png::{DESCRIPTION_CHUNK, sum_chunk, sum_of_rows};
use crate::generate::GenerateError;
use crate::scene::Scene;

/// Takes the bytes of some rows.
pub type Rows<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// Why a picture is not complete.
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
    /// Writes the picture; `make` hands the bytes of all rows to what it is given.
    pub fn write(
        &self,
        asked: &Asked<'_>,
        target: &Target,
        make: impl FnOnce(&mut Rows<'_>) -> Result<(), Stop>,
    ) -> Result<(), ExportError> {
        let scene = portable(asked.scene, target.path());
        let done = self.write_into(asked, &scene, target.sink()?, make);
        asked.job.check().map_err(GenerateError::from)?;
        done.map_err(write_error(target.path()))
    }

    fn write_into(
        &self,
        asked: &Asked<'_>,
        scene: &Scene,
        mut sink: Sink,
        make: impl FnOnce(&mut Rows<'_>) -> Result<(), Stop>,
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
        encoder.add_text_chunk(DESCRIPTION_CHUNK.to_owned(), self.description.to_owned())?;
        add_scene(&mut encoder, scene)?;
        let mut writer = encoder.write_header()?;
        let [rows, columns] = [side(self.rows)?, side(self.columns)?];
        let mut sum = sum_of_rows(rows, columns, self.color, self.depth);
        let mut pixels = writer.stream_writer_with_size(1 << 18)?;
        let made = make(&mut |bytes| {
            // Little enough at once that a cancelled job stops soon.
            bytes.chunks(1 << 20).try_for_each(|bytes| {
                asked.job.check().map_err(io::Error::other)?;
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
