//! One clipmap window: heights, maximum mipmap and light of one level around the eye, and its position.

use std::time::{Duration, Instant};

use glam::DVec3;

use crate::fractal::region;
use crate::pipeline::{Depth, Lattice};
use crate::render::raycast::{MaximumMipmap, Near};
use crate::shading::light::{Sun, Visibility, sky_visibility, sun_visibility};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::numbers::thinning;
use crate::util::parallel::{self, Tools};

/// Maximum number of samples per side of the sky visibility, which is smooth.
const MOST_SKY: usize = 257;
/// Number of rows computed at once, and the time budget of one step.
const ROWS_AT_ONCE: usize = 128;
const MOMENT: Duration = Duration::from_millis(8);
/// Full visibility.
const ALL: u8 = 255;
const UNCANCELLED: &str = "nobody cancels it";

/// Heights of one level around the eye.
pub(crate) struct Window {
    pub(super) level: u32,
    pub(super) place: region::Window,
    /// Reference height close to those of the samples, in half tiles; keeps `f32` precise.
    pub(super) datum: f64,
    /// Heights above the datum.
    pub(super) heights: Vec<f32>,
    roofs: MaximumMipmap,
    /// Distance between adjacent samples, in half tiles.
    pub(super) spacing: f64,
}

/// Light on the unrefined ground.
#[derive(Clone, Copy)]
pub(crate) struct Lit<'a> {
    /// The sun, where it casts shadows, and the ground's own sun visibility.
    pub(crate) sun: Option<(Sun, &'a Visibility)>,
    /// The ground's own sky visibility (ambient occlusion), where it is used.
    pub(crate) sky: Option<&'a Visibility>,
    /// Water level.
    pub(crate) water: Option<f32>,
}

/// Sun and sky visibility of a window, 0…255 each; `None` where unused.
#[derive(Default)]
pub(crate) struct Seen {
    /// Sun visibility per sample.
    sun: Option<Grid<u8>>,
    /// Sky visibility of every n-th sample, and n.
    sky: Option<(Grid<u8>, usize)>,
}

/// A window being computed a few rows at a time: on eroded ground all of it takes long.
pub(super) struct Growing {
    level: u32,
    pub(super) place: region::Window,
    heights: Vec<f64>,
}

impl Growing {
    pub(super) fn new(level: u32, place: region::Window) -> Self {
        Self {
            level,
            place,
            heights: Vec::with_capacity(place.rows * place.columns),
        }
    }

    /// Compute the next rows until the time budget is used up. Returns true if rows are left. Cost: about 12
    /// ns per sample on one thread, 150 with gullies.
    pub(super) fn grow(&mut self, lattice: &Lattice<'_>) -> bool {
        let began = Instant::now();
        let rows = self.place.rows;
        loop {
            let made = self.heights.len() / self.place.columns;
            if made == rows {
                return false;
            }
            if made > 0 && began.elapsed() > MOMENT {
                return true;
            }
            let part = region::Window {
                row: self.place.row + made as i64,
                rows: ROWS_AT_ONCE.min(rows - made),
                ..self.place
            };
            self.heights.extend(lattice.heights(self.level, part));
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        8 * self.heights.capacity() as u64
    }

    /// The window, once all rows are computed.
    pub(super) fn into_window(self, lattice: &Lattice<'_>) -> Window {
        let made = self.heights;
        // Relative to a nearby height, `f32` resolves the detail of deep levels.
        let datum = made[made.len() / 2];
        let heights = of_each(&made, |height| (height - datum) as f32);
        Window {
            level: self.level,
            place: self.place,
            datum,
            roofs: MaximumMipmap::new(&heights, self.place.columns),
            heights,
            spacing: lattice.spacing(self.level),
        }
    }
}

impl Seen {
    /// True if any light was computed.
    pub(super) fn has_any(&self) -> bool {
        self.sun.is_some() || self.sky.is_some()
    }

