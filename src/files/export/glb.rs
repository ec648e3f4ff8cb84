//! `.glb`: binary glTF 2.0 writer. Metres, y up, with normals, a material and a texture of the
//! albedo; the scene is in the extras.

use std::io::{self, Seek, Write};

use glam::Vec3;
use serde_json::{Value, json};

use super::file::Sink;
use super::format::{Content, Format, Header, MeshContent, MeshFile};
use super::mesh::{Skin, each_face, each_vertex, put, put_whole, with_sum};
use crate::files::formats::checksum::ByteSum;
use crate::files::formats::glb::{BEFORE_BINARY, BEFORE_JSON, BINARY, JSON, MARK, SAMPLES, SCENE};
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::scene_as_json;
use crate::terrain::mesh::Triangulation;

/// Binary glTF format.
pub const FORMAT: Format = Format {
    says_north: true,
    least_bytes: 56,
    ..Format::new(
        "glb",
        "glTF 2.0 in metres, y up, with normals, material and colour texture, in one file.",
        Content::Mesh(MeshContent::new(write)),
    )
};

/// Maximum size of a texture that is kept in memory, in bytes.
const MOST_IN_MEMORY: usize = 16 << 20;
/// Floats per vertex: position, normal, texture coordinates.
const FLOATS: usize = 8;

// glTF's numbers for component types and buffer uses.
pub const FLOAT: u32 = 5126;
pub const UNSIGNED_INT: u32 = 5125;
pub const ARRAY_BUFFER: u32 = 34962;
pub const ELEMENT_ARRAY_BUFFER: u32 = 34963;

fn write(file: &MeshFile<'_>, mut sink: Sink) -> io::Result<()> {
    let MeshFile { mesh, header, .. } = file;
    let map = mesh.map();
    if map.rows() < 2 || map.columns() < 2 {
        return Err(io::Error::other("a profile cannot be a mesh of triangles"));
    }
    let skin = Skin::new(map, header);
    // The header needs the length of the texture, so the texture is made first. A large one goes to a
    // temporary file.
    let mut texture = tempfile::spooled_tempfile(MOST_IN_MEMORY);
    skin.png(&mut texture, header)?;
    let length = texture.stream_position()? as usize;
    texture.write_all(&[0; 3][..length.next_multiple_of(4) - length])?;

    let indices = mesh.triangles() as usize * 3;
    let sizes = [
        mesh.vertices() * FLOATS * 4,
        indices * 4,
        length.next_multiple_of(4),
    ];
    let binary = sizes.iter().sum();
    let head = |sum: &str| {
        let text = document(mesh, header, sizes, sum).to_string();
        head(text, binary).ok_or_else(too_large)
    };
    let metres = header.metres_per_unit();
    with_sum(
        &mut sink,
        || ByteSum::new(0, 0),
        head,
        |sink| {
            each_vertex(sink, file, |row, column, bytes| {
                let vertex = header.vertex(map, row, column);
                let (p, n) = (in_metres(vertex.position, metres), vertex.normal);
                let [u, v] = skin.uv(vertex.uv);
                put(bytes, [p.x, p.y, p.z, n.x, n.y, n.z, u, v]);
            })?;
            each_face(sink, file, |corners, bytes| {
                put_whole(bytes, corners);
            })?;
            texture.rewind()?;
            io::copy(&mut texture, sink).map(|_| ())
        },
    )?;
    sink.flush()
}

/// Error of a file with too many bytes.
pub fn too_large() -> io::Error {
    io::Error::other("more than 4 GB, which is the most a .glb can hold")
}

/// Everything before the binary data: the header, the JSON chunk with `text`, and the header of a binary chunk of
/// `binary` bytes, a multiple of four, if there are any. `None` if the file would be too large.
pub fn head(mut text: String, binary: usize) -> Option<Vec<u8>> {
    // Chunks are multiples of four bytes; the specification pads JSON with spaces.
    text.push_str(&" ".repeat(text.len().next_multiple_of(4) - text.len()));
    let after = if binary > 0 {
        BEFORE_BINARY + binary
    } else {
        0
    };
    let total = u32::try_from(BEFORE_JSON + text.len() + after).ok()?;
    let mut head = MARK.to_vec();
    for number in [2, total, text.len() as u32] {
        head.extend(number.to_le_bytes());
    }
    head.extend(JSON);
    head.extend(text.as_bytes());
    if binary > 0 {
        head.extend((binary as u32).to_le_bytes());
        head.extend(BINARY);
    }
    Some(head)
}

fn in_metres(position: Vec3, metres: f64) -> Vec3 {
    (position.as_dvec3() * metres).as_vec3()
}

/// JSON chunk of the file; `sizes` are the bytes of vertices, indices and texture, `sum` is the checksum
/// of the binary chunk.
fn document(mesh: &Triangulation<'_>, header: &Header<'_>, sizes: [usize; 3], sum: &str) -> Value {
    let map = mesh.map();
    let metres = header.metres_per_unit();
    let (low, high) = mesh.range();
    let corner = |row: usize, column: usize, height: f32| {
        let place = header.vertex(map, row, column).position;
        in_metres(Vec3::new(place.x, height, place.z), metres).to_array()
    };
    let (rows, columns) = (map.rows(), map.columns());
    let vertices = mesh.vertices();
    let place = |offset: usize, kind: &str| {
        json!({
            "bufferView": 0, "byteOffset": offset, "componentType": FLOAT,
            "count": vertices, "type": kind,
        })
    };
    let mut position = place(0, "VEC3");
    position["min"] = json!(corner(0, 0, low));
    position["max"] = json!(corner(rows - 1, columns - 1, high));
    json!({
        "asset": {
            "version": "2.0",
            "generator": PROGRAM,
            "extras": { SCENE: scene_as_json(header.scene), SAMPLES: sum },
        },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0, "name": "landform" }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2 },
            "indices": 3,
            "material": 0,
        }] }],
        "materials": [{
            "name": "ground",
            "pbrMetallicRoughness": {
                "baseColorTexture": { "index": 0 },
                "metallicFactor": 0.0,
                "roughnessFactor": 1.0,
            },
        }],
        "textures": [{ "source": 0, "sampler": 0 }],
        // 33071 is CLAMP_TO_EDGE: opposite borders must not blend.
        "samplers": [{ "wrapS": 33071, "wrapT": 33071 }],
        "images": [{ "bufferView": 2, "mimeType": "image/png" }],
        "accessors": [
            position,
            place(12, "VEC3"),
            place(24, "VEC2"),
            { "bufferView": 1, "componentType": UNSIGNED_INT,
              "count": sizes[1] / 4, "type": "SCALAR" },
        ],
        "bufferViews": [
            { "buffer": 0, "byteOffset": 0, "byteLength": sizes[0],
              "byteStride": FLOATS * 4, "target": ARRAY_BUFFER },
            { "buffer": 0, "byteOffset": sizes[0], "byteLength": sizes[1],
              "target": ELEMENT_ARRAY_BUFFER },
            { "buffer": 0, "byteOffset": sizes[0] + sizes[1], "byteLength": sizes[2] },
        ],
        "buffers": [{ "byteLength": sizes.iter().sum::<usize>() }],
    })
}
