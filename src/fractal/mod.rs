//! Fractal subdivision: midpoint displacement and diamond-square (Fournier, Fussell and Carpenter 1982;
//! Martz 1996), on whole maps, streams of rows and rectangles at any level of detail.
//!
//! [`Subdivision`] is a diamond-square map with all settings resolved to numbers. [`scalar`] is the
//! reference implementation; [`Subdivision::fill`] and [`Subdivision::rows`] give the same bits faster and
//! a row at a time.

use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::param::choice;
use crate::util::rng::{Stage, Stream, gaussian, uniform};

pub mod function;
pub mod gullies;
mod kernel;
pub mod passes;
mod patch;
mod pipeline;
pub mod profile;
mod real;
pub mod refinement;
pub mod region;
pub(crate) mod rough;
pub mod roughness;
pub mod rows;
pub mod scalar;
mod sediment;

#[doc(hidden)]
pub use kernel::Instructions;
pub use kernel::instruction_set;

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
        Free = "free", "Points on the border average the three neighbours that exist.";
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
        let base = scalar::base(&rule, base_level, corners, known, job)?;
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
