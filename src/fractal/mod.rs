//! Midpoint displacement and diamond-square: a diamond step, then a square step, on ever finer grids
//! (Fournier, Fussell and Carpenter 1982; Martz 1996), for whole maps, streams of rows and rectangles at
//! any level of detail.
//!
//! This file begins with the reference loop, both steps in place:
//!
//! ```text
//! a  .  .  .  b      a  .  n  .  b      corners a b c d, stride s
//! .  .  .  .  .      .  .  .  .  .      diamond: m = mean(a b c d) + U
//! .  .  m  .  .  →   w  .  m  .  e      square:  n = mean(of its four neighbours,
//! .  .  .  .  .      .  .  .  .  .               half a stride away: a, b, m and the
//! c  .  .  .  d      c  .  s  .  d               centre above, across the border) + U
//! ```
//! Known artefact: creases along the grid lines of the early passes (Miller 1986).
//!
//! [`Subdivision`] is a diamond-square map with all settings resolved to numbers. [`Subdivision::fill`] and
//! [`Subdivision::rows`] give the bits of [`fill`] faster and a row at a time, so the order of every addition
//! in the loop matters.

use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::param::choice;
use crate::util::rng::{Rng, Stage, Stream, gaussian, uniform};

pub mod bands;
pub mod bedrock;
mod columns;
pub mod gullies;
mod interpolated;
pub mod passes;
mod patch;
pub mod refinement;
pub mod region;
pub mod roughness;
pub mod rows;

#[doc(hidden)]
pub use rows::Instructions;
pub use rows::instruction_set;

/// Fill `heights`, (2^n + 1)² values, with the map of `subdivision` in half tiles.
///
/// # Panics
/// The number of heights is not (2^n + 1)².
pub fn fill(subdivision: &Subdivision, heights: &mut [f32]) {
    let side = subdivision.side();
    assert_eq!(heights.len(), side * side, "{side} × {side} heights");
    let cells = side - 1;
    let stride = cells >> subdivision.base_level;
    let base = &subdivision.base;
    for row in 0..base.rows() {
        for column in 0..base.columns() {
            heights[row * stride * side + column * stride] = base.at(row, column);
        }
    }
    for pass in subdivision.base_level..subdivision.iterations {
        refine(&subdivision.rule, pass, cells, heights, None);
    }
}

/// Compute the lattice of `level` from four corners (north-west, north-east, south-west, south-east), keeping
/// fixed points. On a wrapped map only the first corner is used.
fn base(
    rule: &Rule,
    level: u32,
    corners: [f32; 4],
    known: Option<&Known>,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let cells = 1usize << level;
    let mut grid = Grid::filled(cells + 1, cells + 1, 0.0);
    for (index, corner) in corners.into_iter().enumerate() {
        let (row, column) = (index / 2, index % 2);
        let (from, corner) = match rule.edges {
            Edges::Wrap => ((0, 0), corners[0]),
            Edges::Free => ((row, column), corner),
        };
        let height = known
            .and_then(|known| known.at(0, from.0, from.1))
            .unwrap_or(corner);
        grid.set(row * cells, column * cells, height);
    }
    let heights = grid.as_mut_slice();
    for pass in 0..level {
        for row in 0..diamond_rows(pass) {
            job.check()?;
            diamond_row(rule, pass, row, cells, heights, known);
        }
        for row in 0..square_rows(rule, pass) {
            job.check()?;
            square_row(rule, pass, row, cells, heights, known);
        }
    }
    Ok(grid)
}

/// Run one pass: the lattice of level `pass` within a map of `cells` a side becomes the lattice of level
/// `pass` + 1. Fixed points take their fixed height.
pub fn refine(rule: &Rule, pass: u32, cells: usize, heights: &mut [f32], known: Option<&Known>) {
    diamond_step(rule, pass, cells, heights, known);
    square_step(rule, pass, cells, heights, known);
}

/// Run the diamond step of pass `pass`: set the centre of each square to the mean of its four corners plus a
/// displacement.
pub fn diamond_step(
    rule: &Rule,
    pass: u32,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    for row in 0..diamond_rows(pass) {
        diamond_row(rule, pass, row, cells, heights, known);
    }
}

/// Number of rows of squares.
fn diamond_rows(pass: u32) -> usize {
    1 << pass
}

