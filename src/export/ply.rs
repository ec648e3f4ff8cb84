//! `.ply`: binary mesh with normals, y up, in metres; the scene is in its comments.

use std::io::{self, Write};

use super::mesh::{MeshContent, each_face, each_vertex, put, put_whole};
use super::scene::comment_recipe;
use super::seal::with_sum;
use super::{Content, Format, Header, Sink, Unit};
use crate::import::ByteSum;
use crate::mesh::{Triangulation, Vertex};

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
    content: Content::Mesh(MeshContent { write, beside: &[] }),
};

fn write(
    mesh: &Triangulation<'_>,
    header: &Header<'_>,
    _: &[String],
    mut sink: Sink,
) -> io::Result<()> {
    let map = mesh.map();
    let head = |sum: &str| {
        let mut head = Vec::new();
        let sink = &mut head;
        writeln!(sink, "ply\nformat binary_little_endian 1.0")?;
        writeln!(sink, "comment landform {}", env!("CARGO_PKG_VERSION"))?;
        comment_recipe(sink, "comment ", header.scene, sum)?;
        writeln!(sink, "element vertex {}", mesh.vertices())?;
        for name in ["x", "y", "z", "nx", "ny", "nz", "s", "t"] {
            writeln!(sink, "property float {name}")?;
        }
        writeln!(sink, "element face {}", mesh.triangles())?;
        writeln!(sink, "property list uchar uint vertex_indices")?;
        writeln!(sink, "end_header")?;
        Ok(head)
    };
    let metres = header.metres_per_unit();
    with_sum(
        &mut sink,
        || ByteSum::new(0, 0),
        head,
        |sink| {
            each_vertex(sink, header, mesh, |row, column, bytes| {
                let vertex = Vertex::of(map, row, column);
                let p = (vertex.position.as_dvec3() * metres).as_vec3();
                let (n, uv) = (vertex.normal, vertex.uv);
                put(bytes, [p.x, p.y, p.z, n.x, n.y, n.z, uv.x, 1.0 - uv.y]);
            })?;
            each_face(sink, header, mesh, |corners, bytes| {
                bytes.push(3);
                put_whole(bytes, corners);
            })
        },
    )?;
    sink.flush()
}
