//! `.r32` and `.r16`: raw heightfield writer, little-endian numbers without a header, row 0 (north) first.

use std::io::{self, Write};

use super::file::Sink;
use super::format::{Content, Format, Header, RowWriter};
use super::piece::Scale;

/// Raw 32-bit float format.
pub const R32: Format = Format {
    least_bytes: 4,
    ..Format::new(
        "r32",
        "Raw 32-bit floats, little-endian, row 0 (north) first: the heights as they are.",
        Content::Rows(|header, sink| Ok(Box::new(FloatWriter::new(header, sink)))),
    )
};

/// Raw 16-bit integer format.
pub const R16: Format = Format {
    also: &["raw"],
    levels: Some(65_535),
    least_bytes: 2,
    ..Format::new(
        "r16",
        "Raw 16-bit whole numbers, little-endian, row 0 (north) first: lowest 0, highest 65535.",
        Content::Rows(|header, sink| {
            Ok(Box::new(ShortWriter {
                sink,
                quantizer: Quantizer::of(header, u16::MAX),
                steps: Vec::new(),
            }))
        }),
    )
};

/// Writer of rows of floats, after the header that the sink already has.
pub struct FloatWriter {
    sink: Sink,
    scale: Scale,
    row: Vec<f32>,
}

impl FloatWriter {
    /// Writer of floats in the header's unit.
    pub fn new(header: &Header<'_>, sink: Sink) -> Self {
        Self {
            sink,
            scale: header.scale(),
            row: Vec::new(),
        }
    }
}

impl RowWriter for FloatWriter {
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

struct ShortWriter {
    sink: Sink,
    quantizer: Quantizer,
    steps: Vec<u16>,
}

impl RowWriter for ShortWriter {
    fn row(&mut self, heights: &[f32]) -> io::Result<()> {
        self.quantizer.fill(heights, &mut self.steps);
        self.steps.iter_mut().for_each(|step| *step = step.to_le());
        self.sink.write_all(bytemuck::cast_slice(&self.steps))
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Quantizer of heights. The lowest height of a range becomes 0, the highest the top level; heights
/// outside are clamped. In a map with holes 0 means no data, and heights start at 1.
pub struct Quantizer {
    low: f64,
    steps_per_height: f64,
    top: u16,
    has_holes: bool,
}

impl Quantizer {
    /// Quantizer for a file with levels up to `top`.
    pub fn of(header: &Header<'_>, top: u16) -> Self {
        Self {
            has_holes: header.has_no_data(),
            ..Self::new(header.range, top)
        }
    }

    /// Quantizer for a range of heights and levels up to `top`. A flat map becomes 0.
    pub fn new(range: (f32, f32), top: u16) -> Self {
        let (low, high) = (f64::from(range.0), f64::from(range.1));
        let steps_per_height = match high > low {
            true => f64::from(top) / (high - low),
            false => 0.0,
        };
        Self {
            low,
            steps_per_height,
            top,
            has_holes: false,
        }
    }

    /// Quantize heights, rounded to the nearest level, into `steps`.
    pub fn fill(&self, heights: &[f32], steps: &mut Vec<u16>) {
        steps.resize(heights.len(), 0);
        quantize(heights, steps, self.low, self.steps_per_height, self.top);
        if self.has_holes {
            for (step, height) in steps.iter_mut().zip(heights) {
                *step = if height.is_nan() { 0 } else { (*step).max(1) };
            }
        }
    }

    /// Quantize heights, rounded to the nearest level.
    pub fn steps(&self, heights: &[f32]) -> Vec<u16> {
        let mut steps = Vec::new();
        self.fill(heights, &mut steps);
        steps
    }
}

vectorized! {
    fn quantize(heights: &[f32], steps: &mut [u16], low: f64, steps_per_height: f64, top: u16) {
        /// Adding it to a small integer leaves that integer in the lowest mantissa bits: a conversion
        /// that every vector unit supports.
        const SHIFT: f64 = (1_u64 << 52) as f64;
        let top = f64::from(top);
        for (step, height) in steps.iter_mut().zip(heights) {
            let level = (f64::from(*height) - low) * steps_per_height;
            let whole = (level + 0.5).floor().max(0.0).min(top);
            *step = (whole + SHIFT).to_bits() as u16;
        }
    }
}
