//! Strips and tiles of a TIFF, decoded one at a time.

use std::io::{Read, Seek};

use ::tiff::decoder::{Decoder, DecodingResult};
use ::tiff::tags::Tag;

use super::page::{Shape, explain, number};
use crate::files::import::source::{Broken, check_size};

/// Layout of a page's strips or tiles, both treated as rectangular chunks.
pub struct Chunks {
    shape: Shape,
    width: u64,
    height: u64,
    across: u64,
    down: u64,
}

/// Decoded samples of a strip or tile.
pub struct Chunk {
    numbers: DecodingResult,
}

impl Chunks {
    /// Read the layout of the decoder's page.
    pub fn of<R: Read + Seek>(decoder: &mut Decoder<R>, shape: Shape) -> Result<Self, Broken> {
        let Shape { columns, rows, .. } = shape;
        let mut side = |tag, all| number(decoder, tag).unwrap_or(all);
        let (width, height) = match side(Tag::TileWidth, 0) {
            0 => (columns, side(Tag::RowsPerStrip, rows).min(rows)),
            width => (width, side(Tag::TileLength, 0)),
        };
        // Tiles may exceed a small map, but their size is limited.
        check_size(width, height)?;
        Ok(Self {
            shape,
            width,
            height,
            across: columns.div_ceil(width),
            down: rows.div_ceil(height),
        })
    }

    /// The number of chunks.
    pub fn count(&self) -> u64 {
        self.across * self.down
    }

    /// Decode a chunk.
    pub fn read<R: Read + Seek>(
        &self,
        decoder: &mut Decoder<R>,
        index: u64,
    ) -> Result<Chunk, Broken> {
        let numbers = decoder.read_chunk(index as u32).map_err(explain)?;
        Ok(Chunk { numbers })
    }

    /// Visit the samples of a chunk with their index in the map and in the chunk.
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
                // The decoder crops a tile at the edge of the map.
                let at = (row - north) * width + column;
                with(row * columns + west + column, at as usize)?;
            }
        }
        Ok(())
    }
}

impl Chunk {
    /// The sample at an index; `None` beyond the end.
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

    /// The sample type.
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

/// Sample type of a TIFF.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberType {
    /// Unsigned 8-bit integers.
    Byte,
    /// Unsigned 16-bit integers.
    Short,
    /// Signed integers with 8 or 16 bits.
    Signed,
    /// Integers with more bits.
    Long,
    /// 16- or 32-bit floats.
    Single,
    /// 64-bit floats.
    Double,
}

impl NumberType {
    /// The highest level of unsigned 8- or 16-bit integers; `None` for other types.
    pub fn top(self) -> Option<u16> {
        match self {
            Self::Byte => Some(255),
            Self::Short => Some(u16::MAX),
            _ => None,
        }
    }

    /// True if 32-bit floats hold all values exactly.
    pub fn is_single(self) -> bool {
        !matches!(self, Self::Long | Self::Double)
    }
}
