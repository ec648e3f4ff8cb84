//! Height field in the layout of sweeps: decimated, without repeated borders, optionally transposed.

use std::borrow::Cow;

use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::thinning;
use crate::util::parallel;

/// Number of rows per parallel task.
const ROWS: usize = 16;

/// Rows of heights with their geometry.
pub(super) struct Field<'a> {
    heights: Cow<'a, [f32]>,
    /// Distance between rows in the slice.
    stride: usize,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// True if rows and columns are periodic.
    pub(super) wraps: bool,
    /// Distance between neighbours, in the unit of the heights.
    pub(super) spacing: f32,
    /// Number of cells across the map along x and z.
    pub(super) span: [f32; 2],
}

impl<'a> Field<'a> {
    /// Create a field of every sample of `map`, or of every second, fourth … so that no side has more than
    /// `most`.
    pub(super) fn new(map: &'a Heightmap, most: usize, job: &Job) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), most.max(2));
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        let count = |side: usize| (side - 1).div_ceil(step) + usize::from(!wraps);
        let (rows, columns) = (count(map.rows()), count(map.columns()));
        let (heights, stride) = match step {
            1 => (Cow::Borrowed(map.heights()), map.columns()),
            _ => (Cow::Owned(thinned(map, step, rows, columns, job)?), columns),
        };
        let span = |side: usize| ((side - 1) as f32 / step as f32).max(1.0);
        Ok(Self {
            heights,
            stride,
            rows,
            columns,
            wraps,
            spacing: map.spacing() * step as f32,
            span: [span(map.columns()), span(map.rows())],
        })
    }

    /// Transpose the field.
    pub(super) fn turned(&self, job: &Job) -> Result<Field<'static>, Cancelled> {
        let heights = turned(&self.heights, self.stride, self.rows, self.columns, job)?;
        Ok(Field {
            heights: Cow::Owned(heights),
            stride: self.rows,
            rows: self.columns,
            columns: self.rows,
            wraps: self.wraps,
            spacing: self.spacing,
            span: [self.span[1], self.span[0]],
        })
    }

    pub(super) fn row(&self, row: usize) -> &[f32] {
        &self.heights[row * self.stride..][..self.columns]
    }
}

fn thinned(
    map: &Heightmap,
    step: usize,
    rows: usize,
    columns: usize,
    job: &Job,
) -> Result<Vec<f32>, Cancelled> {
    let mut heights = vec![0.0; rows * columns];
    let blocks = parallel::par_items(heights.chunks_mut(ROWS * columns));
    blocks.try_each(|block, out| {
        job.check()?;
        for (index, out) in out.chunks_mut(columns).enumerate() {
            let row = map.row(((block * ROWS + index) * step).min(map.rows() - 1));
            let kept = (0..columns).map(|column| row[(column * step).min(row.len() - 1)]);
            out.iter_mut().zip(kept).for_each(|(out, h)| *out = h);
        }
        Ok(())
    })?;
    Ok(heights)
}

/// Transpose values: the value at (row, column) of `from`, whose rows begin `stride` apart, moves to
/// (column, row) of the result.
pub(super) fn turned<T: Copy + Default + Send + Sync>(
    from: &[T],
    stride: usize,
    rows: usize,
    columns: usize,
    job: &Job,
) -> Result<Vec<T>, Cancelled> {
    let mut out = vec![T::default(); rows * columns];
    let blocks = parallel::par_items(out.chunks_mut(ROWS * rows));
    blocks.try_each(|block, out| {
        job.check()?;
        let first = block * ROWS;
        // Blocked in both directions, so that the parts of source and target stay in the first-level cache.
        for from_row in (0..rows).step_by(ROWS) {
            let across = from_row..(from_row + ROWS).min(rows);
            for (index, out) in out.chunks_mut(rows).enumerate() {
                let column = first + index;
                for (row, out) in across.clone().zip(&mut out[across.clone()]) {
                    *out = from[row * stride + column];
                }
            }
        }
        Ok(())
    })?;
    Ok(out)
}
