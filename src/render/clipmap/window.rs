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
/// Number of samples computed at once, and the time budget of one step.
const AT_ONCE: usize = 32 * 1025;
const MOMENT: Duration = Duration::from_millis(8);
/// Quanta of height per cell, as a power of two: cells are as large as pixels, and these cannot be seen.
const QUANTA: i32 = 12;
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
    /// Heights of the ground alone above the datum, where water or snow may be on it.
    ground: Option<Vec<f32>>,
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

/// Function that puts the water and snow that are shown on the ground of a window.
pub(super) type Cover<'a> = dyn Fn(region::Window, &mut [f64]) + 'a;

/// Heights of the samples of a level.
pub(super) struct Samples<'a> {
    /// Heights of a window of the ground.
    pub(super) ground: &'a dyn Fn(region::Window) -> Vec<f64>,
    /// `None` without water and snow.
    pub(super) cover: Option<&'a Cover<'a>>,
}

/// The level's window before, from which samples are copied.
#[derive(Clone, Copy)]
pub(super) struct Before<'a> {
    pub(super) window: &'a Window,
    /// True if the water and snow on the ground are still the same.
    pub(super) has_cover: bool,
}

/// A window being computed a part at a time: on eroded ground all of it takes long.
///
/// Samples of the level's window before are copied (the incremental update of Losasso and Hoppe), so a small
/// movement computes a strip, and other snow no ground. Heights are multiples of a quantum. Differences from a datum
/// nearby are then exact in `f32`, and copied heights equal computed ones to the last bit.
pub(super) struct Growing {
    level: u32,
    pub(super) place: region::Window,
    datum: f64,
    /// Heights of the ground above the datum.
    ground: Vec<f32>,
    /// Heights with water and snow above the datum, where some may be on the ground.
    covered: Option<Vec<f32>>,
    /// Parts of the ground to be computed.
    missing: Vec<region::Window>,
    /// Parts to be covered.
    bare: Vec<region::Window>,
}

impl Growing {
    /// Start a window with the samples that it shares with the level's window `before`.
    pub(super) fn new(
        level: u32,
        place: region::Window,
        before: Option<Before<'_>>,
        samples: &Samples<'_>,
    ) -> Self {
        let middle = region::Window {
            row: place.row + place.rows as i64 / 2,
            column: place.column + place.columns as i64 / 2,
            rows: 1,
            columns: 1,
        };
        let before = before.filter(|before| before.window.is_exact());
        let common = before.and_then(|before| common(place, before.window.place));
        let heights = vec![0.0; place.rows * place.columns];
        let mut datum = (samples.ground)(middle);
        if let Some(cover) = samples.cover {
            cover(middle, &mut datum);
        }
        let mut growing = Self {
            level,
            place,
            // Relative to a nearby height, `f32` resolves the detail of deep levels.
            datum: rounded(datum[0], quantum(level)),
            covered: samples.cover.map(|_| heights.clone()),
            ground: heights,
            missing: outside(place, common),
            bare: Vec::new(),
        };
        if let Some((before, common)) = before.zip(common) {
            growing.copy(before, common);
        }
        growing
    }

    /// Copy the part shared with the window before.
    fn copy(&mut self, Before { window, has_cover }: Before<'_>, common: region::Window) {
        let columns = window.place.columns;
        let first = (common.row - window.place.row) as usize * columns;
        let first = first + (common.column - window.place.column) as usize;
        let at = (self.place, self.datum);
        let of = |heights: &[f32], row: usize, column: usize| {
            window.datum + f64::from(heights[first + row * columns + column])
        };
        let ground = window.ground.as_ref().unwrap_or(&window.heights);
        put(&mut self.ground, at, common, |row, column| {
            of(ground, row, column)
        });
        match &mut self.covered {
            Some(covered) if has_cover => put(covered, at, common, |row, column| {
                of(&window.heights, row, column)
            }),
            Some(_) => self.bare = outside(common, None),
            None => {}
        }
    }

    /// Compute missing parts until the time budget is used up. Returns true if some are left. Cost: about 12
    /// ns per sample on one thread, 150 with gullies.
    pub(super) fn grow(&mut self, samples: &Samples<'_>) -> bool {
        let (began, quantum) = (Instant::now(), quantum(self.level));
        let at = (self.place, self.datum);
        while began.elapsed() <= MOMENT {
            if let Some(part) = self.missing.pop() {
                let made = (samples.ground)(part);
                put(&mut self.ground, at, part, |row, column| {
                    rounded(made[row * part.columns + column], quantum)
                });
                if self.covered.is_some() {
                    self.bare.push(part);
                }
            } else if let Some(part) = self.bare.pop() {
                self.cover(part, samples);
            } else {
                break;
            }
        }
        !(self.missing.is_empty() && self.bare.is_empty())
    }

