//! Sample lattice of the ground and its refinement levels, over all tiles.

use super::below::LevelsBelow;
use super::inland::{self, Ground};
use super::nearby::Nearby;
use crate::fractal::Edges;
use crate::fractal::refinement::Refinement;
use crate::fractal::region::Window;
use crate::terrain::rivers::Rivers;
use crate::util::job::Job;

/// Samples of the ground and of all its refinement levels, over `tiles` × `tiles` tiles. Position 0, 0 is the
/// centre.
#[derive(Clone, Copy)]
pub struct Lattice<'a> {
    refinement: &'a Refinement,
    level: u32,
    /// Sides of a tile along x and z, in half tiles.
    side: [f64; 2],
    tiles: u32,
    /// Rivers and lakes on the ground, where they are shown.
    rivers: Option<&'a Rivers>,
    nearby: &'a Nearby,
}

impl<'a> Lattice<'a> {
    /// Build the lattice of a landscape with these levels. `None` if it has no refinement, or if its tiles do
    /// not join.
    #[must_use]
    pub fn new(below: &'a LevelsBelow, tiles: u32) -> Option<Self> {
        let refinement = below.refinement()?;
        if tiles > 1 && refinement.rule.edges != Edges::Wrap {
            return None;
        }
        let (level, spacing) = (below.level(), f64::from(below.spacing()));
        let [down, across] = refinement.cells(level);
        Some(Self {
            refinement,
            level,
            side: [across, down].map(|cells| cells as f64 * spacing),
            tiles: tiles.max(1),
            rivers: below.rivers(),
            nearby: below.nearby(),
        })
    }

    /// Level of the ground itself.
    #[must_use]
    pub fn level(&self) -> u32 {
        self.level
    }

    /// Deepest level available.
    #[must_use]
    pub fn deepest(&self) -> u32 {
        self.refinement.level()
    }

    /// True if tiles join without cliffs.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.refinement.rule.edges == Edges::Wrap
    }

    /// Distance between adjacent samples of a level, in half tiles.
    #[must_use]
    pub fn spacing(&self, level: u32) -> f64 {
        self.side[0] / self.cells(level)[0] as f64
    }

    /// Cells of a tile at a level, along x and z.
    #[must_use]
    pub fn cells(&self, level: u32) -> [i64; 2] {
        let [down, across] = self.refinement.cells(level);
        [across, down]
    }

    /// Last sample of a level along x and z, over all tiles.
    #[must_use]
    pub fn last(&self, level: u32) -> [i64; 2] {
        self.cells(level).map(|cells| cells * i64::from(self.tiles))
    }

    /// Convert a position in half tiles to sample coordinates of a level, along x and z.
    #[must_use]
    pub fn place(&self, level: u32, x: f64, z: f64) -> [f64; 2] {
        let cells = self.cells(level);
        let place = |at: f64, axis: usize| {
            (at / self.side[axis] + 0.5 * f64::from(self.tiles)) * cells[axis] as f64
        };
        [place(x, 0), place(z, 1)]
    }

    /// Height of a level's triangulated surface at a position in half tiles; `None` outside the ground. Cost:
    /// some microseconds per level, next to nothing close to recently requested positions.
    #[must_use]
    pub fn height(&self, level: u32, x: f64, z: f64) -> Option<f64> {
        let (place, last) = (self.place(level, x, z), self.last(level));
        let (mut cell, mut part) = ([0; 2], [0.0; 2]);
        for axis in 0..2 {
            if !(0.0..=last[axis] as f64).contains(&place[axis]) {
                return None;
            }
            cell[axis] = (place[axis].floor() as i64).min(last[axis] - 1);
            part[axis] = place[axis] - cell[axis] as f64;
        }
        let make = |window| self.heights(level, window);
        let at = (self.tiles, level);
        let [north_west, north_east, south_west, south_east] =
            self.nearby.corners(at, cell, last, make);
        let [x, z] = part;
        let (middle, most, least) = if z > x {
            (south_west, z, x)
        } else {
            (north_east, x, z)
        };
        Some(north_west + most * (middle - north_west) + least * (south_east - middle))
    }

    /// Heights of a window, row by row, in half tiles: the ground, with the rivers and lakes where they are
    /// shown.
    ///
    /// # Panics
    /// As [`Refinement::window`].
    #[must_use]
    pub fn heights(&self, level: u32, window: Window) -> Vec<f64> {
        let mut heights = self.alone(level, window);
        if let Some(rivers) = self.rivers {
            let ground = Ground {
                last: self.last(self.level),
                cells: self.cells(self.level),
                heights: |window| self.alone(self.level, window),
            };
            inland::fill(rivers, &ground, level - self.level, window, &mut heights);
        }
        heights
    }

    /// Heights of a window without water.
    fn alone(&self, level: u32, window: Window) -> Vec<f64> {
        let made = self.refinement.window(level, window, &Job::default());
        made.expect("nobody cancels it").into_vec()
    }
}
