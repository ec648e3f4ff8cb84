//! Local means of a map of numbers, over squares whose side is a fixed share of the tile.

use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Number of squares along the longer side of a tile.
const SQUARES: usize = 48;

/// Means of squares.
pub(super) struct Means {
    means: Grid<f32>,
    /// Number of samples along a side of a square.
    side: usize,
    wraps: bool,
}

impl Means {
    /// Compute the means of `numbers`, one for each sample of `map`.
    pub fn of(numbers: &[f32], map: &Heightmap, job: &Job) -> Result<Self, Cancelled> {
        // A wrapped map's last row and column repeat the first.
        let once = usize::from(map.wraps());
        let (rows, columns) = (map.rows() - once, map.columns() - once);
        let side = rows.max(columns).div_ceil(SQUARES).max(1);
        let mut means = Grid::filled(rows.div_ceil(side), columns.div_ceil(side), 0.0);
        let across = means.columns();
        let squares = parallel::par_items(means.as_mut_slice().chunks_mut(across));
        squares.try_each(|south, means| {
            job.check()?;
            let mut sums = vec![0.0f64; across];
            let within = south * side..((south + 1) * side).min(rows);
            for row in within.clone() {
                let row = &numbers[row * map.columns()..][..columns];
                for (sum, square) in sums.iter_mut().zip(row.chunks(side)) {
                    *sum += square.iter().copied().map(f64::from).sum::<f64>();
                }
            }
            for (east, (mean, sum)) in means.iter_mut().zip(sums).enumerate() {
                let wide = side.min(columns - east * side);
                *mean = (sum / (wide * within.len()) as f64) as f32;
            }
            Ok(())
        })?;
        Ok(Self {
            means,
            side,
            wraps: map.wraps(),
        })
    }

    /// Mean around a sample, interpolated between the four nearest squares.
    pub fn at(&self, row: usize, column: usize) -> f32 {
        let place = |at: usize, count: usize| {
            let at = (at as f32 + 0.5) / self.side as f32 - 0.5;
            let before = at.floor();
            let index = |at: f32| {
                if self.wraps {
                    (at as isize).rem_euclid(count as isize) as usize
                } else {
                    (at.max(0.0) as usize).min(count - 1)
                }
            };
            (index(before), index(before + 1.0), at - before)
        };
        let (north, south, v) = place(row, self.means.rows());
        let (west, east, u) = place(column, self.means.columns());
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let at = |row, column| self.means.at(row, column);
        let above = mix(at(north, west), at(north, east), u);
        mix(above, mix(at(south, west), at(south, east), u), v)
    }
}