    /// Put water and snow on a part whose ground has been computed.
    fn cover(&mut self, part: region::Window, samples: &Samples<'_>) {
        let (Some(covered), Some(cover)) = (&mut self.covered, samples.cover) else {
            return;
        };
        let columns = self.place.columns;
        let first = (part.column - self.place.column) as usize;
        let lines = self.ground.chunks_exact(columns);
        let lines = lines.skip((part.row - self.place.row) as usize);
        let lines = lines
            .take(part.rows)
            .map(|line| &line[first..][..part.columns]);
        let datum = self.datum;
        let ground = lines.flatten().map(|height| datum + f64::from(*height));
        let mut heights: Vec<_> = ground.collect();
        cover(part, &mut heights);
        let quantum = quantum(self.level);
        put(covered, (self.place, datum), part, |row, column| {
            rounded(heights[row * part.columns + column], quantum)
        });
    }

    pub(super) fn bytes(&self) -> u64 {
        let covered = self.covered.as_ref().map_or(0, Vec::len);
        4 * (self.ground.len() + covered) as u64
    }

    /// The window of samples at this distance from each other, once all parts are computed.
    pub(super) fn into_window(self, spacing: f64) -> Window {
        let (heights, ground) = match self.covered {
            Some(covered) => (covered, Some(self.ground)),
            None => (self.ground, None),
        };
        Window {
            level: self.level,
            place: self.place,
            datum: self.datum,
            roofs: MaximumMipmap::new(&heights, self.place.columns),
            heights,
            ground,
            spacing,
        }
    }
}

/// Store the heights of a part of a window at a place, given by row and column in the part, above a datum.
fn put(
    stored: &mut [f32],
    (place, datum): (region::Window, f64),
    part: region::Window,
    height: impl Fn(usize, usize) -> f64 + Sync,
) {
    let first = (part.column - place.column) as usize;
    let lines = stored.chunks_exact_mut(place.columns);
    let lines = lines.skip((part.row - place.row) as usize);
    let lines = parallel::par_items(lines.take(part.rows)).at_least(16);
    lines.for_each(|row, line| {
        let line = &mut line[first..][..part.columns];
        for (column, stored) in line.iter_mut().enumerate() {
            *stored = (height(row, column) - datum) as f32;
        }
    });
}

/// Unit of a level's heights, in half tiles: a power of two, so that sums of multiples are exact.
fn quantum(level: u32) -> f64 {
    libm::ldexp(1.0, 1 - level as i32 - QUANTA)
}

/// The nearest multiple of a quantum.
fn rounded(height: f64, quantum: f64) -> f64 {
    (height / quantum).round_ties_even() * quantum
}

/// The samples that two windows share.
fn common(one: region::Window, other: region::Window) -> Option<region::Window> {
    let span = |(first, count): (i64, usize), (other, others): (i64, usize)| {
        let end = (first + count as i64).min(other + others as i64);
        let first = first.max(other);
        (first < end).then(|| (first, (end - first) as usize))
    };
    let (row, rows) = span((one.row, one.rows), (other.row, other.rows))?;
    let (column, columns) = span((one.column, one.columns), (other.column, other.columns))?;
    Some(region::Window {
        row,
        column,
        rows,
        columns,
    })
}

