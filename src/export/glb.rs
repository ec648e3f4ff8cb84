//! `.glb`: binary glTF 2.0 in metres, y up, with normals, a material and its colours by height;
//! the scene is in the extras.

use std::io::{self, Write};

use glam::Vec3;
use serde_json::{Value, json};

use super::mesh::{Part, each_row, triangles_between};
use super::picture::encode_rgb;
use super::{Content, Format, Header, Sink, Unit};
use crate::heightmap::Heightmap;
use crate::mesh::Vertex;
use crate::texture::colors;

/// The format.
pub const FORMAT: Format = Format {
    name: "glb",
    extension: "glb",
    levels: None,
    mesh: true,
    unit: Unit::HalfTiles,
    says_north: true,
    least_bytes: 56,
    help: "glTF 2.0 in metres, y up, with normals, material and colour texture, in one file.",
    content: Content::Whole(write),
    sidecar: false,
};

/// Longest side of the texture.
const MOST_TEXELS: usize = 4096;
/// Floats of a vertex: position, normal, texture coordinates.
const FLOATS: usize = 8;

// glTF's numbers for component types and buffer uses.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

fn write(map: &Heightmap, header: &Header<'_>, mut sink: Sink) -> io::Result<()> {
    let (rows, columns) = (map.rows(), map.columns());
    if rows < 2 || columns < 2 {
        return Err(io::Error::other("a profile is no mesh of triangles"));
    }
    let stride = rows.max(columns).div_ceil(MOST_TEXELS);
    let pixels = colors::by_height(map, header.palette, stride);
    let mut texture = Vec::new();
    encode_rgb(&pixels, &mut texture, header.job)?;
    texture.resize(texture.len().next_multiple_of(4), 0);

    let vertices = rows * columns;
    let indices = 6 * (rows - 1) * (columns - 1);
    let sizes = [vertices * FLOATS * 4, indices * 4, texture.len()];
    let mut text = document(map, header, sizes).to_string();
    // Chunks are multiples of four bytes; JSON is filled up with spaces.
    text.push_str(&" ".repeat(text.len().next_multiple_of(4) - text.len()));
    let binary: usize = sizes.iter().sum();
    let total = u32::try_from(12 + 8 + text.len() + 8 + binary)
        .map_err(|_| io::Error::other("more than 4 GB, which is the most a .glb can hold"))?;
    sink.write_all(b"glTF")?;
    for number in [2, total, text.len() as u32] {
        sink.write_all(&number.to_le_bytes())?;
    }
    sink.write_all(b"JSON")?;
    sink.write_all(text.as_bytes())?;
    sink.write_all(&(binary as u32).to_le_bytes())?;
    sink.write_all(b"BIN\0")?;
    let metres = header.metres_per_unit();
    each_row(&mut sink, header, Part::Vertices, 0..rows, |row, bytes| {
        for column in 0..columns {
            let vertex = Vertex::of(map, row, column);
            let position = in_metres(vertex.position, metres).to_array();
            let numbers = position.into_iter().chain(vertex.normal.to_array());
            // Texture coordinates name the middles of texels.
            let uv = [
                texel(column, stride, pixels.columns()),
                texel(row, stride, pixels.rows()),
            ];
            bytes.extend(numbers.chain(uv).flat_map(f32::to_le_bytes));
        }
    })?;
    each_row(&mut sink, header, Part::Faces, 1..rows, |south, bytes| {
        let triangles = triangles_between(south - 1, columns).flatten();
        bytes.extend(triangles.flat_map(u32::to_le_bytes));
    })?;
    sink.write_all(&texture)?;
    sink.flush()
}

fn in_metres(position: Vec3, metres: f64) -> Vec3 {
    (position.as_dvec3() * metres).as_vec3()
}

/// Where a sample lies in a texture that has every `stride`-th of them, 0…1.
fn texel(index: usize, stride: usize, count: usize) -> f32 {
    ((index as f64 / stride as f64 + 0.5) / count as f64) as f32
}

/// What the file holds and where; `sizes` are the bytes of vertices, indices and texture.
fn document(map: &Heightmap, header: &Header<'_>, sizes: [usize; 3]) -> Value {
    let metres = header.metres_per_unit();
    let (low, high) = map.range();
    let corner = |row: usize, column: usize, height: f32| {
        in_metres(Vec3::new(map.x(column), height, map.z(row)), metres).to_array()
    };
    let (rows, columns) = (map.rows(), map.columns());
    let vertices = rows * columns;
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
            "generator": concat!("landform ", env!("CARGO_PKG_VERSION")),
            "extras": { "scene": header.scene },
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
