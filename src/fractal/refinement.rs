//! Refinement of any map to finer levels of detail by diamond-square, with the map as its base.
//!
//! Points of the base never move ("known points are never overwritten", Martz 1996). Points between them
//! are displaced in proportion to the local roughness, so smooth ground stays smooth and a lake stays flat.
//! Deeper than about 24 / H levels 32-bit heights show steps; so from a certain level on passes use 64 bits,
//! which suffice for 40 more levels. Ground given by a [function](Function) is refined by evaluating
//! that.

use std::fmt::Debug;
use std::sync::Arc;

use crate::fractal::bedrock::Bedrock;
use crate::fractal::gullies::Gullies;
use crate::fractal::patch::{Patch, Span, each_row};
use crate::fractal::roughness::{bury, roughness};
use crate::fractal::{Distribution, Edges, Rule, Subdivision, amplitude};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, MOST_HEIGHT};
use crate::util::job::{Cancelled, Job};

/// Map with the passes of diamond-square to its finer levels. [`Refinement::single`] and
/// [`Refinement::double`] compute a rectangle of the finest level.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// Rule of all points. It has ranges for every level from the first pass on; those before `base_level`
    /// are unused.
    pub rule: Rule,
    /// Level of `base`.
    pub base_level: u32,
    /// Fixed heights in half tiles, at least two rows and columns.
    pub base: Grid<f32>,
    /// Factor of displacements at each sample of `base`, interpolated linearly; `None` stands for 1.
    pub roughness: Option<Grid<f32>>,
    /// Gullies between the samples, if the ground has eroded.
    pub gullies: Option<Gullies>,
    /// Beds of rock between the samples, if the ground has them.
    pub bedrock: Option<Bedrock>,
    /// Height function between the samples, if the ground has one.
    pub function: Option<Function>,
    /// Deepest level whose heights have 32 bits.
    pub single_to: u32,
}

/// Share of the roughness that rock has, and the most of it, as a part of the spacing of samples.
const ROCK: f32 = 0.4;
const MOST_ON_ROCK: f32 = 0.12;

/// Parameters of the finer levels of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Below {
    /// Number of finer levels.
    pub levels: u32,
    /// Hurst exponent of the finer levels, 0…1.
    pub hurst: f32,
    /// Factor of all displacements.
    pub strength: f32,
    /// Seed of the displacements.
    pub seed: u64,
}

impl Refinement {
    /// Deepest level of whole maps, and deepest level with 32-bit heights in maps with finer levels.
    pub const SINGLE_TO: u32 = 20;
    /// Deepest level overall.
    pub const MOST_LEVELS: u32 = 60;
    /// Deepest level of ground given by a function without displacements.
    pub const SMOOTH_TO: u32 = 46;

    /// Create the refinement of diamond-square itself, with 32-bit heights down to the level `single_to`. It
    /// equals the map.
    #[must_use]
    pub fn of(subdivision: Subdivision, single_to: u32) -> Self {
        Self {
            rule: subdivision.rule,
            base_level: subdivision.base_level,
            base: subdivision.base,
            roughness: None,
            gullies: None,
            bedrock: None,
            function: None,
            single_to,
        }
    }

    /// Create finer levels for `map` that continue its local roughness, decreasing from level to level with
    /// H. Displacements are uniform; the first range is that of a map of this H
    /// ([`roughness`](super::roughness)) times `strength`. On eroded maps sediment reduces the roughness,
    /// and slopes have [gullies](super::gullies). The level of the map is that of the smallest
    /// diamond-square map with as many cells. Cost: some passes over the map.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The map is a profile.
    pub fn below(map: &Heightmap, below: &Below, job: &Job) -> Result<Self, Cancelled> {
        assert!(!map.is_profile(), "a profile has no ground to refine");
        let base_level = level_of(map);
        let half_step = |half_steps: u32| {
            let steps = f64::from(half_steps) / 2.0;
            amplitude(1.0, below.strength, below.hurst, steps)
        };
        let passes =
            (0..below.levels).map(|pass| [half_step(2 * pass + 1), half_step(2 * pass + 2)]);
        let rule = Rule {
            seed: below.seed,
            amplitudes: std::iter::repeat_n([0.0; 2], base_level as usize)
                .chain(passes)
                .collect(),
            distribution: Distribution::Uniform,
            edges: if map.wraps() {
                Edges::Wrap
            } else {
                Edges::Free
            },
        };
        let mut roughness = roughness(map, job)?;
        let gullies = match map.worn() {
            Some(worn) => {
                bury(&mut roughness, &worn.sediment);
                let (strength, seed) = (below.strength, below.seed);
                Gullies::of(map, base_level, &mut roughness, strength, seed, job)?
            }
            None => None,
        };
        let heights = map.heights().to_vec();
        Ok(Self {
            rule,
            base_level,
            base: Grid::from_vec(map.rows(), map.columns(), heights).expect("all heights"),
            roughness: Some(roughness),
            gullies,
            bedrock: None,
            function: None,
            single_to: Self::SINGLE_TO,
        })
    }

