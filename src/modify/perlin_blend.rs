//! Gradient noise mixed into the heights: article 002's "Perlin smoothing", 0.8 heights and
//! 0.2 noise, with the noise taken on several grids.
//!
//! ```text
//! h' = (1 − weight) · h + weight · (l + (L − l) · (noise + 1)/2)
//! ```
//!
//! l…L is the map's own range, which the result never leaves. The noise, within −1…1, is the
//! mean of Perlin's gradient noise on `grids` grids with `cells`, 2·`cells`, 4·`cells` … cells
//! along the longer side: 8, 16 and 32 in the article. A lattice point has one of 256 unit
//! vectors; the fade is 6t⁵ − 15t⁴ + 10t³ (Perlin 2002).
//!
//! The noise is periodic, bit for bit, so a wrapped map stays wrapped. Two passes, one of which writes.
//! Within a cell of one row the noise is a straight line on either side and a fade between them,
//! so that a sample costs a few additions and multiplications a grid.

use serde::{Deserialize, Serialize};

use crate::param::{Param, Params};
use crate::rng::{Jump, Stage, Stream};
use crate::{float_param, int_param};

use super::ModifyError;
use super::canvas::Canvas;

/// How much noise, and of what sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Share of the noise, 0…1; default 0.2.
    pub weight: f32,
    /// Cells of the coarsest grid along the map's longer side, 1…256; default 8.
    pub cells: u32,
    /// Number of grids, each with twice the cells of the one before, 1…6; default 3.
    pub grids: u32,
    /// Which noise, 0…999: another number is other noise; default 0.
    pub variation: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            weight: 0.2,
            cells: 8,
            grids: 3,
            variation: 0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            weight,
            "Weight",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Share of the noise: 0 changes nothing, at 1 only noise is left."
        ),
        int_param!(cells, "Cells", "", 1, 256, slider 64,
            "Cells of the coarsest grid along the map: few make wide bumps."),
        int_param!(grids, "Grids", "", 1, 6, slider 6,
            "Number of grids, each with twice the cells of the one before."),
        int_param!(variation, "Variation", "", 0, 999, slider 99,
            "Another number is other noise on the same landscape."),
    ];
}

pub(super) fn apply(options: &Options, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
    if options.weight == 0.0 {
        return Ok(());
    }
    let (low, high) = canvas.range()?;
    let lattices: Vec<Lattice> = (0..options.grids)
        .map(|grid| {
            let stage = Stage::PerlinBlend;
            let stream = Stream::new(canvas.context.seed, stage, options.variation * 8 + grid);
            let cells = (options.cells << grid) as usize;
            Lattice::new(stream, cells, canvas.rows, canvas.columns)
        })
        .collect();
    // (noise + 1)/2 · (L − l) + l, the mean of the grids and the unit range, in one factor.
    let half_range = high * 0.5 - low * 0.5;
    let scale = options.weight * half_range * std::f32::consts::SQRT_2 / options.grids as f32;
    let shift = options.weight * (low * 0.5 + high * 0.5);
    let keep = 1.0 - options.weight;
    let (columns, period) = (canvas.columns, (canvas.rows - 1).max(1));
    canvas.each_band(|first, band| {
        let mut noise = vec![0.0; columns];
        for (offset, heights) in band.chunks_exact_mut(columns).enumerate() {
            noise.fill(0.0);
            for lattice in &lattices {
                lattice.add_row((first + offset) % period, &mut noise);
            }
            noise[columns - 1] = noise[0];
            blend(heights, &noise, [keep, scale, shift], (low, high));
        }
    })?;
    Ok(())
}

/// One grid of random unit vectors, periodic, laid over a map.
struct Lattice {
    /// Vectors by row and column; the last column repeats the first.
    vectors: Vec<[f32; 2]>,
    /// Cells down and across.
    cells: [usize; 2],
    /// Cells a sample, down.
    step: f64,
    /// For each column of cells, where its samples end.
    ends: Vec<usize>,
    /// For each column of the map, its place in its cell, 0…1.
    places: Vec<f32>,
    /// The fades of those.
    fades: Vec<f32>,
}

