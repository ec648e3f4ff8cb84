//! How much the lattice of a subdivision shows: Miller's creases, as a number.
//!
//! Subdivision leaves bends that run dead straight along the grid lines of its coarse passes,
//! for later passes add to them on both sides alike (Gavin Miller 1986, "The definition and
//! rendering of terrain maps"). A bend is a second difference across the line, and what tells a
//! crease from roughness is that it goes on along the line:
//!
//! ```text
//!   line c           D(r) = h(r, c−1) − 2·h(r, c) + h(r, c+1)     the bend across the line
//!   │
//!  ─┼─ r             B = mean of D over 8 samples along the line  roughness averages out,
//!  ─┼─ r+1                                                        a crease stays
//!   ┼  …             V = mean of B² over all of a set of lines
//!
//!   crease = V of rows and columns whose index is a multiple of 8, over V of all others
//! ```
//! 1 means that the coarse lines are like any others. A profile has points in place of lines, and
//! no average is taken.
//!
//! **Typical values**, at n = 8 and H = 0.7: Fourier, square-square, hills 1.0 ± 0.1;
//! diamond-square 1.5, successive random additions 1.8, plain midpoint 2.9. The smoother the map,
//! the plainer its creases: 1.1 and 1.6 for diamond-square and midpoint at H = 0.3, 2.1 and 4.5 at
//! H = 0.9. Successive random additions does not cure creases: points of coarse passes move again,
//! but what they add is interpolated onto the same lattice. Gradient noise and wavelets, whose
//! lattice is the same in every octave, give 1.3 … 1.9. Maps of n = 5 have few coarse lines and
//! scatter by a third.

use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::parallel::{self, Tools};

/// The spacing of coarse lines: their index is a multiple of it.
pub const COARSE: usize = 8;

/// The number of samples along a line that a bend is the mean of.
const RUN: usize = 8;

/// The fewest cells a side: fewer hold too few coarse lines.
const FEWEST_CELLS: usize = 32;

/// How much more a map bends across its coarse grid lines than across the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Crease {
    /// The mean square bend of the coarse lines over that of the others; 1 means no creases.
    pub ratio: f64,
    /// The same ratio for each power of two.
    pub levels: Vec<CreaseLevel>,
}

/// Grid lines that one pass of a subdivision would add.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreaseLevel {
    /// The largest power of two that divides the lines' index; the last level has all multiples of
    /// its power.
    pub spacing: usize,
    /// The mean square bend of these lines over that of all lines that are not coarse.
    pub ratio: f64,
    /// The number of bends measured.
    pub count: usize,
}

/// A sum of squares, and how many of them.
#[derive(Clone, Copy, Default)]
struct Sum {
    squares: f64,
    count: usize,
}

impl Sum {
    fn add(&mut self, bend: f64) {
        self.squares += bend * bend;
        self.count += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.squares += other.squares;
        self.count += other.count;
    }

    fn mean(&self) -> f64 {
        self.squares / self.count as f64
    }

    fn of(sums: &[Self]) -> Self {
        let mut all = Self::default();
        sums.iter().for_each(|sum| all.merge(sum));
        all
    }
}

/// Measures the creases of a map, continued across the border if it wraps. `None` for a map of
/// fewer than 33 samples a side, and for one that does not bend. Cost: one pass over the heights,
/// about six additions a sample, and next to no memory.
///
/// # Errors
/// The job was cancelled.
pub fn crease(map: &Heightmap, job: &Job) -> Result<Option<Crease>, Cancelled> {
    let profile = map.is_profile();
    let cells = if profile {
        map.columns() - 1
    } else {
        map.rows().min(map.columns()) - 1
    };
    if cells < FEWEST_CELLS {
        return Ok(None);
    }
    let levels = Levels::new(cells);
    let sums = if profile {
        profile_bends(map, &levels)
    } else {
        surface_bends(map, &levels, job)?
    };
    let coarse_from = COARSE.ilog2() as usize;
    let (coarse, fine) = (Sum::of(&sums[coarse_from..]), Sum::of(&sums[..coarse_from]));
    let ratio = coarse.mean() / fine.mean();
    let levels = sums.iter().enumerate().map(|(level, sum)| CreaseLevel {
        spacing: 1 << level,
        ratio: sum.mean() / fine.mean(),
        count: sum.count,
    });
    let levels = levels.collect();
    Ok(ratio.is_finite().then_some(Crease { ratio, levels }))
}

