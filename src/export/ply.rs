//! `.ply`: binary mesh with normals, y up, in metres; streams.

use std::io::{self, Write};

use super::mesh::{Part, each_row, triangles_between};
use super::{Content, Format, Header, Sink, Unit};
use crate::heightmap::Heightmap;
use crate::mesh::Vertex;

/// The format.
pub const FORMAT: Format = Format {
    name: "ply",
    extension: "ply",
    levels: None,
    mesh: true,
    unit: Unit::HalfTiles,
    says_north: true,
    least_bytes: 58,
    help: "Binary mesh in metres, y up, two triangles a cell, with normals and texture coordinates.",
    content: Content::Whole(write),
    sidecar: false,
};

fn write(map: &Heightmap, header: &Header<'_>, mut sink: Sink) -> io::Result<()> {
    let (rows, columns) = (map.rows(), map.columns());
    writeln!(sink, "ply\nformat binary_little_endian 1.0")?;
    writeln!(sink, "comment landform {}", env!("CARGO_PKG_VERSION"))?;
    for line in header.scene.to_toml().lines() {
        writeln!(sink, "comment {line}")?;
    }
    writeln!(sink, "element vertex {}", rows * columns)?;
    for name in ["x", "y", "z", "nx", "ny", "nz", "s", "t"] {
        writeln!(sink, "property float {name}")?;
    }
    writeln!(sink, "element face {}", 2 * (rows - 1) * (columns - 1))?;
    writeln!(sink, "property list uchar uint vertex_indices")?;
    writeln!(sink, "end_header")?;
    let metres = header.metres_per_unit();
    each_row(&mut sink, header, Part::Vertices, 0..rows, |row, bytes| {
        for column in 0..columns {
            let vertex = Vertex::of(map, row, column);
            let position = (vertex.position.as_dvec3() * metres).as_vec3();
            let numbers = [position, vertex.normal]
                .into_iter()
                .flat_map(|v| v.to_array());
            let uv = [vertex.uv.x, 1.0 - vertex.uv.y];
            for number in numbers.chain(uv) {
                bytes.extend(number.to_le_bytes());
            }
        }
    })?;
    each_row(&mut sink, header, Part::Faces, 1..rows, |south, bytes| {
        for triangle in triangles_between(south - 1, columns) {
            bytes.push(3);
            bytes.extend(triangle.into_iter().flat_map(u32::to_le_bytes));
        }
    })?;
    sink.flush()
}
