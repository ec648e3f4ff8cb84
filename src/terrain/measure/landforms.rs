//! Shape of the land at each scale: slopes between samples farther and farther apart, and landforms (geomorphons,
//! Jasiewicz and Stepinski 2013).

use crate::terrain::drainage::flow::{STEPS, is_diagonal};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::language::mark;
use crate::util::numbers::thinning;
use crate::util::parallel;

/// Shares of the land whose slopes are told: half of it, three quarters and so on are gentler.
pub const SHARES: [f64; 4] = [0.5, 0.75, 0.95, 0.99];
/// Fewest samples a side from which slopes are told.
const FEWEST: usize = 17;
/// Bins of a degree.
const BINS: usize = 20;

/// Slopes between samples at one distance.
#[derive(Clone, Debug, PartialEq)]
pub struct SlopesAtScale {
    /// Distance of the samples, in those of the map.
    pub step: usize,
    /// The same in half tiles.
    pub spacing: f64,
    /// Slopes in degrees, to a twentieth of one, than which the [`SHARES`] of the land are gentler.
    pub slopes: [f64; 4],
}

/// Slopes of every sample of a map, of every second, fourth … by central differences, as if the map had been measured
/// at that distance. Fewer than 17 samples a side are not told. Samples next to a free border or to missing data are
/// left out. Cost: two passes over the map.
///
/// # Errors
/// The job was cancelled.
pub fn slopes_by_scale(map: &Heightmap, job: &Job) -> Result<Vec<SlopesAtScale>, Cancelled> {
    let mut all = Vec::new();
    let mut step = 1;
    let side = |step: usize| (map.rows().min(map.columns()) - 1) / step + 1;
    while side(step) >= FEWEST {
        all.extend(slopes_at(map, step, job)?);
        step *= 2;
    }
    Ok(all)
}

fn slopes_at(map: &Heightmap, step: usize, job: &Job) -> Result<Option<SlopesAtScale>, Cancelled> {
    let spacing = f64::from(map.spacing()) * step as f64;
    let samples = |count: usize| (0..count).step_by(step);
    let rows = samples(map.rows()).collect::<Vec<_>>();
    let of_rows = parallel::par_items(rows).at_least(4).try_map(|_, row| {
        job.check()?;
        let mut counts = vec![0_u64; 90 * BINS + 1];
        for column in samples(map.columns()) {
            let beside = [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|(down, across)| {
                let row = beside(row, down * step as isize, map.rows(), map.wraps())?;
                let column = beside(column, across * step as isize, map.columns(), map.wraps())?;
                let is_valid = map.valid().is_none_or(|valid| valid.is_valid(row, column));
                is_valid.then(|| f64::from(map.at(row, column)))
            });
            if let [Some(west), Some(east), Some(north), Some(south)] = beside {
                let rise = libm::hypot(east - west, south - north) / (2.0 * spacing);
                counts[(libm::atan(rise).to_degrees() * BINS as f64) as usize] += 1;
            }
        }
        Ok(counts)
    })?;
    let counts = of_rows.into_iter().reduce(|mut sum, counts| {
        sum.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
        sum
    });
    let counts = counts.unwrap_or_default();
    let all: u64 = counts.iter().sum();
    Ok((all > 0).then(|| SlopesAtScale {
        step,
        spacing,
        slopes: SHARES.map(|share| {
            let mut left = (share * all as f64).ceil() as u64;
            let bin = counts.iter().position(|count| {
                left = left.saturating_sub(*count);
                left == 0
            });
            (bin.unwrap_or_default() as f64 + 0.5) / BINS as f64
        }),
    }))
}

/// Index `by` samples on, across the border of a map that wraps; `None` outside.
fn beside(at: usize, by: isize, count: usize, wraps: bool) -> Option<usize> {
    let moved = at as isize + by;
    let period = count as isize - 1;
    let inside = (0..=period).contains(&moved);
    (inside || wraps && period > 0).then(|| match inside {
        true => moved as usize,
        false => moved.rem_euclid(period) as usize,
    })
}

/// Landform of a sample, from what rises and falls around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landform {
    /// Level in most directions.
    Flat,
    /// Higher than all around.
    Peak,
    /// Higher than what lies on both sides.
    Ridge,
    /// Level ground above a slope.
    Shoulder,
    /// A slope that bulges.
    Spur,
    /// As much rises as falls.
    Slope,
    /// A slope that is hollow.
    Hollow,
    /// Level ground below a slope.
    Footslope,
    /// Lower than what lies on both sides.
    Valley,
    /// Lower than all around.
    Pit,
}

