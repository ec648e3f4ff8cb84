//! `.png`: greyscale heightfield writer, 16 or 8 bits. The lowest height is black, the highest white; the
//! range is in a text chunk.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use ::png::text_metadata::EncodableTextChunk;
use ::png::{BitDepth, ColorType, Compression, Encoder, Filter, StreamWriter};

use super::file::Sink;
use super::format::{Content, Format, Header, RowWriter};
use super::raw::Quantizer;
use crate::files::formats::checksum::{Adds, ByteSum};
use crate::files::formats::png::{RANGE_CHUNK, add_scene, range_text, sum_chunk, sum_of_rows};

/// 16-bit PNG format.
pub const PNG: Format = Format {
    levels: Some(65_535),
    placed_by: &["pgw", "prj"],
    ..Format::new(
        "png",
        "16-bit grey image, row 0 is north: lowest height 0, highest 65535.",
        Content::Rows(|header, sink| begin(header, sink, BitDepth::Sixteen)),
    )
};

/// 8-bit PNG format for programs that read nothing else; slopes become visible steps.
pub const PNG8: Format = Format {
    extension: "png",
    levels: Some(255),
    placed_by: &["pgw", "prj"],
    ..Format::new(
        "png8",
        "8-bit grey image: lowest height 0, highest 255; slopes become steps.",
        Content::Rows(|header, sink| begin(header, sink, BitDepth::Eight)),
    )
};

struct GreyWriter {
    pixels: StreamWriter<'static, SharedSink>,
    sink: SharedSink,
    sum: ByteSum,
    quantizer: Quantizer,
    /// True if a sample has 8 bits.
    is_narrow: bool,
    steps: Vec<u16>,
    bytes: Vec<u8>,
}

fn begin(header: &Header<'_>, sink: Sink, depth: BitDepth) -> io::Result<Box<dyn RowWriter>> {
    let top = match depth {
        BitDepth::Eight => 255,
        _ => u16::MAX,
    };
    let end = Vec::with_capacity(2 * END);
    let sink = SharedSink(Rc::new(RefCell::new(HeldBack { sink, end })));
    let side = |samples: usize| {
        u32::try_from(samples).map_err(|_| io::Error::other("too many samples for a PNG"))
    };
    let (columns, rows) = (side(header.columns)?, side(header.rows)?);
    let mut encoder = Encoder::new(sink.clone(), columns, rows);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(depth);
    if header.has_no_data() {
        // Grey 0 marks missing data and becomes transparent. The chunk has two bytes at any depth.
        encoder.set_trns(vec![0, 0]);
    }
    // Measured at 2049²: 7.33 MB; Balanced takes 3 times as long for 6.61 MB.
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(Filter::Paeth);
    let (step, tile) = (header.metres_per_sample(), header.scene.surface.tile_size_m);
    let range = range_text(header.range, step, tile);
    encoder.add_text_chunk(RANGE_CHUNK.to_owned(), range)?;
    add_scene(&mut encoder, header.scene)?;
    let pixels = encoder
        .write_header()?
        .into_stream_writer_with_size(1 << 18)?;
    Ok(Box::new(GreyWriter {
        pixels,
        sink,
        sum: sum_of_rows(rows, columns, ColorType::Grayscale, depth),
        quantizer: Quantizer::of(header, top),
        is_narrow: depth == BitDepth::Eight,
        steps: Vec::new(),
        bytes: Vec::new(),
    }))
}

impl RowWriter for GreyWriter {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        self.quantizer.fill(heights, &mut self.steps);
        if self.is_narrow {
            self.bytes.clear();
            self.bytes.extend(self.steps.iter().map(|step| *step as u8));
            self.sum.add(&self.bytes);
            return self.pixels.write_all(&self.bytes);
        }
        self.steps.iter_mut().for_each(|step| *step = step.to_be());
        let bytes = bytemuck::cast_slice(&self.steps);
        self.sum.add(bytes);
        self.pixels.write_all(bytes)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.pixels.finish()?;
        let mut chunk = Vec::new();
        sum_chunk(&self.sum).encode(&mut chunk)?;
        self.sink.0.borrow_mut().end_with(&chunk)
    }
}

/// Length of the IEND chunk that ends a PNG, in bytes.
const END: usize = 12;

/// Sink that holds back the last chunk of the file. The encoder cannot write chunks after the pixels, so
/// the checksum is inserted here.
struct HeldBack {
    sink: Sink,
    end: Vec<u8>,
}

impl HeldBack {
    fn end_with(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.sink.write_all(chunk)?;
        self.sink.write_all(&self.end)?;
        self.sink.flush()
    }
}

impl Write for HeldBack {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (now, later) = bytes.split_at(bytes.len().saturating_sub(END));
        let ready = (self.end.len() + later.len()).saturating_sub(END);
        self.sink.write_all(&self.end[..ready])?;
        self.end.drain(..ready);
        self.sink.write_all(now)?;
        self.end.extend_from_slice(later);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Shared handle to the sink, since the encoder takes its sink by value.
#[derive(Clone)]
struct SharedSink(Rc<RefCell<HeldBack>>);

impl Write for SharedSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}
