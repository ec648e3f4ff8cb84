//! Snow as a depth: it falls by height, drifts into the lee, slides down steep ground and melts in the sun.
//!
//! Sliding follows SnowSlide (Bernhardt and Schulz 2010): cells are visited from the highest to the lowest, and what
//! a slope cannot hold goes to the lower neighbours in proportion to the drop. Hollows that are full overflow. Depths
//! are whole numbers meanwhile, so the order of additions does not matter.
//!
//! This needs the whole map, so snow has a lattice of its own of at most [`MOST_SIDE`] samples a side. Its surface, the
//! smoothed ground plus the depth, is a cubic B-spline, and ground of any level of detail that is higher is bare.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::snow_line::Spots;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::smoothstep;
use crate::util::parallel;

/// Largest number of samples a side of the lattice; larger maps are thinned.
pub const MOST_SIDE: usize = 2049;

/// Largest number of samples a side of the lattice while settings are dragged.
pub const PREVIEW_SIDE: usize = 513;

/// Memory of [`Snow::of`] in bytes a sample of the lattice, most of it only while it runs.
pub const BYTES_A_SAMPLE: u64 = 60;

/// Fall, drift, sliding and melt of snow. Lengths are in half tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Weather {
    /// Depth on level ground high above the snow line.
    pub fall: f32,
    /// Height of the snow line.
    pub line: f32,
    /// Height above the snow line over which the fall grows to all of its depth.
    pub fade: f32,
    /// Strength of the wind, 0…1.
    pub wind: f32,
    /// Unit vector east and south to where the wind comes from.
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
    /// Largest number of samples a side of the lattice: [`MOST_SIDE`], or fewer for a preview.
    pub most_side: usize,
}

