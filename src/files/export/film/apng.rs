//! Animated PNG writer, lossless. The scene is in a text chunk, as in a picture, so that the film can be
//! opened again as its landscape.

use std::io;

use png::{BitDepth, ColorType, Compression, Encoder, Writer};

use super::{FilmFormat, FilmWriter};
use crate::files::export::error::write_error;
use crate::files::export::file::Sink;
use crate::files::export::names::portable;
use crate::files::export::plan::as_json;
use crate::files::formats::checksum::Adds;
use crate::files::formats::png::{PICTURE_CHUNK, add_scene, sum_chunk, sum_of_rows};
use crate::util::job::Job;

/// Animated PNG format.
pub const APNG: FilmFormat = FilmFormat {
    name: "apng",
    extensions: &["png", "apng"],
    help: "animated PNG: every colour as it is, large",
    usual_size: (1280, 720),
    needs_ffmpeg: false,
    streams: true,
    check: |_| Ok(()),
    begin: |target, request, scene| {
        let failed = write_error(target.path());
        let broken = |error: ::png::EncodingError| failed(error.into());
        let (width, height) = request.size;
        let sink = target.sink()?;
        let mut encoder = Encoder::new(sink, width, height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        // In APNG 0 plays mean an endless loop.
        let plays = u32::from(!request.repeats);
        encoder
            .set_animated(request.count(), plays)
            .map_err(broken)?;
        encoder
            .set_frame_delay(1, request.fps as u16)
            .map_err(broken)?;
        add_scene(&mut encoder, &portable(scene, target.path())?).map_err(&failed)?;
        let asked = as_json(request, scene).to_string();
        encoder
            .add_text_chunk(PICTURE_CHUNK.to_owned(), asked)
            .map_err(broken)?;
        let writer = encoder.write_header().map_err(broken)?;
        Ok(Box::new(Animation {
            writer,
            size: request.size,
            sum: None,
        }))
    },
};

struct Animation {
    writer: Writer<Sink>,
    size: (u32, u32),
    /// Checksum chunk of the first frame, which programs without animation show.
    sum: Option<::png::text_metadata::TEXtChunk>,
}

impl FilmWriter for Animation {
    fn picture(&mut self, pixels: &[u8], _: &Job) -> io::Result<()> {
        if self.sum.is_none() {
            let (width, height) = self.size;
            let mut sum = sum_of_rows(height, width, ColorType::Rgb, BitDepth::Eight);
            sum.add(pixels);
            self.sum = Some(sum_chunk(&sum));
        }
        Ok(self.writer.write_image_data(pixels)?)
    }

    fn finish(mut self: Box<Self>, _: &Job) -> io::Result<()> {
        if let Some(sum) = &self.sum {
            self.writer.write_text_chunk(sum)?;
        }
        Ok(self.writer.finish()?)
    }
}
