//! A map that goes on below its last level: any ground is the base that diamond-square refines.
//!
//! Points of the base never move ("known points are never overwritten", Martz 1996). What lies
//! between them is displaced in proportion to how rough the ground around is, so smooth ground
//! stays smooth and a lake stays flat. Deeper than about 24 / H levels heights of 32 bits stand in
//! stairs; so from a level on passes are made in 64 bits, which hold for 40 levels more. A ground that
//! is a [function](super::function) of the place goes on as that.

use super::function::Function;
use super::gullies::Gullies;
use super::roughness::roughness;
use super::sediment::bury;
use super::{Distribution, Edges, Rule, Subdivision, amplitude};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};

/// A map, and the passes of diamond-square below it. [`Refinement::single`] and
/// [`Refinement::double`] make a rectangle of the finest level.
#[derive(Clone, Debug, PartialEq)]
pub struct Refinement {
    /// The rule of all points. It has a range for every level from the first pass of all on, but
    /// those before `base_level` do not count.
    pub rule: Rule,
    /// The level of `base`.
    pub base_level: u32,
    /// The heights in half tiles that stay, at least two rows and columns.
    pub base: Grid<f32>,
    /// By how much displacements are multiplied, at each sample of `base` and linearly between
    /// them; by 1 if there is none.
    pub roughness: Option<Grid<f32>>,
    /// What water has done between the samples, if the ground has eroded.
    pub gullies: Option<Gullies>,
    /// What the ground is between the samples, if it is a function of the place.
    pub function: Option<Function>,
    /// The deepest level whose heights have 32 bits.
    pub single_to: u32,
}

/// How a map goes on below its last level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Below {
    /// The number of levels.
    pub levels: u32,
    /// Hurst exponent of the levels, 0…1.
    pub hurst: f32,
    /// Factor of all displacements.
    pub strength: f32,
    /// The seed of the displacements.
    pub seed: u64,
}

impl Refinement {
    /// The deepest level of maps as a whole, and the deepest whose heights have 32 bits where a
    /// map goes on below.
    pub const SINGLE_TO: u32 = 20;
    /// The deepest level that there is.
    pub const MOST_LEVELS: u32 = 60;
    /// The deepest level of a ground that is a function without displacements.
    pub const SMOOTH_TO: u32 = 46;

    /// The refinement of diamond-square itself, whose levels down to `single_to` have 32 bits: the
    /// very map.
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

    /// `map` with levels below it that are as rough as it is: around each point, and from level to
    /// level as H says. Displacements are even; the first range is that of a map of this H
    /// ([`roughness`](super::roughness)) times `strength`. Where the map has eroded, sediment covers
    /// that, and slopes have [gullies](super::gullies). The level of the map is that of the smallest
    /// map of diamond-square with as many cells. Cost: some passes over the map.
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

    /// The same ground, which between its samples is what that function says. Its displacements begin
    /// where the function ends, as large as they are there anyway.
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

    /// The level of the finest heights.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.rule.amplitudes.len() as u32
    }

    /// Rows and columns of the finest level.
    #[must_use]
    pub fn size(&self) -> [usize; 2] {
        let finer = self.level() - self.base_level;
        [self.base.rows(), self.base.columns()].map(|side| ((side - 1) << finer) + 1)
    }

    /// The deepest level down to which 64 bits tell heights apart: displacements reach at least
    /// 2^−46 of the largest height or displacement, so at most one of a thousand neighbours is
    /// equal. With displacements of 0 all levels are told apart as well as they can be; a function
    /// alone goes on until a cell is 2^−46 of the tile: nearer, the rounding of places and heights
    /// would show.
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

    /// Whether all heights have 32 bits.
    #[must_use]
    pub fn is_single(&self) -> bool {
        self.level() <= self.single_to.max(self.base_level)
    }
}

/// The level of the smallest map of diamond-square that has as many cells a side.
#[must_use]
pub fn level_of(map: &Heightmap) -> u32 {
    let cells = map.rows().max(map.columns()) - 1;
    cells.next_power_of_two().ilog2()
}