/// Share of the fade by which the snow line is uneven.
const UNEVEN: f32 = 0.8;
/// Distances upwind at which shelter is looked for, in tiles.
const UPWIND: [f32; 7] = [0.004, 0.007, 0.012, 0.02, 0.035, 0.06, 0.1];
/// By how much shelter of a slope of 1 increases the fall, and the most it does.
const SHELTER: f32 = 2.5;
const MOST_SHELTER: f32 = 1.4;
/// Range of slopes, as tangents, over which walls lose all hold: 55° to 70°.
const WALL: [f32; 2] = [1.43, 2.75];
/// Tangent of the slope below which what falls stays: 25°.
const GENTLE: f32 = 0.466;
/// Most that a slope holds, as a multiple of what one of 45° holds, apart from what falls on gentle ground.
const MOST_HOLD: f32 = 8.0;
/// Tangent of a slope that holds that much: 15.6° do.
const MOST_HELD: f32 = 0.28;
/// Part of sliding snow that stays on its way: one of so many.
const LEFT: u32 = 100;
/// Units of depth in the fall.
const UNITS: f32 = 4096.0;
/// Share of the melt that is left high above the snow line.
const MELT_ABOVE: f32 = 0.35;

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
    /// map thinned to the lattice.
    ///
    /// Cost: about one and a half times that of [`Drainage::of`](crate::terrain::drainage::Drainage::of), most of it on one
    /// thread, and [`BYTES_A_SAMPLE`] while it is made.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        weather: &Weather,
        is_wet: &(dyn Fn(usize, usize) -> bool + Sync),
        job: &Job,
    ) -> Result<Option<Self>, Cancelled> {
        let map = map.thinned(weather.most_side);
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
        let mut is_bare = vec![false; rows * columns];
        let lines = parallel::par_items(is_bare.chunks_mut(columns)).at_least(8);
        lines.for_each_in(job, |row, line| {
            let places = line.iter_mut().enumerate();
            places.for_each(|(column, is_bare)| *is_bare = bare(row, column));
        })?;
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

    /// Share of the ground that a depth hides, 0…1.
    #[must_use]
    pub fn hidden(&self, depth: f64) -> f64 {
        (depth / self.hides).min(1.0)
    }

    /// Share of the ground that a depth hides, from 0 to 255.
    #[must_use]
    pub fn cover(&self, depth: f64) -> u8 {
        (self.hidden(depth) * 255.0 + 0.5) as u8
    }

    fn each(
        &self,
        down: Steps,
        across: Steps,
        columns: usize,
        heights: &mut [f64],
        act: &(dyn Fn(&mut f64, f64) + Sync),
    ) {
        let [down_to, across_to] = [self.depth.rows(), self.depth.columns()];
        let taps = (0..columns).map(|column| Taps::at(across, column, across_to, self.edge));
        let taps: Vec<_> = taps.collect();
        let Some((first, last)) = taps.first().zip(taps.last()) else {
            return;
        };
        let span = first.before..last.before + 4;
        let lines = parallel::par_items(heights.chunks_exact_mut(columns)).at_least(16);
        lines.for_each(|row, line| {
            let rows = Taps::at(down, row, down_to, self.edge);
            let depths = self.line(&self.depth, &rows, span.clone());
            if depths.iter().all(|depth| *depth == 0.0) {
                line.iter_mut().for_each(|height| act(height, 0.0));
                return;
            }
            let grounds = self.line(&self.ground, &rows, span.clone());
            for (height, taps) in line.iter_mut().zip(&taps) {
                let at = (taps.before - span.start) as usize;
                let depth = taps.mix(&depths[at..]).max(0.0);
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
    /// Weights at a sample. Beyond a free border, which is after `count` coefficients, they go on straight.
    fn at(steps: Steps, index: usize, count: usize, edge: Edge) -> Self {
        let place = steps.first + steps.by * index as f64;
        let floor = place.floor();
        let t = place - floor;
        let (s, sixth) = (1.0 - t, 1.0 / 6.0);
        let inner = |t: f64| (3.0 * t * t * t - 6.0 * t * t + 4.0) * sixth;
        let before = floor as i64 - 1;
        let mut weights = [s * s * s * sixth, inner(t), inner(s), t * t * t * sixth];
        if edge == Edge::Clamp && count > 1 {
            if before < 0 {
                let [first, second, third, _] = &mut weights;
                *second += 2.0 * *first;
                *third -= *first;
                *first = 0.0;
            }
            let inside = usize::try_from(count as i64 - before).unwrap_or(0);
            for outside in (inside.max(2)..4).rev() {
                let weight = std::mem::take(&mut weights[outside]);
                weights[outside - 1] += 2.0 * weight;
                weights[outside - 2] -= weight;
            }
        }
        Self { before, weights }
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
    fn fallen(&self, is_bare: &[bool], job: &Job) -> Result<(Vec<u32>, Vec<u32>), Cancelled> {
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
            let spots = spots.row(row);
            let places = heights.row(row).iter().enumerate();
            let shares = places.map(|(column, height)| {
                let line = weather.line + UNEVEN * weather.fade * (spots.at(column) - 0.5);
                smoothstep((height - line) / weather.fade.max(1e-9))
            });
            let shares: Vec<f32> = shares.collect();
            if shares.iter().all(|share| *share <= 0.0) {
                return;
            }
            let around = [-1, 0, 1].map(|by| ground.row(wrapped(row as isize + by, rows, edge)));
            let mut rises = vec![f32::MIN; columns];
            for ([east, south], per) in &upwind {
                let taps = ground.row(wrapped(row as isize + south, rows, edge));
                steepen(&mut rises, around[1], taps, *east, *per, edge);
            }
            let slopes = (0..columns).map(|column| {
                let [east, south] = self.slope(around, column);
                let length = (1.0 + east * east + south * south).sqrt();
                [east, south, length]
            });
            let slopes: Vec<_> = slopes.collect();
            let mut suns = vec![0.0; columns];
            for sun in &weather.suns {
                shine(&mut suns, &slopes, *sun);
            }
            for (column, (fallen, melted)) in fallen.iter_mut().zip(melted).enumerate() {
                let share = shares[column];
                if is_bare[row * columns + column] || share <= 0.0 {
                    continue;
                }
                let shelter = (SHELTER * rises[column]).clamp(-1.0, MOST_SHELTER);
                let drift = if upwind.is_empty() { 0.0 } else { shelter };
                let fall = share * (1.0 + weather.wind * drift).max(0.0);
                *fallen = (fall * UNITS) as u32;
                let sun = suns[column] / level.max(1e-6);
                let warm = 1.0 + (MELT_ABOVE - 1.0) * share;
                *melted = (weather.melt * warm * sun / weather.fall * UNITS) as u32;
            }
        })?;
        Ok((fallen, melted))
    }

    /// Drop of the smoothed ground eastwards and southwards, as tangents, from the rows around.
    fn slope(&self, [north, here, south]: [&[f32]; 3], column: usize) -> [f32; 2] {
        let at = |by: isize| here[wrapped(column as isize + by, here.len(), self.edge)];
        let per = (2.0 * self.spacing).recip();
        [
            (at(-1) - at(1)) * per,
            (north[column] - south[column]) * per,
        ]
    }

    /// Depth that each cell holds, in units, where so much has fallen.
    fn held(&self, fallen: &[u32], job: &Job) -> Result<Vec<u32>, Cancelled> {
        let (rows, columns) = (self.ground.rows(), self.ground.columns());
        let hold = self.weather.hold / self.weather.fall * UNITS;
        let mut held = vec![0; rows * columns];
        let lines = held.chunks_mut(columns).zip(fallen.chunks(columns));
        let lines = parallel::par_items(lines).at_least(8);
        lines.for_each_in(job, |row, (line, fallen)| {
            let around =
                [-1, 0, 1].map(|by| self.ground.row(wrapped(row as isize + by, rows, self.edge)));
            for (column, (held, fallen)) in line.iter_mut().zip(fallen).enumerate() {
                let [east, south] = self.slope(around, column);
                let steep = (east * east + south * south).sqrt();
                // The arctangent takes half of the time of all this, and gentle slopes hold the most there is anyway.
                let times = match steep {
                    ..MOST_HELD => MOST_HOLD,
                    _ => 45.0 / libm::atanf(steep).to_degrees().max(1.0),
                };
                let wall = 1.0 - smoothstep((steep - WALL[0]) / (WALL[1] - WALL[0]));
                *held = (hold * (times * times).min(MOST_HOLD) * wall) as u32;
                if steep < GENTLE {
                    *held = (*held).max(*fallen);
                }
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
        let columns = self.ground.columns();
        let mut ground = vec![0; depths.len()];
        let lines = ground.chunks_mut(columns);
        let lines = lines.zip(self.ground.as_slice().chunks(columns));
        let lines = parallel::par_items(lines).at_least(8);
        lines.for_each_in(job, |_, (line, heights)| {
            for (units, height) in line.iter_mut().zip(heights) {
                *units = in_units(*height);
            }
        })?;
        let ranks = ranks(&ground);
        let held = self.held(depths, job)?;
        let sides = depths.iter().zip(held).zip(ranks);
        let sides = sides.map(|((depth, holds), rank)| Cell {
            rank,
            depth: *depth,
            holds,
        });
        let mut cells: Vec<Cell> = sides.collect();
        let mut hollows = BTreeMap::new();
        for (count, cell) in order(&cells).into_iter().enumerate() {
            if count % 65536 == 0 {
                job.check()?;
            }
            let cell = cell as usize;
            let Cell { rank, depth, holds } = cells[cell];
            let excess = depth.saturating_sub(holds);
            if excess == 0 || is_bare[cell] {
                continue;
            }
            let mut below = [(0, 0.0); 8];
            let (mut count, mut sum, mut most) = (0, 0.0, 0);
            for other in self.beside(cell).into_iter().flatten() {
                let beside = cells[other].rank;
                if (beside, other) > (rank, cell) {
                    let drop = f64::from((beside - rank).max(1));
                    below[count] = (other, drop);
                    if drop > below[most].1 {
                        most = count;
                    }
                    count += 1;
                    sum += drop;
                }
            }
            if count == 0 {
                hollows.insert((Reverse(rank), cell), excess);
                cells[cell].depth -= excess;
                continue;
            }
            let slides = excess - excess / LEFT;
            cells[cell].depth -= slides;
            let scale = f64::from(slides) / sum;
            let mut rest = slides;
            for (other, drop) in &below[..count] {
                let share = ((drop * scale) as u32).min(rest);
                cells[*other].depth = cells[*other].depth.saturating_add(share);
                rest -= share;
            }
            let steepest = &mut cells[below[most].0].depth;
            *steepest = steepest.saturating_add(rest);
        }
        let mut full = Hollows {
            land: self,
            ground,
            cells,
            is_bare,
            reached: vec![0; depths.len()],
            flood: 0,
        };
        while let Some(((_, cell), excess)) = hollows.pop_last() {
            job.check()?;
            if let Some((end, rest)) = full.fill(cell, u64::from(excess)) {
                let place = (Reverse(full.cells[end].rank), end);
                let all: &mut u32 = hollows.entry(place).or_default();
                *all = all.saturating_add(u32::try_from(rest).unwrap_or(u32::MAX));
            }
        }
        for (depth, cell) in depths.iter_mut().zip(full.cells) {
            *depth = cell.depth;
        }
        Ok(())
    }

    /// The neighbours of a cell: north, west, east and south, then the diagonal ones.
    fn beside(&self, cell: usize) -> [Option<usize>; 8] {
        let (rows, columns) = (self.ground.rows(), self.ground.columns());
        // Division of 32 bits takes half the time of one of 64, and no lattice has more cells.
        let (row, column) = (cell as u32 / columns as u32, cell as u32 % columns as u32);
        let (row, column) = (row as usize, column as usize);
        if row > 0 && row + 1 < rows && column > 0 && column + 1 < columns {
            let (north, south) = (cell - columns, cell + columns);
            let around = [
                north,
                cell - 1,
                cell + 1,
                south,
                north - 1,
                north + 1,
                south - 1,
                south + 1,
            ];
            return around.map(Some);
        }
        let wraps = self.edge == Edge::Wrap;
        let before = |at: usize, count: usize| match at {
            0 => wraps.then_some(count - 1),
            at => Some(at - 1),
        };
        let after = |at: usize, count: usize| match at + 1 {
            next if next < count => Some(next),
            _ => wraps.then_some(0),
        };
        let rows = [before(row, rows), after(row, rows)];
        let [north, south] = rows.map(|row| row.map(|row| row * columns));
        let (west, east) = (before(column, columns), after(column, columns));
        let here = cell - column;
        let at = |row: Option<usize>, column: Option<usize>| Some(row? + column?);
        [
            at(north, Some(column)),
            at(Some(here), west),
            at(Some(here), east),
            at(south, Some(column)),
            at(north, west),
            at(north, east),
            at(south, west),
            at(south, east),
        ]
    }
}

/// Raise each number of `rises` to the rise per tile from `here` to the cell `east` of it in `taps`, if that is more.
fn steepen(rises: &mut [f32], here: &[f32], taps: &[f32], east: isize, per: f32, edge: Edge) {
    let columns = rises.len();
    let first = east.min(0).unsigned_abs().min(columns);
    let last = columns
        .saturating_sub(east.max(0).unsigned_abs())
        .max(first);
    for column in (0..first).chain(last..columns) {
        let tap = taps[wrapped(column as isize + east, columns, edge)];
        rises[column] = rises[column].max((tap - here[column]) * per);
    }
    let inside = first..last;
    if inside.is_empty() {
        return;
    }
    let from = first.wrapping_add_signed(east);
    let taps = &taps[from..from + inside.len()];
    let cells = rises[inside.clone()]
        .iter_mut()
        .zip(&here[inside])
        .zip(taps);
    for ((rise, here), tap) in cells {
        *rise = rise.max((tap - here) * per);
    }
}

/// Add to each sum the light of a sun on ground with that drop eastwards and southwards, and that length of its normal.
fn shine(sums: &mut [f32], slopes: &[[f32; 3]], [east, up, south]: [f32; 3]) {
    for (sum, [fall_east, fall_south, length]) in sums.iter_mut().zip(slopes) {
        *sum += ((up + fall_east * east + fall_south * south) / length).max(0.0);
    }
}

/// A cell while snow slides: what is read together lies together.
#[derive(Clone, Copy)]
struct Cell {
    /// Depth of its ground below the highest cell.
    rank: u32,
    depth: u32,
    /// Depth that it holds.
    holds: u32,
}

/// Hollows that fill with snow, like a flood that rises, and overflow.
struct Hollows<'a> {
    land: &'a Land<'a>,
    ground: Vec<i64>,
    cells: Vec<Cell>,
    /// Water, and where there is no data: what slides there is gone.
    is_bare: &'a [bool],
    /// Number of the last flood that has reached each cell, and of this one.
    reached: Vec<u32>,
    flood: u32,
}

impl Hollows<'_> {
    fn surface(&self, cell: usize) -> i64 {
        self.ground[cell] + i64::from(self.cells[cell].depth)
    }

    /// Fill the hollow around a cell with an amount of snow. What overflows slides on to the next hollow, which is
    /// returned with what comes there.
    fn fill(&mut self, cell: usize, mut amount: u64) -> Option<(usize, u64)> {
        let mut shore = BinaryHeap::from([Reverse((self.surface(cell), cell))]);
        let mut level = self.surface(cell);
        let mut flooded = Vec::new();
        self.flood += 1;
        self.reached[cell] = self.flood;
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
                if std::mem::replace(&mut self.reached[other], self.flood) != self.flood {
                    shore.push(Reverse((self.surface(other), other)));
                }
            }
        }
        if over.is_none() {
            level += (amount / flooded.len().max(1) as u64) as i64;
        }
        for cell in flooded {
            self.cells[cell].depth = (level - self.ground[cell]).try_into().unwrap_or(u32::MAX);
        }
        self.slide_on(over?, amount)
    }

    /// Let an amount of snow slide down from a cell until nothing is left or it comes to a hollow.
    fn slide_on(&mut self, mut cell: usize, mut amount: u64) -> Option<(usize, u64)> {
        while !self.is_bare[cell] {
            let Cell { depth, holds, .. } = &mut self.cells[cell];
            let room = holds.saturating_sub(*depth);
            let stays = (u64::from(room) + amount / u64::from(LEFT)).min(amount);
            *depth = depth.saturating_add(stays as u32);
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

/// Depth of each height below the highest, in units of which 2^32 reach to the lowest.
fn ranks(heights: &[i64]) -> Vec<u32> {
    let lowest = heights.iter().copied().min().unwrap_or_default();
    let highest = heights.iter().copied().max().unwrap_or_default();
    // Most maps need no shift. Where one does, cells of nearly the same height count as level.
    let bits = i64::BITS - (highest - lowest).leading_zeros();
    let shift = bits.saturating_sub(u32::BITS);
    let ranks = heights
        .iter()
        .map(|height| ((highest - height) >> shift) as u32);
    ranks.collect()
}

/// Cells from the highest to the lowest, equal ones in their own order: a radix sort, since comparisons take several
/// times as long.
fn order(cells: &[Cell]) -> Vec<u32> {
    let mut order: Vec<(u32, u32)> = cells.iter().map(|cell| cell.rank).zip(0..).collect();
    let mut sorted = order.clone();
    let place = |rank: u32, digit: u32| (rank >> (digit * DIGIT) & ((1 << DIGIT) - 1)) as usize;
    let mut counts = [[0_usize; 1 << DIGIT]; DIGITS as usize];
    for (rank, _) in &order {
        for (digit, counts) in (0..).zip(&mut counts) {
            counts[place(*rank, digit)] += 1;
        }
    }
    for (digit, mut starts) in (0..).zip(counts) {
        if starts[0] == order.len() {
            // All have a zero there.
            continue;
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        for item in &order {
            let start = &mut starts[place(item.0, digit)];
            sorted[*start] = *item;
            *start += 1;
        }
        std::mem::swap(&mut order, &mut sorted);
    }
    order.into_iter().map(|(_, cell)| cell).collect()
}

/// Bits of a digit of the radix sort, and digits of a rank.
const DIGIT: u32 = 11;
const DIGITS: u32 = 3;

/// Smooth a grid with the weights 1, 2, 1 along both axes. At a free border, beyond which it goes on straight, only
/// along the border.
fn smoothed(grid: &Grid<f32>, edge: Edge, job: &Job) -> Result<Grid<f32>, Cancelled> {
    let (rows, columns) = (grid.rows(), grid.columns());
    let mut out = Grid::filled(rows, columns, 0.0);
    let lines = parallel::par_items(out.as_mut_slice().chunks_mut(columns)).at_least(8);
    lines.for_each_in(job, |row, line| {
        let around = beside(row, rows, edge).map(|row| grid.row(row));
        let [north, south] = around;
        let here = grid.row(row);
        let down = |column: usize| 0.25 * (north[column] + south[column]) + 0.5 * here[column];
        for (column, out) in line.iter_mut().enumerate() {
            let [west, east] = beside(column, columns, edge);
            *out = 0.25 * (down(west) + down(east)) + 0.5 * down(column);
        }
    })?;
    Ok(out)
}

/// The neighbours of a row or column, or at a free border twice itself.
fn beside(at: usize, count: usize, edge: Edge) -> [usize; 2] {
    let is_border = at == 0 || at + 1 == count;
    if edge == Edge::Clamp && is_border {
        return [at; 2];
    }
    [-1, 1].map(|by| wrapped(at as isize + by, count, edge))
}

/// Index of a row or column that may lie beyond the border, by less than `count`.
fn wrapped(at: isize, count: usize, edge: Edge) -> usize {
    let count = count as isize;
    let inside = match edge {
        Edge::Wrap if at < 0 => at + count,
        Edge::Wrap if at >= count => at - count,
        Edge::Wrap => at,
        Edge::Clamp => at.clamp(0, count - 1),
    };
    inside as usize
}
