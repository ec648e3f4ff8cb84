//! `.r32` and `.r16`: bare little-endian numbers, row 0 (north) first, without a header.

use std::io::{self, Write};

use super::values::Scale;
use super::{Content, Format, Header, RowWriter, Sink, Unit};

/// 32-bit floats.
pub const R32: Format = Format {
    name: "r32",
    extension: "r32",
    levels: None,
    mesh: false,
    unit: Unit::HalfTiles,
    says_north: false,
    least_bytes: 4,
    help: "Raw 32-bit floats, little-endian, row 0 (north) first: the heights as they are.",
    content: Content::Rows {
        begin: |header, sink| Ok(Box::new(Floats::new(header, sink))),
    },
    sidecar: true,
};

/// 16-bit whole numbers.
pub const R16: Format = Format {
    name: "r16",
    extension: "r16",
    levels: Some(65_535),
    mesh: false,
    unit: Unit::HalfTiles,
    says_north: false,
    least_bytes: 2,
    help: "Raw 16-bit whole numbers, little-endian, row 0 (north) first: lowest 0, highest 65535.",
    content: Content::Rows {
        begin: |header, sink| {
            Ok(Box::new(Shorts {
                sink,
                quantizer: Quantizer::new(header.range, u16::MAX),
                bytes: Vec::new(),
            }))
        },
    },
    sidecar: true,
};

/// Rows of floats, after whatever header the sink already has.
pub struct Floats {
    sink: Sink,
    scale: Scale,
    row: Vec<f32>,
}

impl Floats {
    /// In the header's unit.
    pub fn new(header: &Header<'_>, sink: Sink) -> Self {
        Self {
            sink,
            scale: header.scale(),
            row: Vec::new(),
        }
    }
}

impl RowWriter for Floats {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        let mut values = heights;
        if !self.scale.is_identity() {
            self.row.clear();
            let scaled = heights.iter().map(|height| self.scale.value(*height));
            self.row.extend(scaled);
            values = &self.row;
        }
        if cfg!(target_endian = "little") {
            return self.sink.write_all(bytemuck::cast_slice(values));
        }
        values
            .iter()
            .try_for_each(|value| self.sink.write_all(&value.to_le_bytes()))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.sink.flush()
    }
}

struct Shorts {
    sink: Sink,
    quantizer: Quantizer,
    bytes: Vec<u8>,
}

impl RowWriter for Shorts {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        self.quantizer
            .row(heights, &mut self.bytes, u16::to_le_bytes);
        self.sink.write_all(&self.bytes)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Heights as whole numbers: the lowest of a range is 0, the highest the top level, what lies
/// outside is clamped.
pub struct Quantizer {
    low: f64,
    steps_per_height: f64,
    top: u16,
}

impl Quantizer {
    /// For a range of heights and levels up to `top`; a flat map becomes 0.
    pub fn new(range: (f32, f32), top: u16) -> Self {
        let (low, high) = (f64::from(range.0), f64::from(range.1));
        Self {
            low,
            steps_per_height: if high > low {
                f64::from(top) / (high - low)
            } else {
                0.0
            },
            top,
        }
    }

    /// The steps of one row, each rounded to the nearest.
    pub fn steps(&self, heights: &[f32]) -> impl Iterator<Item = u16> {
        // The conversion from a float clamps to 0…65535.
        let step = |height: &f32| {
            let level = (f64::from(*height) - self.low) * self.steps_per_height;
            ((level + 0.5) as u16).min(self.top)
        };
        heights.iter().map(step)
    }

    /// One row into `bytes`.
    pub fn row(&self, heights: &[f32], bytes: &mut Vec<u8>, order: fn(u16) -> [u8; 2]) {
        bytes.clear();
        bytes.extend(self.steps(heights).flat_map(order));
    }
}
