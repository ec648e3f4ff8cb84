//! Water coverage of a square of any size. `shaders/common/rivers.glsl` does the same.

use super::nearest::MOST;
use super::{DRY, Rivers};
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Softening of the inverse-distance weights of several rivers, in cells²; smaller is sharper.
pub(crate) const NEAREST: f32 = 0.05;
/// Number of lake samples along a side of a cell.
const PLACES: usize = 4;

impl Rivers {
    /// Water coverage, 0…1, of a square of `side` cells around a position in cells east and south of the
    /// first sample. The side should be at most about a cell: water smaller than a cell and beyond the next
    /// samples is not found.
    #[must_use]
    pub fn part_at(&self, east: f32, south: f32, side: f32) -> f32 {
        let (rows, columns) = (self.lakes.rows(), self.lakes.columns());
        let place = |at: f32, count: usize| {
            let at = at.clamp(0.0, (count - 1) as f32);
            let before = (at as usize).min(count.saturating_sub(2));
            (before, at - before as f32)
        };
        let ((column, u), (row, v)) = (place(east, columns), place(south, rows));
        let corners: [_; 4] = std::array::from_fn(|index| {
            let (down, along) = (index / 2, index % 2);
            let at = |axis: usize, more: usize, count: usize| (axis + more).min(count - 1);
            let weight = [1.0 - u, u][along] * [1.0 - v, v][down];
            let sample = (at(row, down, rows), at(column, along, columns));
            (weight, sample, [u - along as f32, v - down as f32])
        });
        let [nw, ne, sw, se] = corners.map(|(_, (row, column), _)| self.lakes.at(row, column));
        let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
        let (north, south) = (mix(nw, ne, u), mix(sw, se, u));
        let rise = [mix(ne - nw, se - sw, v), south - north];
        let steep = (rise[0] * rise[0] + rise[1] * rise[1]).sqrt();
        let lake = 0.5 + mix(north, south, v) / (steep * side).max(1e-9);

        let (mut sum, mut away, mut half_width) = (0.0, 0.0, 0.0);
        for (weight, (row, column), off) in corners {
            let near = self.nearest.at(row, column);
            let [x, z, along, down] = near.map(|v| f32::from(v) * (self.reach / MOST));
            let half = (along * along + down * down).sqrt();
            if half > 0.0 {
                let [x, z] = [off[0] - x, off[1] - z];
                let counts = weight / (x * x + z * z + NEAREST);
                sum += counts;
                away += counts * (x * down - z * along).abs() / half;
                half_width += counts * half;
            }
        }
        let river = match sum {
            0.0 => 0.0,
            _ => overlap(away / sum, half_width / sum, side),
        };
        river.max(lake.clamp(0.0, 1.0))
    }

    /// Compute [`Rivers::part`] for every sample.
    pub(super) fn parts(&self, job: &Job) -> Result<Grid<[u8; 2]>, Cancelled> {
        let (rows, columns) = (self.lakes.rows(), self.lakes.columns());
        let knows = |row: usize, column: usize| {
            self.nearest.at(row, column) != [0; 4] || self.lakes.at(row, column) != DRY
        };
        let mut parts = Grid::filled(rows, columns, [0; 2]);
        let lines = parallel::par_items(parts.as_mut_slice().chunks_mut(columns));
        lines.at_least(8).try_each(|row, parts| {
            job.check()?;
            let around = |at: usize, count: usize| at.saturating_sub(1)..=(at + 1).min(count - 1);
            for (column, part) in parts.iter_mut().enumerate() {
                let mut beside = around(row, rows)
                    .flat_map(|row| around(column, columns).map(move |column| (row, column)));
                if beside.any(|(row, column)| knows(row, column)) {
                    part[1] = 255;
                }
                if knows(row, column) {
                    part[0] = self.part_of(row, column);
                }
            }
            Ok(())
        })?;
        Ok(parts)
    }

    /// Water coverage of a sample's cell, from 0 to 255.
    fn part_of(&self, row: usize, column: usize) -> u8 {
        let mut sum = 0.0;
        for index in 0..PLACES * PLACES {
            let off = |index: usize| (index as f32 + 0.5) / PLACES as f32 - 0.5;
            let east = column as f32 + off(index % PLACES);
            let south = row as f32 + off(index / PLACES);
            sum += self.part_at(east, south, 1.0 / PLACES as f32);
        }
        (sum / (PLACES * PLACES) as f32 * 255.0 + 0.5) as u8
    }
}

/// Share of an interval of `side` around a position that lies between the banks, `away` from the centreline.
fn overlap(away: f32, half_width: f32, side: f32) -> f32 {
    let half = 0.5 * side;
    let covered = (away + half).min(half_width) - (away - half).max(-half_width);
    (covered / side).clamp(0.0, 1.0)
}
