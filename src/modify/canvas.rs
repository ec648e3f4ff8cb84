//! Interface of modifiers, and the mutable map that they change, with parallel loops over its rows and bands.

use std::sync::Arc;

use crate::terrain::erosion::Land;
use crate::terrain::heightmap::{Heightmap, Heights, Validity, Worn};
use crate::util::job::Cancelled;
use crate::util::memory;
use crate::util::numbers::EMPTY_RANGE;
use crate::util::parallel::{self, Tools};

use super::{Context, ModifyError};

/// Number of samples of a band: few enough to stay in the second-level cache. Bands depend on the map
/// alone, never on the number of threads.
const BAND: usize = 1 << 15;

/// Options of a modifier, which change a map.
pub(super) trait Modify {
    /// Change the map. The result depends on the map, the options, and the context's seed and water alone.
    ///
    /// # Errors
    /// There is not enough memory, the map is too large, or the job was cancelled.
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError>;

    /// True if the modifier is so slow that it dominates the progress of a list.
    fn is_slow(&self) -> bool {
        false
    }

    /// True if its mask is smoothed, because its effect on a place depends on the land around.
    fn smooths_mask(&self) -> bool {
        false
    }

    /// True if the result depends on the height of the scene's water.
    fn uses_water(&self) -> bool {
        false
    }
}

/// Height map split into its parts for writing.
pub(super) struct Canvas<'a> {
    pub rows: usize,
    pub columns: usize,
    /// True if the last and the first row, and the last and the first column, are equal. A modifier that
    /// leaves this `true` must keep them equal, bit for bit.
    pub wraps: bool,
    pub heights: Heights,
    /// Eroded and deposited depths so far.
    pub worn: Option<Arc<Worn>>,
    /// Mask of samples that hold data. Modifiers treat filled samples as ground.
    pub valid: Option<Arc<Validity>>,
    /// Base level of the step before, at which rivers end.
    pub base_before: Option<f32>,
    /// Base level of this step.
    pub base: Option<f32>,
    pub context: Context<'a>,
}

impl<'a> Canvas<'a> {
    /// Split `map` into its parts and leave an empty map behind.
    pub fn take(map: &mut Heightmap, context: Context<'a>) -> Self {
        let map = std::mem::replace(map, Heightmap::new(0, 0, false, Vec::new()));
        Self {
            rows: map.rows(),
            columns: map.columns(),
            wraps: map.wraps(),
            worn: map.worn().cloned(),
            valid: map.valid().cloned(),
            base_before: map.base(),
            base: None,
            heights: map.into_heights(),
            context,
        }
    }

    pub fn into_map(self) -> Heightmap {
        Heightmap::new(self.rows, self.columns, self.wraps, self.heights)
            .with_worn(self.worn)
            .with_valid(self.valid)
            .with_base(self.base)
    }

    /// View of the map as terrain for water and scree.
    pub fn land(&mut self) -> Land<'_> {
        Land {
            rows: self.rows,
            columns: self.columns,
            wraps: self.wraps,
            spacing: 2.0 / (self.rows.max(self.columns) - 1).max(1) as f32,
            heights: &mut self.heights,
        }
    }

    /// Check that `bytes_a_sample` bytes a sample are free, for modifiers that need more than the map.
    pub fn check_memory(&self, bytes_a_sample: u64) -> Result<(), ModifyError> {
        let bytes = bytes_a_sample * self.heights.len() as u64;
        memory::check(bytes).map_err(|_| ModifyError::OutOfMemory { bytes })
    }

    /// Number of rows of a band; the last band may have fewer.
    pub fn band_rows(&self) -> usize {
        (BAND / self.columns).max(1)
    }

    /// Call `work` on every band, in any order, with the index of its first row and its heights.
    pub fn each_band(&mut self, work: impl Fn(usize, &mut [f32]) + Sync) -> Result<(), Cancelled> {
        self.each_band_with(|| (), |(), first, heights| work(first, heights))
    }

    /// Call `work` on every band, as [`Canvas::each_band`] does, with a thread-local state that `start`
    /// makes.
    pub fn each_band_with<S: Send>(
        &mut self,
        start: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize, &mut [f32]) + Sync,
    ) -> Result<(), Cancelled> {
        let (rows, columns, job) = (self.band_rows(), self.columns, self.context.job);
        let states = Tools::new(start);
        parallel::par_items(self.heights.chunks_mut(rows * columns)).for_each_in(
            job,
            |band, heights| {
                states.with(|state| work(state, band * rows, heights));
            },
        )
    }

    /// Call `work` on every row, in any order, with its index and its heights.
    pub fn each_row(&mut self, work: impl Fn(usize, &mut [f32]) + Sync) -> Result<(), Cancelled> {
        let columns = self.columns;
        self.each_band(|first, band| {
            for (offset, row) in band.chunks_exact_mut(columns).enumerate() {
                work(first + offset, row);
            }
        })
    }

    /// Lowest and highest height.
    pub fn range(&self) -> Result<(f32, f32), Cancelled> {
        let wider = |a: (f32, f32), b: (f32, f32)| {
            let low = if b.0 < a.0 { b.0 } else { a.0 };
            let high = if b.1 > a.1 { b.1 } else { a.1 };
            (low, high)
        };
        let ranges = parallel::par_items(self.heights.chunks(BAND)).try_map(|_, band| {
            self.context.job.check()?;
            let mut range = EMPTY_RANGE;
            widen(band, &mut range);
            Ok(range)
        })?;
        Ok(ranges.into_iter().fold(EMPTY_RANGE, wider))
    }
}

vectorized! {
    /// Extend a range to include all `heights`.
    fn widen(heights: &[f32], range: &mut (f32, f32)) {
        const LANES: usize = 64;
        let (mut lows, mut highs) = ([range.0; LANES], [range.1; LANES]);
        let (blocks, rest) = heights.as_chunks::<LANES>();
        for block in blocks {
            for lane in 0..LANES {
                let height = block[lane];
                lows[lane] = if height < lows[lane] { height } else { lows[lane] };
                highs[lane] = if height > highs[lane] { height } else { highs[lane] };
            }
        }
        for &height in lows.iter().chain(rest) {
            range.0 = if height < range.0 { height } else { range.0 };
        }
        for &height in highs.iter().chain(rest) {
            range.1 = if height > range.1 { height } else { range.1 };
        }
    }
}
