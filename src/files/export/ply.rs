//! `.ply`: binary mesh writer with normals and vertex colours, in metres; the scene is in the comments.
//!
//! x is east, y north and z up. The format does not define the up axis, and common readers (Blender,
//! MeshLab, CloudCompare) assume z. There are no texture coordinates, since some programs would then look
//! for a texture instead of the vertex colours.

use std::io::{self, Write};

use super::file::Sink;
use super::format::{Content, Format, MeshContent, MeshFile};
use super::mesh::{each_face, each_vertex, put, put_whole, with_sum};
use crate::files::formats::checksum::ByteSum;
use crate::files::formats::ply::{COMMENT, END_OF_HEAD, MARK};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::write_comments;

/// Binary PLY format.
pub const FORMAT: Format = Format {
    says_north: true,
    least_bytes: 53,
    ..Format::new(
        "ply",
        "Binary mesh in metres, z up, two triangles per cell, with normals and vertex colours.",
        Content::Mesh(MeshContent::new(write)),
    )
};

fn write(file: &MeshFile<'_>, mut sink: Sink) -> io::Result<()> {
    let MeshFile { mesh, header, .. } = file;
    let map = mesh.map();
    let head = |sum: &str| {
        let mut head = Vec::new();
        let sink = &mut head;
        writeln!(sink, "{MARK}\nformat binary_little_endian 1.0")?;
        writeln!(sink, "{COMMENT}{PROGRAM}")?;
        writeln!(sink, "{COMMENT}metres, x east, y north, z up")?;
        write_comments(sink, COMMENT, header.scene, sum)?;
        writeln!(sink, "element vertex {}", mesh.vertices())?;
        for name in ["x", "y", "z", "nx", "ny", "nz"] {
            writeln!(sink, "property float {name}")?;
        }
        for name in ["red", "green", "blue"] {
            writeln!(sink, "property uchar {name}")?;
        }
        writeln!(sink, "element face {}", mesh.triangles())?;
        writeln!(sink, "property list uchar uint vertex_indices")?;
        writeln!(sink, "{END_OF_HEAD}")?;
        Ok(head)
    };
    let metres = header.metres_per_unit();
    let colors = header.colors(map, header.piece.covers[0], header.piece.is_raised)?;
    with_sum(
        &mut sink,
        || ByteSum::new(0, 0),
        head,
        |sink| {
            each_vertex(sink, file, |row, column, bytes| {
                let vertex = header.vertex(map, row, column);
                let p = (vertex.position.as_dvec3() * metres).as_vec3();
                let n = vertex.normal;
                // From y up to z up: a quarter turn about the x axis.
                put(bytes, [p.x, -p.z, p.y, n.x, -n.z, n.y]);
                bytes.extend_from_slice(&header.color(&colors, map, [row, column]));
            })?;
            each_face(sink, file, |corners, bytes| {
                bytes.push(3);
                put_whole(bytes, corners);
            })
        },
    )?;
    sink.flush()
}
