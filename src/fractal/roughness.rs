//! Local roughness of a map, which scales the displacements of finer levels.
//!
//! On ground whose differences over a distance d have the variance d^2H, the deviation of a sample from the
//! mean of its four neighbours has a standard deviation that falls by 2^(−H/2) when distances fall by √2
//! (Saupe 1988). So the range A of a uniform displacement with the standard deviation A/√3 follows from the
//! samples themselves, for the next diamond step and then for its square step.

use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::wrapped;
use crate::util::parallel;

/// Number of samples on either side in the mean of the roughness.
const RADIUS: usize = 4;

/// Compute the roughness of each sample: √3 times the root mean square, over the 9 × 9 samples around it, of
/// the deviations of samples from the mean of their neighbours. The map is periodic if it wraps, else
/// mirrored. Cost: four passes over the map, and 12 bytes a sample.
///
/// # Errors
/// The job was cancelled.
pub fn roughness(map: &Heightmap, job: &Job) -> Result<Grid<f32>, Cancelled> {
    let (rows, columns) = (map.rows(), map.columns());
    let wraps = map.wraps();
    let mut squares = vec![0.0; rows * columns];
    parallel::par_items(squares.chunks_mut(columns)).for_each_in(job, |row, line| {
        let [north, south] = beside(row, 1, rows, wraps).map(|row| map.row(row));
        let here = map.row(row);
        for (column, square) in line.iter_mut().enumerate() {
            let [west, east] = beside(column, 1, columns, wraps);
            let sum = (north[column] + south[column]) + (here[west] + here[east]);
            let above = here[column] - sum * 0.25;
            *square = above * above;
        }
    })?;
    let mut along = vec![0.0; rows * columns];
    let lines = along.chunks_mut(columns).zip(squares.chunks(columns));
    parallel::par_items(lines).for_each_in(job, |_, (line, squares)| {
        for (column, mean) in line.iter_mut().enumerate() {
            let first = column.checked_sub(RADIUS);
            let inner = first.and_then(|first| squares.get(first..=column + RADIUS));
            *mean = match inner {
                Some(inner) => inner.iter().sum(),
                None => around(column, columns, wraps).map(|at| squares[at]).sum(),
            };
        }
    })?;
    let count = ((2 * RADIUS + 1) * (2 * RADIUS + 1)) as f32;
    parallel::par_items(squares.chunks_mut(columns)).for_each_in(job, |row, line| {
        line.fill(0.0);
        for row in around(row, rows, wraps) {
            let sums = &along[row * columns..][..columns];
            line.iter_mut().zip(sums).for_each(|(all, sum)| *all += sum);
        }
        line.iter_mut()
            .for_each(|all| *all = (*all / count * 3.0).sqrt());
    })?;
    Ok(Grid::from_vec(rows, columns, squares).expect("a roughness a sample"))
}

/// Indices of the samples of a line around one, itself in the middle.
fn around(at: usize, side: usize, wraps: bool) -> impl Iterator<Item = usize> {
    let before = (1..=RADIUS)
        .rev()
        .map(move |by| beside(at, by, side, wraps)[0]);
    let after = (1..=RADIUS).map(move |by| beside(at, by, side, wraps)[1]);
    before.chain(std::iter::once(at)).chain(after)
}

/// Indices of the samples `by` before and after one. A map that wraps repeats without its last sample, which
/// equals its first; a free one is mirrored at its border.
pub(super) fn beside(at: usize, by: usize, side: usize, wraps: bool) -> [usize; 2] {
    let cells = side as i64 - 1;
    [-(by as i64), by as i64].map(|by| {
        let index = at as i64 + by;
        if (0..=cells).contains(&index) {
            index as usize
        } else if wraps {
            index.rem_euclid(cells) as usize
        } else {
            let there = index.rem_euclid(2 * cells);
            there.min(2 * cells - there) as usize
        }
    })
}

/// Roughness at the points of finer lattices, interpolated linearly.
#[derive(Clone, Copy)]
pub(super) struct Roughness<'a> {
    /// Roughness at the samples of the level.
    pub grid: &'a Grid<f32>,
    /// Level of the samples.
    pub level: u32,
}

impl Roughness<'_> {
    /// Multiply `values`, of every second point of a row of a finer level from the column `first` on, by the
    /// roughness there. Row and column may lie beyond a border that wraps.
    pub fn scale(self, level: u32, row: i64, first: i64, values: &mut [f32]) {
        let finer = level - self.level;
        let down = along(row, finer, self.grid.rows());
        let (north, south) = (self.grid.row(down.first), self.grid.row(down.second));
        let columns = self.grid.columns();
        for (index, value) in values.iter_mut().enumerate() {
            let across = along(first + 2 * index as i64, finer, columns);
            let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
            let on = |line: &[f32]| mix(line[across.first], line[across.second], across.part);
            *value *= mix(on(north), on(south), down.part);
        }
    }
}

/// Two samples around a position, and the fraction of the distance from the first to the second.
#[derive(Clone, Copy)]
pub(super) struct Along {
    pub first: usize,
    pub second: usize,
    pub part: f32,
}

/// Locate a row or column of a lattice `finer` levels finer among the `side` rows or columns of a map. It may
/// lie beyond a border that wraps.
pub(super) fn along(at: i64, finer: u32, side: usize) -> Along {
    let whole = at >> finer;
    let unit = 1.0 / (1_i64 << finer) as f32;
    Along {
        first: wrapped(whole, side),
        second: wrapped(whole + 1, side),
        part: (at - (whole << finer)) as f32 * unit,
    }
}

// Reduction of local roughness by sediment.

/// Weight of sediment thickness relative to roughness.
const COVERS: f32 = 2.0;

/// Reduce the roughness of each sample of a map by the sediment on it, both in half tiles: a thickness of
/// half the roughness halves it, and ten times the roughness removes nearly all of it.
pub(super) fn bury(roughness: &mut Grid<f32>, sediment: &[f32]) {
    const PART: usize = 1 << 14;
    let parts = roughness.as_mut_slice().chunks_mut(PART);
    parallel::par_items(parts.zip(sediment.chunks(PART))).for_each(|_, (roughness, sediment)| {
        for (rough, thick) in roughness.iter_mut().zip(sediment) {
            let covered = *rough + COVERS * thick;
            *rough *= *rough / covered.max(f32::MIN_POSITIVE);
        }
    });
}
