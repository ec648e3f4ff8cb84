//! `.r16` and `.r32`: bare little-endian numbers, row 0 first, without a header. Only square maps
//! can be read back, since the file does not say its shape.

use std::fs;
use std::path::Path;

use super::{ImportError, broken, check_size, unreadable};
use crate::grid::Grid;

/// A square of 16-bit whole numbers.
pub fn read_u16(path: &Path, length: u64) -> Result<Grid<f32>, ImportError> {
    read(path, length, |bytes: [u8; 2]| {
        f32::from(u16::from_le_bytes(bytes))
    })
}

/// A square of 32-bit floats.
pub fn read_f32(path: &Path, length: u64) -> Result<Grid<f32>, ImportError> {
    read(path, length, f32::from_le_bytes)
}

fn read<const BYTES: usize>(
    path: &Path,
    length: u64,
    value: impl Fn([u8; BYTES]) -> f32,
) -> Result<Grid<f32>, ImportError> {
    let side = (length / BYTES as u64).isqrt();
    let not_square = || {
        let message = format!("{length} bytes are no square of {BYTES}-byte numbers");
        broken(path, &message)
    };
    if side * side * BYTES as u64 != length {
        return Err(not_square());
    }
    check_size(path, side, side)?;
    let bytes = fs::read(path).map_err(unreadable(path))?;
    let (numbers, _) = bytes.as_chunks::<BYTES>();
    let values = numbers.iter().map(|bytes| value(*bytes)).collect();
    Grid::from_vec(side as usize, side as usize, values).ok_or_else(not_square)
}
