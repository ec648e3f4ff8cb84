//! Imported height samples with metadata, independent of the file format.

use std::sync::Arc;

use super::squares::Squares;
use crate::files::formats::metres::in_half_tiles;
use crate::terrain::geo::Georeference;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{self, Heightmap, Validity};

/// The largest magnitude that numbers of unknown unit may have to be taken as half tiles.
const HALF_TILES: f32 = 10.0;
/// The largest magnitude of a scene's input heights, in half tiles.
pub const MOST_HEIGHT: f32 = heightmap::MOST_HEIGHT;
/// The range in which numbers of unknown unit are taken as metres: from the deepest sea to the highest
/// summit.
pub const EARTH: (f32, f32) = (-11_500.0, 9_000.0);
/// Unit of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NumberUnit {
    /// Half tiles.
    HalfTiles,
    /// Metres per number.
    Metres(f64),
}

/// Meaning of the samples' numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meaning {
    /// Levels from 0 to `top`: brightness, or quantized heights.
    Levels {
        /// The highest possible level.
        top: u16,
        /// Heights of the levels 0 and `top` in half tiles, if the file states them.
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
    /// Heights in half tiles.
    HalfTiles(f32, f32),
    /// Heights in metres, on a map of unknown width.
    Metres(f64, f64),
}

/// Imported samples of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// The samples on square cells, row 0 in the north. Metres have become half tiles; other numbers are as
    /// stored.
    pub grid: Grid<f32>,
    /// The meaning of the numbers.
    pub meaning: Meaning,
    /// Length of the longer side in metres, if the file states it.
    pub tile_size_m: Option<f32>,
    /// The number of samples that held no data and were filled.
    pub filled: usize,
    /// The mask of samples that hold data; `None` if all do.
    pub valid: Option<Arc<Validity>>,
    /// Georeference, if the position is known.
    pub place: Option<Georeference>,
    /// Rows and columns before resampling to square cells.
    pub(super) stored: (usize, usize),
    /// Short descriptions of assumptions that the file leaves open.
    pub(super) assumed: Vec<String>,
    /// Heights of level 0 and of the highest level, if the pixels were changed after they were written.
    pub(super) old_range: Option<(f64, f64)>,
    /// Length in metres of the longer side of the map that defines the half tiles of the levels, if it may
    /// differ from this map.
    pub(super) steps_tile_m: Option<f32>,
    /// True if the file has no header, so that its size and byte order may come from the user.
    pub(super) is_bare: bool,
    /// Message about import options that have no effect.
    pub(super) in_vain: Option<&'static str>,
    /// The unit of the numbers, if it is known.
    pub(super) unit: Option<NumberUnit>,
    /// Lowest and highest height given by the user.
    pub(super) range: Option<(f64, f64)>,
    /// The grid of square cells to resample to.
    pub(super) squares: Squares,
    /// Messages for the user, one line each.
    pub(super) notices: Vec<String>,
}

impl Samples {
    /// Make samples from a file's grid, with NaN for no data.
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

    /// Reverse the order of the rows.
    pub(super) fn turn(&mut self) {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let values = (0..rows).rev().flat_map(|row| self.grid.row(row));
        if let Some(turned) = Grid::from_vec(rows, columns, values.copied().collect()) {
            self.grid = turned;
        }
    }

    /// The highest possible level of unsigned integers; `None` for other numbers.
    #[must_use]
    pub fn top(&self) -> Option<u16> {
        match self.meaning {
            Meaning::Levels { top, .. } => Some(top),
            _ => None,
        }
    }

    /// Lowest and highest height in half tiles, if unit and width are known or the numbers look like half
    /// tiles.
    #[must_use]
    pub fn heights(&self) -> Option<(f32, f32)> {
        match self.ends()? {
            Ends::HalfTiles(low, high) => Some((low, high)),
            Ends::Metres(..) => None,
        }
    }

    /// Heights of the lowest and the highest sample, if they are known.
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
                    // The highest level is one half tile high.
                    NumberUnit::HalfTiles => {
                        let share = |step: f64| step / f64::from(top);
                        self.in_unit((share(stored.0), share(stored.1)), NumberUnit::HalfTiles)
                    }
                    // With a stated unit, levels are numbers in that unit.
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

    /// Convert heights from a unit; `None` if they exceed the range of a scene.
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

    /// Convert the samples to a heightmap, with levels of known heights in half tiles. The map wraps if
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

/// The height of a level from 0 to `top`, interpolated between lowest and highest.
fn of_step(step: f32, top: u16, (lowest, highest): (f64, f64)) -> f64 {
    // At the highest level, interpolation could miss the exact value by rounding.
    match f64::from(step) / f64::from(top) {
        1.0 => highest,
        part => lowest + (highest - lowest) * part,
    }
}
