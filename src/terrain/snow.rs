//! Snow as a depth: it falls by height, drifts into the lee, slides down steep ground and melts in the sun.
//!
//! Sliding follows SnowSlide (Bernhardt and Schulz 2010): cells are visited from the highest to the lowest, and what
//! a slope cannot hold goes to the lower neighbours in proportion to the drop. Hollows that are full overflow. Depths
//! are whole numbers meanwhile, so the order of additions does not matter. This needs the whole map, so snow has a lattice of its own
//! of at most [`MOST_SIDE`] samples a side. Its surface, the smoothed ground plus the depth, is a cubic B-spline,
//! and ground of any level of detail that is higher than this surface is bare.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::smoothstep;
use crate::util::parallel;
use crate::util::rng::{Rng as _, Stage, Stream, unit};

/// Largest number of samples a side of the lattice; larger maps are thinned.
pub const MOST_SIDE: usize = 2049;

/// How snow falls, drifts, slides and melts. Lengths are in half tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Weather {
    /// Depth on level ground high above the snow line.
    pub fall: f32,
    /// Height of the snow line, and the height above it over which the fall grows to all of it.
    pub line: f32,
    pub fade: f32,
    /// Strength of the wind, 0…1, and the unit vector east and south to where it comes from.
    pub wind: f32,
    pub upwind: [f32; 2],
    /// Depth that holds on a slope of 45°.
    pub hold: f32,
    /// Depth that melts on level ground at the snow line.
    pub melt: f32,
    /// Directions to the sun in the course of a day: east, up, south.
    pub suns: Vec<[f32; 3]>,
    /// Depth that hides the ground.
    pub hides: f32,
    /// Distance over which snow smooths the ground.
    pub smooths: f32,
    /// Seed of the unevenness of the snow line.
    pub seed: u64,
}

/// Cells across a tile of the two sizes of unevenness of the snow line.
const SPOTS: [usize; 2] = [9, 31];
/// Share of the fade by which the snow line is uneven.
const UNEVEN: f32 = 0.8;
/// Distances upwind at which shelter is looked for, in tiles.
const UPWIND: [f32; 7] = [0.004, 0.007, 0.012, 0.02, 0.035, 0.06, 0.1];
/// By how much shelter of a slope of 1 increases the fall, and the most it does.
const SHELTER: f32 = 2.5;
const MOST_SHELTER: f32 = 1.4;
/// Range of slopes, as tangents, over which walls lose all hold: 55° to 70°.
const WALL: [f32; 2] = [1.43, 2.75];
/// Most that a slope holds, as a multiple of what one of 45° holds.
const MOST_HOLD: f32 = 8.0;
/// Part of sliding snow that stays on its way: one of so many.
const LEFT: u32 = 100;
/// Units of depth in the fall.
const UNITS: f32 = 4096.0;
/// Share of the melt that is left high above the snow line.
const MELT_ABOVE: f32 = 0.35;
/// Share by which the sun and the shade of slopes change the melt.
const SUNNY: f32 = 1.0;

/// Snow on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Snow {
    /// Heights of the smoothed ground and depths, in half tiles: coefficients of cubic B-splines. On a map that wraps
    /// the last row and column, which repeat the first, are left out.
    ground: Grid<f32>,
    depth: Grid<f32>,
    /// Cells from the first sample of the map to its last, along x and z.
    cells: [f64; 2],
    edge: Edge,
    /// Share of the smoothing that acts.
    smoothing: f64,
    hides: f64,
}

/// Samples along an axis, in cells of a snow lattice: the first, and the step.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Position of the first sample.
    pub first: f64,
    /// Distance between samples.
    pub by: f64,
}

