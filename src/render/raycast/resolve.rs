//! Resolve: the pixels of a picture from the results of adjacent slices.

use super::viewpoint::{Across, PLACES};
use super::{Layer, STRIP};
use crate::render::gl::constants::EDGE;

/// Relative difference of distances above which two slices show different surfaces.
const APART: f32 = 0.02;
/// Subpixel rows per pixel.
const MOST: usize = 4;

/// A row of samples: its position, and the ground in each slice of a strip.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) across: Across,
    /// Distance ahead at which water hides everything behind.
    pub(super) water: f32,
    pub(super) planes: &'a [f32; STRIP],
    /// Index of the first slice.
    pub(super) first: f32,
    /// Distance ahead up to which rays find the visible surface at edges between slices.
    pub(super) exact_until: f32,
}

/// The ground at a position between two slices.
struct Found {
    /// Distance along the view: negative for a side of the ground, infinite for none.
    away: f32,
    /// Distance of the nearer slice.
    start: f32,
    /// True if the slices show different surfaces, so that a ray must find the edge.
    is_edge: bool,
}

/// Start of such a ray, as a fraction of the nearer distance.
const BEFORE: f32 = 0.98;
impl Asked<'_> {
    /// Sample the ground in a column of the whole picture.
    #[inline(always)]
    fn at(&self, column: f32) -> Found {
        let place = self.across.place(column) - self.first;
        let left = (place as i32 as usize).min(STRIP - 2);
        let part = place - left as f32;
        let (a, b) = (self.planes[left], self.planes[left + 1]);
        let nearer = if a < b { a } else { b };
        let nearest = if part < 0.5 { a } else { b };
        // Sides are negative and never count as the same surface.
        let is_same = (a - b).abs() < APART * nearer;
        let ahead = if is_same { a + part * (b - a) } else { nearest };
        let first = if a.abs() < b.abs() { a.abs() } else { b.abs() };
        // A difference too small to split a pixel may still be an edge.
        let is_level = (a - b).abs() < 0.25 * EDGE * nearer || a == b;
        let is_edge = !is_level && first < self.exact_until;
        let is_dry = ahead.abs() < self.water;
        let away = if is_dry {
            self.across.along * ahead
        } else {
            f32::INFINITY
        };
        let start = self.across.along * first;
        Found {
            away,
            start,
            is_edge,
        }
    }
}

/// Compute pixels from `column` on, with one or four sample rows. At edges between slices, and on slopes that
/// change a lot within a pixel, `exact` casts a ray: it receives the pixel, a position relative to its
/// centre, and a starting distance. `edges` has room for each pixel.
pub(super) fn pixels(
    rows: &[Asked<'_>],
    column: usize,
    out: &mut [Layer],
    edges: &mut [bool],
    exact: impl Fn(usize, [f32; 2], f32) -> f32,
) {
    match (rows.first_chunk::<MOST>(), rows) {
        (Some(rows), _) => smooth(rows, column, out, edges),
        (None, [row, ..]) => sharp(row, column, out, edges),
        (None, []) => {}
    }
    let edges = out.iter_mut().zip(edges).enumerate();
    for (index, (out, _)) in edges.filter(|(_, (_, is_edge))| **is_edge) {
        let find = |row: &Asked<'_>, place: [f32; 2]| {
            let Found { start, .. } = row.at((column + index) as f32);
            exact(index, place, BEFORE * start)
        };
        *out = match rows.first_chunk::<MOST>() {
            Some(rows) => layer(std::array::from_fn(|row| find(&rows[row], PLACES[row]))),
            None => one(find(&rows[0], [0.0; 2])),
        };
    }
}

vectorized! {
    fn sharp(row: &Asked<'_>, column: usize, out: &mut [Layer], edges: &mut [bool]) {
        for (index, (out, edge)) in out.iter_mut().zip(edges).enumerate() {
            let found = row.at((column + index) as f32);
            (*out, *edge) = (one(found.away), found.is_edge);
        }
    }

    fn smooth(rows: &[Asked<'_>; MOST], column: usize, out: &mut [Layer], edges: &mut [bool]) {
        for (index, (out, edge)) in out.iter_mut().zip(edges).enumerate() {
            let mut all = [0.0f32; MOST];
            let (mut is_any, mut is_coarse) = (false, false);
            let (mut least, mut most) = (f32::INFINITY, 0.0f32);
            for row in 0..MOST {
                let found = rows[row].at((column + index) as f32);
                all[row] = found.away;
                is_any |= found.is_edge;
                is_coarse |= found.start < rows[row].exact_until * rows[row].across.along;
                least = if found.away < least { found.away } else { least };
                most = if found.away > most { found.away } else { most };
            }
            let is_steep = is_coarse && most - least > EDGE * least;
            (*out, *edge) = (layer(all), is_any | is_steep);
        }
    }
}

/// Pixel with one sample: the distance of the ground, or minus that of its side.
#[inline(always)]
fn one(away: f32) -> Layer {
    let (ground, side) = (away > 0.0 && away < f32::MAX, away < 0.0);
    let away = if ground { away } else { f32::INFINITY };
    let parts = (u32::from(ground) | u32::from(side) << 16) * 255;
    [away, f32::INFINITY, parts as f32]
}

/// Pixel fully covered by ground at this distance, or empty if it is infinite.
pub(super) fn alone(away: f32) -> Layer {
    let parts = u32::from(away.is_finite()) * 255;
    [away, f32::INFINITY, parts as f32]
}

/// Pixel with four samples, a quarter each, where no ground hides another.
pub(super) fn covered(all: [f32; MOST]) -> Layer {
    let (count, sum) = all
        .into_iter()
        .filter(|away| away.is_finite())
        .fold((0, 0.0), |(count, sum), away| (count + 1, sum + away));
    let away = if count > 0 {
        sum / count as f32
    } else {
        f32::INFINITY
    };
    [away, f32::INFINITY, part(count) as f32]
}

/// Coverage of `count` of four samples, in 255ths.
#[inline(always)]
fn part(count: u32) -> u32 {
    (count * 255 + 2) / MOST as u32
}

/// Pixel with four samples, a quarter each.
#[inline(always)]
pub(super) fn layer(all: [f32; MOST]) -> Layer {
    let (mut nearest, mut farthest) = (f32::INFINITY, 0.0f32);
    let mut sides = 0;
    for away in all {
        let ground = away > 0.0;
        nearest = if ground && away < nearest {
            away
        } else {
            nearest
        };
        let last = ground && away < f32::MAX && away > farthest;
        farthest = if last { away } else { farthest };
        sides += u32::from(away < 0.0);
    }
    let is_edge = farthest - nearest > EDGE * nearest;
    let between = if is_edge {
        0.5 * (nearest + farthest)
    } else {
        farthest
    };
    let (mut near, mut far, mut sum, mut behind) = (0, 0, 0.0, f32::INFINITY);
    for away in all {
        let is_near = away > 0.0 && away <= between;
        let is_far = away > between && away < f32::MAX;
        near += u32::from(is_near);
        far += u32::from(is_far);
        sum += if is_near { away } else { 0.0 };
        behind = if is_far && away < behind {
            away
        } else {
            behind
        };
    }
    // There may be a hidden valley between two surfaces, so each is placed at its nearest sample.
    let mean = sum / near as f32;
    let away = if is_edge { nearest } else { mean };
    let away = if near > 0 { away } else { f32::INFINITY };
    let (first, second, all) = (part(near), part(near + far), part(near + far + sides));
    let parts = first | (second - first) << 8 | (all - second) << 16;
    [away, behind, parts as f32]
}
