//! Crease artefact metric: visibility of the subdivision lattice in a heightfield.
//!
//! Midpoint displacement leaves creases: straight bends along the grid lines of its coarse passes, since
//! later passes change both sides alike (Gavin Miller 1986, "The definition and rendering of terrain
//! maps"). A bend is a second difference across the line. A crease differs from roughness in that it
//! continues along the line:
//!
//! ```text
//!   line c           D(r) = h(r, c−1) − 2·h(r, c) + h(r, c+1)     bend across the line
//!   │
//!  ─┼─ r             B = mean of D over 8 samples along the line  roughness averages out,
//!  ─┼─ r+1                                                        a crease remains
//!   ┼  …             V = mean of B² over a set of lines
//!
//!   crease = V of rows and columns whose index is a multiple of 8, over V of all others
//! ```
//! A ratio of 1 means that the coarse lines are like all others. A profile has points in place of lines,
//! and no average is taken.
//!
//! **Typical values**, at n = 8 and H = 0.7: Fourier, square-square, hills 1.0 ± 0.1; diamond-square 1.5,
//! successive random additions 1.8, plain midpoint 2.9. The smoother the map, the more visible its
//! creases: 1.1 and 1.6 for diamond-square and midpoint at H = 0.3, 2.1 and 4.5 at H = 0.9. Successive
//! random additions do not remove creases: they move the points of coarse passes again, but the additions
//! are interpolated on the same lattice. Gradient noise and wavelets, whose lattice is the same in every
//! octave, give 1.3 … 1.9. Maps of n = 5 have few coarse lines, so their ratios scatter by a third.

use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Spacing of coarse lines: their index is a multiple of it.
pub const COARSE: usize = 8;

/// Number of samples along a line over which a bend is averaged.
const RUN: usize = 8;

/// Minimum number of cells a side: smaller maps have too few coarse lines.
const FEWEST_CELLS: usize = 32;

/// Crease metric: bends across coarse grid lines, relative to those across other lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Crease {
    /// Mean square bend of the coarse lines over that of the others; 1 means no creases.
    pub ratio: f64,
    /// Ratio for each power of two.
    pub levels: Vec<CreaseLevel>,
}

/// Crease metric of the grid lines that one pass of a subdivision adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreaseLevel {
    /// Largest power of two that divides the lines' index. The last level has all multiples of its power.
    pub spacing: usize,
    /// Mean square bend of these lines over that of all lines that are not coarse.
    pub ratio: f64,
    /// Number of bends measured.
    pub count: usize,
}

/// Sum of squares with its count.
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

/// Measure the creases of a map, across the border if it wraps. `None` for a map of fewer than 33 samples
/// a side or without any bend. Cost: one pass over the heights with about six additions a sample, and
/// almost no memory.
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
    // A map without bends gives 0 / 0.
    Ok(ratio.is_finite().then_some(Crease { ratio, levels }))
}

/// Assignment of grid lines to levels.
struct Levels {
    last: u32,
}

impl Levels {
    /// Levels of a map. The spacing of the last is about cells/8, so that it has a handful of lines.
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

/// Range of the lines with a neighbour on both sides. In a map that wraps these are all lines except the
/// last, which repeats the first.
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
    // The last row and column of a map that wraps repeat the first, so they are left out.
    let own = |samples: usize| samples - usize::from(map.wraps());
    let (rows, columns) = (own(map.rows()), own(map.columns()));
    let bends = Tools::new(|| vec![0.0; columns]);
    let of_bands = parallel::par_items((0..rows).step_by(RUN)).try_map(|_, first| {
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

/// Add the bends across all columns, each averaged over the rows of the band.
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

/// Add the bends across a row, each averaged over a run of columns.
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