impl Lattice {
    fn new(stream: Stream, cells: usize, rows: usize, columns: usize) -> Self {
        let (down, across) = ((rows - 1).max(1), (columns - 1).max(1));
        let longer = down.max(across);
        let cells_along = |samples: usize| (cells * samples).div_ceil(longer).max(1);
        let (cells_down, cells_across) = (cells_along(down), cells_along(across));

        let table: Vec<[f32; 2]> = (0..256)
            .map(|index| {
                let (sin, cos) = libm::sincos(f64::from(index) * std::f64::consts::TAU / 256.0);
                [cos as f32, sin as f32]
            })
            .collect();
        let mut vectors = Vec::with_capacity(cells_down * (cells_across + 1));
        for row in 0..cells_down {
            let start = vectors.len();
            for column in 0..cells_across {
                let number = stream.number(row as u64, Jump::over(column as u64));
                vectors.push(table[(number >> 24) as usize]);
            }
            vectors.push(vectors[start]);
        }

        // A column at c · cells/across; whole numbers decide in which cell it lies.
        let cell_of = |column: usize| (column * cells_across / across).min(cells_across - 1);
        let mut ends = vec![0; cells_across];
        let mut places = Vec::with_capacity(columns);
        for column in 0..columns {
            let cell = cell_of(column);
            ends[cell] = column + 1;
            let inside = column * cells_across - cell * across;
            let u = (inside as f64 / across as f64) as f32;
            places.push(u);
        }
        for cell in 1..cells_across {
            ends[cell] = ends[cell].max(ends[cell - 1]);
        }
        Self {
            vectors,
            cells: [cells_down, cells_across],
            step: cells_down as f64 / down as f64,
            ends,
            fades: places.iter().map(|u| fade(*u)).collect(),
            places,
        }
    }

    /// Adds the noise of one row of the map, within −√½…√½, to `noise`.
    fn add_row(&self, row: usize, noise: &mut [f32]) {
        let [cells_down, cells_across] = self.cells;
        let z = row as f64 * self.step;
        let cell = (z as usize).min(cells_down - 1);
        let v = (z - cell as f64) as f32;
        let t = fade(v);
        let width = cells_across + 1;
        let north = &self.vectors[cell * width..][..width];
        let south = &self.vectors[(cell + 1) % cells_down * width..][..width];
        // At a lattice column, u to its east: slope · u + offset.
        let line = |column: usize| {
            let ([nx, nz], [sx, sz]) = (north[column], south[column]);
            let (at_north, at_south) = (nz * v, sz * (v - 1.0));
            [nx + t * (sx - nx), at_north + t * (at_south - at_north)]
        };
        let mut start = 0;
        let mut west = line(0);
        for (column, end) in self.ends.iter().enumerate() {
            let east = line(column + 1);
            let (places, fades) = (&self.places[start..*end], &self.fades[start..*end]);
            add_cell(&mut noise[start..*end], places, fades, [west, east]);
            (west, start) = (east, *end);
        }
    }
}

/// Perlin's fade, with level ends and no curvature there: 6t⁵ − 15t⁴ + 10t³.
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

vectorized! {
    fn add_cell(noise: &mut [f32], places: &[f32], fades: &[f32], lines: [[f32; 2]; 2]) {
        let [[west_slope, west], [east_slope, east]] = lines;
        let count = noise.len();
        let (places, fades) = (&places[..count], &fades[..count]);
        for column in 0..count {
            let u = places[column];
            let from_west = west_slope * u + west;
            let from_east = east_slope * (u - 1.0) + east;
            noise[column] += from_west + fades[column] * (from_east - from_west);
        }
    }

    fn blend(heights: &mut [f32], noise: &[f32], factors: [f32; 3], range: (f32, f32)) {
        let [keep, scale, shift] = factors;
        for (height, noise) in heights.iter_mut().zip(noise) {
            // Clamped for the rounding alone.
            *height = (*height * keep + (noise * scale + shift)).clamp(range.0, range.1);
        }
    }
}