/// The samples of a window without a part of it, in pieces.
fn outside(place: region::Window, part: Option<region::Window>) -> Vec<region::Window> {
    let part = part.unwrap_or(region::Window { rows: 0, ..place });
    let window = |row, rows, column, columns| region::Window {
        row,
        column,
        rows,
        columns,
    };
    let before = [part.row - place.row, part.column - place.column];
    let [north, west] = before.map(|samples| samples as usize);
    let south = place.rows - north - part.rows;
    let east = place.columns - west - part.columns;
    let end = [
        part.row + part.rows as i64,
        part.column + part.columns as i64,
    ];
    let bands = [
        window(place.row, north, place.column, place.columns),
        window(end[0], south, place.column, place.columns),
        window(part.row, part.rows, place.column, west),
        window(part.row, part.rows, end[1], east),
    ];
    let pieces = bands
        .into_iter()
        .filter(|band| band.columns > 0)
        .flat_map(|band| {
            let rows = (AT_ONCE / band.columns).max(1);
            (0..band.rows)
                .step_by(rows)
                .map(move |first| region::Window {
                    row: band.row + first as i64,
                    rows: rows.min(band.rows - first),
                    ..band
                })
        });
    pieces.collect()
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
        let ground = self.ground.as_ref().map_or(0, Vec::len);
        4 * (self.heights.len() + ground) as u64 + self.roofs.bytes()
    }

    /// True if no height lost a bit to `f32`: all but the steepest windows.
    fn is_exact(&self) -> bool {
        let most = libm::ldexp(quantum(self.level), 24) as f32;
        let mut heights = self.heights.iter().chain(self.ground.iter().flatten());
        heights.all(|height| height.abs() < most)
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
        let texel = |column: usize, x: f32| {
            let z = (up[column] - down[column]) * per[1];
            let by = 127.0 / (1.0 + x * x + z * z).sqrt();
            let byte = |part: f32| (part * by + 128.5) as i32 as u8;
            [byte(x), byte(z), sun[column], sky[column]]
        };
        for column in 1..last {
            out[column] = texel(column, (here[column - 1] - here[column + 1]) * per[0]);
        }
        for (column, west) in [(0, 0), (last, last - 1)] {
            out[column] = texel(column, (here[west] - here[west + 1]) * (2.0 * per[0]));
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

/// True if a window of a level has all samples that are used around the eye, and `margin` more.
pub(super) fn surrounds(
    place: region::Window,
    lattice: &Lattice<'_>,
    level: u32,
    depth: &Depth,
    margin: i64,
) -> bool {
    let (eye, last) = (
        lattice.place(level, depth.eye.x, depth.eye.z),
        lattice.last(level),
    );
    let reach = farthest(1.0, depth) + margin as f64;
    let spans = [(place.column, place.columns), (place.row, place.rows)];
    spans.iter().enumerate().all(|(axis, (first, count))| {
        let end = first + *count as i64 - 1;
        let low = (eye[axis] - reach).floor().max(0.0);
        let high = (eye[axis] + reach).ceil().min(last[axis] as f64);
        *first as f64 <= low && high <= end as f64
    })
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const LEVEL: u32 = 12;
    const CELLS: usize = SIDE as usize;

    /// The last of windows at these places, on ground that steep under that much snow, and how many samples of the
    /// ground it computed.
    fn moved(places: &[([i64; 2], f64)], steep: f64) -> (Window, usize) {
        let spacing = libm::ldexp(1.0, 1 - LEVEL as i32);
        let computed = Cell::new(0);
        let heights = |part: region::Window| {
            computed.set(computed.get() + part.rows * part.columns);
            let rows = part.row..part.row + part.rows as i64;
            let columns = part.column..part.column + part.columns as i64;
            let samples = rows.flat_map(|row| columns.clone().map(move |column| (row, column)));
            let height = |(row, column): (i64, i64)| {
                let bump = (row * 7 + column * 13).rem_euclid(101) as f64 / 101.0;
                0.4 + steep * spacing * (0.31 * row as f64 + bump)
            };
            samples.map(height).collect()
        };
        let mut last: Option<(Window, f64)> = None;
        for ([column, row], snow) in places {
            let cover = |part: region::Window, heights: &mut [f64]| {
                for (at, height) in heights.iter_mut().enumerate() {
                    *height += snow * (part.column + (at % part.columns) as i64) as f64 / 1024.0;
                }
            };
            let samples = Samples {
                ground: &heights,
                cover: (*snow > 0.0).then_some(&cover),
            };
            let place = region::Window {
                row: *row,
                column: *column,
                rows: CELLS + 1,
                columns: CELLS + 1,
            };
            let before = last.as_ref().map(|(window, its)| Before {
                window,
                has_cover: its == snow,
            });
            let mut growing = Growing::new(LEVEL, place, before, &samples);
            // Without the one in the middle.
            computed.set(0);
            while growing.grow(&samples) {}
            last = Some((growing.into_window(spacing), *snow));
        }
        (last.expect("a place").0, computed.get())
    }

    #[test]
    fn moved_windows_compute_new_samples_alone() {
        let (fresh, all) = moved(&[([128, -256], 0.0)], 1.0);
        assert_eq!(all, 1025 * 1025);
        for (before, new) in [
            ([0, -256], 128 * 1025),
            ([128, -384], 128 * 1025),
            ([256, -128], 2 * 128 * 1025 - 128 * 128),
            ([-512, 896], 1025 * 1025),
        ] {
            let places = [[0, 0], before, [128, -256]].map(|place| (place, 0.0));
            let (window, computed) = moved(&places, 1.0);
            assert_eq!(computed, new, "{before:?}");
            assert_eq!(window.datum, fresh.datum, "{before:?}");
            assert!(window.heights == fresh.heights, "{before:?}");
        }
    }

    #[test]
    fn other_snow_computes_no_ground() {
        let here = [128, -256];
        for snow in [0.0, 0.01, 0.02] {
            let (fresh, all) = moved(&[(here, snow)], 1.0);
            assert_eq!(all, 1025 * 1025);
            for (place, its, new) in [
                (here, 0.02, 0),
                (here, 0.03, 0),
                (here, 0.0, 0),
                ([0, -256], 0.02, 128 * 1025),
                ([0, -256], 0.03, 128 * 1025),
            ] {
                let (window, computed) = moved(&[([640, 0], its), (place, its), (here, snow)], 1.0);
                assert_eq!(computed, new, "{place:?} under {its} before {snow}");
                assert_eq!(window.datum, fresh.datum);
                assert!(window.heights == fresh.heights, "{place:?} under {its}");
                assert!(window.ground == fresh.ground, "{place:?} under {its}");
            }
        }
    }

    #[test]
    fn heights_beyond_precision_are_computed_again() {
        let (fresh, all) = moved(&[([128, 0], 0.0)], 100.0);
        let (window, computed) = moved(&[([0, 0], 0.0), ([128, 0], 0.0)], 100.0);
        assert_eq!(computed, all);
        assert!(window.heights == fresh.heights);
    }
}