impl Snow {
    /// Let it snow on `map`; `None` if nothing stays. There is none where `is_wet` says so, by row and column of the
    /// map thinned to [`MOST_SIDE`].
    ///
    /// Cost: about 250 ns a sample on one thread, half of it in parallel, and 30 bytes a sample while it is made.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        weather: &Weather,
        is_wet: &(dyn Fn(usize, usize) -> bool + Sync),
        job: &Job,
    ) -> Result<Option<Self>, Cancelled> {
        let map = map.thinned(MOST_SIDE);
        let wraps = map.wraps();
        let edge = if wraps { Edge::Wrap } else { Edge::Clamp };
        let once = usize::from(wraps);
        let (rows, columns) = (map.rows() - once, map.columns() - once);
        let cut = map.heights().chunks_exact(map.columns()).take(rows);
        let heights: Vec<f32> = cut.flat_map(|line| &line[..columns]).copied().collect();
        let heights = Grid::from_vec(rows, columns, heights).expect("all rows");
        let (_, highest) = heights.range();
        if weather.fall <= 0.0 || highest + weather.fade <= weather.line {
            return Ok(None);
        }
        let spacing = map.spacing();
        let ground = smoothed(&heights, edge, job)?;
        job.check()?;
        let land = Land {
            weather,
            heights: &heights,
            ground: &ground,
            edge,
            spacing,
        };
        let valid = map.valid().map(|valid| &**valid);
        let bare = |row, column| {
            is_wet(row, column) || valid.is_some_and(|valid| !valid.is_valid(row, column))
        };
        let is_bare = (0..rows * columns).map(|cell| bare(cell / columns, cell % columns));
        let is_bare: Vec<_> = is_bare.collect();
        let (mut units, melt) = land.fallen(&is_bare, job)?;
        land.slide(&mut units, &is_bare, job)?;
        let unit = weather.fall / UNITS;
        let left = units.iter().zip(melt).zip(&is_bare);
        let left = left.map(|((depth, melt), is_bare)| match is_bare {
            true => 0.0,
            false => depth.saturating_sub(melt) as f32 * unit,
        });
        let depth = Grid::from_vec(rows, columns, left.collect()).expect("all cells");
        if depth.range().1 <= 0.0 {
            return Ok(None);
        }
        Ok(Some(Self {
            ground,
            depth: smoothed(&depth, edge, job)?,
            cells: [map.columns(), map.rows()].map(|count| (count - 1).max(1) as f64),
            edge,
            smoothing: f64::from((weather.smooths / spacing).min(1.0)),
            hides: f64::from(weather.hides),
        }))
    }

    /// Cells from the first sample of the map to its last, along x and z.
    #[must_use]
    pub fn cells(&self) -> [f64; 2] {
        self.cells
    }

    /// Raise rows of `heights`, ground in half tiles with `columns` samples a row, to the surface of the snow. The
    /// height of a sample depends on its own position and height alone. Cost: some 10 ns a sample.
    pub fn lay(&self, down: Steps, across: Steps, columns: usize, heights: &mut [f64]) {
        self.each(down, across, columns, heights, &|height, depth| {
            *height += depth;
        });
    }

    /// Depth of the snow in half tiles on ground of these heights, as for [`Snow::lay`], in their place.
    pub fn depths(&self, down: Steps, across: Steps, columns: usize, heights: &mut [f64]) {
        self.each(down, across, columns, heights, &|height, depth| {
            *height = depth;
        });
    }

    /// How much of the ground a depth hides, from 0 to 255.
    #[must_use]
    pub fn cover(&self, depth: f64) -> u8 {
        ((depth / self.hides).min(1.0) * 255.0 + 0.5) as u8
    }

    fn each(
        &self,
        down: Steps,
        across: Steps,
        columns: usize,
        heights: &mut [f64],
        act: &(dyn Fn(&mut f64, f64) + Sync),
    ) {
        let taps: Vec<_> = (0..columns).map(|column| Taps::at(across, column)).collect();
        let Some((first, last)) = taps.first().zip(taps.last()) else {
            return;
        };
        let span = first.before..last.before + 4;
        let lines = parallel::par_items(heights.chunks_exact_mut(columns)).at_least(16);
        lines.for_each(|row, line| {
            let rows = Taps::at(down, row);
            let depths = self.line(&self.depth, &rows, span.clone());
            if depths.iter().all(|depth| *depth == 0.0) {
                line.iter_mut().for_each(|height| act(height, 0.0));
                return;
            }
            let grounds = self.line(&self.ground, &rows, span.clone());
            for (height, taps) in line.iter_mut().zip(&taps) {
                let at = (taps.before - span.start) as usize;
                let depth = taps.mix(&depths[at..]);
                let flat = taps.mix(&grounds[at..]) - *height;
                let surface = depth + self.smoothing * flat.clamp(-2.0 * depth, depth);
                act(height, surface.max(0.0));
            }
        });
    }

    /// Four rows of coefficients combined into one, in a range of columns.
    fn line(&self, grid: &Grid<f32>, rows: &Taps, span: std::ops::Range<i64>) -> Vec<f64> {
        let place = |at: i64, count: usize| match self.edge {
            Edge::Wrap => at.rem_euclid(count as i64) as usize,
            Edge::Clamp => at.clamp(0, count as i64 - 1) as usize,
        };
        let four: [&[f32]; 4] =
            std::array::from_fn(|i| grid.row(place(rows.before + i as i64, grid.rows())));
        let columns = span.map(|column| place(column, grid.columns()));
        let mixed = columns.map(|column| {
            let each = four.iter().zip(rows.weights);
            each.fold(0.0, |sum, (row, weight)| {
                sum + weight * f64::from(row[column])
            })
        });
        mixed.collect()
    }
}

