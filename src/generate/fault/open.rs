//! Faults with free borders: each raises one side of a straight line in any direction.
//!
//! Along a row a cut is one step up or down, so a row is the prefix sum of as many differences as
//! there are cuts. The intersections of lines with the row are computed for many lines at once.

use super::rise::{Sums, rise, step};
use super::{Draw, Moments, Options, Profile, Scale};
use crate::util::job::{Cancelled, Job};

/// Cuts in structure-of-arrays layout. A cut raises the ground where `across · x + along · z` ≥ `from`;
/// x and z are in fractions of the map.
#[derive(Default)]
struct Cuts {
    across: Vec<f64>,
    along: Vec<f64>,
    from: Vec<f64>,
    raise: Vec<i32>,
}

impl Cuts {
    fn push(&mut self, [across, along]: [f64; 2], from: f64, raise: i32) {
        self.across.push(across);
        self.along.push(along);
        self.from.push(from);
        self.raise.push(raise);
    }
}

/// Set of all cuts.
pub(super) struct Lines {
    cells: usize,
    profile: Profile,
    width: f64,
    /// Cuts that rise towards the east or the west. A rise towards the west is stored as a negative
    /// raise, and `west` compensates for it.
    slanted: Cuts,
    /// Sum of the raises of the westernmost sample from cuts that rise towards the west.
    west: i32,
    /// Cuts along the rows.
    level: Cuts,
    pub moments: Moments,
}

/// Slope below which a cut counts as parallel to the rows.
const FLAT: f64 = 1e-12;

impl Lines {
    pub fn new(draws: &[Draw], options: &Options, cells: usize) -> Self {
        let mut lines = Self {
            cells,
            profile: options.profile,
            width: options.width(),
            slanted: Cuts::default(),
            west: 0,
            level: Cuts::default(),
            moments: Moments::default(),
        };
        for Draw { raise, numbers } in draws {
            // The cut passes through a random point in a random direction.
            let [direction, x, z] = numbers;
            let angle = direction * std::f64::consts::TAU;
            let (across, along) = (libm::cos(angle), libm::sin(angle));
            let from = across * x + along * z;
            lines.moments.add(*raise, 0.5);
            if across.abs() < FLAT {
                lines.level.push([across, along], from, *raise);
            } else if across > 0.0 {
                lines.slanted.push([across, along], from, *raise);
            } else {
                lines.slanted.push([across, along], from, -raise);
                lines.west = lines.west.wrapping_add(*raise);
            }
        }
        lines
    }

    /// Raise that a cut along the rows gives to the row at `z`.
    fn level_raise(&self, index: usize, z: f64) -> i32 {
        let level = self.level.from[index] - self.level.along[index] * z;
        let t = if self.width > 0.0 {
            0.5 - level / self.width
        } else {
            step(-level)
        };
        (f64::from(self.level.raise[index]) * rise(self.profile, t)).round() as i32
    }
}

/// Number of cuts processed at once: their intersections stay in the first-level cache.
const CHUNK: usize = 256;
/// Number of wide cuts between checks for cancelling: each may change all samples of a row.
const CHECK: usize = 32;

/// Writer of rows of the map.
pub(super) struct Row<'a> {
    lines: &'a Lines,
    sums: Sums,
    places: [f64; CHUNK],
    columns: [u32; CHUNK],
}

impl<'a> Row<'a> {
    pub fn new(lines: &'a Lines) -> Self {
        Self {
            lines,
            sums: Sums::new(lines.cells + 1),
            places: [0.0; CHUNK],
            columns: [0; CHUNK],
        }
    }

    /// Write a row.
    ///
    /// # Errors
    /// The job was cancelled; the row is then incomplete.
    pub fn write(
        &mut self,
        row: usize,
        scale: Scale,
        job: &Job,
        out: &mut [f32],
    ) -> Result<(), Cancelled> {
        let lines = self.lines;
        let z = row as f64 / lines.cells as f64;
        self.sums.clear();
        let level = (0..lines.level.raise.len()).map(|index| lines.level_raise(index, z));
        self.sums.differences[0] = level.fold(lines.west, i32::wrapping_add);
        for first in (0..lines.slanted.raise.len()).step_by(CHUNK) {
            job.check()?;
            let count = CHUNK.min(lines.slanted.raise.len() - first);
            self.add(first, count, z, job)?;
        }
        for (height, sum) in out.iter_mut().zip(self.sums.values()) {
            *height = scale.height(sum);
        }
        Ok(())
    }

    /// Add `count` cuts, from the cut `first` on, to the row at `z`.
    fn add(&mut self, first: usize, count: usize, z: f64, job: &Job) -> Result<(), Cancelled> {
        let Lines {
            slanted,
            width,
            cells,
            profile,
            ..
        } = self.lines;
        let (across, along) = (&slanted.across[first..], &slanted.along[first..]);
        let (from, raise) = (&slanted.from[first..], &slanted.raise[first..]);
        let (cells, places) = (*cells as f64, &mut self.places[..count]);
        meet([from, along, across], z, cells, places);
        if *width == 0.0 {
            let columns = &mut self.columns[..count];
            next_columns(places, cells + 1.0, columns);
            for (column, raise) in columns.iter().zip(raise) {
                let difference = &mut self.sums.differences[*column as usize];
                *difference = difference.wrapping_add(*raise);
            }
            return Ok(());
        }
        let cuts = places.iter().zip(across).zip(raise);
        for (index, ((middle, across), raise)) in cuts.enumerate() {
            if index.is_multiple_of(CHECK) {
                job.check()?;
            }
            let reach = (width / across * cells / 2.0).abs();
            self.sums.add_rise(*profile, *middle, reach, *raise);
        }
        Ok(())
    }
}

vectorized! {
    /// Compute the intersections of lines with the row at `z`, in samples.
    fn meet(lines: [&[f64]; 3], z: f64, cells: f64, places: &mut [f64]) {
        let count = places.len();
        let [from, along, across] = lines.map(|values| &values[..count]);
        for index in 0..count {
            places[index] = (from[index] - along[index] * z) / across[index] * cells;
        }
    }

    /// Compute the first sample at or beyond each place, at most `end`.
    fn next_columns(places: &[f64], end: f64, columns: &mut [u32]) {
        let places = &places[..columns.len()];
        for (column, place) in columns.iter_mut().zip(places) {
            // Adding 2^52 to a whole number puts it into the lowest bits of the mantissa.
            const BITS: f64 = 4_503_599_627_370_496.0;
            *column = (place.ceil().clamp(0.0, end) + BITS).to_bits() as u32;
        }
    }
}