/// The levels, which tell to which one a line belongs.
struct Levels {
    last: u32,
}

impl Levels {
    /// The spacing of the last level is cells/8, so that it has a handful of lines.
    fn new(cells: usize) -> Self {
        let last = (cells / 8).max(COARSE).ilog2();
        Self { last }
    }

    fn empty(&self) -> Vec<Sum> {
        vec![Sum::default(); self.last as usize + 1]
    }

    fn of(&self, line: usize) -> usize {
        line.trailing_zeros().min(self.last) as usize
    }
}

fn second(before: f32, at: f32, after: f32) -> f64 {
    f64::from(before) - 2.0 * f64::from(at) + f64::from(after)
}

/// The lines that have a neighbour on both sides. On a map that wraps all lines do; its last line,
/// which is its first again, is left out.
fn lines(samples: usize, wraps: bool) -> std::ops::Range<usize> {
    let margin = usize::from(!wraps);
    margin..samples - 1
}

fn profile_bends(map: &Heightmap, levels: &Levels) -> Vec<Sum> {
    let mut sums = levels.empty();
    let (row, cells) = (map.row(0), map.columns() - 1);
    for c in lines(map.columns(), map.wraps()) {
        let before = row[(c + cells - 1) % cells];
        sums[levels.of(c)].add(second(before, row[c], row[c + 1]));
    }
    sums
}

fn surface_bends(map: &Heightmap, levels: &Levels, job: &Job) -> Result<Vec<Sum>, Cancelled> {
    // The last row and column of a map that wraps are left out.
    let own = |samples: usize| samples - usize::from(map.wraps());
    let (rows, columns) = (own(map.rows()), own(map.columns()));
    let bends = Tools::new(|| vec![0.0; columns]);
    let of_bands = parallel::over((0..rows).step_by(RUN)).try_map(|_, first| {
        job.check()?;
        let band = first..(first + RUN).min(rows);
        let mut sums = levels.empty();
        if band.len() == RUN {
            bends.with(|bends| across_columns(map, levels, band.clone(), bends, &mut sums));
        }
        for row in band {
            across_row(map, levels, row, columns, &mut sums);
        }
        Ok(sums)
    })?;
    let mut sums = levels.empty();
    for band in of_bands {
        for (sum, of_band) in sums.iter_mut().zip(&band) {
            sum.merge(of_band);
        }
    }
    Ok(sums)
}

/// Adds the bends across all columns, each the mean over the rows of the band.
fn across_columns(
    map: &Heightmap,
    levels: &Levels,
    band: std::ops::Range<usize>,
    bends: &mut [f64],
    sums: &mut [Sum],
) {
    let last = map.columns() - 1;
    bends.fill(0.0);
    for row in band {
        let row = map.row(row);
        bends[0] += second(row[last - 1], row[0], row[1]);
        for (bend, around) in bends[1..last].iter_mut().zip(row.windows(3)) {
            *bend += second(around[0], around[1], around[2]);
        }
    }
    for c in lines(map.columns(), map.wraps()) {
        sums[levels.of(c)].add(bends[c] / RUN as f64);
    }
}

/// Adds the bends across a row, each the mean over a run of columns.
fn across_row(map: &Heightmap, levels: &Levels, row: usize, columns: usize, sums: &mut [Sum]) {
    if !lines(map.rows(), map.wraps()).contains(&row) {
        return;
    }
    let cells = map.rows() - 1;
    let run = |row: usize| map.row(row)[..columns].as_chunks::<RUN>().0;
    let north = run((row + cells - 1) % cells);
    let around = north.iter().zip(run(row)).zip(run(row + 1));
    let sum = &mut sums[levels.of(row)];
    for ((north, here), south) in around {
        let bends = (0..RUN).map(|i| second(north[i], here[i], south[i]));
        sum.add(bends.sum::<f64>() / RUN as f64);
    }
}
