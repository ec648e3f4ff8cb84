//! Notices for the user about imported samples: filled voids, resampling, and assumptions.

use std::path::Path;

use super::samples::{Ends, Meaning, Samples};
use crate::generate::Surface;
use crate::util::language::{mark, tr};

/// The options that override assumptions.
const FLAGS: &str = mark("--input-unit, --input-range, --input-spacing and --input-nodata");

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
            let what = assumed.join(", ");
            tr!(
                "assumed, since the file does not say it: {what}; {FLAGS} say otherwise",
                what,
                FLAGS = tr(FLAGS)
            )
        });
        let old = self.old_range.filter(|_| self.range.is_none());
        let old = old.map(|(low, high)| {
            let (low, high) = (low as f32, high as f32);
            tr!(
                "it was changed after its heights were written: its lowest step is still taken for \
                 {low} half tiles and its highest for {high}; --input-range says otherwise",
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
