//! Imported height samples with metadata, independent of the file format: heights, extent, notices, and
//! resampling to square cells.

use std::path::Path;
use std::sync::Arc;

use super::MAX_SIDE;
use crate::files::formats::metres::in_half_tiles;
use crate::generate::{Generator, Surface};
use crate::terrain::geo::Georeference;
use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::{self, Heightmap, Validity};
use crate::util::language::tr;
use crate::util::parallel;

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
    /// Assumptions about what the file leaves open.
    pub(super) assumed: Vec<Assumption>,
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
    pub(super) squares: SquareGrid,
    /// Messages for the user, one line each.
    pub(super) notices: Vec<String>,
}

impl Samples {
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

/// Height range and width of an imported map, if the file states them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Lowest and highest height.
    pub ends: Option<Ends>,
    /// Length of the longer side, in metres.
    pub tile_size_m: Option<f32>,
}

impl Samples {
    /// The height range and the width of the samples.
    #[must_use]
    pub fn extent(&self) -> Extent {
        Extent {
            ends: self.ends(),
            tile_size_m: self.tile_size_m,
        }
    }
}

impl Extent {
    /// True for an elevation model, whose file states its place or size on the ground or holds metres; false
    /// for a plain picture, and for numbers in half tiles.
    #[must_use]
    pub fn is_elevation(self) -> bool {
        self.tile_size_m.is_some() || matches!(self.ends, Some(Ends::Metres(..)))
    }

    /// Make a surface show the map at `path`.
    ///
    /// If the file does not state its heights, they range from 0 to 0.4 half tiles. If it does not state its
    /// width, the surface keeps its own.
    pub fn show(self, path: &Path, surface: &mut Surface) {
        surface.generator = Generator::Image;
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        self.fit(surface);
    }

    /// Set the map at `path` as input of a surface, whatever its generator.
    ///
    /// Height range and width of the surface follow the map as in [`Extent::fit`]; they stay as they are if
    /// the file states neither.
    pub fn hand(self, path: &Path, surface: &mut Surface) {
        surface.input = Some(path.to_owned());
        surface.input_formula.clear();
        surface.input_tile_m = 0.0;
        if self.ends.is_some() || self.tile_size_m.is_some() {
            self.fit(surface);
        }
    }

    /// Set the height range and the width of a surface to those of its input.
    ///
    /// A height range that the file does not state becomes the default; a width that it does not state stays
    /// as it is.
    pub fn fit(self, surface: &mut Surface) {
        surface.tile_size_m = self.tile_size_m.unwrap_or(surface.tile_size_m);
        (surface.input_low, surface.input_high) = self.heights_on(surface.tile_size_m);
        surface.input_tile_m = self.input_tile_m(surface.tile_size_m);
    }

    /// Lowest and highest height, in half tiles of a tile with the given width.
    fn heights_on(self, tile_size_m: f32) -> (f32, f32) {
        let default = Surface::default();
        match self.ends {
            Some(Ends::HalfTiles(low, high)) => (low, high),
            Some(Ends::Metres(low, high)) => {
                let most = MOST_HEIGHT;
                let height = |metres| in_half_tiles(metres, tile_size_m).clamp(-most, most);
                (height(low), height(high))
            }
            None => (default.input_low, default.input_high),
        }
    }

    /// The tile width that defines the unit of the heights, in metres; 0 if the heights are not in metres.
    fn input_tile_m(self, tile_size_m: f32) -> f32 {
        match (self.tile_size_m, self.ends) {
            (Some(size), _) => size,
            (None, Some(Ends::Metres(..))) => tile_size_m,
            (None, _) => 0.0,
        }
    }

