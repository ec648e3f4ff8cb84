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

mod field;
mod geomorph;
mod ground;
mod lattice;
mod march;
mod maximum_mipmap;
mod ray;
mod ray_packet;
mod rays;
mod resolve;
mod viewpoint;
mod ways;

use std::ops::Range;

use crate::util::parallel::{self, Tools};

pub use field::Field;
use geomorph::MorphedLevel;
pub(super) use geomorph::Near;
use march::Planes;
pub(super) use maximum_mipmap::MaximumMipmap;
use rays::Rays;
use resolve::Asked;
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
        let planes = Planes::new(field, &near, sight);
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
        (planes, rays): (&Planes<'_>, &Rays<'_>),
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
            let asked = |within: usize| Asked {
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
                1 => resolve::pixels(&[asked(0)], first, out, &mut edges, find),
                _ => resolve::pixels(&[0, 1, 2, 3].map(asked), first, out, &mut edges, find),
            }
        }
    }
}
