//! Heightfield ray casting by vertical slices, cf. *Comanche* (NovaLogic 1992), with exact intersections
//! instead of steps.
//!
//! A vertical plane through the eye cuts a profile out of the ground. Traversed from the eye outwards, the
//! profile is visible wherever it rises above everything nearer. So a slice costs as much as it crosses cells
//! of the map, independent of the number of rows. All slices together cost a few million samples, whatever
//! the number of tiles and the roughness of the ground. Software drivers take fifty times as long to
//! rasterize the triangles.
//!
//! ```text
//!   from the side: one slice                     from above: the slices
//!
//!    eye ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ row 2                  ╲    │    ╱
//!     │╲ ` ─ ._        _.·′╲                         ╲   │   ╱   as far apart as pixels
//!     │  ╲      ` ─ .·′     ╲  hidden                 ╲  │  ╱    where these are closest
//!     │ row 0   row 1        ╲_____.·′╲                ╲ │ ╱
//!     └──────────────────────────────────  ahead        eye
//! ```
//!
//! Positions are given by their distance **ahead** of the eye, measured horizontally along the view. All rays
//! through a row of pixels **rise** by the same amount per unit ahead, since the eye never rolls. So all
//! slices share the rows of the picture, a pixel lies between two slices, and no angle is ever computed.
//!
//! The ground is identical to the rasterized one: flat triangles, two per cell. A profile is straight between
//! its kinks, so intersections with rays are exact. Between two slices that see the same surface, distances
//! are interpolated. Where they see different surfaces, an edge lies between them, and a separate ray decides
//! on which side of it the pixel is. This is done only while cells are larger than pixels, so that edges are
//! few. Where a cell is smaller than a pixel, mipmaps of the map replace it.

use std::ops::Range;

use field::MorphedLevel;
use march::Slices;
use rays::Rays;

use self::viewpoint::{Across, PLACES};
use crate::pipeline::{Depth, LevelsBelow};
use crate::render::gl::programs::EDGE;
use crate::terrain::heightmap::Heightmap;
use crate::util::identity::Identity;
use crate::util::parallel::{self, Tools};

mod field;
mod grid_traversal;
mod march;
mod maximum_mipmap;
mod rays;
mod viewpoint;

pub use field::Field;
pub(super) use field::Near;
pub(super) use maximum_mipmap::MaximumMipmap;
pub(super) use viewpoint::{Shown, Sight};

/// Number of slices traversed side by side (SIMD lanes).
const LANES: usize = 16;
/// Slices per strip, and offset of the next strip: pixels near a strip's border also need the adjacent
/// slices.
const STRIP: usize = 4 * LANES;
const NEXT_STRIP: usize = STRIP - 4;

/// One number per lane.
type Lanes = [f32; LANES];

/// Depth layers of a pixel, as `common/layers.glsl` reads them: distances of a front and a back surface along
/// the view, in half tiles, infinite where there is none; and packed coverage, 255 in all: the front surface
/// counts 1, the back surface 256, and sides of the ground 65,536.
pub(in crate::render) type Layer = [f32; 3];

/// All that the depth layers of a picture depend on. While it stays the same, as when the sun moves, so do they.
#[derive(PartialEq)]
pub(super) struct LayerInputs {
    pub(super) sight: Sight,
    pub(super) map: Identity<Heightmap>,
    /// Where levels below the map are shown: what they refine, and down to which depth.
    pub(super) below: Option<(Identity<LevelsBelow>, Depth)>,
}

/// Depth layers of a picture or a piece of one, as far as they are computed. The result does not depend on
/// the portions or the number of threads.
#[derive(Default)]
pub(super) struct DepthLayers {
    /// Clipmap levels around the eye, morphed, the finest first; built at the first use.
    slid: Vec<MorphedLevel>,
    strips: Vec<Strip>,
    /// Rows that are too steep for slices: the first row of each portion, and its pixels row by row.
    steep: Vec<(usize, Vec<Layer>)>,
}