    /// Assumptions that a surface makes about the map.
    ///
    /// `unit` describes the assumed unit of heights. `knows_shape` is true if heights in half tiles already
    /// define the shape of the map, at any width.
    pub(super) fn assumed_on(
        self,
        surface: &Surface,
        unit: Option<&str>,
        knows_shape: bool,
    ) -> Vec<Assumption> {
        let mut assumed = Vec::new();
        let mut fitted = surface.clone();
        fitted.tile_size_m = match surface.input_tile_m {
            0.0 => surface.tile_size_m,
            size => size,
        };
        self.fit(&mut fitted);
        let (low, high) = (surface.input_low, surface.input_high);
        if (low, high) == (fitted.input_low, fitted.input_high) {
            match self.ends {
                Some(_) => assumed.extend(unit.map(|unit| Assumption::new(UNIT_FLAG, unit))),
                None => assumed.push(Assumption::new(
                    RANGE_FLAG,
                    format!("{low} half tiles for the lowest sample and {high} for the highest"),
                )),
            }
        }
        let usual = Surface::default().tile_size_m;
        let is_wide = matches!(self.ends, Some(Ends::HalfTiles(..))) && unit.is_none();
        let is_wide = is_wide && knows_shape;
        if self.tile_size_m.is_none() && !is_wide && surface.tile_size_m == usual {
            let side = format!("{usual} m for the longer side");
            assumed.push(Assumption::new(SPACING_FLAG, side));
        }
        assumed
    }
}

// Notices for the user about imported samples: filled voids, resampling, and assumptions.

/// Something that a file leaves open, and the option that says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Assumption {
    flag: &'static str,
    words: String,
}

impl Assumption {
    pub(super) fn new(flag: &'static str, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { flag, words }
    }
}

/// Options that say what files leave open.
pub(super) const UNIT_FLAG: &str = "--input-unit";
const RANGE_FLAG: &str = "--input-range";
pub(super) const SPACING_FLAG: &str = "--input-spacing";
pub(super) const NO_DATA_FLAG: &str = "--input-nodata";
pub(super) const SIZE_FLAG: &str = "--input-size";

impl Samples {
    /// Messages about filled voids, resampling and ignored options. With a surface, also about assumptions
    /// that its settings do not override.
    #[must_use]
    pub fn notices(&self, path: &Path, surface: Option<&Surface>) -> Vec<String> {
        let (rows, columns) = self.stored;
        let (filled, count) = (self.filled, rows * columns);
        let filled = (filled > 0).then(|| {
            tr!(
                "{filled} of {count} samples hold no data and were filled from their neighbours",
                filled,
                count
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
            let what: Vec<_> = assumed.iter().map(|assumed| &*assumed.words).collect();
            let mut flags: Vec<_> = assumed.iter().map(|assumed| assumed.flag).collect();
            flags.sort_unstable();
            flags.dedup();
            tr!(
                "assumed, since the file does not say: {what}; change this with {FLAGS}",
                what = what.join(", "),
                FLAGS = flags.join(", ")
            )
        });
        let old = self.old_range.filter(|_| self.range.is_none());
        let old = old.map(|(low, high)| {
            let (low, high) = (low as f32, high as f32);
            tr!(
                "it was changed after its heights were written: its lowest step still means {low} \
                 half tiles and its highest {high}; change this with --input-range",
                low,
                high
            )
        });
        let in_vain = self.in_vain.map(str::to_owned);
        let lines = [filled, square, old, in_vain, assumed]
            .into_iter()
            .flatten();
        let lines = self.notices.iter().cloned().chain(lines);
        lines
            .map(|line| format!("{line}: {}", crate::util::words::named(path)))
            .collect()
    }

    /// The assumed unit of the heights; `None` if the unit is known.
    fn ends_assumed(&self) -> Option<&'static str> {
        if self.unit.is_some() || self.range.is_some() {
            return None;
        }
        match (self.meaning, self.ends()) {
            (Meaning::Numbers, Some(Ends::Metres(..))) => Some(tr("heights in metres")),
            (Meaning::Numbers, Some(Ends::HalfTiles(..))) => Some(tr("heights in half tiles")),
            _ => None,
        }
    }
}

// Resampling to square cells, bilinearly: a heightmap has the same spacing in both directions.

/// The largest ratio of the two spacings up to which the finer one is kept.
const MOST_FINER: f64 = 4.0;

/// Grid of square cells over a grid whose cells may be rectangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SquareGrid {
    /// Rows of the new grid.
    pub rows: usize,
    /// Columns of the new grid.
    pub columns: usize,
    /// The sample spacing, in metres.
    pub step_m: Option<f64>,
    /// Old samples per new sample, southwards and eastwards.
    ways: [f64; 2],
    /// The old spacing in metres, eastwards and southwards, if the cells were not square.
    before: Option<[f64; 2]>,
}

