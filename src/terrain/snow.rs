//! Snow as a depth: it falls by height, drifts into the lee, slides down steep ground and melts in the sun.
//!
//! This needs the whole map, so snow has a lattice of its own of at most [`MOST_SIDE`] samples a side. Its surface, the
//! smoothed ground plus the depth, is a cubic B-spline, and ground of any level of detail that is higher is bare.

use crate::terrain::grid::{Edge, Grid};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::snow_line::Spots;
use crate::terrain::snow_slide::slide;
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
    /// Cost: about one and a half times that of [`Drainage::of`](crate::terrain::drainage::Drainage::of), and
    /// [`BYTES_A_SAMPLE`] while it is made.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        weather: &Weather,
        is_wet: &(dyn Fn(usize, usize) -> bool + Sync),
        job: &Job,
    ) -> Result<Option<Self>, Cancelled> {
        let thinned;
        let map = if map.rows().max(map.columns()) > weather.most_side {
            thinned = map.thinned(weather.most_side);
            &thinned
        } else {
            map
        };
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
        let unit = weather.fall / UNITS;
        let held = |row: usize, fallen: &[u32], held: &mut [u32]| land.held(row, fallen, held);
        slide((&ground, edge), unit, &held, &is_bare, &mut units, job)?;
        let mut depth = Grid::filled(rows, columns, 0.0);
        let lines = depth.as_mut_slice().chunks_mut(columns);
        let lines = lines.zip(units.chunks(columns)).zip(melt.chunks(columns));
        let lines = lines.zip(is_bare.chunks(columns));
        let lines = parallel::par_items(lines).at_least(8);
        lines.for_each(|_, (((line, units), melt), is_bare)| {
            for (((depth, units), melt), is_bare) in
                line.iter_mut().zip(units).zip(melt).zip(is_bare)
            {
                if !is_bare {
                    *depth = units.saturating_sub(*melt) as f32 * unit;
                }
            }
        });
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

    /// Depth that each cell of a row holds, in units, where so much has fallen.
    fn held(&self, row: usize, fallen: &[u32], held: &mut [u32]) {
        let rows = self.ground.rows();
        let hold = self.weather.hold / self.weather.fall * UNITS;
        let around =
            [-1, 0, 1].map(|by| self.ground.row(wrapped(row as isize + by, rows, self.edge)));
        for (column, (held, fallen)) in held.iter_mut().zip(fallen).enumerate() {
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
