//! What a file of heights holds, whatever its format.

use std::path::Path;

use super::source::Broken;
use super::{fill, sidecar::Sidecar};
use crate::generate::{Generator, Surface};
use crate::grid::Grid;
use crate::heightmap::{self, Heightmap};

/// Metres of a degree along a meridian, of a sphere of 6371 km.
pub const METRES_PER_DEGREE: f64 = 111_195.0;
/// Numbers of unknown unit that reach no further, in half tiles, are heights as they are.
const HALF_TILES: f32 = 10.0;
/// Heights of a scene's input reach no further, in half tiles.
const MOST_HEIGHT: f32 = 1000.0;
/// Metres in 32 bits of a height at the limit may come back a little higher.
const MOST_NUMBER: f32 = heightmap::MOST_HEIGHT * 1.000_001;

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

/// The samples of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Row 0 is north. Heights in metres have become half tiles; other numbers are as stored.
    pub grid: Grid<f32>,
    /// What they are.
    pub meaning: Meaning,
    /// Metres along the longer side, if the file says it.
    pub tile_size_m: Option<f32>,
    /// How many of them held no data and were filled from their neighbours.
    pub filled: usize,
}

impl Samples {
    /// Samples as they come out of a file: not a number is no data.
    pub(super) fn new(grid: Grid<f32>, meaning: Meaning) -> Self {
        Self {
            grid,
            meaning,
            tile_size_m: None,
            filled: 0,
        }
    }

    /// `rows × columns` values.
    pub(super) fn from_vec(
        rows: u64,
        columns: u64,
        values: Vec<f32>,
        meaning: Meaning,
    ) -> Result<Self, Broken> {
        let grid = Grid::from_vec(rows as usize, columns as usize, values);
        let grid = grid.ok_or_else(Broken::cut_short)?;
        Ok(Self::new(grid, meaning))
    }

    /// What a sidecar knows beyond the file, then fills holes and checks the numbers.
    pub(super) fn finished(mut self, sidecar: Option<&Sidecar>) -> Result<Self, Broken> {
        if self.grid.columns() < 2 {
            return Err(Broken::wrong("1 sample across, allowed is 2 or more"));
        }
        if let Some(sidecar) = sidecar {
            sidecar.apply(&mut self);
        }
        let values = self.grid.as_slice();
        // Not a number is a hole, to be filled.
        let wild = |value: &&f32| value.abs() > MOST_NUMBER;
        if let Some(value) = values.iter().find(wild) {
            return Err(Broken::wrong(format!(
                "it holds {value:e}, allowed are numbers up to {:e}",
                heightmap::MOST_HEIGHT
            )));
        }
        if values.iter().all(|value| value.is_nan()) {
            let count = values.len();
            return Err(Broken::wrong(format!(
                "none of its {count} samples holds data"
            )));
        }
        self.filled = fill::fill(&mut self.grid);
        Ok(self)
    }

    /// Words for the user where samples were filled.
    #[must_use]
    pub fn notice(&self, path: &Path) -> Option<String> {
        let (filled, count) = (self.filled, self.grid.as_slice().len());
        (filled > 0).then(|| {
            format!(
                "{filled} of {count} samples hold no data and were filled from their neighbours: {}",
                crate::words::named(path)
            )
        })
    }

    /// The step that is the highest there can be, of whole numbers from 0.
    #[must_use]
    pub fn top(&self) -> Option<u16> {
        match self.meaning {
            Meaning::Levels { top, .. } => Some(top),
            _ => None,
        }
    }

    /// Lowest and highest height in half tiles, if the file says in which unit they are.
    #[must_use]
    pub fn heights(&self) -> Option<(f32, f32)> {
        let (low, high) = self.grid.range();
        let limit = |height: f32| height.clamp(-MOST_HEIGHT, MOST_HEIGHT);
        let within = |most: f32| low >= -most && high <= most;
        match self.meaning {
            Meaning::Heights if within(MOST_HEIGHT) => Some((low, high)),
            Meaning::Numbers if within(HALF_TILES) => Some((low, high)),
            Meaning::Heights | Meaning::Numbers => None,
            Meaning::Levels { top, heights } => {
                let (black, white) = heights?;
                let height = |step: f32| match f64::from(step) / f64::from(top) {
                    1.0 => white as f32,
                    t => (black + (white - black) * t) as f32,
                };
                Some((limit(height(low)), limit(height(high))))
            }
        }
    }

    /// The samples as a map. It wraps if its opposite edges are equal.
    #[must_use]
    pub fn into_heightmap(self) -> Heightmap {
        let grid = &self.grid;
        let (rows, columns) = (grid.rows(), grid.columns());
        let wraps = (rows == 1 || grid.row(0) == grid.row(rows - 1))
            && (0..rows).all(|row| grid.at(row, 0) == grid.at(row, columns - 1));
        Heightmap::new(rows, columns, wraps, self.grid.into_vec())
    }

    /// How high and how wide they are.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent {
            heights: self.heights(),
            tile_size_m: self.tile_size_m,
        }
    }
}

/// How high and how wide the map of a file is, as far as the file says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lowest and highest height in half tiles.
    pub heights: Option<(f32, f32)>,
    /// Metres along the longer side.
    pub tile_size_m: Option<f32>,
}

impl Extent {
    /// Makes a surface show the map at `path`, that high and wide: 0…0.4 half tiles high where the
    /// file does not say it, as wide as the surface is already.
    pub fn show(self, path: &Path, surface: &mut Surface) {
        let default = Surface::default();
        let usual = (default.input_low, default.input_high);
        surface.generator = Generator::Image;
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        (surface.input_low, surface.input_high) = self.heights.unwrap_or(usual);
        surface.tile_size_m = self.tile_size_m.unwrap_or(surface.tile_size_m);
    }
}

/// Metres along the longer side of a map whose samples lie `step_m` apart, if a scene can say it.
pub fn tile_size_m(step_m: f64, rows: u64, columns: u64) -> Option<f32> {
    let cells = rows.max(columns).saturating_sub(1);
    let size = (step_m.abs() * cells as f64) as f32;
    (0.001..=1.0e9).contains(&size).then_some(size)
}

/// Metres in half tiles, the unit of heights: the rule by which heights that Landform wrote in
/// metres come back to the last bit.
pub fn in_half_tiles(metres: f64, tile_size_m: f32) -> f32 {
    (metres / (f64::from(tile_size_m) / 2.0)) as f32
}
