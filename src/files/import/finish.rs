//! Last import steps, common to all formats: sidecar, range check, void filling, and resampling to square
//! cells.

use std::sync::Arc;

use super::samples::{MOST_HEIGHT, Meaning, Samples};
use super::source::{Beside, Broken};
use super::{fill, sidecar};
use crate::generate::ByteOrder;
use crate::terrain::heightmap::Validity;

/// The largest height accepted: a height at the limit may be rounded up when it is stored as 32-bit metres.
const MOST_NUMBER: f32 = MOST_HEIGHT * 1.000_001;

impl Samples {
    /// Apply the sidecar, check the range of the numbers, fill voids and resample to square cells.
    pub(super) fn finished(mut self, beside: Beside<'_>) -> Result<Self, Broken> {
        if self.grid.columns() < 2 {
            return Err(Broken::wrong("1 sample across, allowed is 2 or more"));
        }
        if let Some(sidecar) = beside.sidecar {
            sidecar::apply(sidecar, &mut self, beside.trusts_sidecar());
        }
        if let Meaning::Levels { heights, .. } = &mut self.meaning
            && let (Some(theirs), Some(size)) = (self.steps_tile_m, self.tile_size_m)
            && theirs != size
        {
            // The heights stay the same in metres.
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
        // NaN marks a void, which is filled later.
        let wild = |value: &&f32| value.abs() > MOST_NUMBER;
        if let Some(value) = values.iter().find(wild) {
            return Err(Broken::wrong(format!(
                "it holds {value:e}, allowed are numbers up to {:e}",
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
        self.filled = fill::fill(&mut self.grid);
        self.grid = self.squares.of(self.grid);
        self.valid = valid.map(|valid| Arc::new(self.squares.of_mask(valid)));
        self.check_ends(beside)?;
        Ok(self)
    }

    /// Refuse heights of a known unit that exceed the range of a scene.
    fn check_ends(&self, beside: Beside<'_>) -> Result<(), Broken> {
        let is_known = self.unit.is_some() || !beside.trusts_sidecar();
        if !is_known || self.ends().is_some() {
            return Ok(());
        }
        Err(Broken::wrong(format!(
            "so read its heights are beyond {MOST_HEIGHT:e} half tiles, which is the most; \
             --input-unit, --input-range and --input-spacing say how it is read"
        )))
    }
}
