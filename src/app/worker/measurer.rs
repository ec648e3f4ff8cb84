//! Cache of the landscape's statistics. Edits of palette or light do not invalidate them.

use std::sync::{Arc, Weak};

use super::builder::Full;
use crate::app::state::MeasuredHurst;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::measure::{self, Statistics, variations};
use crate::util::job::Job;

/// Statistics of the last measured map.
#[derive(Default)]
pub struct Measurer {
    hurst: Option<Measure<MeasuredHurst>>,
    statistics: Option<Measure<Arc<Statistics>>>,
}

/// Measured value with its key: the height map and the sea level.
struct Measure<T> {
    // A weak reference does not keep the large array of an outdated map alive.
    map: Weak<Heightmap>,
    sea: Option<f32>,
    value: T,
}

impl<T> Measure<T> {
    fn is_of(&self, full: &Full) -> bool {
        self.map.ptr_eq(&full.map) && self.sea == full.sea
    }
}

impl Measurer {
    /// True if the Hurst exponent of this landscape is cached.
    pub fn knows(&self, full: &Full) -> bool {
        self.hurst.as_ref().is_some_and(|hurst| hurst.is_of(full))
    }

    /// True if the landscape still exists and its statistics are not cached.
    pub fn lacks(&self, full: &Full) -> bool {
        let known = self
            .statistics
            .as_ref()
            .is_some_and(|known| known.is_of(full));
        !known && full.map.strong_count() > 0
    }

    /// Estimated Hurst exponent of the landscape with height map `map`.
    pub fn hurst(&mut self, full: &Full, map: &Heightmap) -> MeasuredHurst {
        let known = self.hurst.take().filter(|known| known.is_of(full));
        let measured = || {
            let hurst = measure::hurst(&variations(map));
            let value = hurst.map_or(MeasuredHurst::Undefined, MeasuredHurst::Estimated);
            let map = Weak::clone(&full.map);
            Measure {
                map,
                sea: full.sea,
                value,
            }
        };
        self.hurst.insert(known.unwrap_or_else(measured)).value
    }

    /// All statistics of the landscape with height map `map`; `None` if cancelled.
    pub fn statistics(
        &mut self,
        full: &Full,
        map: &Heightmap,
        job: &Job,
    ) -> Option<Arc<Statistics>> {
        if self.lacks(full) {
            self.statistics = Some(Measure {
                map: Weak::clone(&full.map),
                sea: full.sea,
                value: Arc::new(measure::statistics(map, full.sea, job).ok()?),
            });
        }
        let known = self.statistics.as_ref()?;
        Some(Arc::clone(&known.value))
    }
}