/// The four coefficients of a cubic B-spline around a position, from the first, and their weights.
struct Taps {
    before: i64,
    weights: [f64; 4],
}

impl Taps {
    fn at(steps: Steps, index: usize) -> Self {
        let place = steps.first + steps.by * index as f64;
        let floor = place.floor();
        let t = place - floor;
        let (s, sixth) = (1.0 - t, 1.0 / 6.0);
        let inner = |t: f64| (3.0 * t * t * t - 6.0 * t * t + 4.0) * sixth;
        Self {
            before: floor as i64 - 1,
            weights: [s * s * s * sixth, inner(t), inner(s), t * t * t * sixth],
        }
    }

    fn mix(&self, line: &[f64]) -> f64 {
        let each = self.weights.iter().zip(line);
        each.fold(0.0, |sum, (weight, value)| sum + weight * value)
    }
}

/// Ground on which it snows.
struct Land<'a> {
    weather: &'a Weather,
    heights: &'a Grid<f32>,
    ground: &'a Grid<f32>,
    edge: Edge,
    spacing: f32,
}

impl Land<'_> {
    /// Depth of what falls in each cell, and of what melts there, in units.
    fn fallen(
        &self,
        is_bare: &[bool],
        job: &Job,
    ) -> Result<(Vec<u32>, Vec<u32>), Cancelled> {
        let Self {
            weather,
            heights,
            ground,
            edge,
            spacing,
        } = *self;
        let (rows, columns) = (heights.rows(), heights.columns());
        let spots = Spots::new(weather.seed, [rows, columns]);
        let upwind = UPWIND.map(|tiles| {
            let cells = tiles * 2.0 / spacing;
            let place = weather.upwind.map(|way| (way * cells).round() as isize);
            (place, (2.0 * tiles).recip())
        });
        // What falls to the same cell says nothing.
        let upwind = upwind.into_iter().filter(|(place, _)| *place != [0, 0]);
        let upwind: Vec<_> = upwind.collect();
        let level = weather.suns.iter().map(|sun| sun[1].max(0.0)).sum::<f32>();
        let mut fallen = vec![0; rows * columns];
        let mut melted = fallen.clone();
        let lines = fallen.chunks_mut(columns).zip(melted.chunks_mut(columns));
        let lines = parallel::par_items(lines).at_least(8);
        lines.for_each_in(job, |row, (fallen, melted)| {
            let south = spots.row(row);
            for (column, (fallen, melted)) in fallen.iter_mut().zip(melted).enumerate() {
                if is_bare[row * columns + column] {
                    continue;
                }
                let height = heights.at(row, column);
                let line = weather.line + UNEVEN * weather.fade * (spots.at(&south, column) - 0.5);
                let share = smoothstep((height - line) / weather.fade.max(1e-9));
                if share <= 0.0 {
                    continue;
                }
                let (r, c) = (row as isize, column as isize);
                let here = ground.at(row, column);
                let rises = upwind.iter().map(|([east, south], per)| {
                    (ground.beyond(r + south, c + east, edge) - here) * per
                });
                let shelter = rises.fold(f32::MIN, f32::max);
                let shelter = (SHELTER * shelter).clamp(-1.0, MOST_SHELTER);
                let drift = if upwind.is_empty() { 0.0 } else { shelter };
                let fall = share * (1.0 + weather.wind * drift).max(0.0);
                *fallen = (fall * UNITS) as u32;
                let [fall_east, fall_south] = self.slope(row, column);
                let length = (1.0 + fall_east * fall_east + fall_south * fall_south).sqrt();
                let suns = weather.suns.iter().map(|[east, up, south]| {
                    ((up + fall_east * east + fall_south * south) / length).max(0.0)
                });
                let sun = suns.sum::<f32>() / level.max(1e-6);
                let warm = 1.0 + (MELT_ABOVE - 1.0) * share;
                let melt = weather.melt * warm * (1.0 + SUNNY * (sun - 1.0)).max(0.0);
                *melted = (melt / weather.fall * UNITS) as u32;
            }
        })?;
        Ok((fallen, melted))
    }

    /// Drop of the smoothed ground eastwards and southwards, as tangents.
    fn slope(&self, row: usize, column: usize) -> [f32; 2] {
        let (r, c) = (row as isize, column as isize);
        let at = |row, column| self.ground.beyond(row, column, self.edge);
        let per = (2.0 * self.spacing).recip();
        [
            (at(r, c - 1) - at(r, c + 1)) * per,
            (at(r - 1, c) - at(r + 1, c)) * per,
        ]
    }

    /// Depth that each cell holds, in units.
    fn held(&self, job: &Job) -> Result<Vec<u32>, Cancelled> {
        let (rows, columns) = (self.ground.rows(), self.ground.columns());
        let hold = self.weather.hold / self.weather.fall * UNITS;
        let mut held = vec![0; rows * columns];
        let lines = parallel::par_items(held.chunks_mut(columns)).at_least(8);
        lines.for_each_in(job, |row, line| {
            for (column, held) in line.iter_mut().enumerate() {
                let [east, south] = self.slope(row, column);
                let steep = (east * east + south * south).sqrt();
                let times = 45.0 / libm::atanf(steep).to_degrees().max(1.0);
                let wall = 1.0 - smoothstep((steep - WALL[0]) / (WALL[1] - WALL[0]));
                *held = (hold * (times * times).min(MOST_HOLD) * wall) as u32;
            }
        })?;
        Ok(held)
    }

    /// Let snow slide. Cells are visited from the highest to the lowest, and what they cannot hold goes to those that
    /// come later, in proportion to the drop of the ground; a little of it stays on the way. Hollows keep it, fill and
    /// overflow.
    fn slide(&self, depths: &mut [u32], is_bare: &[bool], job: &Job) -> Result<(), Cancelled> {
        let unit = self.weather.fall / UNITS;
        let in_units = |height: f32| (f64::from(height) / f64::from(unit)).round() as i64;
        let ground = self.ground.as_slice().iter().copied();
        let ground: Vec<i64> = ground.map(in_units).collect();
        let mut hollows = BTreeMap::new();
        let held = self.held(job)?;
        for (count, cell) in descending(&ground).into_iter().enumerate() {
            if count % 65536 == 0 {
                job.check()?;
            }
            let cell = cell as usize;
            let excess = depths[cell].saturating_sub(held[cell]);
            if excess == 0 || is_bare[cell] {
                continue;
            }
            let here = ground[cell];
            let below = self.beside(cell).map(|other| {
                let other = other?;
                // Only cells that are visited later: the lower, then the later ones of those that are level.
                let drop = match here - ground[other] {
                    0 => i64::from(other > cell),
                    drop => drop,
                };
                (drop > 0).then_some((other, drop))
            });
            let below = || below.iter().flatten();
            let sum: i64 = below().map(|(_, drop)| drop).sum();
            let Some((steepest, _)) = below().copied().max_by_key(|(_, drop)| *drop) else {
                hollows.insert((here, cell), excess);
                depths[cell] -= excess;
                continue;
            };
            let slides = excess - excess / LEFT;
            let mut rest = slides;
            for (other, drop) in below() {
                let share = (i128::from(slides) * i128::from(*drop) / i128::from(sum)) as u32;
                depths[*other] = depths[*other].saturating_add(share);
                rest -= share;
            }
            depths[steepest] = depths[steepest].saturating_add(rest);
            depths[cell] -= slides;
        }
        let mut full = Hollows {
            land: self,
            ground,
            held,
            is_bare,
            depths,
            seen: HashSet::new(),
        };
        while let Some(((_, cell), excess)) = hollows.pop_last() {
            job.check()?;
            if let Some((end, rest)) = full.fill(cell, u64::from(excess)) {
                let all: &mut u32 = hollows.entry((full.ground[end], end)).or_default();
                *all = all.saturating_add(u32::try_from(rest).unwrap_or(u32::MAX));
            }
        }
        Ok(())
    }

    /// The neighbours of a cell.
    fn beside(&self, cell: usize) -> [Option<usize>; 8] {
        let (rows, columns) = (self.ground.rows() as i64, self.ground.columns() as i64);
        let (row, column) = (cell as i64 / columns, cell as i64 % columns);
        NEIGHBOURS.map(|(south, east)| {
            let row = self.place(row + south, rows)?;
            Some((row * columns + self.place(column + east, columns)?) as usize)
        })
    }

    fn place(&self, at: i64, count: i64) -> Option<i64> {
        match self.edge {
            Edge::Wrap => Some(at.rem_euclid(count)),
            Edge::Clamp => (0..count).contains(&at).then_some(at),
        }
    }
}