    pub(super) fn bytes(&self) -> u64 {
        let (sun, sky) = (self.sun.as_ref(), self.sky.as_ref());
        let sun = sun.map_or(0, |sun| sun.as_slice().len());
        (sun + sky.map_or(0, |(sky, _)| sky.as_slice().len())) as u64
    }
}

impl Window {
    pub(super) fn bytes(&self) -> u64 {
        4 * self.heights.len() as u64 + self.roofs.bytes()
    }

    /// The window as input of the ray caster, for an eye with this depth.
    pub(super) fn near(&self, lattice: &Lattice<'_>, depth: &Depth) -> Near<'_> {
        let eye = depth.eye;
        let [x, z] = lattice.place(self.level, eye.x, eye.z);
        Near {
            heights: &self.heights,
            roofs: &self.roofs,
            samples: [self.place.columns, self.place.rows],
            eye: [x - self.place.column as f64, z - self.place.row as f64],
            above: eye.y - self.datum,
            spacing: self.spacing,
            height: eye.y - depth.ground,
            farthest: farthest(self.spacing, depth),
        }
    }

    /// Light of the window's samples: the minimum of the next coarser window's light (or the ground's own)
    /// and that within this window.
    pub(super) fn seen(
        &self,
        lattice: &Lattice<'_>,
        lit: &Lit<'_>,
        coarser: Option<(&Self, &Seen)>,
    ) -> Seen {
        let is_lit = lit.sun.is_some() || lit.sky.is_some();
        let map = is_lit.then(|| self.lit_map(lit.water));
        let job = &Job::default();
        let sun = lit.sun.zip(map.as_ref()).map(|((sun, ground), map)| {
            let own = sun_visibility(map, sun, usize::MAX, job).expect(UNCANCELLED);
            let wide = match coarser.and_then(|(window, seen)| Some((window, seen.sun.as_ref()?))) {
                Some((window, sun)) => self.of_window(window, sun, 1, 1),
                None => self.of_ground(lattice, ground, 1),
            };
            least(own.values, &wide)
        });
        let sky = lit.sky.zip(map.as_ref()).map(|(ground, map)| {
            let step = thinning(self.place.rows.max(self.place.columns), MOST_SKY);
            let own = sky_visibility(map, MOST_SKY, job).expect(UNCANCELLED);
            let wide = match coarser.and_then(|(window, seen)| Some((window, seen.sky.as_ref()?))) {
                Some((window, (sky, its))) => self.of_window(window, sky, *its, step),
                None => self.of_ground(lattice, ground, step),
            };
            (least(own.values, &wide), step)
        });
        Seen { sun, sky }
    }

    /// Height map that receives light, with its proportions in the world.
    fn lit_map(&self, water: Option<f32>) -> Heightmap {
        let (rows, columns) = (self.place.rows, self.place.columns);
        let scale = (2.0 / (rows.max(columns) - 1) as f64 / self.spacing) as f32;
        let level = water.map_or(f32::MIN, |level| (f64::from(level) - self.datum) as f32);
        let heights = of_each(&self.heights, |height| height.max(level) * scale);
        Heightmap::new(rows, columns, false, heights)
    }

    /// Resample the light of a coarser window, given for every `its`-th sample, to every `step`-th sample of
    /// this one.
    fn of_window(&self, window: &Self, seen: &Grid<u8>, its: usize, step: usize) -> Grid<u8> {
        let from = |mine: i64, other: i64| (0.5 * mine as f64 - other as f64) / its as f64;
        let by = 0.5 * step as f64 / its as f64;
        let across = Along {
            from: from(self.place.column, window.place.column),
            by,
            count: thinned(self.place.columns, step),
            period: None,
        };
        let down = Along {
            from: from(self.place.row, window.place.row),
            count: thinned(self.place.rows, step),
            ..across
        };
        looked_up(seen, across, down)
    }

    /// Resample the ground's own light to every `step`-th sample.
    fn of_ground(&self, lattice: &Lattice<'_>, seen: &Visibility, step: usize) -> Grid<u8> {
        let [across, down] = lattice.cells(self.level);
        let along = |first: i64, count: usize, span: f32, cells: i64, values: usize| {
            let by = f64::from(span) / cells as f64;
            Along {
                from: first as f64 * by,
                by: by * step as f64,
                count: thinned(count, step),
                // The last row and column of a wrapping map repeat the first.
                period: lattice.wraps().then_some(values),
            }
        };
        let (place, [width, height]) = (self.place, seen.span);
        let values = &seen.values;
        let across = along(place.column, place.columns, width, across, values.columns());
        let down = along(place.row, place.rows, height, down, values.rows());
        looked_up(values, across, down)
    }

    /// Texels for `common/windows.glsl`: x and z of the unit normal, −1…1 as 1…255, sun and sky visibility.
    pub(super) fn texels(&self, seen: &Seen) -> Vec<[u8; 4]> {
        let (rows, columns) = (self.place.rows, self.place.columns);
        let sky = seen.sky.as_ref().map(|(sky, step)| {
            let along = |count: usize| Along {
                from: 0.0,
                by: (*step as f64).recip(),
                count,
                period: None,
            };
            looked_up(sky, along(columns), along(rows))
        });
        let all = vec![ALL; columns];
        let mut out = vec![[0; 4]; rows * columns];
        let lines = parallel::par_items(out.chunks_exact_mut(columns)).at_least(16);
        lines.for_each(|row, line| {
            let (north, south) = (row.saturating_sub(1), (row + 1).min(rows - 1));
            let line_of = |row: usize| &self.heights[row * columns..][..columns];
            let around = [north, row, south].map(line_of);
            let per_sample = (2.0 * self.spacing as f32).recip();
            let per_row = ((south - north) as f32 * self.spacing as f32).recip();
            let sun = seen.sun.as_ref().map_or(&all[..], |sun| sun.row(row));
            let sky = sky.as_ref().map_or(&all[..], |sky| sky.row(row));
            texel_row(around, [per_sample, per_row], [sun, sky], line);
        });
        out
    }
}

/// Apply `of` to each value, in parallel.
fn of_each<T: Copy + Sync>(values: &[T], of: impl Fn(T) -> f32 + Sync) -> Vec<f32> {
    let mut out = vec![0.0; values.len()];
    let parts = out.chunks_mut(1 << 14).zip(values.chunks(1 << 14));
    parallel::par_items(parts).for_each(|_, (out, values)| {
        let pairs = out.iter_mut().zip(values);
        pairs.for_each(|(out, value)| *out = of(*value));
    });
    out
}

/// Positions of samples along an axis, in samples of another grid.
#[derive(Clone, Copy)]
struct Along {
    from: f64,
    by: f64,
    count: usize,
    /// Period of the other grid, if it repeats.
    period: Option<usize>,
}

impl Along {
    /// The two samples around a position, and the weight of the second in 256ths.
    fn around(&self, index: usize, samples: usize) -> (usize, usize, u32) {
        let place = self.from + self.by * index as f64;
        let place = match self.period {
            Some(period) => place.rem_euclid(period as f64),
            None => place.clamp(0.0, (samples - 1) as f64),
        };
        let first = (place as usize).min(samples - 1);
        let second = match self.period {
            Some(_) => (first + 1) % samples,
            None => (first + 1).min(samples - 1),
        };
        (first, second, ((place - first as f64) * 256.0) as u32)
    }
}

/// Interpolate values bilinearly at a grid of positions.
fn looked_up(values: &Grid<u8>, across: Along, down: Along) -> Grid<u8> {
    let columns: Vec<_> = (0..across.count)
        .map(|column| across.around(column, values.columns()))
        .collect();
    let used = columns
        .iter()
        .flat_map(|(first, second, _)| [*first, *second]);
    let (low, high) = used.fold((usize::MAX, 0), |(low, high), at| {
        (low.min(at), high.max(at))
    });
    let mut out = vec![0; across.count * down.count];
    let lines = parallel::par_items(out.chunks_exact_mut(across.count)).at_least(16);
    let scratch = Tools::new(|| vec![0; values.columns()]);
    lines.for_each(|row, line| {
        scratch.with(|mixed| {
            let (north, south, part) = down.around(row, values.rows());
            let rows = [north, south].map(|row| &values.row(row)[low..=high]);
            let mixed = &mut mixed[low..=high];
            for ((mixed, north), south) in mixed.iter_mut().zip(rows[0]).zip(rows[1]) {
                *mixed = u32::from(*north) * (256 - part) + u32::from(*south) * part;
            }
            for (out, (west, east, part)) in line.iter_mut().zip(&columns) {
                let sum = mixed[west - low] * (256 - part) + mixed[east - low] * part;
                *out = ((sum + (1 << 15)) >> 16) as u8;
            }
        });
    });
    Grid::from_vec(down.count, across.count, out).expect("all samples")
}

/// Number of samples after thinning to every `step`-th and the last.
fn thinned(samples: usize, step: usize) -> usize {
    (samples - 1).div_ceil(step) + 1
}

/// Minimum of two grids, value by value.
fn least(mut one: Grid<u8>, other: &Grid<u8>) -> Grid<u8> {
    let pairs = one.as_mut_slice().iter_mut().zip(other.as_slice());
    pairs.for_each(|(one, other)| *one = (*one).min(*other));
    one
}

vectorized! {
    /// Compute the texels of a row from the heights of the rows before, at and after it.
    fn texel_row(around: [&[f32]; 3], per: [f32; 2], light: [&[u8]; 2], out: &mut [[u8; 4]]) {
        let last = out.len() - 1;
        let [up, here, down] = around.map(|line| &line[..=last]);
        let [sun, sky] = light.map(|line| &line[..=last]);
        for column in 0..=last {
            let inner = column > 0 && column < last;
            let (west, east) = (if column > 0 { column - 1 } else { 0 }, if column < last { column + 1 } else { last });
            let per_sample = if inner { per[0] } else { 2.0 * per[0] };
            let x = (here[west] - here[east]) * per_sample;
            let z = (up[column] - down[column]) * per[1];
            let by = 127.0 / (1.0 + x * x + z * z).sqrt();
            let byte = |part: f32| (part * by + 128.5) as i32 as u8;
            out[column] = [byte(x), byte(z), sun[column], sky[column]];
        }
    }
}

/// Cells along a window's side.
pub(super) const SIDE: i64 = 1024;
/// Step in cells by which a window moves, so that small movements do not require a new one.
const STEP: i64 = 128;
/// Guaranteed number of cells around the eye within its window.
pub(super) const REACH: i64 = (SIDE - STEP) / 2;

/// Distance from the eye up to which a level is used: until the cells of the next coarser level are small
/// enough, or to the end of its reach.
fn farthest(spacing: f64, depth: &Depth) -> f64 {
    spacing * (2.0 / depth.cell).min((REACH - 2) as f64)
}

/// The window of a level around an eye, clipped to the ground.
pub(super) fn window_around(lattice: &Lattice<'_>, level: u32, eye: DVec3) -> region::Window {
    let (place, last) = (lattice.place(level, eye.x, eye.z), lattice.last(level));
    let span = |axis: usize| {
        let middle = (place[axis] / STEP as f64).round() as i64 * STEP;
        let first = (middle - SIDE / 2).clamp(0, last[axis]);
        let end = (middle + SIDE / 2).clamp(0, last[axis]);
        (first, (end - first) as usize + 1)
    };
    let ((column, columns), (row, rows)) = (span(0), span(1));
    region::Window {
        row,
        column,
        rows,
        columns,
    }
}
