//! Measures of a height map: its fractal is measured, not just claimed.
//!
//! [`measure`] gives the figures, [`statistics`] also what is plotted: the histogram, the points
//! that H is read from, the power spectrum, and how much the lattice of subdivision shows. All
//! depend on the heights alone, not on the number of threads.
//!
//! Of a map with holes the heights, their histogram and the slopes are those of the data; whatever
//! needs whole ground, such as H, the spectrum and the rivers, is measured with the holes filled.

use std::convert::Infallible;

use crate::drainage::Drainage;
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};

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

/// The measures of a map. Slopes are height over distance, both in half tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Measures {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// The number of samples that held no data and were filled.
    pub no_data: usize,
    /// The lowest height, in half tiles.
    pub min: f32,
    /// The highest height, in half tiles.
    pub max: f32,
    /// The mean height, in half tiles.
    pub mean: f64,
    /// The standard deviation of the heights, in half tiles.
    pub std: f64,
    /// The root mean square of the slope between neighbouring samples.
    pub rms_slope: f64,
    /// The estimated Hurst exponent; `None` for maps that are too small or flat.
    pub hurst: Option<f64>,
    /// 3 − H of a surface, 2 − H of a profile. Where H is above 1 it is 2 or 1, that of smooth
    /// ground, for the reason in [`SMOOTH`].
    pub fractal_dimension: Option<f64>,
    /// How badly opposite edges fit.
    pub wrap_error: WrapError,
}

/// The reason why the fractal dimension is not less where H is above 1, in words for the user.
pub const SMOOTH: &str = "H is above 1: the land is smooth at the distances measured, where bends \
     grow faster with distance than of any fractal, so its dimension is that of plain ground";

impl Measures {
    /// The note [`SMOOTH`], if H is above 1.
    #[must_use]
    pub fn dimension_note(&self) -> Option<&'static str> {
        self.hurst.filter(|hurst| *hurst > 1.0).map(|_| SMOOTH)
    }
}

/// All measures of a map: the figures, and the data of the plots.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The figures of the map.
    pub measures: Measures,
    /// The heights counted in [`BINS`] bins.
    pub histogram: Histogram,
    /// The points that H is read from; there are fewer than two for maps of fewer than 33 samples a
    /// side.
    pub variations: Vec<Variation>,
    /// The power of the relief against frequency.
    pub spectrum: Spectrum,
    /// How much the lattice of subdivision shows; `None` for maps that are too small or flat.
    pub crease: Option<Crease>,
    /// The rivers; `None` for a ridge, and for a map too large for the memory.
    pub rivers: Option<Rivers>,
}

/// Measures a map. Cost: one pass over the heights for each measure. The result does not depend on
/// the number of threads.
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

/// Measures everything about a map: [`measure`], [`histogram`], [`spectrum`], [`crease`], and
/// [`rivers`] that end at the height `sea`. The map needs at least one sample. Cost: about ten passes
/// over the heights, one transform, and a [`Drainage`]; besides the map it
/// takes at most 17 MB of memory, whatever the map's size, and that of the drainage.
///
/// # Errors
/// The job was cancelled.
pub fn statistics(map: &Heightmap, sea: Option<f32>, job: &Job) -> Result<Statistics, Cancelled> {
    statistics_drained(map, drainage(map, sea, job)?.as_ref(), job)
}

/// The same of a map of which it is known where its water flows, as [`drainage()`] says.
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
