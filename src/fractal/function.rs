//! Continuous height functions between the samples of a map, for ground given by a formula or noise.
//!
//! Samples have 32 bits, the function is evaluated in 64. The residual of a sample is its rounding error.
//! Between samples the residuals are interpolated with the fade 6t⁵ − 15t⁴ + 10t³ (Perlin 2002), so the
//! ground is smooth at every level of detail; diamond-square would raise a cusp at each sample, whose flanks
//! get steeper by 1.31 a level. Displacements begin below the finest detail of the function:
//!
//! ```text
//! height between samples = function + interpolated (samples − function) + displacements
//! ```
//! So no sample moves or sticks out, and any part of any level has the same numbers. Cost: that of
//! the function and 2 ns a point, and of the levels that have displacements.

use std::fmt::Debug;
use std::sync::Arc;

use super::patch::{Patch, Span, each_row};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::MOST_HEIGHT;
use crate::util::job::{Cancelled, Job};

/// Height as a function of position in a square tile.
pub trait HeightFunction: Debug + Send + Sync {
    /// Write the heights in half tiles of consecutive samples of a row, from the column `first` on, of the
    /// lattice of 2^level cells a side. All indices are within 0…2^level; on a map that wraps the last row
    /// and column are never requested. The height of a position has the same bits at every level. It is NaN
    /// or infinite where the function is undefined.
    fn row(&self, level: u32, row: u64, first: u64, heights: &mut [f64]);
}

/// Height function, and the level of its finest detail.
#[derive(Clone, Debug)]
pub struct Function {
    /// Height function.
    pub heights: Arc<dyn HeightFunction>,
    /// Level of the function's finest detail: displacements begin below it.
    pub own_to: u32,
}

impl PartialEq for Function {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.heights, &other.heights) && self.own_to == other.own_to
    }
}

/// Base lattice and a finer level.
#[derive(Clone, Copy)]
pub(super) struct Finer<'a> {
    pub(super) base: &'a Grid<f32>,
    /// Levels of the base and of the finer lattice.
    pub(super) levels: [u32; 2],
    /// True if the map continues across its border.
    pub(super) wraps: bool,
}

impl Function {
    /// Add the heights between the samples of a base to the displacements of a patch. The result is NaN where
    /// the function is undefined or out of range.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn add(
        &self,
        finer: Finer<'_>,
        patch: &mut Patch<f64>,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let by = finer.levels[1] - finer.levels[0];
        let (rows, columns) = (patch.rows, patch.columns);
        let left = self.left(finer, rows, columns, job)?;
        let across: Vec<_> = (columns.first..=columns.last)
            .map(|column| Along::of(column, by, left.columns))
            .collect();
        each_row(&mut patch.heights, columns.len(), |index, line| {
            job.check()?;
            let row = rows.first + index as i64;
            let down = Along::of(row, by, left.rows);
            let [north, south] = [down.first, down.second].map(|row| {
                let first = row * left.columns.len();
                &left.heights[first..][..left.columns.len()]
            });
            let mut heights = vec![0.0; line.len()];
            self.row(finer, finer.levels[1], row, columns, &mut heights);
            for ((number, height), along) in line.iter_mut().zip(heights).zip(&across) {
                let on = |line: &[f64]| along.mixed(line[along.first], line[along.second]);
                *number = height + (*number + down.mixed(on(north), on(south)));
            }
            Ok(())
        })
    }

    /// Residuals of the samples around some rows and columns of a finer lattice; 0 where the function is
    /// undefined.
    fn left(
        &self,
        finer: Finer<'_>,
        rows: Span,
        columns: Span,
        job: &Job,
    ) -> Result<Patch<f64>, Cancelled> {
        let [level, finest] = finer.levels;
        let around = |span: Span, side: usize| {
            let [first, last] = [span.first, span.last].map(|at| at >> (finest - level));
            Span {
                first,
                last: if finer.wraps {
                    last + 1
                } else {
                    (last + 1).min(side as i64 - 1)
                },
            }
        };
        let rows = around(rows, finer.base.rows());
        let columns = around(columns, finer.base.columns());
        let mut left = Patch::of(finer.base, 0, rows, columns).in_double();
        each_row(&mut left.heights, columns.len(), |index, line| {
            job.check()?;
            let mut heights = vec![0.0; line.len()];
            self.row(
                finer,
                level,
                rows.first + index as i64,
                columns,
                &mut heights,
            );
            for (left, height) in line.iter_mut().zip(heights) {
                *left = if height.is_nan() { 0.0 } else { *left - height };
            }
            Ok(())
        })?;
        Ok(left)
    }

    /// Evaluate the function in a row of a level, which may lie beyond a border that wraps.
    fn row(&self, finer: Finer<'_>, level: u32, row: i64, columns: Span, heights: &mut [f64]) {
        let cells = 1_i64 << level;
        let (row, mut first, period) = if finer.wraps {
            let [row, first] = [row, columns.first].map(|at| at.rem_euclid(cells));
            (row, first, cells)
        } else {
            (row, columns.first, i64::MAX)
        };
        let mut rest = &mut *heights;
        while !rest.is_empty() {
            let count = (period - first).min(rest.len() as i64) as usize;
            let (now, later) = rest.split_at_mut(count);
            self.heights.row(level, row as u64, first as u64, now);
            (rest, first) = (later, 0);
        }
        for height in heights {
            // `<=` is false for NaN, which so stays NaN.
            let is_allowed = height.abs() <= f64::from(MOST_HEIGHT);
            *height = if is_allowed { *height } else { f64::NAN };
        }
    }
}

/// Two samples around a position, and the weight of the second one.
struct Along {
    first: usize,
    second: usize,
    fade: f64,
}

impl Along {
    /// Samples around a row or column of a lattice `finer` levels finer, counted from the first of some rows
    /// or columns.
    fn of(at: i64, finer: u32, among: Span) -> Self {
        let whole = at >> finer;
        let first = (whole - among.first) as usize;
        let part = libm::ldexp((at - (whole << finer)) as f64, -(finer as i32));
        Self {
            first,
            second: (first + 1).min(among.len() - 1),
            fade: part * part * part * (part * (part * 6.0 - 15.0) + 10.0),
        }
    }

    #[inline(always)]
    fn mixed(&self, first: f64, second: f64) -> f64 {
        first + self.fade * (second - first)
    }
}
