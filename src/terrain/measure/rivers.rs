//! River metrics: drainage density, longest river, lakes, hypsometric integral (Strahler 1952), and the
//! slope-area relation with its concavity (Flint 1974).

use std::sync::Arc;

use crate::terrain::drainage::{BYTES_A_SAMPLE, Drainage};
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::terrain::measure::Line;
use crate::util::job::{Cancelled, Job};
use crate::util::language::mark;
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
        let sum = crate::terrain::measure::spectrum::sum_rows(map, |row| {
            row.iter().map(|h| f64::from(*h)).sum()
        });
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

// Watershed delineation: the land that drains through a pour point.

/// Snap distance of a pour point, in half tiles: 1 % of a tile's width.
pub const SNAP: f32 = 0.02;

/// Pour point of a watershed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PourPoint {
    /// Position east and south of the map's middle, in half tiles.
    pub place: [f32; 2],
    /// True to snap to the land sample within [`SNAP`] with the largest drainage area; a sample in a lake
    /// stands for the lake's outlet. False to use the nearest sample.
    pub snaps: bool,
}

impl PourPoint {
    /// True if the position is on the map, with a margin of half a sample. Always false on a profile.
    #[must_use]
    pub fn is_on(&self, map: &Heightmap) -> bool {
        nearest(map, self.place).is_some() && !map.is_profile()
    }
}

/// Final destination of a watershed's water.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sea.
    Sea,
    /// A lake at the base level of the rivers that formed the land.
    Lake,
    /// The border of the map.
    Border,
    /// The lowest sample of a map without borders and sea.
    Lowest,
}

impl End {
    /// Name in a word or two.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Sea => mark("the sea"),
            Self::Lake => mark("a lake"),
            Self::Border => mark("the border"),
            Self::Lowest => mark("the lowest place"),
        }
    }
}

/// Watershed: the land that drains through one sample, its outlet.
#[derive(Clone, Debug, PartialEq)]
pub struct Watershed {
    /// Row of the outlet.
    pub row: usize,
    /// Column of the outlet.
    pub column: usize,
    /// Distance from the sample nearest to the pour point to the outlet, in half tiles; 0 if they are the
    /// same.
    pub moved: f32,
    /// True if the sample nearest to the pour point lies under a lake when every depression is full.
    pub in_lake: bool,
    /// Area in square half tiles of the samples with data; filled holes carry water but do not count. For
    /// an outlet in the sea, the area of the land that drains into the sea there, mostly 0.
    pub area: f64,
    /// Area as a fraction of the land, 0…1. Land is all samples above the sea with data; repeated samples
    /// of a map that wraps count once.
    pub share: f64,
    /// Length of the longest river from its spring to the outlet, in half tiles.
    pub longest: f64,
    /// Final destination of the water.
    pub end: End,
    /// Mask of the cells of [`Drainage`] that drain through the outlet.
    pub cells: Vec<bool>,
}

/// Message for a pour point in the sea, through which no land drains.
pub const IN_THE_SEA: &str = mark("in the sea, where no land drains: choose a point on land");

/// Delineate the watershed of a point. Rivers end at the height `sea`, or as [`Drainage::of`] defines.
/// `None` beyond the map, on a profile, and if there is too little memory. Cost: that of [`Drainage::of`]
/// and two passes.
///
/// # Errors
/// The job was cancelled.
pub fn watershed(
    map: &Heightmap,
    sea: Option<f32>,
    point: PourPoint,
    job: &Job,
) -> Result<Option<Watershed>, Cancelled> {
    let bytes = map.heights().len() as u64 * (BYTES_A_SAMPLE + 1);
    if !point.is_on(map) || memory::check(bytes).is_err() {
        return Ok(None);
    }
    let drainage = Drainage::of(map, sea, job)?;
    job.check()?;
    Ok(Some(Watershed::of(map, &drainage, sea, point)))
}

impl Watershed {
    /// True if no land drains through the outlet, which then lies in the sea; see [`IN_THE_SEA`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.area == 0.0
    }

    /// Delineate the watershed of a point on a map whose drainage is known for this `sea`. Cost: two
    /// passes over the map, a byte a sample.
    ///
    /// # Panics
    /// The point is beyond the map, see [`PourPoint::is_on`].
    #[must_use]
    pub fn of(map: &Heightmap, drainage: &Drainage, sea: Option<f32>, point: PourPoint) -> Self {
        let water = Water { map, drainage, sea };
        let (row, column) = nearest(map, point.place).expect("the point is on the map");
        let asked = drainage.cell(row, column);
        let outlet = if point.snaps {
            water.outlet_near(point.place, asked)
        } else {
            asked
        };
        let land = |cell: &usize| water.is_land(*cell) && water.has_data(*cell);
        let all = (0..drainage.cells()).filter(land).count();
        let mut cells = vec![false; drainage.cells()];
        let (mut drained, mut longest) = (0u64, 0.0f64);
        drainage.each_upstream(outlet, |cell, length| {
            if water.is_land(cell) {
                cells[cell] = true;
                drained += u64::from(water.has_data(cell));
                longest = longest.max(length);
            }
        });
        let spacing = f64::from(drainage.spacing());
        let shape = drainage.shape();
        // A map that wraps repeats its first samples at its end; the nearest sample may be such a copy.
        let (row, column) = if outlet == asked {
            (row, column)
        } else {
            (outlet / shape.columns, outlet % shape.columns)
        };
        Self {
            row,
            column,
            moved: water.distance(asked, outlet),
            in_lake: drainage.depth(asked) > 0.0,
            area: drained as f64 * spacing * spacing,
            share: drained as f64 / all.max(1) as f64,
            longest: longest * spacing,
            end: water.end(outlet),
            cells,
        }
    }
}

