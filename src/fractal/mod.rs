//! The core of the fractals: subdivision and displacement, pass after pass.
//!
//! [`Subdivision`] is a diamond-square map with all settings resolved to numbers. [`scalar`] is its
//! plain definition; [`Subdivision::fill`] and [`Subdivision::rows`] give the same bits faster and
//! a row at a time.

use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::param::choice;
use crate::rng::{Stage, Stream, gaussian, uniform};

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
    /// How displacements are drawn.
    pub enum Distribution: "distribution" {
        #[default]
        Uniform = "uniform", "Evenly between −A and A, as in Martz's program.";
        Gaussian = "gaussian", "Normally distributed, σ = A/√3: the same relief, with a few outliers.";
    }
}

choice! {
    /// What happens at the border.
    pub enum Edges: "edges" {
        #[default]
        Wrap = "wrap", "Opposite borders are equal, so tiles join without a seam.";
        Free = "free", "Points on the border average the three neighbours that exist.";
    }
}

/// The range of the displacements of pass k, in the unit of `height_scale`: A · w_k · 2^(−H·k). It
/// is worked out in `f64` and is the same on every machine.
#[must_use]
pub fn amplitude(height_scale: f32, strength: f32, hurst: f32, pass: f64) -> f32 {
    (f64::from(height_scale) * f64::from(strength) * libm::exp2(-f64::from(hurst) * pass)) as f32
}

/// What every point of diamond-square follows: where its displacement comes from, how large that
/// may be, and what lies beyond the border.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// The seed of all displacements.
    pub seed: u64,
    /// The ranges of each pass, in half tiles: first of its diamond step, then of its square step.
    pub amplitudes: Vec<[f32; 2]>,
    /// How displacements are drawn: evenly spread or normal.
    pub distribution: Distribution,
    /// What happens at the border: wrapped or free.
    pub edges: Edges,
}

impl Rule {
    /// The random numbers of one half step: each row of points has its own row in the stream.
    #[must_use]
    pub fn stream(&self, stage: Stage, pass: u32) -> Stream {
        Stream::new(self.seed, stage, pass)
    }

    /// A random number as a value of unit range; see [`variate`].
    #[must_use]
    #[inline]
    pub fn variate(&self, bits: u32) -> f32 {
        variate(self.distribution, bits)
    }
}

/// A random number as a value of unit range: in [−1, 1) if uniform, and with standard deviation
/// 1/√3, which gives the same relief, if normal.
#[must_use]
#[inline]
pub fn variate(distribution: Distribution, bits: u32) -> f32 {
    match distribution {
        Distribution::Uniform => uniform(bits),
        Distribution::Gaussian => gaussian(bits) * GAUSSIAN_UNIT,
    }
}

/// 1/√3, the standard deviation of a uniform value in [−1, 1).
const GAUSSIAN_UNIT: f32 = 0.577_350_26;

/// Heights that are known before the first pass, on the (2^level + 1)² points of one level's
/// lattice. NaN marks a point that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    level: u32,
    heights: Grid<f32>,
}

impl Known {
    /// Known heights in half tiles on the lattice of `level`.
    ///
    /// # Panics
    /// The number of heights is not (2^level + 1)².
    #[must_use]
    pub fn new(level: u32, heights: Grid<f32>) -> Self {
        let side = (1 << level) + 1;
        assert_eq!((heights.rows(), heights.columns()), (side, side));
        Self { level, heights }
    }

    /// The level whose lattice is known.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// The height known at (row, column) of the lattice of `level`, in half tiles; `None` if it is
    /// not known.
    #[must_use]
    pub fn at(&self, level: u32, row: usize, column: usize) -> Option<f32> {
        let shift = self.level.checked_sub(level)?;
        let height = self.heights.at(row << shift, column << shift);
        (!height.is_nan()).then_some(height)
    }
}

/// One diamond-square map with all settings resolved: a base lattice and the passes that refine it.
///
/// The map of n iterations is the map of n + 1 iterations at every second sample, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Subdivision {
    /// The rule that every point follows.
    pub rule: Rule,
    /// The number n of iterations: the map has (2^n + 1)² heights.
    pub iterations: u32,
    /// The level of `base`; the passes up to it are done.
    pub base_level: u32,
    /// The (2^base_level + 1)² heights in half tiles that the first pass starts from.
    pub base: Grid<f32>,
}

impl Subdivision {
    /// The map that follows `rule`, with one pass for each of its ranges, from the heights of the
    /// four corners in half tiles: north-west, north-east, south-west, south-east. Passes up to the
    /// level of `known` are done here, point by point, since they must step around what is known.
    #[must_use]
    pub fn new(rule: Rule, corners: [f32; 4], known: Option<&Known>) -> Self {
        let new = Self::with_known(rule, corners, known, &Job::new());
        new.expect("nobody cancels this job")
    }

    /// [`Subdivision::new`] that can be cancelled, since a fine lattice of known heights takes a
    /// while.
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

    /// The number of samples along one side: 2^n + 1.
    #[must_use]
    pub fn side(&self) -> usize {
        (1 << self.iterations) + 1
    }
}
