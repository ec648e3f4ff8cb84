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
use crate::util::parallel::{self, Tools};
use spectrum::{sum_data, sum_rows};

mod landforms;
mod rivers;
mod spectrum;

pub use landforms::{
    LEVEL, Landform, REACH, REFERENCES, Reference, SHARES, SlopesAtScale, landform, landforms,
    slopes_by_scale,
};

pub use rivers::{
    End, IN_THE_SEA, PourPoint, Rivers, SNAP, SlopeOfArea, Watershed, drainage, rivers, watershed,
};
pub use spectrum::{
    Line, Ring, Spectrum, Variation, hurst, spectral_slope, spectrum, variation_line, variations,
};

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
pub const SMOOTH: &str = "H is above 1: at the distances measured the land is smoother than any \
                          fractal, so its dimension is that of a smooth surface";

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
    /// Slopes between samples at each distance; none of a profile.
    pub slopes: Vec<SlopesAtScale>,
    /// Shares of the landforms, in the order of [`Landform::ALL`]; `None` for a profile or a map that is too small.
    pub landforms: Option<[f64; 10]>,
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

/// Compute all metrics of a map: [`measure`], [`histogram`], [`spectrum`], [`crease`], [`slopes_by_scale`],
/// [`landforms`], and [`rivers`] that end at the height `sea`. The map needs at least one sample. Cost: about ten passes
/// over the heights, one Fourier transform, the landforms, and a [`Drainage`]. Memory: at most 17 MB for a map of any size, and
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
        slopes: slopes_by_scale(map, job)?,
        landforms: landforms(map, job)?,
    })
}

// Histogram of heights.

/// Number of bins of [`statistics`].
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
    let of_bands = map.heights().chunks(spectrum::samples(map.columns()));
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
                let first = band * spectrum::rows(map.columns());
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

// Root mean square slope of a map.

/// Root mean square slope between neighbouring samples with data; 0 for a single sample. Cost: two passes.
#[must_use]
pub fn rms_slope(map: &Heightmap) -> f64 {
    let spacing = f64::from(map.spacing());
    let columns = map.columns();
    let difference = |a: &f32, b: &f32| (f64::from(*b) - f64::from(*a)).powi(2);
    let mean = |sum: f64, count: usize| {
        if count == 0 { 0.0 } else { sum / count as f64 }
    };
    if let Some(valid) = map.valid() {
        let is_valid = |row, column| valid.is_valid(row, column);
        let of_rows = parallel::par_items(0..map.rows()).map(|_, row| {
            // Sums and counts of differences along the row, and to the previous row.
            let ([mut along, mut across], [mut pairs, mut steps]) = ([0.0; 2], [0; 2]);
            for column in (0..columns).filter(|column| is_valid(row, *column)) {
                let height = map.at(row, column);
                if column > 0 && is_valid(row, column - 1) {
                    along += difference(&map.at(row, column - 1), &height);
                    pairs += 1;
                }
                if row > 0 && is_valid(row - 1, column) {
                    across += difference(&map.at(row - 1, column), &height);
                    steps += 1;
                }
            }
            ([along, across], [pairs, steps])
        });
        let mean = |axis: usize| {
            let sum = of_rows.iter().map(|(sums, _)| sums[axis]).sum();
            mean(sum, of_rows.iter().map(|(_, counts)| counts[axis]).sum())
        };
        return (mean(0) + mean(1)).sqrt() / spacing;
    }
    let along = sum_rows(map, |row| {
        row.windows(2).map(|w| difference(&w[0], &w[1])).sum()
    });
    let across = parallel::par_items(1..map.rows()).map(|_, row| {
        let pairs = map.row(row - 1).iter().zip(map.row(row));
        pairs.map(|(a, b)| difference(a, b)).sum::<f64>()
    });
    let mean_along = mean(along, map.rows() * (columns - 1));
    let mean_across = mean(across.iter().sum(), (map.rows() - 1) * columns);
    (mean_along + mean_across).sqrt() / spacing
}

// Wrap error: mismatch of opposite edges.

/// Mismatch across opposite edges, visible as a seam between repeated tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WrapError {
    /// Largest height difference between opposite border points; exactly 0 if the map wraps.
    pub height: f32,
    /// Largest change of slope across the seam.
    pub slope: f32,
}

