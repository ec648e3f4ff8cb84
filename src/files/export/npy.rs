//! `.npy`: NumPy array writer. Floats in C order with shape (rows, columns), heights unchanged: of 32
//! bits, or of 64 bits where 32 cannot tell them apart.

use std::io::{self, Write};
use std::sync::Arc;

use super::file::Sink;
use super::format::{Content, Format, RowWriter};
use super::piece::HeightUnit;
use super::raw::FloatWriter;
use crate::files::formats::npy;
use crate::terrain::grid::Grid;

/// NumPy format.
pub const FORMAT: Format = Format {
    least_bytes: 4,
    exact: true,
    ..Format::new(
        "npy",
        "NumPy array of 32-bit floats, shape (rows, columns): the heights as they are; 64-bit \
         floats in a region below level 20.",
        Content::Rows(|header, mut sink| {
            let shape = [header.rows as u64, header.columns as u64];
            let factor = match header.unit {
                HeightUnit::HalfTiles => Some(1.0),
                HeightUnit::Metres => Some(header.metres_per_unit()),
                HeightUnit::One => None,
            };
            let exact = match (&header.piece.exact, factor, header.stored()) {
                (Some(heights), Some(factor), _) => Some((Arc::clone(heights), factor)),
                (_, _, Some(stored)) if !stored.is_single => {
                    Some((Arc::new(stored.metres.clone()), 1.0))
                }
                _ => None,
            };
            if let Some((heights, factor)) = exact {
                sink.write_all(&npy::head(npy::F64, &shape))?;
                return Ok(Box::new(ExactWriter {
                    sink,
                    heights,
                    factor,
                    next: 0,
                }));
            }
            sink.write_all(&npy::head(npy::F32, &shape))?;
            Ok(Box::new(FloatWriter::new(header, sink)))
        }),
    )
};

/// Writer of rows of 64-bit heights.
struct ExactWriter {
    sink: Sink,
    heights: Arc<Grid<f64>>,
    factor: f64,
    next: usize,
}

impl RowWriter for ExactWriter {
    /// Write the row with 64 bits; `rounded` is its 32-bit version, NaN where there is no data.
    fn row(&mut self, rounded: &[f32]) -> io::Result<()> {
        let row = self.heights.row(self.next);
        self.next += 1;
        let numbers = row.iter().zip(rounded).flat_map(|(height, rounded)| {
            let number = height * self.factor;
            let number = if rounded.is_nan() { f64::NAN } else { number };
            number.to_le_bytes()
        });
        self.sink.write_all(&numbers.collect::<Vec<_>>())
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.sink.flush()
    }
}
