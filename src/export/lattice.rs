//! Rows of cells that are as high as wide in degrees, for formats that know no others. A map's
//! samples are as far apart both ways in metres, so they are farther apart eastwards in degrees:
//! columns stay, rows are interpolated from their two neighbours. The rows are those of one lattice
//! over the whole map, so that its parts join.

use super::header::Header;
use crate::geo::Unit;

/// Where the rows lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// How many rows there are.
    pub rows: usize,
    /// Rows of samples from one to the next.
    pub step: f64,
    /// Rows of samples before the first, of those that are written.
    first: f64,
}

impl Lattice {
    /// The lattice of a map in degrees whose samples are not square there.
    pub fn of(header: &Header<'_>) -> Option<Self> {
        /// A part of a row that is rounding.
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
            // The last cell may reach beyond the map by a half.
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

    /// The place of a row, in rows of samples.
    pub fn at(&self, row: usize) -> f64 {
        self.first + row as f64 * self.step
    }
}

/// Makes rows of a lattice of rows of samples as they come.
#[derive(Debug)]
pub struct Squared {
    lattice: Lattice,
    /// How many rows of samples came, and how many of the lattice went.
    taken: usize,
    given: usize,
    before: Vec<f32>,
    between: Vec<f32>,
}

impl Squared {
    /// Before the first row.
    pub fn new(lattice: Lattice) -> Self {
        Self {
            lattice,
            taken: 0,
            given: 0,
            before: Vec::new(),
            between: Vec::new(),
        }
    }

    /// Takes a row of samples and hands on the rows of the lattice that lie between the last one
    /// and it.
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
                        // Where one of them holds no data the nearest counts.
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

    /// Hands on the rows that lie beyond the last one: as that.
    pub fn finish<E>(&mut self, mut sink: impl FnMut(&[f32]) -> Result<(), E>) -> Result<(), E> {
        while self.given < self.lattice.rows {
            sink(&self.before)?;
            self.given += 1;
        }
        Ok(())
    }
}
