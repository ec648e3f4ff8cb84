//! How far the ground is, without triangles.
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
//! Between its kinks a profile is straight, so where a ray meets it is exact. Where a cell is smaller
//! than a pixel, coarser and coarser means of the map stand for it.
//!
//! The idea is that of the voxel landscapes of 1992 (NovaLogic's *Comanche*), with exact crossings in
//! place of steps.

mod field;
mod march;
mod mix;
mod sight;

use rayon::prelude::*;

pub use field::Field;
use march::Planes;
pub(super) use sight::Sight;

use crate::grid::Grid;

/// The planes that are walked side by side.
const LANES: usize = 16;

/// A number for each of the planes side by side.
type Lanes = [f32; LANES];

/// How far away the ground is at the middle of each pixel, along the view in half tiles, top row
/// first; infinite where there is none. The result is the same on any number of threads.
pub(super) fn distances(field: &Field<'_>, sight: &Sight) -> Grid<f32> {
    let (width, height) = (sight.width, sight.rows.len());
    let planes = Planes::new(field, sight);
    // Sixteen planes after sixteen others, each row by row.
    let mut ahead = vec![f32::INFINITY; sight.blocks * height * LANES];
    let blocks = ahead.par_chunks_exact_mut(height * LANES);
    blocks
        .enumerate()
        .for_each(|(block, out)| planes.walk(block, out));
    let mut picture = Grid::filled(height, width, f32::INFINITY);
    let lines = picture.as_mut_slice().par_chunks_exact_mut(width);
    lines.enumerate().with_min_len(16).for_each_init(
        || vec![0.0; sight.blocks * LANES],
        |across, (line, out)| {
            let row = height - 1 - line;
            let blocks = ahead.chunks_exact(height * LANES);
            for (block, across) in blocks.zip(across.chunks_exact_mut(LANES)) {
                across.copy_from_slice(&block[row * LANES..][..LANES]);
            }
            mix::line(across, sight, row, out);
        },
    );
    picture
}
