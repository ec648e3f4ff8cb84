//! What the mesh formats share: rows made on all threads and written in order.

use std::io::{self, Write};
use std::ops::Range;

use rayon::prelude::*;

use super::{Header, Sink};
use crate::mesh::triangles;

/// Rows made at once, on all threads.
const BATCH_ROWS: usize = 64;

/// Makes the bytes of some of a map's rows on all threads, a batch at a time, and writes them
/// in order: memory for a batch, whatever the size of the map.
pub fn each_row(
    sink: &mut Sink,
    header: &Header<'_>,
    rows: Range<usize>,
    make: impl Fn(usize, &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    for first in rows.clone().step_by(BATCH_ROWS) {
        header.job.check().map_err(io::Error::other)?;
        let batch: Vec<Vec<u8>> = (first..rows.end.min(first + BATCH_ROWS))
            .into_par_iter()
            .map(|row| {
                let mut bytes = Vec::new();
                make(row, &mut bytes);
                bytes
            })
            .collect();
        batch.iter().try_for_each(|bytes| sink.write_all(bytes))?;
        header.job.advance(first as u64, rows.end as u64);
    }
    Ok(())
}

/// The triangles between a row and the next, as vertex indices.
pub fn triangles_between(row: usize, columns: usize) -> impl Iterator<Item = [u32; 3]> {
    (1..columns).flat_map(move |east| triangles::cell(row, east - 1, columns))
}