/// Ways to the neighbours, southwards and eastwards, diagonals last.
const NEIGHBOURS: [(i64, i64); 8] = [
    (-1, 0),
    (0, -1),
    (0, 1),
    (1, 0),
    (-1, -1),
    (-1, 1),
    (1, -1),
    (1, 1),
];

/// Hollows that fill with snow, like a flood that rises, and overflow.
struct Hollows<'a> {
    land: &'a Land<'a>,
    ground: Vec<i64>,
    held: Vec<u32>,
    /// Water, and where there is no data: what slides there is gone.
    is_bare: &'a [bool],
    depths: &'a mut [u32],
    /// Cells that the flood has reached.
    seen: HashSet<usize>,
}

impl Hollows<'_> {
    fn surface(&self, cell: usize) -> i64 {
        self.ground[cell] + i64::from(self.depths[cell])
    }

    /// Fill the hollow around a cell with an amount of snow. What overflows slides on to the next hollow, which is
    /// returned with what comes there.
    fn fill(&mut self, cell: usize, mut amount: u64) -> Option<(usize, u64)> {
        let mut shore = BinaryHeap::from([Reverse((self.surface(cell), cell))]);
        let mut level = self.surface(cell);
        let mut flooded = Vec::new();
        self.seen.clear();
        self.seen.insert(cell);
        let mut over = None;
        while let Some(Reverse((surface, cell))) = shore.pop() {
            let room = (surface - level).max(0) as u64 * flooded.len() as u64;
            if room >= amount && !flooded.is_empty() {
                break;
            }
            if surface < level || self.is_bare[cell] {
                over = Some(cell);
                break;
            }
            amount -= room;
            level = surface;
            flooded.push(cell);
            for other in self.land.beside(cell) {
                // Snow leaves the land at its border.
                let other = other?;
                if self.seen.insert(other) {
                    shore.push(Reverse((self.surface(other), other)));
                }
            }
        }
        if over.is_none() {
            level += (amount / flooded.len().max(1) as u64) as i64;
        }
        for cell in flooded {
            self.depths[cell] = (level - self.ground[cell]).try_into().unwrap_or(u32::MAX);
        }
        self.slide_on(over?, amount)
    }

    /// Let an amount of snow slide down from a cell until nothing is left or it comes to a hollow.
    fn slide_on(&mut self, mut cell: usize, mut amount: u64) -> Option<(usize, u64)> {
        while !self.is_bare[cell] {
            let room = self.held[cell].saturating_sub(self.depths[cell]);
            let stays = (u64::from(room) + amount / u64::from(LEFT)).min(amount);
            self.depths[cell] = self.depths[cell].saturating_add(stays as u32);
            amount -= stays;
            if amount == 0 {
                return None;
            }
            let (here, beside) = (self.surface(cell), self.land.beside(cell));
            let lowest = beside.into_iter().flatten();
            match lowest.min_by_key(|other| self.surface(*other)) {
                Some(lowest) if self.surface(lowest) < here => cell = lowest,
                _ => return Some((cell, amount)),
            }
        }
        None
    }
}

