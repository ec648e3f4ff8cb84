//! What a file of heights holds, whatever its format.

use std::path::Path;

use super::extent::Extent;
use super::fill;
use super::rule::{FLAGS, Squares, Unit, trusts_sidecar};
use super::source::{Beside, Broken};
use crate::generate::{ByteOrder, Surface};
use crate::geo::Georeference;
use crate::grid::Grid;
use crate::heightmap::{self, Heightmap};

/// Numbers of unknown unit that reach no further, in half tiles, are heights as they are.
const HALF_TILES: f32 = 10.0;
/// Heights of a scene's input reach no further, in half tiles.
pub const MOST_HEIGHT: f32 = heightmap::MOST_HEIGHT;
/// Numbers of unknown unit that reach no further are taken for metres: the deepest sea, the highest
/// summit.
const EARTH: (f32, f32) = (-11_500.0, 9_000.0);
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

/// Heights of the lowest and the highest sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ends {
    /// In half tiles.
    HalfTiles(f32, f32),
    /// In metres, of a map whose width is not known.
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
    /// Where they lie.
    pub place: Option<Georeference>,
    /// How many there were, before they were made square.
    stored: (usize, usize),
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
    in_vain: Option<&'static str>,
    pub(super) unit: Option<Unit>,
    pub(super) range: Option<(f64, f64)>,
    pub(super) squares: Squares,
    /// Whether the numbers are what the file and the user say, not just as stored.
    pub(super) is_ruled: bool,
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
            place: None,
            assumed: Vec::new(),
            old_range: None,
            steps_tile_m: None,
            is_bare: false,
            in_vain: None,
            unit: None,
            range: None,
            squares: Squares::default(),
            is_ruled: false,
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

    /// Puts the southern row, which came first, last.
    pub(super) fn turn(&mut self) {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let values = (0..rows).rev().flat_map(|row| self.grid.row(row));
        if let Some(turned) = Grid::from_vec(rows, columns, values.copied().collect()) {
            self.grid = turned;
        }
    }

    /// What a sidecar knows beyond the file, then fills holes, checks the numbers and makes
    /// samples square.
    pub(super) fn finished(mut self, beside: Beside<'_>) -> Result<Self, Broken> {
        if self.grid.columns() < 2 {
            return Err(Broken::wrong("1 sample across, allowed is 2 or more"));
        }
        if let Some(sidecar) = beside.sidecar {
            sidecar.apply(&mut self, trusts_sidecar(beside.reading));
        }
        if let Meaning::Levels { heights, .. } = &mut self.meaning
            && let (Some(theirs), Some(size)) = (self.steps_tile_m, self.tile_size_m)
            && theirs != size
        {
            // They keep their metres.
            let factor = f64::from(theirs) / f64::from(size);
            *heights = heights.map(|(low, high)| (low * factor, high * factor));
        }
        let reading = beside.reading;
        if !self.is_bare && (!reading.size.is_empty() || reading.order != ByteOrder::default()) {
            self.in_vain = Some(
                "--input-size and --input-order are for files without a header (.raw, .r16, \
                 .r32), this one says both itself",
            );
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
        self.grid = self.squares.of(self.grid);
        self.check_ends(beside)?;
        Ok(self)
    }

    /// Refuses heights of a known unit that are higher than a scene can say.
    fn check_ends(&self, beside: Beside<'_>) -> Result<(), Broken> {
        let is_known = self.unit.is_some() || !trusts_sidecar(beside.reading);
        if !is_known || self.ends().is_some() {
            return Ok(());
        }
        Err(Broken::wrong(format!(
            "so read its heights are beyond {MOST_HEIGHT:e} half tiles, which is the most; \
             --input-unit, --input-range and --input-spacing say how it is read"
        )))
    }

    /// Lines for the user about what was done to the samples, and, if a surface is given, about
    /// what was assumed of them as far as the surface does not say it otherwise.
    #[must_use]
    pub fn notices(&self, path: &Path, surface: Option<&Surface>) -> Vec<String> {
        let (rows, columns) = self.stored;
        let (filled, count) = (self.filled, rows * columns);
        let filled = (filled > 0).then(|| {
            format!(
                "{filled} of {count} samples hold no data and were filled from their neighbours"
            )
        });
        let square = self.squares.notice(rows, columns);
        let mut assumed = self.assumed.clone();
        if let Some(surface) = surface {
            let knows_shape = !matches!(self.meaning, Meaning::Levels { .. });
            let extent = self.extent();
            assumed.extend(extent.assumed_on(surface, self.ends_assumed(), knows_shape));
        }
        let assumed = (!assumed.is_empty()).then(|| {
            let what = assumed.join(", ");
            format!("assumed, since the file does not say it: {what}; {FLAGS} say otherwise")
        });
        let turned = self.place.as_ref().and_then(Georeference::turned);
        let turned = turned.map(turned_words);
        let old = self.old_range.filter(|_| self.range.is_none());
        let old = old.map(|(low, high)| {
            let (low, high) = (low as f32, high as f32);
            format!(
                "it was changed after its heights were written: its lowest step is still taken for \
                 {low} half tiles and its highest for {high}; --input-range says otherwise"
            )
        });
        let in_vain = self.in_vain.map(str::to_owned);
        let lines = [filled, square, turned, old, in_vain, assumed]
            .into_iter()
            .flatten();
        lines
            .map(|line| format!("{line}: {}", crate::words::named(path)))
            .collect()
    }

    /// What is assumed of the heights' unit.
    fn ends_assumed(&self) -> Option<&'static str> {
        if self.unit.is_some() || self.range.is_some() {
            return None;
        }
        match (self.meaning, self.ends()) {
            (Meaning::Numbers, Some(Ends::Metres(..))) => Some("heights in metres"),
            (Meaning::Numbers, Some(Ends::HalfTiles(..))) => Some("heights in half tiles"),
            _ => None,
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
            return self.in_unit(ends.into(), self.unit.unwrap_or(Unit::Metres(1.0)));
        }
        let most = (-MOST_HEIGHT, MOST_HEIGHT);
        let stored = (f64::from(low), f64::from(high));
        match (self.meaning, self.unit) {
            (Meaning::Heights, _) => within(most).then_some(Ends::HalfTiles(low, high)),
            (Meaning::Levels { top, heights }, unit) => {
                if let Some(heights) = heights {
                    let ends = [low, high].map(|step| of_step(step, top, heights));
                    return self.in_unit(ends.into(), Unit::HalfTiles);
                }
                match unit? {
                    // The highest step is one half tile.
                    Unit::HalfTiles => {
                        let share = |step: f64| step / f64::from(top);
                        self.in_unit((share(stored.0), share(stored.1)), Unit::HalfTiles)
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
    fn in_unit(&self, (low, high): (f64, f64), unit: Unit) -> Option<Ends> {
        let half_tiles = |low: f32, high: f32| {
            let within = low >= -MOST_HEIGHT && high <= MOST_HEIGHT;
            within.then_some(Ends::HalfTiles(low, high))
        };
        match (unit, self.tile_size_m) {
            (Unit::HalfTiles, _) => half_tiles(low as f32, high as f32),
            (Unit::Metres(unit), Some(size)) => {
                let height = |number: f64| in_half_tiles(number * unit, size);
                half_tiles(height(low), height(high))
            }
            (Unit::Metres(unit), None) => Some(Ends::Metres(low * unit, high * unit)),
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
        Heightmap::new(rows, columns, wraps, self.grid.into_vec())
    }

    /// How high and how wide they are.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent {
            ends: self.ends(),
            tile_size_m: self.tile_size_m,
        }
    }
}

/// What a step of 0 to `top` stands for.
fn of_step(step: f32, top: u16, (lowest, highest): (f64, f64)) -> f64 {
    match f64::from(step) / f64::from(top) {
        1.0 => highest,
        part => lowest + (highest - lowest) * part,
    }
}

/// What is said of a map whose rows do not lead east, or whose columns are not square to them.
fn turned_words([turn, skew]: [f64; 2]) -> String {
    let degrees = |angle: f64| (angle.abs() * 10.0).round() / 10.0;
    let side = if turn < 0.0 { "south" } else { "north" };
    let mut words = format!("its rows lead {}° {side} of east", degrees(turn));
    if degrees(skew) > 0.0 {
        words += &format!(
            ", its columns {}° off the right angle to them",
            degrees(skew)
        );
    }
    words + "; it is shown upright, and a GeoTIFF made of it keeps its place"
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