/// Compare opposite edges. Cost: only the border and its neighbours are read.
#[must_use]
pub fn wrap_error(map: &Heightmap) -> WrapError {
    let (rows, columns) = (map.rows(), map.columns());
    let mut error = WrapError::default();
    // Along one line from border to border: the height difference of its ends, and the difference between
    // the slopes of its first and last step.
    let mut line = |first: f32, second: f32, last_but_one: f32, last: f32| {
        error.height = error.height.max((first - last).abs());
        let bend = (second - first) - (last - last_but_one);
        error.slope = error.slope.max((bend / map.spacing()).abs());
    };
    if columns > 1 {
        for row in 0..rows {
            let h = map.row(row);
            line(h[0], h[1], h[columns - 2], h[columns - 1]);
        }
    }
    if rows > 1 {
        let (first, second) = (map.row(0), map.row(1));
        let (last_but_one, last) = (map.row(rows - 2), map.row(rows - 1));
        for column in 0..columns {
            line(
                first[column],
                second[column],
                last_but_one[column],
                last[column],
            );
        }
    }
    error
}

// Crease artefact metric: visibility of the subdivision lattice in a heightfield.
//
// Midpoint displacement leaves creases: straight bends along the grid lines of its coarse passes, since
// later passes change both sides alike (Gavin Miller 1986, "The definition and rendering of terrain
// maps"). A bend is a second difference across the line. A crease differs from roughness in that it
// continues along the line:
//
// ```text
//   line c           D(r) = h(r, c−1) − 2·h(r, c) + h(r, c+1)     bend across the line
//   │
//  ─┼─ r             B = mean of D over 8 samples along the line  roughness averages out,
//  ─┼─ r+1                                                        a crease remains
//   ┼  …             V = mean of B² over a set of lines
//
//   crease = V of rows and columns whose index is a multiple of 8, over V of all others
// ```
// A ratio of 1 means that the coarse lines are like all others. A profile has points in place of lines,
// and no average is taken.
//
// **Typical values**, at n = 8 and H = 0.7: Fourier, square-square, hills 1.0 ± 0.1; diamond-square 1.5,
// successive random additions 1.8, plain midpoint 2.9. The smoother the map, the more visible its
// creases: 1.1 and 1.6 for diamond-square and midpoint at H = 0.3, 2.1 and 4.5 at H = 0.9. Successive
// random additions do not remove creases: they move the points of coarse passes again, but the additions
// are interpolated on the same lattice. Gradient noise and wavelets, whose lattice is the same in every
// octave, give 1.3 … 1.9. Maps of n = 5 have few coarse lines, so their ratios scatter by a third.

/// Spacing of coarse lines: their index is a multiple of it.
pub const COARSE: usize = 8;

/// Number of samples along a line over which a bend is averaged.
const RUN: usize = 8;

/// Minimum number of cells a side: smaller maps have too few coarse lines.
const FEWEST_CELLS: usize = 32;

/// Crease metric: bends across coarse grid lines, relative to those across other lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Crease {
    /// Mean square bend of the coarse lines over that of the others; 1 means no creases.
    pub ratio: f64,
    /// Ratio for each power of two.
    pub levels: Vec<CreaseLevel>,
}

/// Crease metric of the grid lines that one pass of a subdivision adds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CreaseLevel {
    /// Largest power of two that divides the lines' index. The last level has all multiples of its power.
    pub spacing: usize,
    /// Mean square bend of these lines over that of all lines that are not coarse.
    pub ratio: f64,
    /// Number of bends measured.
    pub count: usize,
}

/// Sum of squares with its count.
#[derive(Clone, Copy, Default)]
struct Sum {
    squares: f64,
    count: usize,
}

impl Sum {
    fn add(&mut self, bend: f64) {
        self.squares += bend * bend;
        self.count += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.squares += other.squares;
        self.count += other.count;
    }

    fn mean(&self) -> f64 {
        self.squares / self.count as f64
    }

    fn of(sums: &[Self]) -> Self {
        let mut all = Self::default();
        sums.iter().for_each(|sum| all.merge(sum));
        all
    }
}

/// Measure the creases of a map, across the border if it wraps. `None` for a map of fewer than 33 samples
/// a side or without any bend. Cost: one pass over the heights with about six additions a sample, and
/// almost no memory.
///
/// # Errors
/// The job was cancelled.
pub fn crease(map: &Heightmap, job: &Job) -> Result<Option<Crease>, Cancelled> {
    let profile = map.is_profile();
    let cells = if profile {
        map.columns() - 1
    } else {
        map.rows().min(map.columns()) - 1
    };
    if cells < FEWEST_CELLS {
        return Ok(None);
    }
    let levels = Levels::new(cells);
    let sums = if profile {
        profile_bends(map, &levels)
    } else {
        surface_bends(map, &levels, job)?
    };
    let coarse_from = COARSE.ilog2() as usize;
    let (coarse, fine) = (Sum::of(&sums[coarse_from..]), Sum::of(&sums[..coarse_from]));
    let ratio = coarse.mean() / fine.mean();
    let levels = sums.iter().enumerate().map(|(level, sum)| CreaseLevel {
        spacing: 1 << level,
        ratio: sum.mean() / fine.mean(),
        count: sum.count,
    });
    let levels = levels.collect();
    // A map without bends gives 0 / 0.
    Ok(ratio.is_finite().then_some(Crease { ratio, levels }))
}

