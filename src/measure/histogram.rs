//! How many heights lie how high.

use rayon::prelude::*;

use super::bands;
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};

/// Bins of [`super::statistics`].
pub const BINS: usize = 64;

/// Counts of heights in bins of equal width from the lowest to the highest.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Lowest height: where the first bin begins.
    pub min: f32,
    /// Highest height: where the last bin ends, which includes it.
    pub max: f32,
    /// Heights in each bin; their sum is the number of samples. Those of a flat map are all in
    /// the first.
    pub counts: Vec<u64>,
}

impl Histogram {
    /// Width of a bin, in the unit of the heights; 0 for a flat map.
    #[must_use]
    pub fn bin_width(&self) -> f64 {
        (f64::from(self.max) - f64::from(self.min)) / self.counts.len() as f64
    }

    /// The height in the middle of a bin.
    #[must_use]
    pub fn centre(&self, bin: usize) -> f64 {
        f64::from(self.min) + (bin as f64 + 0.5) * self.bin_width()
    }
}

/// The histogram of a map in `bins` bins, at least one. Two passes over the heights.
///
/// # Errors
/// The job was cancelled.
pub fn histogram(map: &Heightmap, bins: usize, job: &Job) -> Result<Histogram, Cancelled> {
    let (min, max) = map.range();
    let mut histogram = Histogram {
        min,
        max,
        counts: vec![0; bins.max(1)],
    };
    let width = histogram.bin_width();
    let last = histogram.counts.len() - 1;
    let of_bands = map
        .heights()
        .par_chunks(bands::samples(map.columns()))
        .map(|heights| {
            job.check()?;
            let mut counts = vec![0u64; last + 1];
            for height in heights {
                // 0/0 of a flat map becomes bin 0.
                let bin = (f64::from(*height) - f64::from(min)) / width;
                counts[(bin as usize).min(last)] += 1;
            }
            Ok(counts)
        })
        .collect::<Result<Vec<_>, Cancelled>>()?;
    for counts in of_bands {
        for (sum, count) in histogram.counts.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    Ok(histogram)
}
