//! `smooth-detail`: 2 × 2 mean filter of the finest detail (article 003 on real-time landscapes). A
//! sweep from one corner of the map to the opposite one sets each sample to the mean of the four corners
//! of the cell ahead of it:
//!
//! ```text
//! h'(r, c) = (h(r, c) + h(r, c+1) + h(r+1, c) + h(r+1, c+1)) / 4      from the north-west
//! ```
//!
//! The sweep is in place. It only reads samples ahead, which are unchanged, so bands of rows can be swept
//! in parallel with the same result. Samples on the border stay. A wrapped map has no border: all its
//! samples are smoothed, the cells of the last ones reach around, and the map stays wrapped.
//!
//! Each pass shifts the land half a sample towards its start; `in-turn` starts each pass at the next
//! corner, so that four passes cancel the shift. In a profile the cells are segments. Cost: one pass
//! over the array each.

use crate::util::parallel;
use crate::util::param::{Param, Params, choice, choice_param, int_param, options};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

choice! {
    /// Start corner of the sweep.
    pub enum Start: "start" {
        #[default]
        NorthWest = "north-west", "Every pass starts at the first row and column.";
        NorthEast = "north-east", "Every pass starts at the first row and the last column.";
        SouthEast = "south-east", "Every pass starts at the last row and column.";
        SouthWest = "south-west", "Every pass starts at the last row and the first column.";
        InTurn = "in-turn", "Each pass starts at the next corner, so that the land stays in place.";
    }
}

options! {
    /// Options of `smooth-detail`.
    pub struct SmoothDetailOptions {
        /// Start corner of the sweep; default `north-west`, the origin.
        pub start: Start,
        /// Number of sweeps, 0…64; default 1.
        pub passes: u32 = 1,
    }
}

impl Params for SmoothDetailOptions {
    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(start: Start, "Start", "The corner of the map where the sweep starts."),
        int_param!(passes, "Passes", "", 0, 64, slider 16,
            "How often the map is swept: more is smoother, 0 changes nothing."),
    ];
}

impl Modify for SmoothDetailOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        const ROUND: [Start; 4] = [
            Start::NorthWest,
            Start::NorthEast,
            Start::SouthEast,
            Start::SouthWest,
        ];
        for pass in 0..self.passes as usize {
            let start = match self.start {
                Start::InTurn => ROUND[pass % 4],
                start => start,
            };
            sweep(start, canvas)?;
        }
        Ok(())
    }
}

fn sweep(start: Start, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    let (rows, columns, wraps) = (canvas.rows, canvas.columns, canvas.wraps);
    let (last_row, last_column) = (rows - 1, columns - 1);
    let southwards = matches!(start, Start::NorthWest | Start::NorthEast);
    let eastwards = matches!(start, Start::NorthWest | Start::SouthWest);
    // Samples with a cell ahead of them that, unless the map wraps, are not on the border.
    let swept = |forwards: bool, last: usize| match (wraps, forwards) {
        (true, true) => 0..last,
        (true, false) => 1..last + 1,
        (false, _) => 1..last.max(1),
    };
    let swept_rows = if rows == 1 {
        0..1
    } else {
        swept(southwards, last_row)
    };
    let swept_columns = swept(eastwards, last_column);
    if swept_columns.is_empty() {
        return Ok(());
    }

    // Unchanged row of each band that the sweep of its neighbour reads.
    let band_rows = canvas.band_rows();
    let mut seams = Vec::with_capacity(rows.div_ceil(band_rows) * columns);
    for band in canvas.heights.chunks(band_rows * columns) {
        let seam = if southwards { 0 } else { band.len() - columns };
        seams.extend_from_slice(&band[seam..][..columns]);
    }
    let seam_of = |band: usize| &seams[band * columns..][..columns];

    let job = canvas.context.job;
    parallel::par_items(canvas.heights.chunks_mut(band_rows * columns)).try_each(
        |band, heights| {
            job.check()?;
            let first = band * band_rows;
            let count = heights.len() / columns;
            let mut here = vec![0.0; columns];
            for step in 0..count {
                let offset = if southwards { step } else { count - 1 - step };
                if !swept_rows.contains(&(first + offset)) {
                    continue;
                }
                let (before, rest) = heights.split_at_mut(offset * columns);
                let (row, after) = rest.split_at_mut(columns);
                here.copy_from_slice(row);
                let ahead = match (southwards, offset) {
                    _ if rows == 1 => &here[..],
                    (true, _) if offset + 1 == count => seam_of(band + 1),
                    (true, _) => &after[..columns],
                    (false, 0) => seam_of(band - 1),
                    (false, _) => &before[(offset - 1) * columns..],
                };
                let (from, to) = (swept_columns.start, swept_columns.end);
                let next = if eastwards { from + 1 } else { from - 1 };
                means(
                    &mut row[from..to],
                    [&here[from..], &here[next..]],
                    [&ahead[from..], &ahead[next..]],
                );
                if wraps && eastwards {
                    row[last_column] = row[0];
                } else if wraps {
                    row[0] = row[last_column];
                }
            }
            Ok::<_, ModifyError>(())
        },
    )?;
    if wraps && southwards {
        canvas.heights.copy_within(..columns, last_row * columns);
    } else if wraps {
        canvas.heights.copy_within(last_row * columns.., 0);
    }
    Ok(())
}

vectorized! {
    /// Write the means of cells, each of two samples in one row and two in the next.
    fn means(out: &mut [f32], here: [&[f32]; 2], ahead: [&[f32]; 2]) {
        let count = out.len();
        let (a, b) = (&here[0][..count], &here[1][..count]);
        let (c, d) = (&ahead[0][..count], &ahead[1][..count]);
        for column in 0..count {
            out[column] = ((a[column] + b[column]) + (c[column] + d[column])) * 0.25;
        }
    }
}
