//! Last import steps, common to all formats: sidecar, range check, void filling, and resampling to square
//! cells.

use std::sync::Arc;

use super::reader::{Broken, FileContext};
use super::samples::{MOST_HEIGHT, Meaning, Samples};
use crate::files::formats::metres::{in_half_tiles, tile_size_m};
use crate::files::formats::sidecar::{METRES, ONE, SOUTH_FIRST, Sidecar};
use crate::generate::ByteOrder;
use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::Validity;

/// The largest height accepted: a height at the limit may be rounded up when it is stored as 32-bit metres.
const MOST_NUMBER: f32 = MOST_HEIGHT * 1.000_001;

impl Samples {
    /// Apply the sidecar, check the range of the numbers, fill voids and resample to square cells.
    pub(super) fn finished(mut self, context: FileContext<'_>) -> Result<Self, Broken> {
        if self.grid.columns() < 2 {
            return Err(Broken::wrong("1 sample across; allowed: 2 or more"));
        }
        if let Some(sidecar) = context.sidecar {
            apply_sidecar(sidecar, &mut self, context.trusts_sidecar());
        }
        if let Meaning::Levels { heights, .. } = &mut self.meaning
            && let (Some(theirs), Some(size)) = (self.steps_tile_m, self.tile_size_m)
            && theirs != size
        {
            // The heights stay the same in metres.
            let factor = f64::from(theirs) / f64::from(size);
            *heights = heights.map(|(low, high)| (low * factor, high * factor));
        }
        let reading = context.reading;
        if !self.is_bare && (!reading.size.is_empty() || reading.order != ByteOrder::default()) {
            self.in_vain = Some(
                "--input-size and --input-order are for files without a header (.raw, .r16, \
                 .r32), this one says both itself",
            );
        }
        let values = self.grid.as_slice();
        // NaN marks a void, which is filled later.
        let wild = |value: &&f32| value.abs() > MOST_NUMBER;
        if let Some(value) = values.iter().find(wild) {
            return Err(Broken::wrong(format!(
                "it holds {value:e}; allowed: numbers up to {:e}",
                MOST_HEIGHT
            )));
        }
        if values.iter().all(|value| value.is_nan()) {
            let count = values.len();
            return Err(Broken::wrong(format!(
                "none of its {count} samples holds data"
            )));
        }
        let valid = values.iter().any(|value| value.is_nan()).then(|| {
            let has_data = |row, column| !self.grid.at(row, column).is_nan();
            Validity::new(self.grid.rows(), self.grid.columns(), has_data)
        });
        self.filled = fill(&mut self.grid);
        self.grid = self.squares.resample(self.grid);
        self.valid = valid.map(|valid| Arc::new(self.squares.resample_mask(valid)));
        self.check_ends(context)?;
        Ok(self)
    }

    /// Refuse heights of a known unit that exceed the range of a scene.
    fn check_ends(&self, context: FileContext<'_>) -> Result<(), Broken> {
        let is_known = self.unit.is_some() || !context.trusts_sidecar();
        if !is_known || self.ends().is_some() {
            return Ok(());
        }
        Err(Broken::wrong(format!(
            "read in this way, its heights are beyond the limit of {MOST_HEIGHT:e} half tiles; \
             change this with --input-unit, --input-range and --input-spacing"
        )))
    }
}

// Metadata from a JSON sidecar, added to the samples of its file.

/// Add row order and tile size from the sidecar and, if `says_unit`, the meaning of the numbers.
fn apply_sidecar(sidecar: &Sidecar, samples: &mut Samples, says_unit: bool) {
    let (rows, columns) = (samples.grid.rows(), samples.grid.columns());
    if sidecar.size() != Some((columns as u64, rows as u64)) {
        return;
    }
    if sidecar.row_order.as_deref() == Some(SOUTH_FIRST) {
        samples.turn();
    }
    if samples.tile_size_m.is_none() {
        let size = |step| tile_size_m(step, rows as u64, columns as u64);
        samples.tile_size_m = sidecar.step_m().and_then(size);
    }
    if !says_unit {
        return;
    }
    match &mut samples.meaning {
        Meaning::Levels { heights, .. } => {
            if heights.is_none() {
                *heights = sidecar.range;
                samples.steps_tile_m = sidecar.tile_size_m.map(|size| size as f32);
            }
        }
        meaning @ Meaning::Numbers => {
            *meaning = Meaning::Heights;
            if let (Some((at_0, span)), Some(size)) = (metres(sidecar), samples.tile_size_m) {
                for value in samples.grid.as_mut_slice() {
                    *value = in_half_tiles(at_0 + f64::from(*value) * span, size);
                }
            }
        }
        Meaning::Heights => {}
    }
}