/// Pixels between the slices of a strip.
#[derive(Default)]
struct Strip {
    /// Pixels row by row, the lowest row first.
    layers: Vec<Layer>,
    /// For each row its first column, and the start of its pixels in `layers`.
    rows: Vec<(usize, usize)>,
}

impl DepthLayers {
    /// Compute the pixels of some strips; `near` are the clipmap levels, the finest first.
    pub(super) fn find(
        &mut self,
        field: &Field,
        near: &[Near<'_>],
        sight: &Sight,
        strips: Range<usize>,
    ) {
        let near = slide(&mut self.slid, field, near, sight);
        let planes = Slices::new(field, &near, sight);
        let rays = Rays::new(field, &near, sight);
        self.strips.resize_with(sight.strips(), Strip::default);
        let first = strips.start;
        let scratch = Tools::new(|| vec![0.0; sight.rows.len() * STRIP]);
        parallel::par_items(&mut self.strips[strips]).for_each(|index, strip| {
            scratch.with(|scratch| strip.find((&planes, &rays), sight, first + index, scratch));
        });
    }

    /// Compute the pixels of some steep rows with single rays; arguments as for [`DepthLayers::find`].
    pub(super) fn find_steep(
        &mut self,
        field: &Field,
        near: &[Near<'_>],
        sight: &Sight,
        rows: Range<usize>,
    ) {
        let near = slide(&mut self.slid, field, near, sight);
        let layers = Rays::new(field, &near, sight).layers(rows.clone());
        self.steep.push((rows.start, layers));
    }

    /// Collect the pixels of some rows, the lowest first, once all are computed.
    pub(super) fn layers(&self, sight: &Sight, rows: Range<usize>) -> Vec<Layer> {
        let width = sight.size[0];
        let mut layers = vec![Layer::default(); rows.len() * width];
        let lines = layers.chunks_exact_mut(width.max(1)).zip(rows);
        parallel::par_items(lines)
            .at_least(16)
            .for_each(|_, (out, row)| {
                if !sight.by_planes.contains(&row) {
                    let rows = self.steep.iter().find(|(first, layers)| {
                        (*first..first + layers.len() / width).contains(&row)
                    });
                    if let Some((first, layers)) = rows {
                        out.copy_from_slice(&layers[(row - first) * width..][..width]);
                    }
                    return;
                }
                let row = row - sight.by_planes.start;
                for strip in &self.strips[..sight.strips()] {
                    let (column, from) = strip.rows[row];
                    let until = strip
                        .rows
                        .get(row + 1)
                        .map_or(strip.layers.len(), |next| next.1);
                    out[column..][..until - from].copy_from_slice(&strip.layers[from..until]);
                }
            });
        layers
    }

    /// Size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let layers = self.strips.iter().map(|strip| strip.layers.capacity());
        let steep = self.steep.iter().map(|(_, layers)| layers.capacity());
        let slid: u64 = self.slid.iter().map(MorphedLevel::bytes).sum();
        (layers.chain(steep).sum::<usize>() * size_of::<Layer>()) as u64 + slid
    }
}

/// Morph the clipmap levels around the eye. The result is kept in `slid` for later portions.
fn slide<'a>(
    slid: &'a mut Vec<MorphedLevel>,
    field: &Field,
    near: &[Near<'_>],
    sight: &Sight,
) -> Vec<Near<'a>> {
    if slid.len() != near.len() {
        *slid = MorphedLevel::all(field, near, sight);
    }
    let both = slid.iter().zip(near);
    both.map(|(slid, near)| slid.of(near)).collect()
}

