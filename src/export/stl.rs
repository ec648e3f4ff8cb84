//! `.stl`: a solid block for printing, in millimetres, z up: the ground, a flat base below it
//! and walls between, without a gap.

use std::io::{self, Write};

use glam::Vec3;

use super::mesh::{Part, each_row, triangles_between};
use super::{Content, Format, Header, Sink};
use crate::heightmap::Heightmap;

/// The format.
pub const FORMAT: Format = Format {
    name: "stl",
    extension: "stl",
    levels: None,
    mesh: true,
    least_bytes: 200,
    help: "Solid block for 3-D printing: watertight, flat base, z up, 100 mm along the longer side.",
    content: Content::Whole(write),
    sidecar: true,
};

/// Longer side of the block, in millimetres.
const SIDE_MM: f32 = 100.0;
/// Thickness of the block at its lowest point, in millimetres.
const BASE_MM: f32 = 3.0;

/// The block: the map's samples in millimetres, the base at z = 0.
struct Block<'a> {
    map: &'a Heightmap,
    low: f32,
}

impl Block<'_> {
    /// A sample, or the point below it on the base: x east, y north, z up.
    fn point(&self, row: usize, column: usize, base: bool) -> Vec3 {
        let scale = SIDE_MM / 2.0;
        let z = match base {
            true => 0.0,
            false => BASE_MM + (self.map.at(row, column) - self.low) * scale,
        };
        Vec3::new(self.map.x(column) * scale, -self.map.z(row) * scale, z)
    }

    /// A wall below the edge from one border sample to the next, seen from outside from left to
    /// right.
    fn wall(&self, left: (usize, usize), right: (usize, usize), bytes: &mut Vec<u8>) {
        let top = |at: (usize, usize)| self.point(at.0, at.1, false);
        let foot = |at: (usize, usize)| self.point(at.0, at.1, true);
        triangle([foot(left), foot(right), top(left)], bytes);
        triangle([top(left), foot(right), top(right)], bytes);
    }
}

fn write(map: &Heightmap, header: &Header<'_>, mut sink: Sink) -> io::Result<()> {
    let (rows, columns) = (map.rows(), map.columns());
    if rows < 2 || columns < 2 {
        return Err(io::Error::other("a profile is no solid block"));
    }
    let block = Block {
        map,
        low: map.range().0,
    };
    let cells = (rows - 1) as u64 * (columns - 1) as u64;
    let border = 2 * (rows - 1 + columns - 1) as u64;
    let count = u32::try_from(4 * cells + 2 * border)
        .map_err(|_| io::Error::other("too many triangles for an STL"))?;
    let mut title = [b' '; 80];
    let words = format!(
        "landform {} seed {} (millimetres)",
        env!("CARGO_PKG_VERSION"),
        header.scene.surface.seed
    );
    for (to, from) in title.iter_mut().zip(words.bytes()) {
        *to = from;
    }
    sink.write_all(&title)?;
    sink.write_all(&count.to_le_bytes())?;
    let corner = |index: u32, base: bool| {
        let index = index as usize;
        block.point(index / columns, index % columns, base)
    };
    each_row(&mut sink, header, Part::Faces, 1..rows, |south, bytes| {
        for [a, b, c] in triangles_between(south - 1, columns) {
            triangle([a, b, c].map(|index| corner(index, false)), bytes);
            // The base has the same triangles, seen from below.
            triangle([a, c, b].map(|index| corner(index, true)), bytes);
        }
        // West and east walls of this row of cells.
        block.wall((south - 1, 0), (south, 0), bytes);
        let east = columns - 1;
        block.wall((south, east), (south - 1, east), bytes);
    })?;
    let mut bytes = Vec::new();
    for column in 1..columns {
        block.wall((rows - 1, column - 1), (rows - 1, column), &mut bytes);
        block.wall((0, column), (0, column - 1), &mut bytes);
    }
    sink.write_all(&bytes)?;
    sink.flush()
}

/// One triangle, counter-clockwise seen from outside.
fn triangle([a, b, c]: [Vec3; 3], bytes: &mut Vec<u8>) {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    for vector in [normal, a, b, c] {
        bytes.extend(vector.to_array().into_iter().flat_map(f32::to_le_bytes));
    }
    bytes.extend([0, 0]);
}
