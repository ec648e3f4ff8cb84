//! Gradient noise (Perlin 1985, with the fade of 2002) a row at a time.
//!
//! Within a cell of one row, what a lattice column contributes is a straight line in u; so the
//! gradients are met once a cell, and a sample costs two lines and a fade between them.

use crate::rng::{Jump, Stream};

/// One grid of random unit vectors, periodic, laid over a map.
pub(super) struct Lattice {
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
    pub fn new(stream: Stream, cells: usize, rows: usize, columns: usize) -> Self {
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
    pub fn add_row(&self, row: usize, noise: &mut [f32]) {
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
}