/// Assignment of grid lines to levels.
struct Levels {
    last: u32,
}

impl Levels {
    /// Levels of a map. The spacing of the last is about cells/8, so that it has a handful of lines.
    fn new(cells: usize) -> Self {
        let last = (cells / 8).max(COARSE).ilog2();
        Self { last }
    }

    fn empty(&self) -> Vec<Sum> {
        vec![Sum::default(); self.last as usize + 1]
    }

    fn of(&self, line: usize) -> usize {
        line.trailing_zeros().min(self.last) as usize
    }
}

fn second(before: f32, at: f32, after: f32) -> f64 {
    f64::from(before) - 2.0 * f64::from(at) + f64::from(after)
}

/// Range of the lines with a neighbour on both sides. In a map that wraps these are all lines except the
/// last, which repeats the first.
fn lines(samples: usize, wraps: bool) -> std::ops::Range<usize> {
    let margin = usize::from(!wraps);
    margin..samples - 1
}

fn profile_bends(map: &Heightmap, levels: &Levels) -> Vec<Sum> {
    let mut sums = levels.empty();
    let (row, cells) = (map.row(0), map.columns() - 1);
    for c in lines(map.columns(), map.wraps()) {
        let before = row[(c + cells - 1) % cells];
        sums[levels.of(c)].add(second(before, row[c], row[c + 1]));
    }
    sums
}

fn surface_bends(map: &Heightmap, levels: &Levels, job: &Job) -> Result<Vec<Sum>, Cancelled> {
    // The last row and column of a map that wraps repeat the first, so they are left out.
    let own = |samples: usize| samples - usize::from(map.wraps());
    let (rows, columns) = (own(map.rows()), own(map.columns()));
    let bends = Tools::new(|| vec![0.0; columns]);
    let of_bands = parallel::par_items((0..rows).step_by(RUN)).try_map(|_, first| {
        job.check()?;
        let band = first..(first + RUN).min(rows);
        let mut sums = levels.empty();
        if band.len() == RUN {
            bends.with(|bends| across_columns(map, levels, band.clone(), bends, &mut sums));
        }
        for row in band {
            across_row(map, levels, row, columns, &mut sums);
        }
        Ok(sums)
    })?;
    let mut sums = levels.empty();
    for band in of_bands {
        for (sum, of_band) in sums.iter_mut().zip(&band) {
            sum.merge(of_band);
        }
    }
    Ok(sums)
}

/// Add the bends across all columns, each averaged over the rows of the band.
fn across_columns(
    map: &Heightmap,
    levels: &Levels,
    band: std::ops::Range<usize>,
    bends: &mut [f64],
    sums: &mut [Sum],
) {
    let last = map.columns() - 1;
    bends.fill(0.0);
    for row in band {
        let row = map.row(row);
        bends[0] += second(row[last - 1], row[0], row[1]);
        for (bend, around) in bends[1..last].iter_mut().zip(row.windows(3)) {
            *bend += second(around[0], around[1], around[2]);
        }
    }
    for c in lines(map.columns(), map.wraps()) {
        sums[levels.of(c)].add(bends[c] / RUN as f64);
    }
}

/// Add the bends across a row, each averaged over a run of columns.
fn across_row(map: &Heightmap, levels: &Levels, row: usize, columns: usize, sums: &mut [Sum]) {
    if !lines(map.rows(), map.wraps()).contains(&row) {
        return;
    }
    let cells = map.rows() - 1;
    let run = |row: usize| map.row(row)[..columns].as_chunks::<RUN>().0;
    let north = run((row + cells - 1) % cells);
    let around = north.iter().zip(run(row)).zip(run(row + 1));
    let sum = &mut sums[levels.of(row)];
    for ((north, here), south) in around {
        let bends = (0..RUN).map(|i| second(north[i], here[i], south[i]));
        sum.add(bends.sum::<f64>() / RUN as f64);
    }
}