    /// Set the bedrock of the ground. Rock has no gullies, and it is hardly rough, or its beds would not be
    /// seen: the edges of the map's own beds are not roughness.
    pub fn lay_bedrock(&mut self, bedrock: Bedrock) {
        let rock = bedrock.rock();
        let spacing = 2.0 / (self.base.rows().max(self.base.columns()) - 1) as f32;
        if let Some(roughness) = &mut self.roughness {
            let shares = rock.as_slice().iter();
            for (rough, share) in roughness.as_mut_slice().iter_mut().zip(shares) {
                let on_rock = (ROCK * *rough).min(MOST_ON_ROCK * spacing);
                *rough += f32::from(*share) / 255.0 * (on_rock - *rough);
            }
        }
        if let Some(gullies) = &mut self.gullies {
            gullies.fill(rock);
        }
        self.bedrock = Some(bedrock);
    }

    /// Set a height function for the ground between samples. Displacements begin below the finest detail of
    /// the function, with the ranges they have at that level anyway.
    ///
    /// # Panics
    /// The base is not one of 2^level cells a side.
    #[must_use]
    pub fn following(mut self, function: Function) -> Self {
        let side = (1 << self.base_level) + 1;
        assert_eq!([self.base.rows(), self.base.columns()], [side; 2]);
        let own = self.level().min(function.own_to) as usize;
        self.rule.amplitudes[..own].fill([0.0; 2]);
        let mut ranges = self.rule.amplitudes.iter();
        if ranges.all(|range| *range == [0.0; 2]) {
            self.roughness = None;
        }
        self.function = Some(function);
        self
    }

    /// Finest level.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.rule.amplitudes.len() as u32
    }

    /// Number of rows and columns of the finest level.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        let finer = self.level() - self.base_level;
        [self.base.rows(), self.base.columns()].map(|side| ((side - 1) << finer) + 1)
    }

    /// Deepest level whose heights are distinct in 64 bits: displacements reach at least 2^−46 of the
    /// largest height or displacement, so at most one of a thousand neighbours is equal. Displacements of 0
    /// set no limit. A function alone is limited to cells of 2^−46 of the tile, below which the rounding of
    /// positions and heights would show.
    #[must_use]
    pub fn deepest(&self) -> u32 {
        let most = |numbers: &[f32]| numbers.iter().fold(0.0_f32, |most, n| most.max(n.abs()));
        let roughness = self
            .roughness
            .as_ref()
            .map_or(1.0, |grid| most(grid.as_slice()));
        let range = |ranges: &[f32; 2]| f64::from(most(ranges) * roughness);
        let below = || self.rule.amplitudes.iter().skip(self.base_level as usize);
        let highest = below()
            .map(range)
            .fold(most(self.base.as_slice()).into(), f64::max);
        let smooth_to = self.function.as_ref().map_or(u32::MAX, |_| Self::SMOOTH_TO);
        let is_lost = |level: u32, ranges: &[f32; 2]| match range(ranges) {
            0.0 => level > smooth_to,
            range => range < highest * libm::exp2(-46.0),
        };
        let levels = (self.base_level + 1..).zip(below());
        let levels = levels.take_while(|(level, ranges)| !is_lost(*level, ranges));
        let levels = levels.count();
        self.base_level + levels as u32
    }

    /// True if all heights have 32 bits.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.level() <= self.single_to.max(self.base_level)
    }
}

/// Level of the smallest diamond-square map with at least as many cells a side.
#[must_use]
pub fn level_of(map: &Heightmap) -> u32 {
    let cells = map.rows().max(map.columns()) - 1;
    cells.next_power_of_two().ilog2()
}

// Continuous height functions between the samples of a map, for ground given by a formula or noise.
//
// Samples have 32 bits, the function is evaluated in 64. The residual of a sample is its rounding error.
// Between samples the residuals are interpolated with the fade 6t⁵ − 15t⁴ + 10t³ (Perlin 2002), so the
// ground is smooth at every level of detail; diamond-square would raise a cusp at each sample, whose flanks
// get steeper by 1.31 a level. Displacements begin below the finest detail of the function:
//
// ```text
// height between samples = function + interpolated (samples − function) + displacements
// ```
// So no sample moves or sticks out, and any part of any level has the same numbers. Cost: that of
// the function and 2 ns a point, and of the levels that have displacements.

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
