//! What the mesh formats share: rows made on all threads and written in order.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::{Header, Sink};
use crate::mesh::triangles;

/// Samples whose bytes are made at once, on all threads: a few megabytes.
const BATCH_SAMPLES: usize = 1 << 16;

/// One of the parts that a file is written in, for its progress.
#[derive(Clone, Copy)]
pub enum Part {
    /// The first of two.
    Vertices,
    /// The second of two.
    Faces,
}

/// Makes the bytes of some of a map's rows on all threads, a batch at a time, and writes them
/// in order: memory for a batch, whatever the size of the map.
pub fn each_row(
    sink: &mut Sink,
    header: &Header<'_>,
    part: Part,
    rows: Range<usize>,
    make: impl Fn(usize, &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    let check = || header.job.check().map_err(io::Error::other);
    let batch = (BATCH_SAMPLES / header.columns).max(1);
    for first in rows.clone().step_by(batch) {
        let of_batch = (first..rows.end.min(first + batch)).into_par_iter();
        let made = of_batch.map(|row| {
            check()?;
            let mut bytes = Vec::new();
            make(row, &mut bytes);
            Ok(bytes)
        });
        for bytes in made.collect::<io::Result<Vec<_>>>()? {
            check()?;
            sink.write_all(&bytes)?;
        }
        let done = first + part as usize * header.rows;
        header.job.advance(done as u64, 2 * header.rows as u64);
    }
    Ok(())
}

/// The triangles between a row and the next, as vertex indices.
pub fn triangles_between(row: usize, columns: usize) -> impl Iterator<Item = [u32; 3]> {
    (1..columns).flat_map(move |east| triangles::cell(row, east - 1, columns))
}
