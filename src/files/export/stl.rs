//! `.stl`: binary mesh writer for 3-D printing, in millimetres, z up. The solid is watertight: the
//! ground, a flat base of two triangles below it, and walls between them.

use std::io::{self, Write};

use glam::Vec3;

use super::file::Sink;
use super::format::{Content, Format, MeshContent, MeshFile};
use super::mesh::{MeshPart, each_part, put};
use crate::files::formats::stl::title;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::wall::{self, Corner};

/// Binary STL format.
pub const FORMAT: Format = Format {
    says_north: true,
    least_bytes: 100,
    ..Format::new(
        "stl",
        "Solid block for 3-D printing: watertight, flat base, z up, 100 mm along the longer side.",
        Content::Mesh(MeshContent {
            is_printed: true,
            ..MeshContent::new(write)
        }),
    )
};

/// Thickness of the block at its lowest point, in millimetres: printable, and thick enough not to break.
const BASE_MM: f32 = 3.0;

/// Solid block: the map's samples in millimetres, with the base at z = 0.
struct Block<'a> {
    map: &'a Heightmap,
    /// Height that lies `BASE_MM` above the base: the lowest of the map, or of the whole map if this is a
    /// tile.
    low: f32,
    /// Millimetres of half a side of the block.
    scale: f32,
    /// Millimetres of a height of one half tile: more than `scale` if the block is a tile of a map.
    height_scale: f32,
}

impl Block<'_> {
    /// Position of a sample: x east, y north, z up.
    fn top(&self, row: usize, column: usize) -> Vec3 {
        let z = BASE_MM + (self.map.at(row, column) - self.low) * self.height_scale;
        let (x, y) = (self.map.x(column), -self.map.z(row));
        Vec3::new(x * self.scale, y * self.scale, z)
    }

    /// Append a triangle of the ground.
    fn ground(&self, samples: [u32; 3], bytes: &mut Vec<u8>) {
        let columns = self.map.columns();
        let [a, b, c] = samples.map(|at| self.top(at as usize / columns, at as usize % columns));
        triangle((b - a).cross(c - a).normalize_or_zero(), [a, b, c], bytes);
    }

    /// Append the wall below a border; the samples run from left to right as seen from outside.
    fn wall(&self, outwards: Vec3, samples: &[[usize; 2]], bytes: &mut Vec<u8>) {
        let top = |index: usize| self.top(samples[index][0], samples[index][1]);
        for corners in wall::triangles(samples.len()) {
            let corners = corners.map(|corner| match corner {
                Corner::Top(index) => top(index),
                Corner::Within(index, height) => top(index).with_z(height * BASE_MM),
                Corner::Left => top(0).with_z(0.0),
                Corner::Right => top(samples.len() - 1).with_z(0.0),
            });
            triangle(outwards, corners, bytes);
        }
    }
}

fn write(file: &MeshFile<'_>, mut sink: Sink) -> io::Result<()> {
    let MeshFile { mesh, header, .. } = file;
    let map = mesh.map();
    let (rows, columns) = (map.rows(), map.columns());
    if rows < 2 || columns < 2 {
        return Err(io::Error::other("a profile cannot be a solid block"));
    }
    let print_size_mm = f64::from(header.piece.mesh.print_size_mm);
    let cells = rows.max(columns) as f64 - 1.0;
    let height_scale = print_size_mm * header.piece.location.cells as f64 / (2.0 * cells);
    let block = Block {
        map,
        low: header.piece.range_of_map.unwrap_or_else(|| map.range()).0,
        scale: header.piece.mesh.print_size_mm / 2.0,
        height_scale: height_scale as f32,
    };
    let along = |row: usize| -> Vec<_> { mesh.vertices_of(row).map(|c| [row, c]).collect() };
    let down = |column: usize| -> Vec<_> {
        let rows = (0..rows).filter(|row| mesh.is_vertex(*row, column));
        rows.map(|row| [row, column]).collect()
    };
    // The north and east borders run from right to left as seen from outside.
    let backwards = |mut samples: Vec<[usize; 2]>| {
        samples.reverse();
        samples
    };
    let walls = [
        (Vec3::NEG_Y, along(rows - 1)),
        (Vec3::X, backwards(down(columns - 1))),
        (Vec3::Y, backwards(along(0))),
        (Vec3::NEG_X, down(0)),
    ];
    /// Bytes of a triangle.
    const FACET: usize = 50;
    let mut of_walls = Vec::new();
    for (outwards, samples) in walls {
        block.wall(outwards, &samples, &mut of_walls);
    }
    let count = u32::try_from(mesh.triangles() + (of_walls.len() / FACET) as u64 + 2)
        .map_err(|_| io::Error::other("too many triangles for an STL"))?;
    sink.write_all(&title(header.scene))?;
    sink.write_all(&count.to_le_bytes())?;
    let parts = (MeshPart::Faces, 0..mesh.parts(), mesh.samples_of_a_part());
    each_part(&mut sink, header, parts, |part, bytes| {
        mesh.each_triangle(part, |samples| block.ground(samples, bytes));
    })?;
    let mut bytes = of_walls;
    let foot = |row, column| block.top(row, column).with_z(0.0);
    let (nw, ne) = (foot(0, 0), foot(0, columns - 1));
    let (sw, se) = (foot(rows - 1, 0), foot(rows - 1, columns - 1));
    triangle(Vec3::NEG_Z, [nw, ne, sw], &mut bytes);
    triangle(Vec3::NEG_Z, [ne, se, sw], &mut bytes);
    sink.write_all(&bytes)?;
    sink.flush()
}

/// Append a triangle, counter-clockwise as seen from outside.
#[inline]
fn triangle(normal: Vec3, [a, b, c]: [Vec3; 3], bytes: &mut Vec<u8>) {
    let [n, a, b, c] = [normal, a, b, c].map(|v| v.to_array());
    put(
        bytes,
        [
            n[0], n[1], n[2], a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2],
        ],
    );
    bytes.extend_from_slice(&[0, 0]);
}
