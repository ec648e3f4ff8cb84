//! `.npy`: NumPy's array of 32-bit floats in C order, shape (rows, columns), the heights as they
//! are.

use std::io::Write;

use super::format::{Content, Format};
use super::raw::FloatWriter;
use super::values::HeightUnit;
use crate::formats::npy;

/// The format.
pub const FORMAT: Format = Format {
    name: "npy",
    extension: "npy",
    also: &[],
    levels: None,
    unit: HeightUnit::HalfTiles,
    says_north: false,
    square_degrees: false,
    least_bytes: 4,
    help: "NumPy array of 32-bit floats, shape (rows, columns): the heights as they are.",
    content: Content::Rows(|header, mut sink| {
        let shape = [header.rows as u64, header.columns as u64];
        sink.write_all(&npy::head(&shape))?;
        Ok(Box::new(FloatWriter::new(header, sink)))
    }),
};
