//! What a file of heights holds, whatever its format.

use std::sync::Arc;

use super::squares::Squares;
use crate::formats::metres::in_half_tiles;
use crate::geo::Georeference;
use crate::grid::Grid;
use crate::heightmap::{self, Heightmap, Validity};

/// Numbers of unknown unit that reach no further, in half tiles, are heights as they are.
const HALF_TILES: f32 = 10.0;
/// Heights of a scene's input reach no further, in half tiles.
pub const MOST_HEIGHT: f32 = heightmap::MOST_HEIGHT;
/// Numbers of unknown unit that reach no further are taken for metres: the deepest sea, the highest
/// summit.
pub const EARTH: (f32, f32) = (-11_500.0, 9_000.0);
/// The unit of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberUnit {
    /// Half tiles.
    HalfTiles,
    /// So many metres.
    Metres(f64),
}

/// What the numbers of a file are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// Steps from 0 to `top`: brightness, or quantised heights.
    Levels {
        /// The highest step there can be.
        top: u16,
        /// Heights of 0 and of `top` in half tiles, if the file says them.
        heights: Option<(f64, f64)>,
    },
    /// Heights in half tiles.
    Heights,
    /// Numbers of unknown unit.
    Numbers,
}

/// Heights of the lowest and the highest sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ends {
    /// Half tiles.
    HalfTiles(f32, f32),
    /// Metres of a map whose width is not known.
    Metres(f64, f64),
}

/// The samples of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Row 0 is north, samples are square. Heights in metres have become half tiles; other numbers
    /// are as stored.
    pub grid: Grid<f32>,
    /// What they are.
    pub meaning: Meaning,
    /// Metres along the longer side, if the file says it.
    pub tile_size_m: Option<f32>,
    /// How many of them held no data and were filled from their neighbours.
    pub filled: usize,
    /// The mask of samples that hold data; `None` if all do.
    pub valid: Option<Arc<Validity>>,
    /// Where they lie.
    pub place: Option<Georeference>,
    /// How many there were, before they were made square.
    pub(super) stored: (usize, usize),
    /// What was assumed since the file does not say it, a few words each.
    pub(super) assumed: Vec<String>,
    /// Heights of 0 and of the highest step that were written before somebody changed the steps.
    pub(super) old_range: Option<(f64, f64)>,
    /// Metres along the longer side of the map whose half tiles the heights of steps are, if that
    /// may be another than this one.
    pub(super) steps_tile_m: Option<f32>,
    /// Whether it is for the user to say how many samples there are, and in which order of bytes.
    pub(super) is_bare: bool,
    /// What the user says that has no effect.
    pub(super) in_vain: Option<&'static str>,
    /// What a number is, if that is known.
    pub(super) unit: Option<NumberUnit>,
    /// Lowest and highest height as the user says them.
    pub(super) range: Option<(f64, f64)>,
    /// The grid that they are to lie on.
    pub(super) squares: Squares,
    /// What the user is to know of the file, a line each.
    pub(super) notices: Vec<String>,
}

impl Samples {
    /// Samples as they come out of a file: not a number is no data.
    pub(super) fn new(grid: Grid<f32>, meaning: Meaning) -> Self {
        Self {
            stored: (grid.rows(), grid.columns()),
            grid,
            meaning,
            tile_size_m: None,
            filled: 0,
            valid: None,
            place: None,
            assumed: Vec::new(),
            old_range: None,
            steps_tile_m: None,
            is_bare: false,
            in_vain: None,
            unit: None,
            range: None,
            squares: Squares::default(),
            notices: Vec::new(),
        }
    }

    /// Puts the southern row, which came first, last.
    pub(super) fn turn(&mut self) {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let values = (0..rows).rev().flat_map(|row| self.grid.row(row));
        if let Some(turned) = Grid::from_vec(rows, columns, values.copied().collect()) {
            self.grid = turned;
        }
    }

    /// The step that is the highest there can be, of whole numbers from 0.
    #[must_use]
    pub fn top(&self) -> Option<u16> {
        match self.meaning {
            Meaning::Levels { top, .. } => Some(top),
            _ => None,
        }
    }

