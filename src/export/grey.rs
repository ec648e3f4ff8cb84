//! `.png`: grey of 16 or 8 bits, the lowest height black, the highest white; the range is in a text chunk.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ::png::{BitDepth, ColorType, Compression, Encoder, Filter, StreamWriter};

use super::picture::add_scene;
use super::raw::Quantizer;
use super::{Content, Format, Header, RowWriter, Sink, Unit};
use crate::import::RANGE_CHUNK;

/// 16 bits a sample.
pub const PNG: Format = Format {
    name: "png",
    extension: "png",
    levels: Some(65_535),
    mesh: false,
    unit: Unit::HalfTiles,
    says_north: false,
    least_bytes: 0,
    help: "16-bit grey image, row 0 is north: lowest height 0, highest 65535.",
    content: Content::Rows {
        begin: |header, sink| Ok(Box::new(Grey::begin(header, sink, BitDepth::Sixteen)?)),
    },
};

/// 8 bits a sample: shows steps, for programs that read nothing else.
pub const PNG8: Format = Format {
    name: "png8",
    extension: "png",
    levels: Some(255),
    mesh: false,
    unit: Unit::HalfTiles,
    says_north: false,
    least_bytes: 0,
    help: "8-bit grey image: lowest height 0, highest 255; slopes become steps.",
    content: Content::Rows {
        begin: |header, sink| Ok(Box::new(Grey::begin(header, sink, BitDepth::Eight)?)),
    },
};

struct Grey {
    pixels: StreamWriter<'static, Shared>,
    sink: Shared,
    quantizer: Quantizer,
    /// Whether a sample has 8 bits.
    is_narrow: bool,
    steps: Vec<u16>,
    bytes: Vec<u8>,
}

impl Grey {
    fn begin(header: &Header<'_>, sink: Sink, depth: BitDepth) -> io::Result<Self> {
        let top = match depth {
            BitDepth::Eight => 255,
            _ => u16::MAX,
        };
        let sink = Shared(Rc::new(RefCell::new(sink)));
        let side = |samples: usize| {
            u32::try_from(samples).map_err(|_| io::Error::other("too many samples for a PNG"))
        };
        let mut encoder = Encoder::new(sink.clone(), side(header.columns)?, side(header.rows)?);
        encoder.set_color(ColorType::Grayscale);
        encoder.set_depth(depth);
        // Measured at 2049²: 7.33 MB; Balanced takes 3 times as long for 6.61 MB.
        encoder.set_compression(Compression::Fast);
        encoder.set_filter(Filter::Paeth);
        let (low, high) = header.range;
        encoder.add_text_chunk(RANGE_CHUNK.to_owned(), format!("{low} {high}"))?;
        add_scene(&mut encoder, header.scene)?;
        let pixels = encoder
            .write_header()?
            .into_stream_writer_with_size(1 << 18)?;
        Ok(Self {
            pixels,
            sink,
            quantizer: Quantizer::new(header.range, top),
            is_narrow: depth == BitDepth::Eight,
            steps: Vec::new(),
            bytes: Vec::new(),
        })
    }
}

impl RowWriter for Grey {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        self.quantizer.fill(heights, &mut self.steps);
        if self.is_narrow {
            self.bytes.clear();
            self.bytes.extend(self.steps.iter().map(|step| *step as u8));
            return self.pixels.write_all(&self.bytes);
        }
        self.steps.iter_mut().for_each(|step| *step = step.to_be());
        self.pixels.write_all(bytemuck::cast_slice(&self.steps))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.pixels.finish()?;
        self.sink.flush()
    }
}

/// A sink that can still be flushed when the encoder, which does not, has swallowed it.
#[derive(Clone)]
struct Shared(Rc<RefCell<Sink>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}