fn diamond_row(
    rule: &Rule,
    pass: u32,
    row: usize,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    let (side, stride) = (cells + 1, cells >> pass);
    let half = stride / 2;
    let range = rule.amplitudes[pass as usize][0];
    let mut numbers = rule.stream(Stage::Diamond, pass).row(row as u64);
    let (north, south) = (row * stride * side, (row + 1) * stride * side);
    for column in 0..1usize << pass {
        let (west, east) = (column * stride, (column + 1) * stride);
        let sum = (heights[north + west] + heights[north + east])
            + (heights[south + west] + heights[south + east]);
        let height = sum * 0.25 + range * rule.variate(numbers.next_u32());
        let known = known.and_then(|k| k.at(pass + 1, 2 * row + 1, 2 * column + 1));
        heights[north + half * side + west + half] = known.unwrap_or(height);
    }
}

/// Run the square step of pass `pass`: set the midpoint of each edge to the mean of its four neighbours
/// half a stride away plus a displacement. On a wrapped map the neighbour beyond the border is taken from
/// the opposite side; on a free one a border point has three neighbours.
pub fn square_step(
    rule: &Rule,
    pass: u32,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    for row in 0..square_rows(rule, pass) {
        square_row(rule, pass, row, cells, heights, known);
    }
}

/// Number of rows of edge midpoints. On a wrapped map the last row repeats the first and is not counted.
fn square_rows(rule: &Rule, pass: u32) -> usize {
    let across = 2usize << pass;
    match rule.edges {
        Edges::Wrap => across,
        Edges::Free => across + 1,
    }
}

fn square_row(
    rule: &Rule,
    pass: u32,
    row: usize,
    cells: usize,
    heights: &mut [f32],
    known: Option<&Known>,
) {
    let side = cells + 1;
    let half = (cells >> pass) / 2;
    let range = rule.amplitudes[pass as usize][1];
    let wraps = rule.edges == Edges::Wrap;
    // In units of `half`, the lattice has `across` cells a side. Even rows hold the midpoints of west-east
    // edges at odd columns, odd rows those of north-south edges at even columns.
    let across = 2usize << pass;
    let lines = square_rows(rule, pass);
    let mut numbers = rule.stream(Stage::Square, pass).row(row as u64);
    for column in ((row + 1) % 2..lines).step_by(2) {
        let at = |row: usize, column: usize| heights[row * half * side + column * half];
        let north_south_inside = row > 0 && row < across;
        let west_east_inside = column > 0 && column < across;
        let before = |index: usize| if index == 0 { across - 1 } else { index - 1 };
        let after = |index: usize| if index == across { 1 } else { index + 1 };
        let (north, south) = (at(before(row), column), at(after(row), column));
        let (west, east) = (at(row, before(column)), at(row, after(column)));
        let mean = if wraps || (north_south_inside && west_east_inside) {
            ((north + south) + (west + east)) * 0.25
        } else if west_east_inside {
            let inner = if row == 0 { south } else { north };
            ((west + east) + inner) / 3.0
        } else {
            let inner = if column == 0 { east } else { west };
            ((north + south) + inner) / 3.0
        };
        let height = mean + range * rule.variate(numbers.next_u32());
        let known = known.and_then(|k| k.at(pass + 1, row, column));
        let height = known.unwrap_or(height);
        heights[row * half * side + column * half] = height;
        if wraps && row == 0 {
            heights[across * half * side + column * half] = height;
        }
        if wraps && column == 0 {
            heights[row * half * side + across * half] = height;
        }
    }
}

choice! {
    /// Distribution of displacements.
    pub enum Distribution: "distribution" {
        #[default]
        Uniform = "uniform", "Evenly between −A and A, as in Martz's program.";
        Gaussian = "gaussian", "Normally distributed, σ = A/√3: the same relief, with a few outliers.";
    }
}

choice! {
    /// Border handling.
    pub enum Edges: "edges" {
        #[default]
        Wrap = "wrap", "Opposite borders are equal, so tiles join without a seam.";
        Free = "free", "Points on the border take the mean of their three neighbours.";
    }
}

/// Displacement range of pass k, in the unit of `height_scale`: A · w_k · 2^(−H·k). It is computed in `f64`
/// and is the same on every machine.
#[must_use]
pub fn amplitude(height_scale: f32, strength: f32, hurst: f32, pass: f64) -> f32 {
    (f64::from(height_scale) * f64::from(strength) * libm::exp2(-f64::from(hurst) * pass)) as f32
}

/// Rule of diamond-square for every point: random stream and range of its displacement, and border
/// handling.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Seed of all displacements.
    pub seed: u64,
    /// Displacement ranges of each pass, in half tiles: of its diamond step, then of its square step.
    pub amplitudes: Vec<[f32; 2]>,
    /// Distribution of displacements: uniform or normal.
    pub distribution: Distribution,
    /// Border handling: wrapped or free.
    pub edges: Edges,
}

