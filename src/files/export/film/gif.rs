//! GIF writer: a palette of 256 colours per frame, found by the NeuQuant neural network (Dekker, 1994),
//! with ordered dithering (Bayer, 1973). The dither pattern is fixed, so still parts of the film do not
//! flicker. A comment block names Landform as the program.

use std::io;

use color_quant::NeuQuant;
use gif::{Encoder, EncodingError, Extension, Frame, Repeat};

use super::{FilmFormat, FilmWriter};
use crate::files::export::error::{ExportError, write_error};
use crate::files::export::file::Sink;
use crate::files::formats::program::PROGRAM;
use crate::util::job::Job;
use crate::util::parallel;

/// Maximum frame rate: delays are in hundredths of a second, and players show a delay of 1 as 10.
const MOST_FPS: u32 = 50;
/// Sampling step of the network: it learns from every n-th pixel. 1 is best and slow, 30 is fast.
const LEARNING_STEP: i32 = 10;
/// Palette size.
const COLORS: usize = 256;
/// Amplitude of the dithering in levels of 0…255: about the distance between two palette colours.
const SPREAD: i32 = 8;
/// Bayer threshold matrix, 0…15.
const BAYER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// GIF format.
pub const GIF: FilmFormat = FilmFormat {
    name: "gif",
    extensions: &["gif"],
    help: "GIF: 256 colours a picture, at most 50 frames a second",
    usual_size: (640, 360),
    needs_ffmpeg: false,
    streams: true,
    check: |request| match request.fps {
        0..=MOST_FPS => Ok(()),
        fps => Err(ExportError::FilmPace {
            format: "gif",
            fps,
            most: MOST_FPS,
        }),
    },
    begin: |target, request, _| {
        let (width, height) = request.size;
        let size = (width as u16, height as u16);
        let begun = begin(target.sink()?, size, request.repeats);
        let encoder = begun
            .map_err(io_error)
            .map_err(write_error(target.path()))?;
        Ok(Box::new(Animation {
            encoder,
            size,
            fps: request.fps,
            count: 0,
        }))
    },
};

struct Animation {
    encoder: Encoder<Sink>,
    size: (u16, u16),
    fps: u32,
    /// Frames written so far.
    count: u64,
}

fn begin(
    sink: Sink,
    (width, height): (u16, u16),
    repeats: bool,
) -> Result<Encoder<Sink>, EncodingError> {
    let mut encoder = Encoder::new(sink, width, height, &[])?;
    encoder.write_raw_extension(Extension::Comment.into(), &[PROGRAM.as_bytes()])?;
    if repeats {
        encoder.set_repeat(Repeat::Infinite)?;
    }
    Ok(encoder)
}

impl FilmWriter for Animation {
    fn picture(&mut self, pixels: &[u8], _: &Job) -> io::Result<()> {
        let (palette, indices) = with_few_colors(pixels, self.size.0.into());
        // Difference of rounded times, so that rounding errors do not add up.
        let after = |count: u64| (count * 100 + u64::from(self.fps) / 2) / u64::from(self.fps);
        let delay = after(self.count + 1) - after(self.count);
        self.count += 1;
        let frame = Frame {
            width: self.size.0,
            height: self.size.1,
            delay: delay as u16,
            palette: Some(palette),
            buffer: indices.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(io_error)
    }

    fn finish(self: Box<Self>, _: &Job) -> io::Result<()> {
        let mut sink = self.encoder.into_inner().map_err(io_error)?;
        io::Write::flush(&mut sink)
    }
}

/// Quantize an image of `columns` columns: palette as RGB bytes, and a palette index for each pixel.
fn with_few_colors(pixels: &[u8], columns: usize) -> (Vec<u8>, Vec<u8>) {
    let opaque: Vec<u8> = (pixels.chunks_exact(3))
        .flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX])
        .collect();
    let network = NeuQuant::new(LEARNING_STEP, COLORS, &opaque);
    let mut indices = vec![0; pixels.len() / 3];
    let rows = indices
        .chunks_exact_mut(columns)
        .zip(pixels.chunks_exact(3 * columns));
    parallel::par_items(rows).for_each(|row, (indices, pixels)| {
        let mut last = ([0; 4], None);
        for (column, (index, pixel)) in indices.iter_mut().zip(pixels.chunks_exact(3)).enumerate() {
            let threshold = BAYER[row % 4][column % 4] * 2 - 15;
            let moved =
                |color: u8| (i32::from(color) + threshold * SPREAD / 32).clamp(0, 255) as u8;
            let wanted = [moved(pixel[0]), moved(pixel[1]), moved(pixel[2]), u8::MAX];
            // The palette search is slow, and neighbouring pixels are often equal.
            let found = match last {
                (color, Some(found)) if color == wanted => found,
                _ => network.index_of(&wanted) as u8,
            };
            last = (wanted, Some(found));
            *index = found;
        }
    });
    (network.color_map_rgb(), indices)
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}
