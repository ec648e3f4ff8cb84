//! Resampling to square cells, bilinearly: a heightmap has the same spacing in both directions.

use super::MAX_SIDE;
use crate::terrain::geo::Georeference;
use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::Validity;
use crate::util::language::tr;
use crate::util::parallel;

/// The largest ratio of the two spacings up to which the finer one is kept.
const MOST_FINER: f64 = 4.0;

/// Grid of square cells over a grid whose cells may be rectangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Squares {
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

impl Squares {
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
    pub fn of(&self, grid: Grid<f32>) -> Grid<f32> {
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
    pub fn of_mask(&self, valid: Validity) -> Validity {
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
            "its samples lie {} m apart eastwards and {} m southwards: {columns} × {rows} have \
             become {} × {}, {} m apart",
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