/// Cells from the highest to the lowest, equal ones in their own order.
fn descending(heights: &[i64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..heights.len() as u32).collect();
    order.sort_by_key(|cell| Reverse(heights[*cell as usize]));
    order
}

/// Smooth a grid with the weights 1, 2, 1 along both axes.
fn smoothed(grid: &Grid<f32>, edge: Edge, job: &Job) -> Result<Grid<f32>, Cancelled> {
    let (rows, columns) = (grid.rows(), grid.columns());
    let mut out = Grid::filled(rows, columns, 0.0);
    let lines = parallel::par_items(out.as_mut_slice().chunks_mut(columns)).at_least(8);
    lines.for_each_in(job, |row, line| {
        let place = |at: i64| match edge {
            Edge::Wrap => at.rem_euclid(rows as i64) as usize,
            Edge::Clamp => at.clamp(0, rows as i64 - 1) as usize,
        };
        let [north, here, south] = [-1, 0, 1].map(|by| grid.row(place(row as i64 + by)));
        let down = |column: usize| 0.25 * (north[column] + south[column]) + 0.5 * here[column];
        for (column, out) in line.iter_mut().enumerate() {
            let (west, east) = match edge {
                Edge::Wrap => ((column + columns - 1) % columns, (column + 1) % columns),
                Edge::Clamp => (column.saturating_sub(1), (column + 1).min(columns - 1)),
            };
            *out = 0.25 * (down(west) + down(east)) + 0.5 * down(column);
        }
    })?;
    Ok(out)
}

