//! Heightfield ray casting by vertical slices: how far the ground is, without triangles.
//!
//! A vertical plane through the eye cuts a profile out of the ground. Walked from the eye outwards,
//! the profile is seen wherever it rises above all of it that is nearer. So a plane costs as much as
//! it crosses cells of the map, whatever the rows of the picture, and all planes together as much as
//! a few million samples, whatever the tiles and the roughness of the ground. Drivers in software
//! take fifty times as long to draw its triangles.
//!
//! ```text
//!   from the side: one plane                     from above: the planes
//!
//!    eye ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ row 2                  ╲    │    ╱
//!     │╲ ` ─ ._        _.·′╲                         ╲   │   ╱   as far apart as pixels
//!     │  ╲      ` ─ .·′     ╲  hidden                 ╲  │  ╱    where these are closest
//!     │ row 0   row 1        ╲_____.·′╲                ╲ │ ╱
//!     └──────────────────────────────────  ahead        eye
//! ```
//!
//! Places are told by how far **ahead** they are of the eye: along the level, straight on. A ray
//! through a row of pixels **rises** by the same for each step ahead, whichever pixel of the row it
//! goes through, since the eye is never tilted sideways. So all planes share the rows of the picture,
//! a pixel of a row lies between two planes, and no angle is ever computed.
//!
//! The ground is the one that triangles show: level in triangles between samples, two in a cell.
//! Between its kinks a profile is straight, so where a ray meets it is exact. Between two planes that see
//! the same ground it is level enough to go straight from one to the other. Where they see different
//! ground, an edge lies between them, and a ray of its own finds on which side of it the pixel is: as long
//! as cells are larger than pixels, so that edges are few. Where a cell is smaller than a pixel, coarser
//! and coarser means of the map stand for it.
//!
//! The idea is that of the voxel landscapes of 1992 (NovaLogic's *Comanche*), with exact crossings in
//! place of steps.

mod bundle;
mod field;
mod ground;
mod lattice;
mod march;
mod mix;
mod near;
mod ray;
mod rays;
mod roofs;
mod sight;
mod ways;

use std::ops::Range;

use crate::parallel::{self, Tools};

pub use field::Field;
use march::Planes;
use mix::Asked;
pub(super) use near::Near;
use near::Slid;
use rays::Rays;
pub(super) use roofs::Roofs;
pub(super) use sight::{Shown, Sight};

/// The planes that are walked side by side.
const LANES: usize = 16;
/// The planes of a strip, and how far from its first the next strip begins: pixels that lie between a
/// strip's own planes ask those beside them too.
const STRIP: usize = 4 * LANES;
const NEXT_STRIP: usize = STRIP - 4;

/// A number for each of the planes side by side.
type Lanes = [f32; LANES];

/// What a pixel shows, as `common/layers.glsl` reads it: how far two grounds are, one behind the other,
/// along the view in half tiles and infinite where there is none; and how much of the pixel shows the one,
/// the other and the sides of the ground: 255 in all, of which the second counts 256 and the third 65,536.
pub(in crate::render) type Layer = [f32; 3];

/// The ground of a picture, or of a piece of one, as far as it is found: the same in whatever portions
/// and on any number of threads.
#[derive(Default)]
pub(super) struct Survey {
    /// Finer ground around the eye, the finest first; made when it is first asked for.
    slid: Vec<Slid>,
    strips: Vec<Strip>,
    /// The rows of the piece that planes are not for: the first of some, and their pixels row by row.
    steep: Vec<(usize, Vec<Layer>)>,
}

/// The pixels between the planes of a strip.
#[derive(Default)]
struct Strip {
    /// Row after row, the lowest first.
    layers: Vec<Layer>,
    /// The first column of each row, and where its pixels begin in `layers`.
    rows: Vec<(usize, usize)>,
}

impl Survey {
    /// Finds the pixels of some strips, with finer ground around the eye, the finest first.
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
        parallel::over(&mut self.strips[strips]).each(|index, strip| {
            scratch.with(|scratch| strip.find((&planes, &rays), sight, first + index, scratch));
        });
    }

    /// Finds the pixels of some rows that planes are not for, as [`Survey::find`].
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

    /// The pixels of some rows, the lowest first, once all are found.
    pub(super) fn layers(&self, sight: &Sight, rows: Range<usize>) -> Vec<Layer> {
        let width = sight.size[0];
        let mut layers = vec![Layer::default(); rows.len() * width];
        let lines = layers.chunks_exact_mut(width.max(1)).zip(rows);
        parallel::over(lines).at_least(16).each(|_, (out, row)| {
            if !sight.by_planes.contains(&row) {
                let rows = self
                    .steep
                    .iter()
                    .find(|(first, layers)| (*first..first + layers.len() / width).contains(&row));
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

    /// Bytes that it takes.
    pub(super) fn bytes(&self) -> u64 {
        let layers = self.strips.iter().map(|strip| strip.layers.capacity());
        let steep = self.steep.iter().map(|(_, layers)| layers.capacity());
        let slid: u64 = self.slid.iter().map(Slid::bytes).sum();
        (layers.chain(steep).sum::<usize>() * size_of::<Layer>()) as u64 + slid
    }
}

/// Finer ground around the eye as it is seen, which is made for the first portion and kept in `slid` for
/// the others.
fn slide<'a>(
    slid: &'a mut Vec<Slid>,
    field: &Field,
    near: &[Near<'_>],
    sight: &Sight,
) -> Vec<Near<'a>> {
    if slid.len() != near.len() {
        *slid = Slid::all(field, near, sight);
    }
    let both = slid.iter().zip(near);
    both.map(|(slid, near)| slid.of(near)).collect()
}

impl Strip {
    /// Finds the pixels of that strip; `ahead` is for how far ahead the ground is, row by row.
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
                1 => mix::pixels(&[asked(0)], first, out, &mut edges, find),
                _ => mix::pixels(&[0, 1, 2, 3].map(asked), first, out, &mut edges, find),
            }
        }
    }
}
