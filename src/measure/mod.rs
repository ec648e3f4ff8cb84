//! Measures of a height map: the fractal is measured, not claimed.
//!
//! [`measure`] gives the figures, [`statistics`] also what is plotted: the histogram, the points
//! that H is read from, the power spectrum, and how much the lattice of subdivision shows. All
//! depend on the heights alone, not on the number of threads.

use std::convert::Infallible;

use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};

mod bands;
mod crease;
mod histogram;
mod line;
mod slope;
mod spectrum;
mod variations;
mod wrap;

pub use crease::{COARSE, Crease, CreaseLevel, crease};
pub use histogram::{BINS, Histogram, histogram};
pub use line::Line;
pub use slope::rms_slope;
pub use spectrum::{Ring, Spectrum, spectral_slope, spectrum};
pub use variations::{Variation, hurst, variation_line, variations};
pub use wrap::{WrapError, wrap_error};

use bands::sum_rows;

/// What is measured of a map. Slopes are height over distance, both in half tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Lowest height.
    pub min: f32,
    /// Highest height.
    pub max: f32,
    /// Mean height.
    pub mean: f64,
    /// Standard deviation of the heights.
    pub std: f64,
    /// Root mean square of the slope between neighbouring samples.
    pub rms_slope: f64,
    /// Estimated Hurst exponent; `None` for maps too small or flat.
    pub hurst: Option<f64>,
    /// 3 − H of a surface, 2 − H of a profile; where H is above 1 that of plain ground, 2 or 1,
    /// for [`SMOOTH`] reasons.
    pub fractal_dimension: Option<f64>,
    /// How badly opposite edges fit.
    pub wrap_error: WrapError,
}

/// Why the fractal dimension is not less where H is above 1.
pub const SMOOTH: &str = "H is above 1: the land is smooth at the distances measured, where bends \
     grow faster with distance than of any fractal, so its dimension is that of plain ground";

impl Measures {
    /// [`SMOOTH`] where that is so.
    #[must_use]
    pub fn dimension_note(&self) -> Option<&'static str> {
        self.hurst.filter(|hurst| *hurst > 1.0).map(|_| SMOOTH)
    }
}

/// All that is measured of a map: the figures and what is plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The figures.
    pub measures: Measures,
    /// Heights in [`BINS`] bins.
    pub histogram: Histogram,
    /// The points that H is read from; fewer than two for maps below 33 samples a side.
    pub variations: Vec<Variation>,
    /// Power against frequency.
    pub spectrum: Spectrum,
    /// How much the lattice of subdivision shows; `None` for maps too small or flat.
    pub crease: Option<Crease>,
}

/// Measures a map. One pass over the heights a measure; the result does not depend on the
/// number of threads.
#[must_use]
pub fn measure(map: &Heightmap) -> Measures {
    let go_on = || Ok::<(), Infallible>(());
    let Ok(measures) = measures(map, &variations(map), go_on);
    measures
}

/// [`measure`] that asks after each pass whether to go on.
fn measures<E>(
    map: &Heightmap,
    variations: &[Variation],
    go_on: impl Fn() -> Result<(), E>,
) -> Result<Measures, E> {
    let count = map.heights().len() as f64;
    let (min, max) = map.range();
    let mean = sum_rows(map, |row| row.iter().map(|h| f64::from(*h)).sum()) / count;
    go_on()?;
    let square = |h: &f32| (f64::from(*h) - mean).powi(2);
    let variance = sum_rows(map, |row| row.iter().map(square).sum()) / count;
    go_on()?;
    let rms_slope = rms_slope(map);
    go_on()?;
    let hurst = hurst(variations);
    let dimension = if map.is_profile() { 2.0 } else { 3.0 };
    Ok(Measures {
        width: map.columns(),
        height: map.rows(),
        min,
        max,
        mean,
        std: variance.sqrt(),
        rms_slope,
        hurst,
        fractal_dimension: hurst.map(|h| dimension - h.min(1.0)),
        wrap_error: wrap_error(map),
    })
}

/// Measures everything of a map: [`measure`], [`histogram`], [`spectrum`] and [`crease`]. Any map
/// of at least one sample will do. About ten passes over the heights and one transform; beside the map at most 17 MB of memory, whatever its size.
///
/// # Errors
/// The job was cancelled.
pub fn statistics(map: &Heightmap, job: &Job) -> Result<Statistics, Cancelled> {
    let histogram = histogram(map, BINS, job)?;
    let spectrum = spectrum(map, job)?;
    let crease = crease(map, job)?;
    let variations = variations(map);
    job.check()?;
    Ok(Statistics {
        measures: measures(map, &variations, || job.check())?,
        histogram,
        variations,
        spectrum,
        crease,
    })
}
