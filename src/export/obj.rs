//! `.obj`: Wavefront mesh with normals and texture coordinates, y up, in half tiles; a profile
//! becomes a polyline.

use std::io::{self, Write};

use super::mesh::{Part, each_row, triangles_between};
use super::{Content, Format, Header, Sink, Unit};
use crate::heightmap::Heightmap;
use crate::mesh::Vertex;

/// The format.
pub const FORMAT: Format = Format {
    name: "obj",
    extension: "obj",
    levels: None,
    mesh: true,
    unit: Unit::HalfTiles,
    says_north: true,
    least_bytes: 90,
    help: "Wavefront mesh, y up, two triangles a cell, with normals and texture coordinates; a ridge is a polyline.",
    content: Content::Whole(write),
    sidecar: false,
};

fn write(map: &Heightmap, header: &Header<'_>, mut sink: Sink) -> io::Result<()> {
    let surface = &header.scene.surface;
    writeln!(
        sink,
        "# landform {}: {} x {} samples, seed {}, 1 unit is {} m, x east, y up, z south",
        env!("CARGO_PKG_VERSION"),
        map.columns(),
        map.rows(),
        surface.seed,
        surface.tile_size_m / 2.0,
    )?;
    let rows = map.rows();
    each_row(&mut sink, header, Part::Vertices, 0..rows, |row, text| {
        vertices(map, row, text)
    })?;
    if map.is_profile() {
        write!(sink, "l")?;
        (1..=map.columns()).try_for_each(|index| write!(sink, " {index}"))?;
        writeln!(sink)?;
    } else {
        each_row(&mut sink, header, Part::Faces, 1..rows, |south, text| {
            faces(south - 1, map.columns(), text)
        })?;
    }
    sink.flush()
}

/// A row of vertices. In texture coordinates of this format v rises to the north.
fn vertices(map: &Heightmap, row: usize, text: &mut Vec<u8>) {
    for column in 0..map.columns() {
        let vertex = Vertex::of(map, row, column);
        let (p, n, uv) = (vertex.position, vertex.normal, vertex.uv);
        let lines = if map.is_profile() {
            writeln!(text, "v {} {} {}", p.x, p.y, p.z)
        } else {
            writeln!(
                text,
                "v {} {} {}\nvt {} {}\nvn {:.5} {:.5} {:.5}",
                p.x,
                p.y,
                p.z,
                uv.x,
                1.0 - uv.y,
                n.x,
                n.y,
                n.z
            )
        };
        lines.expect("a vector takes all bytes");
    }
}

/// The triangles between a row and the next; indices start at 1.
fn faces(row: usize, columns: usize, text: &mut Vec<u8>) {
    for triangle in triangles_between(row, columns) {
        let [a, b, c] = triangle.map(|index| u64::from(index) + 1);
        writeln!(text, "f {a}/{a}/{a} {b}/{b}/{b} {c}/{c}/{c}").expect("a vector takes all bytes");
    }
}
