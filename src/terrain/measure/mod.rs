//! Terrain metrics of a heightfield: height statistics, Hurst exponent and fractal dimension, power
//! spectrum, crease artefacts and rivers.
//!
//! [`measure`] gives the figures, [`statistics`] also the data of the plots: the histogram, the points of
//! the fit of H, the power spectrum and the crease metric. All depend on the heights alone, not on the
//! number of threads.
//!
//! In a map with holes, the heights, their histogram and the slopes are those of the data. Metrics that
//! need ground without holes, such as H, the spectrum and the rivers, use the filled holes.

use std::convert::Infallible;

use crate::terrain::drainage::Drainage;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};

mod bands;
mod crease;
mod histogram;
mod line;
mod rivers;
mod slope;
mod spectrum;
mod variations;
mod watershed;
mod wrap;

pub use crease::{COARSE, Crease, CreaseLevel, crease};
pub use histogram::{BINS, Histogram, histogram};
pub use line::Line;
pub use rivers::{Rivers, SlopeOfArea, drainage, rivers};
pub use slope::rms_slope;
pub use spectrum::{Ring, Spectrum, spectral_slope, spectrum};
pub use variations::{Variation, hurst, variation_line, variations};
pub use watershed::{End, IN_THE_SEA, PourPoint, SNAP, Watershed, watershed};
pub use wrap::{WrapError, wrap_error};

use bands::sum_data;

/// Metrics of a map. Slopes are height over distance, both in half tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Number of samples without data, which were filled.
    pub no_data: usize,
    /// Lowest height, in half tiles.
    pub min: f32,
    /// Highest height, in half tiles.
    pub max: f32,
    /// Mean height, in half tiles.
    pub mean: f64,
    /// Standard deviation of the heights, in half tiles.
    pub std: f64,
    /// Root mean square slope between neighbouring samples.
    pub rms_slope: f64,
    /// Estimated Hurst exponent; `None` for maps that are too small or flat.
    pub hurst: Option<f64>,
    /// Fractal dimension: 3 − H of a surface, 2 − H of a profile. If H is above 1 it is 2 or 1, that of
    /// smooth ground, see [`SMOOTH`].
    pub fractal_dimension: Option<f64>,
    /// Mismatch of opposite edges.
    pub wrap_error: WrapError,
}

/// Explanation for the user why the fractal dimension is that of smooth ground if H is above 1.
pub const SMOOTH: &str = "H is above 1: the land is smooth at the distances measured, where bends \
     grow faster with distance than of any fractal, so its dimension is that of plain ground";

impl Measures {
    /// Note [`SMOOTH`] if H is above 1.
    #[must_use]
    pub fn dimension_note(&self) -> Option<&'static str> {
        self.hurst.filter(|hurst| *hurst > 1.0).map(|_| SMOOTH)
    }
}

/// Metrics of a map with the data of the plots.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Figures of the map.
    pub measures: Measures,
    /// Histogram of the heights with [`BINS`] bins.
    pub histogram: Histogram,
    /// Points of the fit of H; fewer than two for maps of fewer than 33 samples a side.
    pub variations: Vec<Variation>,
    /// Radial power spectrum.
    pub spectrum: Spectrum,
    /// Crease metric; `None` for maps that are too small or flat.
    pub crease: Option<Crease>,
    /// Rivers; `None` for a profile, and for a map that is too large for the memory.
    pub rivers: Option<Rivers>,
}

/// Measure a map. Cost: one pass over the heights for each metric. The result does not depend on the
/// number of threads.
#[must_use]
pub fn measure(map: &Heightmap) -> Measures {
    let go_on = || Ok::<(), Infallible>(());
    let Ok(measures) = measures(map, &variations(map), go_on);
    measures
}

/// [`measure`] with a check for cancellation after each pass.
fn measures<E>(
    map: &Heightmap,
    variations: &[Variation],
    go_on: impl Fn() -> Result<(), E>,
) -> Result<Measures, E> {
    let no_data = map.valid().map_or(0, |valid| valid.invalid());
    let count = (map.heights().len() - no_data).max(1) as f64;
    let (min, max) = map.valid_range();
    let mean = sum_data(map, f64::from) / count;
    go_on()?;
    let variance = sum_data(map, |h| (f64::from(h) - mean).powi(2)) / count;
    go_on()?;
    let rms_slope = rms_slope(map);
    go_on()?;
    let hurst = hurst(variations);
    let dimension = if map.is_profile() { 2.0 } else { 3.0 };
    Ok(Measures {
        width: map.columns(),
        height: map.rows(),
        no_data,
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

/// Compute all metrics of a map: [`measure`], [`histogram`], [`spectrum`], [`crease`], and [`rivers`]
/// that end at the height `sea`. The map needs at least one sample. Cost: about ten passes over the
/// heights, one Fourier transform, and a [`Drainage`]. Memory: at most 17 MB for a map of any size, and
/// that of the drainage.
///
/// # Errors
/// The job was cancelled.
pub fn statistics(map: &Heightmap, sea: Option<f32>, job: &Job) -> Result<Statistics, Cancelled> {
    statistics_drained(map, drainage(map, sea, job)?.as_ref(), job)
}

/// As [`statistics`], for a map whose flow was already routed by [`drainage()`].
///
/// # Errors
/// The job was cancelled.
pub fn statistics_drained(
    map: &Heightmap,
    drainage: Option<&Drainage>,
    job: &Job,
) -> Result<Statistics, Cancelled> {
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
        rivers: drainage
            .map(|drainage| Rivers::of(map, drainage, job))
            .transpose()?,
    })
}
