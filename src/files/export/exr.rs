//! `.exr`: OpenEXR writer, one 32-bit float channel `Y` with the heights unchanged; the scene is in an
//! attribute.
//!
//! Scan lines are stored top to bottom, one a block. Some readers mistake any other order for bottom-up,
//! and this order gives the same bytes on any number of threads.

use std::io::{self, Seek, SeekFrom, Write};

use ::exr::prelude::*;

use super::file::Sink;
use super::format::{Content, Format, Header as MapHeader};
use crate::files::formats::checksum::Sum;
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::recipe_text;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

/// OpenEXR format.
pub const FORMAT: Format = Format::new(
    "exr",
    "OpenEXR, one channel of 32-bit floats: the heights as they are.",
    Content::Whole(write),
);

/// Run-length compression; every block has a fixed place in the file.
const ENCODING: Encoding = Encoding {
    compression: Compression::RLE,
    blocks: Blocks::ScanLines,
    line_order: LineOrder::Increasing,
};

fn write(map: &Heightmap, header: &MapHeader<'_>, sink: Sink) -> io::Result<()> {
    let size = Vec2(map.columns(), map.rows());
    let scale = header.scale();
    let height = |at: Vec2<usize>| (scale.value(map.at(at.y(), at.x())),);
    let channels = SpecificChannels::build()
        .with_channel::<f32>("Y")
        .with_pixel_fn(height);
    let mut attributes = LayerAttributes::named(header.piece.map.name);
    attributes.software_name = Some(Text::from(PROGRAM));
    let sum = sum(map, header)?.text();
    attributes.comments = Some(Text::from(recipe_text(header.scene, &sum).as_str()));
    let layer = Layer::new(size, attributes, ENCODING, channels);
    Image::from_layer(layer)
        .write()
        .to_buffered(Stoppable {
            sink,
            job: header.piece.job,
        })
        .map_err(io::Error::other)
}

/// Checksum of the numbers that the file will hold.
fn sum(map: &Heightmap, header: &MapHeader<'_>) -> io::Result<Sum> {
    let scale = header.scale();
    let mut sum = Sum::new(map.rows(), map.columns());
    for row in 0..map.rows() {
        header.piece.job.check().map_err(io::Error::other)?;
        let numbers = map.row(row).iter().map(|h| f64::from(scale.value(*h)));
        sum.numbers((row * map.columns()) as u64, numbers);
    }
    Ok(sum)
}

/// Sink that fails once the job is cancelled. The exr crate has no other way to be stopped.
struct Stoppable<'a> {
    sink: Sink,
    job: &'a Job,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.job.check().map_err(io::Error::other)?;
        self.sink.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

impl Seek for Stoppable<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.sink.seek(to)
    }
}
