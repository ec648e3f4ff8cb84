//! Histogram of heights.

use super::bands;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Number of bins of [`super::statistics`].
pub const BINS: usize = 64;

/// Histogram of heights in bins of equal width, from the lowest height to the highest.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Lowest height, where the first bin begins.
    pub min: f32,
    /// Highest height, where the last bin ends; the bin includes it.
    pub max: f32,
    /// Number of heights in each bin; the sum is the number of samples with data. A flat map has all its
    /// heights in the first bin.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// Bin width, in the unit of the heights; 0 for a flat map.
    #[must_use]
    pub fn bin_width(&self) -> f64 {
        (f64::from(self.max) - f64::from(self.min)) / self.counts.len() as f64
    }

    /// Height at the centre of a bin.
    #[must_use]
    pub fn centre(&self, bin: usize) -> f64 {
        f64::from(self.min) + (bin as f64 + 0.5) * self.bin_width()
    }
}

/// Histogram of a map with `bins` bins, at least one. Cost: two passes over the heights.
///
/// # Errors
/// The job was cancelled.
pub fn histogram(map: &Heightmap, bins: usize, job: &Job) -> Result<Histogram, Cancelled> {
    let (min, max) = map.valid_range();
    let mut histogram = Histogram {
        min,
        max,
        counts: vec![0; bins.max(1)],
    };
    let width = histogram.bin_width();
    let last = histogram.counts.len() - 1;
    let of_bands = map.heights().chunks(bands::samples(map.columns()));
    let of_bands = parallel::par_items(of_bands).try_map(|band, heights| {
        job.check()?;
        let mut counts = vec![0u64; last + 1];
        let mut count = |height: f32| {
            // On a flat map 0/0 is NaN, which the cast turns into bin 0.
            let bin = (f64::from(height) - f64::from(min)) / width;
            counts[(bin as usize).min(last)] += 1;
        };
        match map.valid() {
            None => heights.iter().for_each(|height| count(*height)),
            Some(valid) => {
                let first = band * bands::rows(map.columns());
                let rows = heights.chunks(map.columns()).enumerate();
                rows.for_each(|(row, heights)| {
                    valid.data(first + row, heights).for_each(&mut count);
                });
            }
        }
        Ok(counts)
    })?;
    for counts in of_bands {
        for (sum, count) in histogram.counts.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    Ok(histogram)
}