impl Landform {
    /// All landforms with their names.
    pub const ALL: [(Self, &'static str); 10] = [
        (Self::Flat, mark("flats")),
        (Self::Peak, mark("peaks")),
        (Self::Ridge, mark("ridges")),
        (Self::Shoulder, mark("shoulders")),
        (Self::Spur, mark("spurs")),
        (Self::Slope, mark("slopes")),
        (Self::Hollow, mark("hollows")),
        (Self::Footslope, mark("footslopes")),
        (Self::Valley, mark("valleys")),
        (Self::Pit, mark("pits")),
    ];

    /// The landform with so many of eight directions lower and higher.
    #[must_use]
    pub fn of(lower: usize, higher: usize) -> Self {
        use Landform::{Flat, Footslope, Hollow, Peak, Pit, Ridge, Shoulder, Slope, Spur, Valley};
        // Table 2 of Jasiewicz and Stepinski 2013; no more than eight are lower or higher.
        let row: &[Self] = match lower {
            0 => &[
                Flat, Flat, Flat, Footslope, Footslope, Valley, Valley, Valley, Pit,
            ],
            1 => &[
                Flat, Flat, Footslope, Footslope, Footslope, Valley, Valley, Valley,
            ],
            2 => &[Flat, Shoulder, Slope, Slope, Hollow, Hollow, Valley],
            3 => &[Shoulder, Shoulder, Slope, Slope, Slope, Hollow],
            4 => &[Shoulder, Shoulder, Spur, Slope, Slope],
            5 => &[Ridge, Ridge, Spur, Spur],
            6 => &[Ridge, Ridge, Ridge],
            7 => &[Ridge, Ridge],
            _ => &[Peak],
        };
        row[higher.min(row.len() - 1)]
    }
}

/// Samples that [`landforms`] looks away.
pub const REACH: usize = 15;
/// Angle in degrees below which ground counts as level.
pub const LEVEL: f64 = 1.0;
/// Largest number of samples a side of which landforms are told; of larger maps every second, fourth … is.
const MOST_SIDE: usize = 2049;
/// Landform of a sample of a map that looks `reach` samples away in eight directions; `None` where that is beyond a
/// free border or where data is missing.
///
/// In each direction the steepest line of sight up and that down are compared: the steeper one says whether the land
/// is higher or lower there, if it is steeper than `level` degrees.
#[must_use]
pub fn landform(
    map: &Heightmap,
    [row, column]: [usize; 2],
    reach: usize,
    level: f64,
) -> Option<Landform> {
    let is_valid = |row, column| map.valid().is_none_or(|valid| valid.is_valid(row, column));
    if !is_valid(row, column) {
        return None;
    }
    let here = f64::from(map.at(row, column));
    let spacing = f64::from(map.spacing());
    let level = libm::tan(level.to_radians());
    let (mut lower, mut higher) = (0, 0);
    for (direction, (south, east)) in STEPS.into_iter().enumerate() {
        let length = match is_diagonal(direction) {
            true => std::f64::consts::SQRT_2,
            false => 1.0,
        };
        let (mut up, mut down) = (f64::MIN, f64::MAX);
        // As far in all directions.
        for step in 1..=(reach as f64 / length) as usize {
            let by = step as isize;
            let row = beside(row, south * by, map.rows(), map.wraps())?;
            let column = beside(column, east * by, map.columns(), map.wraps())?;
            if !is_valid(row, column) {
                return None;
            }
            let rise = (f64::from(map.at(row, column)) - here) / (length * spacing * step as f64);
            (up, down) = (up.max(rise), down.min(rise));
        }
        if up.abs() > level || down.abs() > level {
            higher += usize::from(up + down > 0.0);
            lower += usize::from(up + down < 0.0);
        }
    }
    Some(Landform::of(lower, higher))
}

/// Shares of the landforms in a map, in the order of [`Landform::ALL`], looking [`REACH`] samples away, with
/// [`LEVEL`]; `None` for a map that is too small. Maps of more than 2049 samples a side are thinned. Cost: up to 300
/// ns a sample on one thread.
///
/// # Errors
/// The job was cancelled.
pub fn landforms(map: &Heightmap, job: &Job) -> Result<Option<[f64; 10]>, Cancelled> {
    let is_large = thinning(map.rows().max(map.columns()), MOST_SIDE) > 1;
    let thinned = is_large.then(|| map.thinned(MOST_SIDE));
    let map = thinned.as_ref().unwrap_or(map);
    let of_rows = parallel::par_items(0..map.rows())
        .at_least(4)
        .try_map(|_, row| {
            job.check()?;
            let mut counts = [0_u64; 10];
            for column in 0..map.columns() {
                if let Some(form) = landform(map, [row, column], REACH, LEVEL) {
                    counts[form as usize] += 1;
                }
            }
            Ok(counts)
        })?;
    let counts = of_rows.into_iter().fold([0; 10], |mut sum, counts| {
        sum.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
        sum
    });
    let all: u64 = counts.iter().sum();
    Ok((all > 0).then(|| counts.map(|count| count as f64 / all as f64)))
}

/// Slopes and landforms of real land, to compare with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Name of the place.
    pub name: &'static str,
    /// Where it is, and where its heights come from.
    pub source: &'static str,
    /// Distance of its samples in metres.
    pub spacing_m: f64,
    /// Slopes in degrees, as in [`SlopesAtScale`].
    pub slopes: [f64; 4],
    /// Shares of the landforms, as from [`landforms`].
    pub landforms: [f64; 10],
}

/// Real land, measured by [`slopes_by_scale`] and [`landforms`]. Jacksboro, of which `builtin:jacksboro` is the
/// original, was resampled to square cells before.
pub const REFERENCES: [Reference; 2] = [
    Reference {
        name: mark("Big Tujunga"),
        source: "San Gabriel Mountains, California; SRTM, 1 arc second, NASA, public domain",
        spacing_m: 30.0,
        slopes: [22.1, 28.5, 36.2, 41.5],
        landforms: [
            0.0, 0.012, 0.097, 0.0, 0.219, 0.356, 0.192, 0.0, 0.115, 0.009,
        ],
    },
    Reference {
        name: mark("Jacksboro"),
        source: "Cumberland Mountains, Tennessee; SRTM, 3 arc seconds, NASA, public domain",
        spacing_m: 90.0,
        slopes: [12.9, 18.9, 24.5, 27.5],
        landforms: [
            0.0, 0.047, 0.155, 0.0, 0.188, 0.251, 0.148, 0.0, 0.153, 0.058,
        ],
    },
];
