//! The strips or tiles of a TIFF, and the numbers in them.

use std::io::{Read, Seek};

use ::tiff::decoder::{Decoder, DecodingResult};
use ::tiff::tags::Tag;

use super::page::{Shape, explain, number};
use crate::import::source::{Broken, check_size};

/// Strips and tiles alike: rectangles of samples.
pub struct Chunks {
    shape: Shape,
    width: u64,
    height: u64,
    across: u64,
    down: u64,
}

/// The samples of one of them.
pub struct Chunk {
    numbers: DecodingResult,
}

impl Chunks {
    /// The chunks of the first page.
    pub fn of<R: Read + Seek>(decoder: &mut Decoder<R>, shape: Shape) -> Result<Self, Broken> {
        let Shape { columns, rows, .. } = shape;
        let mut side = |tag, all| number(decoder, tag).unwrap_or(all);
        let (width, height) = match side(Tag::TileWidth, 0) {
            0 => (columns, side(Tag::RowsPerStrip, rows).min(rows)),
            width => (width, side(Tag::TileLength, 0)),
        };
        // Tiles of a small map may be larger than it, but not without end.
        check_size(width, height)?;
        Ok(Self {
            shape,
            width,
            height,
            across: columns.div_ceil(width),
            down: rows.div_ceil(height),
        })
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.across * self.down
    }

    /// The samples of one of them.
    pub fn read<R: Read + Seek>(
        &self,
        decoder: &mut Decoder<R>,
        index: u64,
    ) -> Result<Chunk, Broken> {
        let numbers = decoder.read_chunk(index as u32).map_err(explain)?;
        Ok(Chunk { numbers })
    }

    /// Goes through the samples of a chunk: the place of each in the map and in the chunk.
    pub fn each(
        &self,
        index: u64,
        mut with: impl FnMut(u64, usize) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let Shape { columns, rows, .. } = self.shape;
        let (west, north) = (
            index % self.across * self.width,
            index / self.across * self.height,
        );
        let width = self.width.min(columns - west);
        for row in north..(north + self.height).min(rows) {
            for column in 0..width {
                // The decoder leaves out what a tile has beyond the map.
                let at = (row - north) * width + column;
                with(row * columns + west + column, at as usize)?;
            }
        }
        Ok(())
    }
}

impl Chunk {
    /// One of its numbers; `None` beyond the end.
    pub fn number(&self, at: usize) -> Option<f64> {
        use DecodingResult::{F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
        Some(match &self.numbers {
            U8(values) => (*values.get(at)?).into(),
            U16(values) => (*values.get(at)?).into(),
            U32(values) => (*values.get(at)?).into(),
            U64(values) => *values.get(at)? as f64,
            I8(values) => (*values.get(at)?).into(),
            I16(values) => (*values.get(at)?).into(),
            I32(values) => (*values.get(at)?).into(),
            I64(values) => *values.get(at)? as f64,
            F16(values) => values.get(at)?.to_f64(),
            F32(values) => (*values.get(at)?).into(),
            F64(values) => *values.get(at)?,
        })
    }

    /// What its numbers are.
    pub fn number_type(&self) -> NumberType {
        use DecodingResult::{F16, F32, F64, I8, I16, U8, U16};
        match self.numbers {
            U8(_) => NumberType::Byte,
            U16(_) => NumberType::Short,
            F16(_) | F32(_) => NumberType::Single,
            I8(_) | I16(_) => NumberType::Signed,
            F64(_) => NumberType::Double,
            _ => NumberType::Long,
        }
    }
}

/// What a number is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberType {
    /// Whole numbers of 8 bits, from 0.
    Byte,
    /// Whole numbers of 16 bits, from 0.
    Short,
    /// Whole numbers of 8 or 16 bits with a sign.
    Signed,
    /// Whole numbers of more bits.
    Long,
    /// Floats of 16 or 32 bits.
    Single,
    /// Floats of 64 bits.
    Double,
}

impl NumberType {
    /// The highest step of those that count from 0.
    pub fn top(self) -> Option<u16> {
        match self {
            Self::Byte => Some(255),
            Self::Short => Some(u16::MAX),
            _ => None,
        }
    }

    /// Whether 32 bits of a float hold each of them.
    pub fn is_single(self) -> bool {
        !matches!(self, Self::Long | Self::Double)
    }
}
