//! Resampling to cells that are square in degrees, for formats that support no others. A map's samples
//! are equally spaced in metres both ways, so away from the equator they are farther apart eastwards in
//! degrees. Columns stay, and rows are interpolated linearly between their two neighbours. All parts of a
//! map share one lattice, so that they join.

use super::header::Header;
use crate::terrain::geo::Unit;

/// Row positions of the resampled grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// Number of rows.
    pub rows: usize,
    /// Distance between lattice rows, in rows of samples.
    pub step: f64,
    /// Position of the first lattice row, relative to the first written row of samples.
    first: f64,
}

impl Lattice {
    /// Lattice of a map in degrees; `None` if its cells are already square.
    pub fn of(header: &Header<'_>) -> Option<Self> {
        /// Tolerance for rounding errors, in rows.
        const ROUNDING: f64 = 1e-6;
        let earth = header.piece.earth.as_ref()?;
        let step = earth.east[0] / -earth.south[1];
        if !matches!(earth.unit, Unit::Degrees(_)) || (step - 1.0).abs() < 1e-12 {
            return None;
        }
        let (before, rows) = (header.piece.location.row as f64, header.rows as f64);
        let last = (before + rows - 1.0) / step;
        let is_southmost =
            header.piece.location.row + header.rows as u64 == header.piece.location.rows;
        let first = (before / step - ROUNDING).ceil();
        let last = if is_southmost {
            // The last cell may reach half a cell beyond the map.
            last.round()
        } else {
            (last + ROUNDING).floor()
        };
        Some(Self {
            rows: (last - first).max(0.0) as usize + 1,
            step,
            first: first * step - before,
        })
    }

    /// Position of a lattice row, in rows of samples.
    pub fn at(&self, row: usize) -> f64 {
        self.first + row as f64 * self.step
    }
}

/// Streaming resampler from rows of samples to rows of a lattice.
#[derive(Debug)]
pub struct Squared {
    lattice: Lattice,
    /// Number of sample rows read and of lattice rows written.
    taken: usize,
    given: usize,
    before: Vec<f32>,
    between: Vec<f32>,
}

impl Squared {
    /// Start before the first row.
    pub fn new(lattice: Lattice) -> Self {
        Self {
            lattice,
            taken: 0,
            given: 0,
            before: Vec::new(),
            between: Vec::new(),
        }
    }

    /// Read a row of samples and pass on the lattice rows between the previous row and this one.
    pub fn row<E>(
        &mut self,
        heights: &[f32],
        mut sink: impl FnMut(&[f32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let here = self.taken as f64;
        while self.given < self.lattice.rows && self.lattice.at(self.given) <= here {
            let back = here - self.lattice.at(self.given);
            if self.before.is_empty() || back <= 0.0 {
                sink(heights)?;
            } else {
                let both = self.before.iter().zip(heights);
                let mixed = both.map(|(before, height)| {
                    if before.is_nan() || height.is_nan() {
                        // Next to a hole there is nothing to interpolate: take the nearest sample.
                        return if back < 0.5 { *height } else { *before };
                    }
                    let (before, height) = (f64::from(*before), f64::from(*height));
                    (height + (before - height) * back) as f32
                });
                self.between.clear();
                self.between.extend(mixed);
                sink(&self.between)?;
            }
            self.given += 1;
        }
        self.taken += 1;
        self.before.clear();
        self.before.extend_from_slice(heights);
        Ok(())
    }

    /// Pass on the lattice rows beyond the last row of samples, as copies of it.
    pub fn finish<E>(&mut self, mut sink: impl FnMut(&[f32]) -> Result<(), E>) -> Result<(), E> {
        while self.given < self.lattice.rows {
            sink(&self.before)?;
            self.given += 1;
        }
        Ok(())
    }
}