/// Map with its drainage and sea level.
struct Water<'a> {
    map: &'a Heightmap,
    drainage: &'a Drainage,
    sea: Option<f32>,
}

impl Water<'_> {
    fn is_land(&self, cell: usize) -> bool {
        let height = self.drainage.height(self.map, cell);
        self.sea.is_none_or(|sea| height > sea)
    }

    /// True if a cell holds data, not a filled height.
    fn has_data(&self, cell: usize) -> bool {
        let columns = self.drainage.shape().columns;
        let is_valid = |valid: &Arc<Validity>| valid.is_valid(cell / columns, cell % columns);
        self.map.valid().is_none_or(is_valid)
    }

    /// Snap to the land cell within [`SNAP`] with the largest drainage area, the nearest of several;
    /// `cell` itself if there is no land. A cell in a lake stands for the lake's outlet.
    fn outlet_near(&self, [x, z]: [f32; 2], cell: usize) -> usize {
        let (map, shape) = (self.map, self.drainage.shape());
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        let reach = (SNAP / map.spacing()) as isize + 1;
        let beside = |at: usize, by: isize, count: usize| {
            if shape.wraps {
                Some((at as isize + by).rem_euclid(count as isize) as usize)
            } else {
                at.checked_add_signed(by).filter(|at| *at < count)
            }
        };
        // Offset from the cell to the position, the short way round if the map wraps.
        let way = |off: f32, count: usize| {
            let around = f32::from(u8::from(shape.wraps)) * count as f32 * map.spacing();
            off - around * (off / (count as f32 * map.spacing())).round()
        };
        let off = [
            way(x - map.x(column), shape.columns),
            way(z - map.z(row), shape.rows),
        ];
        let mut best = (0, 0.0, cell);
        for down in -reach..=reach {
            for along in -reach..=reach {
                let row = beside(row, down, shape.rows);
                let column = beside(column, along, shape.columns);
                let Some((row, column)) = row.zip(column) else {
                    continue;
                };
                let near = row * shape.columns + column;
                let [x, z] = [along, down].map(|by| by as f32 * map.spacing());
                let (x, z) = (x - off[0], z - off[1]);
                let distance = x * x + z * z;
                // On a coarse map even the nearest cell may lie beyond the snap distance.
                if (near == cell || distance <= SNAP * SNAP) && self.is_land(near) {
                    let outlet = self.overflow(near);
                    let area = self.drainage.area(outlet);
                    if area > best.0 || (area == best.0 && distance < best.1) {
                        best = (area, distance, outlet);
                    }
                }
            }
        }
        best.2
    }

    /// Outlet of the lake that a cell lies in; the cell itself outside of lakes.
    fn overflow(&self, mut cell: usize) -> usize {
        while self.drainage.depth(cell) > 0.0 {
            match self.drainage.receiver(cell) {
                Some(next) if self.is_land(next) => cell = next,
                _ => break,
            }
        }
        cell
    }

    /// Distance between two cells, the short way round, in half tiles.
    fn distance(&self, from: usize, to: usize) -> f32 {
        let shape = self.drainage.shape();
        let apart = |a: usize, b: usize, count: usize| {
            let apart = a.abs_diff(b);
            let around = if shape.wraps { count - apart } else { apart };
            apart.min(around) as f32
        };
        let rows = apart(from / shape.columns, to / shape.columns, shape.rows);
        let columns = apart(from % shape.columns, to % shape.columns, shape.columns);
        (rows * rows + columns * columns).sqrt() * self.map.spacing()
    }

    /// Destination of the water that flows through a cell.
    fn end(&self, cell: usize) -> End {
        let next = |cell: &usize| self.drainage.receiver(*cell);
        let last = std::iter::successors(Some(cell), next).last();
        let last = last.unwrap_or(cell);
        let shape = self.drainage.shape();
        let at = |index: usize, count: usize| index == 0 || index + 1 == count;
        let (row, column) = (last / shape.columns, last % shape.columns);
        let below = |level: Option<f32>| {
            level.is_some_and(|level| self.drainage.height(self.map, last) <= level)
        };
        if below(self.sea) {
            End::Sea
        } else if self.sea.is_none() && below(self.map.base()) {
            End::Lake
        } else if !shape.wraps && (at(row, shape.rows) || at(column, shape.columns)) {
            End::Border
        } else {
            End::Lowest
        }
    }
}

/// Row and column of the sample nearest to a position; `None` more than half a sample beyond the map.
fn nearest(map: &Heightmap, [x, z]: [f32; 2]) -> Option<(usize, usize)> {
    let index = |at: f32, count: usize| {
        let index = f64::from(at) / f64::from(map.spacing()) + (count as f64 - 1.0) / 2.0;
        let near = (index + 0.5).floor();
        (0.0..count as f64).contains(&near).then_some(near as usize)
    };
    index(z, map.rows()).zip(index(x, map.columns()))
}