    /// Lowest and highest height in half tiles, if the file says in which unit they are and how
    /// wide it is, or they look like half tiles.
    #[must_use]
    pub fn heights(&self) -> Option<(f32, f32)> {
        match self.ends()? {
            Ends::HalfTiles(low, high) => Some((low, high)),
            Ends::Metres(..) => None,
        }
    }

    /// Heights of the lowest and the highest sample, as far as they are known.
    #[must_use]
    pub fn ends(&self) -> Option<Ends> {
        let (low, high) = self.grid.range();
        let within = |(least, most): (f32, f32)| low >= least && high <= most;
        if let Some((at_low, at_high)) = self.range {
            let ends = match self.meaning {
                Meaning::Levels { top, .. } => {
                    [low, high].map(|step| of_step(step, top, (at_low, at_high)))
                }
                _ => [at_low, at_high],
            };
            return self.in_unit(ends.into(), self.unit.unwrap_or(NumberUnit::Metres(1.0)));
        }
        let most = (-MOST_HEIGHT, MOST_HEIGHT);
        let stored = (f64::from(low), f64::from(high));
        match (self.meaning, self.unit) {
            (Meaning::Heights, _) => within(most).then_some(Ends::HalfTiles(low, high)),
            (Meaning::Levels { top, heights }, unit) => {
                if let Some(heights) = heights {
                    let ends = [low, high].map(|step| of_step(step, top, heights));
                    return self.in_unit(ends.into(), NumberUnit::HalfTiles);
                }
                match unit? {
                    // The highest step is one half tile.
                    NumberUnit::HalfTiles => {
                        let share = |step: f64| step / f64::from(top);
                        self.in_unit((share(stored.0), share(stored.1)), NumberUnit::HalfTiles)
                    }
                    // Steps are the numbers themselves, if somebody says so.
                    unit => self.in_unit(stored, unit),
                }
            }
            (Meaning::Numbers, Some(unit)) => self.in_unit(stored, unit),
            (Meaning::Numbers, None) if within((-HALF_TILES, HALF_TILES)) => {
                Some(Ends::HalfTiles(low, high))
            }
            (Meaning::Numbers, None) if within(EARTH) => Some(Ends::Metres(stored.0, stored.1)),
            (Meaning::Numbers, None) => None,
        }
    }

    /// Heights in a unit, if a scene can say them.
    fn in_unit(&self, (low, high): (f64, f64), unit: NumberUnit) -> Option<Ends> {
        let half_tiles = |low: f32, high: f32| {
            let within = low >= -MOST_HEIGHT && high <= MOST_HEIGHT;
            within.then_some(Ends::HalfTiles(low, high))
        };
        match (unit, self.tile_size_m) {
            (NumberUnit::HalfTiles, _) => half_tiles(low as f32, high as f32),
            (NumberUnit::Metres(unit), Some(size)) => {
                let height = |number: f64| in_half_tiles(number * unit, size);
                half_tiles(height(low), height(high))
            }
            (NumberUnit::Metres(unit), None) => Some(Ends::Metres(low * unit, high * unit)),
        }
    }

    /// The samples as a map; steps that stand for heights in half tiles as these. It wraps if its
    /// opposite edges are equal.
    #[must_use]
    pub fn into_heightmap(mut self) -> Heightmap {
        if let Meaning::Levels {
            top,
            heights: Some(heights),
        } = self.meaning
        {
            for value in self.grid.as_mut_slice() {
                *value = of_step(*value, top, heights) as f32;
            }
        }
        let grid = &self.grid;
        let (rows, columns) = (grid.rows(), grid.columns());
        let wraps = (rows == 1 || grid.row(0) == grid.row(rows - 1))
            && (0..rows).all(|row| grid.at(row, 0) == grid.at(row, columns - 1));
        Heightmap::new(rows, columns, wraps, self.grid.into_vec()).with_valid(self.valid)
    }
}

/// What a step of 0 to `top` stands for.
fn of_step(step: f32, top: u16, (lowest, highest): (f64, f64)) -> f64 {
    match f64::from(step) / f64::from(top) {
        1.0 => highest,
        part => lowest + (highest - lowest) * part,
    }
}
