//! What water makes of a map: how dense its rivers are, how long, how their slope falls.

use super::Line;
use crate::drainage::{BYTES_A_SAMPLE, Drainage};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::memory;

/// The share of a map that drains through a channel, at least.
const CHANNEL: f64 = 1e-3;
/// The cells that drain through the first class of slopes: of fewer, slopes are those of hillsides.
const FIRST_CLASS: u32 = 4;
/// The members of a class that counts.
const LEAST: u64 = 30;

/// The measures of the rivers of a map. Lengths are in half tiles, as heights are.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// The length of all channels over the area of the land. A channel drains a thousandth of the
    /// map or more.
    pub density: f64,
    /// The length of the longest river, from its spring to the sea or the border.
    pub longest: f64,
    /// The share of the land that lies under lakes, if every hollow was full.
    pub lakes: f64,
    /// The number of hollows: samples above the sea that are no higher than all around them.
    pub pits: usize,
    /// The hypsometric integral (Strahler 1952), (mean − lowest) / (highest − lowest): about 0.6 of
    /// young land, below 0.35 of old; `None` of level ground.
    pub hypsometric_integral: Option<f64>,
    /// Slopes by the area that drains, the smallest first.
    pub classes: Vec<SlopeOfArea>,
    /// The line through ln slope against ln area.
    pub line: Option<Line>,
}

impl Rivers {
    /// The concavity θ of slope ∝ area^−θ (Flint 1974): 0.35 to 0.6 where rivers have made the land.
    #[must_use]
    pub fn concavity(&self) -> Option<f64> {
        self.line.map(|line| -line.slope)
    }

    /// Measures the rivers of a map of which it is known where its water flows. Cost: two passes.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(map: &Heightmap, drainage: &Drainage, job: &Job) -> Result<Self, Cancelled> {
        job.check()?;
        let spacing = f64::from(drainage.spacing());
        let cells = drainage.cells();
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

/// The slope of the samples that drain about as much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlopeOfArea {
    /// The number of samples that drain, its geometric mean.
    pub area: f64,
    /// The slope downstream, its geometric mean.
    pub slope: f64,
    /// The number of samples.
    pub count: u64,
}

/// Where the water of a map flows, which ends at the height `sea` or as [`Drainage::of`] says; `None`
/// of a ridge, and where there is not the memory for it. Cost: that of [`Drainage::of`].
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

/// Measures the rivers of a map, see [`drainage()`] and [`Rivers::of`].
///
/// # Errors
/// The job was cancelled.
pub fn rivers(map: &Heightmap, sea: Option<f32>, job: &Job) -> Result<Option<Rivers>, Cancelled> {
    let drainage = drainage(map, sea, job)?;
    drainage
        .map(|drainage| Rivers::of(map, &drainage, job))
        .transpose()
}
