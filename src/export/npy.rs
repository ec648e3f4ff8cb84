//! `.npy`: NumPy's array of 32-bit floats in C order, shape (rows, columns), the heights as they
//! are.

use npyz::{WriteOptions, WriterBuilder};

use super::format::{Content, Format};
use super::raw::FloatWriter;
use super::values::HeightUnit;

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
        // The crate writes the header; the rows follow as bytes, a whole row at a time.
        drop(
            WriteOptions::<f32>::new()
                .default_dtype()
                .shape(&shape)
                .writer(&mut sink)
                .begin_nd()?,
        );
        Ok(Box::new(FloatWriter::new(header, sink)))
    }),
};
