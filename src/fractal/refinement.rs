//! Refinement of any map to finer levels of detail by diamond-square, with the map as its base.
//!
//! Points of the base never move ("known points are never overwritten", Martz 1996). Points between them
//! are displaced in proportion to the local roughness, so smooth ground stays smooth and a lake stays flat.
//! Deeper than about 24 / H levels 32-bit heights show steps; so from a certain level on passes use 64 bits,
//! which suffice for 40 more levels. Ground given by a [function](super::function) is refined by evaluating
//! that.

use super::function::Function;
use super::gullies::Gullies;
use super::roughness::roughness;
use super::sediment::bury;
use super::{Distribution, Edges, Rule, Subdivision, amplitude};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
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
    /// Height function between the samples, if the ground has one.
    pub function: Option<Function>,
    /// Deepest level whose heights have 32 bits.
    pub single_to: u32,
}

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
            function: None,
            single_to: Self::SINGLE_TO,
        })
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