impl SquareGrid {
    /// Choose the grid for samples with a spacing in metres, eastwards and southwards.
    pub fn new(step_m: Option<[f64; 2]>, rows: u64, columns: u64) -> Self {
        let usable = |step: &[f64; 2]| step.iter().all(|step| (1e-9..=1e12).contains(step));
        let step_m = step_m.map(|step| step.map(f64::abs)).filter(usable);
        let as_it_is = Self {
            rows: rows as usize,
            columns: columns as usize,
            step_m: step_m.map(|[x, _]| x),
            ways: [1.0, 1.0],
            before: None,
        };
        let Some([x, y]) = step_m else {
            return as_it_is;
        };
        // A difference below a twentieth of a sample over the whole map is rounding.
        let off = (x - y).abs() / x.max(y) * rows.max(columns) as f64;
        if off < 0.05 || rows < 2 {
            return as_it_is;
        }
        let finer = x.min(y);
        let cells = |count: u64, step: f64| (count - 1) as f64 * step;
        let longer = cells(columns, x).max(cells(rows, y));
        let too_many = x.max(y) / finer > MOST_FINER || longer / finer > (MAX_SIDE - 1) as f64;
        let step = if too_many {
            // The geometric mean keeps the number of samples.
            (x * y).sqrt().max(longer / (MAX_SIDE - 1) as f64)
        } else {
            finer
        };
        let count = |count: u64, old: f64| ((cells(count, old) / step).round() as usize).max(1) + 1;
        Self {
            rows: count(rows, y),
            columns: count(columns, x),
            step_m: Some(step),
            ways: [step / y, step / x],
            before: Some([x, y]),
        }
    }

    /// True if the grid differs from the old one.
    pub fn are_new(&self) -> bool {
        self.before.is_some()
    }

    /// Resample a grid bilinearly. A new sample at the position of an old one keeps its bits.
    pub fn resample(&self, grid: Grid<f32>) -> Grid<f32> {
        if !self.are_new() {
            return grid;
        }
        let [down, across] = self.ways;
        let mut squares = Grid::filled(self.rows, self.columns, 0.0);
        let rows = parallel::par_items(squares.as_mut_slice().chunks_mut(self.columns));
        rows.for_each(|row, values| {
            for (column, value) in values.iter_mut().enumerate() {
                *value = grid.bilinear(row as f64 * down, column as f64 * across, Edge::Clamp);
            }
        });
        squares
    }

    /// Resample the validity mask: each new sample is as valid as the nearest old one.
    pub fn resample_mask(&self, valid: Validity) -> Validity {
        if !self.are_new() {
            return valid;
        }
        let [down, across] = self.ways;
        let nearest = |count: usize, way: f64, of: usize| -> Vec<usize> {
            let at = |index: usize| ((index as f64 * way).round() as usize).min(of - 1);
            (0..count).map(at).collect()
        };
        let rows = nearest(self.rows, down, valid.rows());
        let columns = nearest(self.columns, across, valid.columns());
        valid.picked(&rows, &columns)
    }

    /// Make a notice if the cells were not square.
    pub fn notice(&self, rows: usize, columns: usize) -> Option<String> {
        let [x, y] = self.before?;
        let step_m = self.step_m?;
        Some(tr!(
            "its samples are {} m apart eastwards and {} m southwards: {columns} × {rows} were \
             resampled to {} × {}, {} m apart",
            metres(x),
            metres(y),
            self.columns,
            self.rows,
            metres(step_m),
            columns,
            rows
        ))
    }

    /// Adapt a georeference to the new grid; its vectors become as long as the longer side.
    pub fn place(&self, mut place: Georeference) -> Georeference {
        let cells = (self.rows.max(self.columns) - 1).max(1) as f64;
        let [down, across] = self.ways;
        place.east = place.east.map(|way| way * across * cells);
        place.south = place.south.map(|way| way * down * cells);
        place
    }
}

/// Format metres to the millimetre.
fn metres(metres: f64) -> String {
    format!("{}", (metres * 1000.0).round() / 1000.0)
}
