//! Faults on a torus: bands between two parallel closed lines, for wrapped maps.
//!
//! The contribution of a band of direction (p, q) to a sample depends only on its phase
//! (p·column + q·row) mod N, and there are few directions. So the bands of one direction are summed
//! once, by phase, and a row of the map is a sum of eight rows read at different offsets:
//!
//! ```text
//! h(row, column) = Σ over (p, q) of raises[(p·column + q·row) mod N]
//! ```
//! Cost: O(1) a band, O(N) a direction, eight additions a sample.

use super::rise::Sums;
use super::{Draw, Moments, Options, Scale};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Directions (p, q) of closed cuts whose lines cross the map at most twice. [`ALONG_ROWS`] is the
/// index of the one whose phase is constant in a row.
const DIRECTIONS: [(usize, isize); 8] = [
    (1, 0),
    (0, 1),
    (1, 1),
    (1, -1),
    (1, 2),
    (2, 1),
    (1, -2),
    (2, -1),
];
/// Index of the direction whose bands lie along the rows.
const ALONG_ROWS: usize = 1;

/// Sums of all bands.
pub(super) struct Torus {
    cells: usize,
    directions: Vec<Direction>,
    pub moments: Moments,
}

/// Sums of all bands of one direction, by phase.
struct Direction {
    across: usize,
    along: isize,
    /// Table of sums: part s holds the phases s, s + p, s + 2p …, continued beyond N by one row length.
    parts: Vec<Vec<i32>>,
}

/// Raised band: phases from `from` to `to`, in fractions of the map.
struct Band {
    direction: usize,
    from: f64,
    to: f64,
    raise: i32,
}

impl Band {
    /// Create a band that covers a quarter to three quarters of the torus.
    fn new(draw: &Draw) -> Self {
        let [direction, place, share] = draw.numbers;
        Self {
            direction: (direction * DIRECTIONS.len() as f64) as usize,
            from: place,
            to: place + 0.25 + 0.5 * share,
            raise: draw.raise,
        }
    }
}

impl Torus {
    pub fn new(
        draws: &[Draw],
        options: &Options,
        cells: usize,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let bands: Vec<Band> = draws.iter().map(Band::new).collect();
        let mut moments = Moments::default();
        for band in &bands {
            moments.add(band.raise, band.to - band.from);
        }
        let directions = parallel::par_items(DIRECTIONS).try_map(|direction, ways| {
            let mut sums = Sums::new(cells);
            for band in bands.iter().filter(|band| band.direction == direction) {
                job.check()?;
                add_band(band, options, cells, &mut sums);
            }
            let by_phase: Vec<i32> = sums.values().collect();
            Ok(Direction::new(ways, &by_phase))
        })?;
        Ok(Self {
            cells,
            directions,
            moments,
        })
    }

    /// Write a row of the map; the last row repeats the first.
    pub fn write(&self, row: usize, scale: Scale, out: &mut [f32]) {
        let rows = |index: usize| {
            // The direction along the rows is constant in a row and added once, as `level`.
            let index = index + usize::from(index >= ALONG_ROWS);
            self.directions[index].row(row, self.cells)
        };
        let level = self.directions[ALONG_ROWS].parts[0][row % self.cells];
        let (last, heights) = out.split_last_mut().expect("a row has samples");
        sum(&std::array::from_fn(rows), level, scale, heights);
        *last = heights[0];
    }
}

impl Direction {
    fn new((across, along): (usize, isize), by_phase: &[i32]) -> Self {
        let cells = by_phase.len();
        let step = across.max(1);
        let part = |first: usize| {
            let phases = (first..).step_by(step).map(|phase| by_phase[phase % cells]);
            phases.take(cells / step + cells).collect()
        };
        Self {
            across: step,
            along,
            parts: (0..step).map(part).collect(),
        }
    }

    /// Sums for the samples of a row.
    fn row(&self, row: usize, cells: usize) -> &[i32] {
        let phase = (row as isize * self.along).rem_euclid(cells as isize) as usize;
        &self.parts[phase % self.across][phase / self.across..][..cells]
    }
}

/// Add a band to the sums by phase.
fn add_band(band: &Band, options: &Options, cells: usize, sums: &mut Sums) {
    let width = options.width();
    let cells = cells as f64;
    let mut edge = |phase: f64, raise: i32| {
        sums.add_rise(options.profile, phase * cells, width * cells / 2.0, raise);
    };
    // The band repeats on every turn around the torus, so all turns with edges at phases 0…1 count.
    let first = (-band.to - width).floor() as i64;
    let last = (1.0 - band.from + width).ceil() as i64;
    for turn in first..=last {
        edge(band.from + turn as f64, band.raise);
        edge(band.to + turn as f64, -band.raise);
    }
}

vectorized! {
    fn sum(rows: &[&[i32]; DIRECTIONS.len() - 1], level: i32, scale: Scale, out: &mut [f32]) {
        let count = out.len();
        let rows = rows.map(|row| &row[..count]);
        for (column, out) in out.iter_mut().enumerate() {
            let mut sum = level;
            for row in rows {
                sum = sum.wrapping_add(row[column]);
            }
            *out = scale.height(sum);
        }
    }
}