impl Rule {
    /// Random stream of one half step: each row of points has its own row in the stream.
    #[must_use]
    pub fn stream(&self, stage: Stage, pass: u32) -> Stream {
        Stream::new(self.seed, stage, pass)
    }

    /// Convert random bits to a value of unit range; see [`variate`].
    #[must_use]
    #[inline]
    pub fn variate(&self, bits: u32) -> f32 {
        variate(self.distribution, bits)
    }
}

/// Convert random bits to a value of unit range: in [−1, 1) if uniform; if normal, with the standard
/// deviation 1/√3, which gives the same relief.
#[must_use]
#[inline]
pub fn variate(distribution: Distribution, bits: u32) -> f32 {
    match distribution {
        Distribution::Uniform => uniform(bits),
        Distribution::Gaussian => gaussian(bits) * GAUSSIAN_UNIT,
    }
}

/// Standard deviation 1/√3 of a uniform value in [−1, 1).
const GAUSSIAN_UNIT: f32 = 0.577_350_26;

/// Fixed heights on the (2^level + 1)² points of one level's lattice, known before the first pass. NaN marks
/// a free point.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    level: u32,
    heights: Grid<f32>,
}

impl Known {
    /// Create fixed heights in half tiles on the lattice of `level`.
    ///
    /// # Panics
    /// The number of heights is not (2^level + 1)².
    #[must_use]
    pub fn new(level: u32, heights: Grid<f32>) -> Self {
        let side = (1 << level) + 1;
        assert_eq!((heights.rows(), heights.columns()), (side, side));
        Self { level, heights }
    }

    /// Level of the lattice.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Fixed height at (row, column) of the lattice of `level`, in half tiles; `None` for a free point.
    #[must_use]
    pub fn at(&self, level: u32, row: usize, column: usize) -> Option<f32> {
        let shift = self.level.checked_sub(level)?;
        let height = self.heights.at(row << shift, column << shift);
        (!height.is_nan()).then_some(height)
    }
}

/// Diamond-square map with all settings resolved: a base lattice and the passes that refine it.
///
/// The map of n iterations is the map of n + 1 iterations at every second sample, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Subdivision {
    /// Rule of every point.
    pub rule: Rule,
    /// Number n of iterations: the map has (2^n + 1)² heights.
    pub iterations: u32,
    /// Level of `base`; the passes up to it are done.
    pub base_level: u32,
    /// Heights of the base lattice, (2^base_level + 1)² in half tiles, from which the first pass starts.
    pub base: Grid<f32>,
}

impl Subdivision {
    /// Create a map with one pass for each range of `rule`, from the heights of the four corners in half
    /// tiles: north-west, north-east, south-west, south-east. Passes up to the level of `known` run here,
    /// point by point, since they must keep fixed points.
    #[must_use]
    pub fn new(rule: Rule, corners: [f32; 4], known: Option<&Known>) -> Self {
        let new = Self::with_known(rule, corners, known, &Job::new());
        new.expect("nobody cancels this job")
    }

    /// Cancellable version of [`Subdivision::new`], since a fine lattice of fixed heights takes a while.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn with_known(
        rule: Rule,
        corners: [f32; 4],
        known: Option<&Known>,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let iterations = rule.amplitudes.len() as u32;
        let base_level = known.map_or(0, |known| known.level.min(iterations));
        let base = base(&rule, base_level, corners, known, job)?;
        Ok(Self {
            rule,
            iterations,
            base_level,
            base,
        })
    }

    /// Number of samples along one side: 2^n + 1.
    #[must_use]
    pub fn side(&self) -> usize {
        (1 << self.iterations) + 1
    }
}

// One-dimensional midpoint displacement (Fournier, Fussell and Carpenter 1982).

/// Fill `heights` (2^n + 1 values in half tiles) with a ridge from 0 to 0: pass k displaces the midpoint of
/// each of its 2^k segments by up to A·2^(−H·k).
///
/// # Panics
/// The number of heights is not 2^n + 1.
pub fn midpoint(seed: u64, hurst: f32, height_scale: f32, heights: &mut [f32]) {
    let segments = heights.len() - 1;
    assert!(segments.is_power_of_two(), "2^n + 1 heights");
    heights[0] = 0.0;
    heights[segments] = 0.0;
    for pass in 0..segments.ilog2() {
        let range = amplitude(height_scale, 1.0, hurst, f64::from(pass));
        let mut numbers = Stream::new(seed, Stage::Midpoint, pass).row(0);
        let stride = segments >> pass;
        for start in (0..segments).step_by(stride) {
            let mean = (heights[start] + heights[start + stride]) * 0.5;
            heights[start + stride / 2] = mean + range * uniform(numbers.next_u32());
        }
    }
}