/// Smooth unevenness, 0…1, that wraps: the mean of two sizes.
struct Spots {
    values: [Grid<f32>; 2],
    per: [[f64; 2]; 2],
}

impl Spots {
    fn new(seed: u64, [rows, columns]: [usize; 2]) -> Self {
        let values = [0, 1].map(|size| {
            let cells = SPOTS[size];
            let stream = Stream::new(seed, Stage::Snow, size as u32);
            let mut values = Grid::filled(cells, cells, 0.0);
            for (row, line) in values.as_mut_slice().chunks_mut(cells).enumerate() {
                let mut numbers = stream.row(row as u64);
                line.fill_with(|| unit(numbers.next_u32()));
            }
            values
        });
        let per = SPOTS.map(|cells| [rows, columns].map(|count| cells as f64 / count as f64));
        Self { values, per }
    }

    fn row(&self, row: usize) -> [f64; 2] {
        self.per.map(|[per, _]| faded(row as f64 * per))
    }

    fn at(&self, rows: &[f64; 2], column: usize) -> f32 {
        let each = self.values.iter().zip(rows).zip(self.per);
        let values = each.map(|((grid, row), [_, per])| {
            grid.bilinear(*row, faded(column as f64 * per), Edge::Wrap)
        });
        0.5 * values.sum::<f32>()
    }
}

/// A position whose fraction leaves both its ends slowly, so that bilinear interpolation has no creases.
fn faded(at: f64) -> f64 {
    let part = at - at.floor();
    at.floor() + part * part * (3.0 - 2.0 * part)
}
