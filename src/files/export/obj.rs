//! `.obj`: Wavefront mesh writer with normals and texture coordinates, y up, in half tiles or on request
//! in metres. The scene is in the comments; a material (`.mtl`) and its texture are companion files. A
//! profile becomes a polyline.

use std::io::{self, Write};

use glam::Vec3;

use super::file::Sink;
use super::format::{Content, Format, MeshContent, MeshFile};
use super::mesh::{Body, Skin, each_face, each_vertex, with_sum};
use super::piece::MeshUnit;
use crate::files::formats::checksum::TextSum;
use crate::files::formats::obj::{COMMENT, NEW_MATERIAL};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::write_comments;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::Vertex;
use crate::util::numbers::metres_per_unit;

/// Wavefront OBJ format.
pub const FORMAT: Format = Format {
    says_north: true,
    least_bytes: 90,
    ..Format::new(
        "obj",
        "Wavefront mesh, y up, two triangles per cell, with normals, material and colour texture; \
         a ridge is a polyline.",
        Content::Mesh(MeshContent {
            // Not `x.png`, which may be the file of the map's heights.
            beside: &[(".mtl", material), ("-texture.png", texture)],
            has_open_unit: true,
            ..MeshContent::new(write)
        }),
    )
};

const MATERIAL: &str = "ground";

fn write(file: &MeshFile<'_>, mut sink: Sink) -> io::Result<()> {
    let MeshFile { mesh, header, .. } = file;
    let map = mesh.map();
    let surface = &header.scene.surface;
    let head = |sum: &str| {
        let mut head = Vec::new();
        writeln!(
            head,
            "{COMMENT}{PROGRAM}: {} x {} samples, seed {}, 1 unit is {} m, x east, y up, z south",
            map.columns(),
            map.rows(),
            surface.seed,
            match header.piece.mesh.unit {
                MeshUnit::Own => metres_per_unit(surface.tile_size_m) as f32,
                MeshUnit::Metres => 1.0,
            },
        )?;
        write_comments(&mut head, COMMENT, header.scene, sum)?;
        Ok(head)
    };
    let place = |place: Vec3| match header.piece.mesh.unit {
        MeshUnit::Own => place,
        MeshUnit::Metres => (place.as_dvec3() * header.metres_per_unit()).as_vec3(),
    };
    with_sum(&mut sink, TextSum::default, head, |sink| {
        if map.is_profile() {
            polyline(map, place, sink)
        } else {
            body(file, place, sink)
        }
    })?;
    sink.flush()
}

/// Write everything after the comments.
fn body(
    file: &MeshFile<'_>,
    place: impl Fn(Vec3) -> Vec3 + Sync,
    sink: Body<'_>,
) -> io::Result<()> {
    let (map, header) = (file.mesh.map(), file.header);
    if let [material, ..] = file.beside {
        writeln!(sink, "mtllib {material}")?;
    }
    writeln!(sink, "o landform")?;
    let skin = Skin::new(map, header);
    each_vertex(sink, file, |row, column, text| {
        let vertex = header.vertex(map, row, column);
        write_vertex(&vertex, place(vertex.position), &skin, text);
    })?;
    if !file.beside.is_empty() {
        writeln!(sink, "usemtl {MATERIAL}")?;
    }
    each_face(sink, file, |corners, text| {
        text.push(b'f');
        corners.iter().for_each(|index| corner(*index, text));
        text.push(b'\n');
    })
}

/// Append a vertex. In this format the texture coordinate v increases to the north.
fn write_vertex(vertex: &Vertex, p: Vec3, skin: &Skin<'_>, text: &mut Vec<u8>) {
    let (n, [u, v]) = (vertex.normal, skin.uv(vertex.uv));
    writeln!(
        text,
        "v {} {} {}\nvt {} {}\nvn {:.5} {:.5} {:.5}",
        p.x,
        p.y,
        p.z,
        u,
        1.0 - v,
        n.x,
        n.y,
        n.z
    )
    .expect("a vector takes all bytes");
}

/// Append a face corner such as ` 7/7/7`: indices of position, texture coordinates and normal, from 1.
/// Hand-written since nine numbers a triangle dominate the time.
fn corner(index: u32, text: &mut Vec<u8>) {
    let mut digits = [0; 10];
    let mut first = digits.len();
    let mut rest = u64::from(index) + 1;
    while rest > 0 {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    for before in *b" //" {
        text.push(before);
        text.extend_from_slice(&digits[first..]);
    }
}

fn polyline(map: &Heightmap, place: impl Fn(Vec3) -> Vec3, sink: Body<'_>) -> io::Result<()> {
    for column in 0..map.columns() {
        let p = place(Vertex::of(map, 0, column).position);
        writeln!(sink, "v {} {} {}", p.x, p.y, p.z)?;
    }
    write!(sink, "l")?;
    (1..=map.columns()).try_for_each(|index| write!(sink, " {index}"))?;
    writeln!(sink)
}

fn material(file: &MeshFile<'_>, mut sink: Sink) -> io::Result<()> {
    writeln!(sink, "{COMMENT}{PROGRAM}")?;
    writeln!(sink, "{NEW_MATERIAL}{MATERIAL}")?;
    writeln!(sink, "Ka 1 1 1\nKd 1 1 1\nKs 0 0 0\nd 1\nillum 1")?;
    if let [_, texture] = file.beside {
        writeln!(sink, "map_Kd {texture}")?;
    }
    sink.flush()
}

fn texture(file: &MeshFile<'_>, mut sink: Sink) -> io::Result<()> {
    Skin::new(file.mesh.map(), file.header).png(&mut sink, file.header)?;
    sink.flush()
}
