//! River metrics: drainage density, longest river, lakes, hypsometric integral (Strahler 1952), and the
//! slope-area relation with its concavity (Flint 1974).

use super::Line;
use crate::terrain::drainage::{BYTES_A_SAMPLE, Drainage};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::memory;

/// Minimum drainage area of a channel, as a fraction of the map.
const CHANNEL: f64 = 1e-3;
/// Base-2 logarithm of the drainage area, in cells, from which on slopes are classified. Smaller areas
/// are hillslopes.
const FIRST_CLASS: u32 = 4;
/// Minimum number of samples in a class that counts.
const LEAST: u64 = 30;

/// River metrics of a map. Lengths and heights are in half tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// Drainage density: length of all channels over the area of the land. A channel drains at least a
    /// thousandth of the map.
    pub density: f64,
    /// Length of the longest river, from its spring to the sea or the border.
    pub longest: f64,
    /// Fraction of the land under lakes, if every depression is full.
    pub lakes: f64,
    /// Number of pits: samples above the sea that are no higher than all of their neighbours.
    pub pits: usize,
    /// Hypsometric integral (Strahler 1952), (mean − lowest) / (highest − lowest): about 0.6 for young
    /// land, below 0.35 for old; `None` for level ground.
    pub hypsometric_integral: Option<f64>,
    /// Slopes by drainage area, the smallest area first.
    pub classes: Vec<SlopeOfArea>,
    /// Line through ln slope against ln drainage area.
    pub line: Option<Line>,
}

impl Rivers {
    /// Concavity θ of slope ∝ area^−θ (Flint 1974): 0.35 to 0.6 for land shaped by rivers.
    #[must_use]
    pub fn concavity(&self) -> Option<f64> {
        self.line.map(|line| -line.slope)
    }

    /// Measure the rivers of a map with known drainage. Cost: two passes.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(map: &Heightmap, drainage: &Drainage, job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let spacing = f64::from(drainage.spacing());
        let cells = drainage.cells();
        // On small maps a thousandth would be only a few cells.
        let channel = (CHANNEL * cells as f64).max(8.0);
        let (mut land, mut lakes, mut length) = (0u64, 0u64, 0.0);
        let mut sums = [(0.0, 0.0, 0u64); 32];
        for cell in 0..cells {
            let (area, slope) = (drainage.area(cell), f64::from(drainage.slope(cell)));
            let Some(step) = drainage.step(cell) else {
                continue;
            };
            land += 1;
            lakes += u64::from(drainage.depth(cell) > 0.0);
            if f64::from(area) >= channel {
                length += f64::from(step) * spacing;
            }
            if slope > 0.0 {
                // Octaves of the area are evenly spaced in the log-log plot.
                let sum = &mut sums[area.ilog2() as usize];
                *sum = (
                    sum.0 + libm::log(f64::from(area)),
                    sum.1 + libm::log(slope),
                    sum.2 + 1,
                );
            }
        }
        let classes = sums[FIRST_CLASS as usize..].iter();
        let classes = classes.filter(|(.., count)| *count >= LEAST);
        let mean = |&(area, slope, count): &(f64, f64, u64)| SlopeOfArea {
            area: libm::exp(area / count as f64),
            slope: libm::exp(slope / count as f64),
            count,
        };
        let classes: Vec<SlopeOfArea> = classes.map(mean).collect();
        let point = |class: &SlopeOfArea| (1.0, libm::log(class.area), libm::log(class.slope));
        let points: Vec<_> = classes.iter().map(point).collect();
        let (low, high) = map.range();
        let (low, range) = (f64::from(low), f64::from(high) - f64::from(low));
        let sum = super::bands::sum_rows(map, |row| row.iter().map(|h| f64::from(*h)).sum());
        let integral = (sum / map.heights().len() as f64 - low) / range;
        Ok(Rivers {
            density: length / (land.max(1) as f64 * spacing * spacing),
            longest: f64::from(drainage.longest(job)?) * spacing,
            lakes: lakes as f64 / land.max(1) as f64,
            pits: drainage.pits(),
            hypsometric_integral: integral.is_finite().then_some(integral),
            line: Line::through(&points),
            classes,
        })
    }
}

/// Mean slope of samples with similar drainage area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeOfArea {
    /// Drainage area in samples, geometric mean.
    pub area: f64,
    /// Slope downstream, geometric mean.
    pub slope: f64,
    /// Number of samples.
    pub count: u64,
}

/// Route the flow of a map. Rivers end at the height `sea`, or as [`Drainage::of`] defines. `None` for a
/// profile, and if there is too little memory. Cost: that of [`Drainage::of`].
///
/// # Errors
/// The job was cancelled.
pub fn drainage(
    map: &Heightmap,
    sea: Option<f32>,
    job: &Job,
) -> Result<Option<Drainage>, Cancelled> {
    let bytes = map.heights().len() as u64 * BYTES_A_SAMPLE;
    if map.is_profile() || map.heights().is_empty() || memory::check(bytes).is_err() {
        return Ok(None);
    }
    Drainage::of(map, sea, job).map(Some)
}

/// Measure the rivers of a map, see [`drainage()`] and [`Rivers::of`].
///
/// # Errors
/// The job was cancelled.
pub fn rivers(map: &Heightmap, sea: Option<f32>, job: &Job) -> Result<Option<Rivers>, Cancelled> {
    let drainage = drainage(map, sea, job)?;
    drainage
        .map(|drainage| Rivers::of(map, &drainage, job))
        .transpose()
}