/// Metres at the value 0, and metres per unit, of floats that are not half tiles.
fn metres(sidecar: &Sidecar) -> Option<(f64, f64)> {
    match sidecar.unit.as_deref()? {
        METRES => Some((0.0, 1.0)),
        ONE => sidecar.metres_at_0.zip(sidecar.metres_from_0_to_1),
        _ => None,
    }
}

// Void filling: samples without data are interpolated from their neighbours by push-pull (Gortler and
// others, "The Lumigraph", 1996).
//
// Push: the grid is halved until no hole is left; each coarse cell is the mean of the valid ones among its
// four cells. Pull: each hole takes the bilinear value of the coarser grid, then a few Gauss–Seidel sweeps
// towards the mean of its four neighbours. The result approximates Laplace's equation: a smooth membrane
// over the hole that stays between the lowest and the highest value of its rim. Valid samples keep their
// bits, and the result is deterministic.
//
// Time is proportional to the number of samples. Memory is a third of the grid's size, and the
// runs of holes.

/// Gauss–Seidel sweeps per level.
const SWEEPS: usize = 8;

/// Fill all NaN samples and return their number. A grid with no valid sample stays unchanged.
pub fn fill(grid: &mut Grid<f32>) -> usize {
    let holes = holes(grid);
    let count: usize = holes.iter().map(|hole| hole.end - hole.start).sum();
    if count == 0 || count == grid.as_slice().len() {
        return count;
    }
    let mut coarse = halved(grid);
    fill(&mut coarse);
    for hole in &holes {
        for column in hole.start..hole.end {
            let place = |index: usize| (index as f64 - 0.5) / 2.0;
            let value = coarse.bilinear(place(hole.row), place(column), Edge::Clamp);
            grid.set(hole.row, column, value);
        }
    }
    for _ in 0..SWEEPS {
        for hole in &holes {
            for column in hole.start..hole.end {
                let mean = mean_of_neighbours(grid, hole.row, column);
                grid.set(hole.row, column, mean);
            }
        }
    }
    count
}

/// Run of samples without data within a row.
struct Hole {
    row: usize,
    start: usize,
    end: usize,
}

fn holes(grid: &Grid<f32>) -> Vec<Hole> {
    let mut holes = Vec::new();
    for row in 0..grid.rows() {
        let mut column = 0;
        for run in grid.row(row).chunk_by(|a, b| a.is_nan() == b.is_nan()) {
            let (start, end) = (column, column + run.len());
            if run[0].is_nan() {
                holes.push(Hole { row, start, end });
            }
            column = end;
        }
    }
    holes
}

/// Downsample by 2 in each direction; each sample is the mean of the valid ones below it.
fn halved(grid: &Grid<f32>) -> Grid<f32> {
    let (rows, columns) = (grid.rows().div_ceil(2), grid.columns().div_ceil(2));
    let mut coarse = Grid::filled(rows, columns, f32::NAN);
    for row in 0..rows {
        for column in 0..columns {
            let (mut sum, mut count) = (0.0, 0.0);
            for r in 2 * row..(2 * row + 2).min(grid.rows()) {
                for c in 2 * column..(2 * column + 2).min(grid.columns()) {
                    let value = f64::from(grid.at(r, c));
                    if !value.is_nan() {
                        (sum, count) = (sum + value, count + 1.0);
                    }
                }
            }
            if count > 0.0 {
                coarse.set(row, column, (sum / count) as f32);
            }
        }
    }
    coarse
}

/// The mean of the up to four neighbours within the grid.
fn mean_of_neighbours(grid: &Grid<f32>, row: usize, column: usize) -> f32 {
    let (mut sum, mut count) = (0.0, 0.0);
    let mut add = |row: usize, column: usize| {
        sum += f64::from(grid.at(row, column));
        count += 1.0;
    };
    if row > 0 {
        add(row - 1, column);
    }
    if row + 1 < grid.rows() {
        add(row + 1, column);
    }
    if column > 0 {
        add(row, column - 1);
    }
    if column + 1 < grid.columns() {
        add(row, column + 1);
    }
    (sum / f64::max(count, 1.0)) as f32
}