impl Strip {
    /// Compute the pixels of the strip `index`; `ahead` is scratch space for distances, row by row.
    fn find(
        &mut self,
        (planes, rays): (&Slices<'_>, &Rays<'_>),
        sight: &Sight,
        index: usize,
        ahead: &mut [f32],
    ) {
        ahead.fill(f32::INFINITY);
        for first in (0..STRIP).step_by(LANES) {
            planes.walk(sight.first_plane(index) + first, &mut ahead[first..]);
        }
        self.layers.clear();
        self.rows.clear();
        let exact_until = planes.exact_until();
        let mut edges = Vec::new();
        let (rows, _) = ahead.as_chunks::<STRIP>();
        for (row, ahead) in rows.chunks_exact(sight.rows_a_pixel).enumerate() {
            let columns = sight.columns(index, row);
            let from = self.layers.len();
            self.rows.push((columns.start, from));
            self.layers.resize(from + columns.len(), Layer::default());
            let sample_row = |within: usize| SampleRow {
                across: sight.across_row(row, within),
                water: sight.rows[row * sight.rows_a_pixel + within].water,
                planes: &ahead[within],
                first: sight.first_plane(index) as f32,
                exact_until,
            };
            let out = &mut self.layers[from..];
            let first = sight.column + columns.start;
            edges.clear();
            edges.resize(columns.len(), false);
            let row = (sight.by_planes.start + row) as f32 + 0.5;
            let find = |index: usize, place: [f32; 2], from: f32| {
                let column = (columns.start + index) as f32 + 0.5;
                rays.seen([column, row], place, from)
            };
            match ahead.len() {
                1 => pixels(&[sample_row(0)], first, out, &mut edges, find),
                _ => pixels(&[0, 1, 2, 3].map(sample_row), first, out, &mut edges, find),
            }
        }
    }
}

/// Relative difference of distances above which two slices show different surfaces.
const APART: f32 = 0.02;
/// Subpixel rows per pixel.
const MOST: usize = 4;

/// A row of samples: its position, and the ground in each slice of a strip.
#[derive(Clone, Copy)]
struct SampleRow<'a> {
    across: Across,
    /// Distance ahead at which water hides everything behind.
    water: f32,
    planes: &'a [f32; STRIP],
    /// Index of the first slice.
    first: f32,
    /// Distance ahead up to which rays find the visible surface at edges between slices.
    exact_until: f32,
}

/// The ground at a position between two slices.
struct Sample {
    /// Distance along the view: negative for a side of the ground, infinite for none.
    away: f32,
    /// Distance of the nearer slice.
    start: f32,
    /// True if the slices show different surfaces, so that a ray must find the edge.
    is_edge: bool,
}

/// Start of such a ray, as a fraction of the nearer distance.
const BEFORE: f32 = 0.98;
impl SampleRow<'_> {
    /// Sample the ground in a column of the whole picture.
    #[inline(always)]
    fn at(&self, column: f32) -> Sample {
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
        Sample {
            away,
            start,
            is_edge,
        }
    }
}

/// Compute pixels from `column` on, with one or four sample rows. At edges between slices, and on slopes that
/// change a lot within a pixel, `exact` casts a ray: it receives the pixel, a position relative to its
/// centre, and a starting distance. `edges` has room for each pixel.
fn pixels(
    rows: &[SampleRow<'_>],
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
        let find = |row: &SampleRow<'_>, place: [f32; 2]| {
            let Sample { start, .. } = row.at((column + index) as f32);
            exact(index, place, BEFORE * start)
        };
        *out = match rows.first_chunk::<MOST>() {
            Some(rows) => layer(std::array::from_fn(|row| find(&rows[row], PLACES[row]))),
            None => one(find(&rows[0], [0.0; 2])),
        };
    }
}

vectorized! {
    fn sharp(row: &SampleRow<'_>, column: usize, out: &mut [Layer], edges: &mut [bool]) {
        for (index, (out, edge)) in out.iter_mut().zip(edges).enumerate() {
            let found = row.at((column + index) as f32);
            (*out, *edge) = (one(found.away), found.is_edge);
        }
    }

    fn smooth(rows: &[SampleRow<'_>; MOST], column: usize, out: &mut [Layer], edges: &mut [bool]) {
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
fn alone(away: f32) -> Layer {
    let parts = u32::from(away.is_finite()) * 255;
    [away, f32::INFINITY, parts as f32]
}

/// Pixel with four samples, a quarter each, where no ground hides another.
fn covered(all: [f32; MOST]) -> Layer {
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
fn layer(all: [f32; MOST]) -> Layer {
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
