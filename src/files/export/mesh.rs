//! Shared code of the mesh writers: a mesh is written in parts, made in parallel while earlier ones are
//! written in order; heads with a checksum of what follows; companion files such as textures.
//!
//! Meshes have no holes, so that they can be printed: samples without data keep the heights that they
//! were filled with.
//!
//! The texture has the map's colours with its covers, made a few rows at a time.

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;

use glam::Vec2;
use png::{BitDepth, ColorType, Compression, Encoder};

use super::file::Sink;
use super::format::{Header, MeshFile};
use crate::files::formats::checksum::{Adds, Summing};
use crate::files::formats::png::PROGRAM_CHUNK;
use crate::files::formats::program::PROGRAM;
use crate::shading::covers::CoverMap;
use crate::terrain::heightmap::Heightmap;
use crate::util::parallel;

/// Samples of a batch, whose bytes are made in parallel: a few megabytes.
const BATCH_SAMPLES: usize = 1 << 16;

/// Sink for the body of a file.
pub type Body<'a> = &'a mut (dyn Write + Send);

/// Placeholder for the checksum, of the same length.
const NOT_YET: &str = "----------------";

/// Write a head that contains the checksum of the body after it. When the body is complete, the head is
/// written again. A pipe cannot seek, so there the body is made twice. `head` must have the same length
/// for any checksum of 16 characters.
pub fn with_sum<S: Adds + Send>(
    sink: &mut Sink,
    sum: impl Fn() -> S,
    head: impl Fn(&str) -> io::Result<Vec<u8>>,
    mut body: impl FnMut(Body<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let Ok(start) = sink.stream_position() else {
        let mut dry = Summing {
            sink: io::sink(),
            sum: sum(),
        };
        body(&mut dry)?;
        sink.write_all(&head(&dry.sum.sum().text())?)?;
        return body(sink);
    };
    sink.write_all(&head(NOT_YET)?)?;
    let mut summing = Summing {
        sink: &mut *sink,
        sum: sum(),
    };
    body(&mut summing)?;
    let text = summing.sum.sum().text();
    let end = sink.stream_position()?;
    sink.seek(SeekFrom::Start(start))?;
    sink.write_all(&head(&text)?)?;
    sink.seek(SeekFrom::Start(end))?;
    Ok(())
}

/// Part of a mesh file, for its progress.
#[derive(Clone, Copy)]
pub enum MeshPart {
    /// First part.
    Vertices,
    /// Second part.
    Faces,
}

/// Write the vertices of a mesh row by row; `make` appends the bytes of one, given row and column.
pub fn each_vertex(
    sink: Body<'_>,
    MeshFile { mesh, header, .. }: &MeshFile<'_>,
    make: impl Fn(usize, usize, &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    let map = mesh.map();
    let parts = (MeshPart::Vertices, 0..map.rows(), map.columns());
    each_part(sink, header, parts, |row, bytes| {
        let columns = mesh.vertices_of(row);
        columns.for_each(|column| make(row, column, bytes));
    })
}

/// Write the triangles of a mesh; `make` appends the bytes of one, given the indices of its vertices.
pub fn each_face(
    sink: Body<'_>,
    MeshFile { mesh, header, .. }: &MeshFile<'_>,
    make: impl Fn([u32; 3], &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    let parts = (MeshPart::Faces, 0..mesh.parts(), mesh.samples_of_a_part());
    each_part(sink, header, parts, |part, bytes| {
        mesh.each_face(part, |corners| make(corners, bytes));
    })
}

/// Make the bytes of parts in parallel, one batch at a time, while the previous batch is written. Memory:
/// two batches, whatever the size of the map. Each part has this number of samples.
pub fn each_part(
    sink: Body<'_>,
    header: &Header<'_>,
    (part, parts, samples): (MeshPart, Range<usize>, usize),
    make: impl Fn(usize, &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    let check = || header.piece.job.check().map_err(io::Error::other);
    let batch = (BATCH_SAMPLES / samples.max(1)).clamp(1, parts.len().max(1));
    let mut ready: Vec<Vec<u8>> = Vec::new();
    let mut next: Vec<Vec<u8>> = Vec::new();
    // One extra turn: the last one only writes.
    for first in parts.clone().step_by(batch).chain([parts.end]) {
        let count = batch.min(parts.end - first);
        let (written, made) = rayon::join(
            || {
                ready.iter().try_for_each(|bytes| {
                    check()?;
                    sink.write_all(bytes)
                })
            },
            || {
                next.resize_with(count, Vec::new);
                parallel::par_items(&mut next).try_each(|index, bytes| {
                    check()?;
                    bytes.clear();
                    make(first + index, bytes);
                    Ok(())
                })
            },
        );
        written.and(made)?;
        std::mem::swap(&mut ready, &mut next);
        let done = (first - parts.start) as u64 + part as u64 * parts.len() as u64;
        let job = header.piece.job.span(0..1, 2);
        job.advance(done, 2 * parts.len() as u64);
    }
    Ok(())
}

/// Append little-endian floats.
#[inline]
pub fn put<const COUNT: usize>(bytes: &mut Vec<u8>, numbers: [f32; COUNT]) {
    put_whole(bytes, numbers.map(f32::to_bits));
}

/// Append little-endian integers.
#[inline]
pub fn put_whole<const COUNT: usize>(bytes: &mut Vec<u8>, numbers: [u32; COUNT]) {
    let numbers = numbers.map(u32::to_le);
    bytes.extend_from_slice(bytemuck::cast_slice(&numbers));
}

/// Maximum side of the texture, in texels.
const MOST_TEXELS: usize = 4096;
/// Rows made at once.
const BAND: usize = 32;

/// Texture with every `stride`-th sample of a map as a texel.
#[derive(Debug)]
pub struct Skin<'a> {
    map: &'a Heightmap,
    covers: Option<&'a CoverMap>,
    /// True if the heights are those of the surface of the snow.
    is_raised: bool,
    stride: usize,
}

impl<'a> Skin<'a> {
    /// Texture for a mesh of `map`, from the finer map for textures if there is one.
    pub fn new(map: &'a Heightmap, header: &Header<'a>) -> Self {
        let [own, finer] = header.piece.covers;
        let (map, covers, is_raised) = match header.piece.finer {
            Some(map) => (map, finer, false),
            None => (map, own, header.piece.is_raised),
        };
        Self {
            map,
            covers,
            is_raised,
            stride: map.rows().max(map.columns()).div_ceil(MOST_TEXELS),
        }
    }

    /// Rows and columns of texels.
    fn size(&self) -> [usize; 2] {
        [self.map.rows(), self.map.columns()].map(|count| count.div_ceil(self.stride))
    }

    /// Texture coordinates of a place on the map, both 0…1, v from north to south. Samples map to the
    /// centres of texels.
    pub fn uv(&self, place: Vec2) -> [f32; 2] {
        let [rows, columns] = self.size();
        let texel = |place: f32, samples: usize, texels: usize| {
            let sample = f64::from(place) * (samples - 1) as f64;
            ((sample / self.stride as f64 + 0.5) / texels as f64) as f32
        };
        [
            texel(place.x, self.map.columns(), columns),
            texel(place.y, self.map.rows(), rows),
        ]
    }

    /// Write the texture as PNG.
    pub fn png(&self, sink: impl Write, header: &Header<'_>) -> io::Result<()> {
        let [rows, columns] = self.size();
        let colors = header.colors(self.map, self.covers, self.is_raised)?;
        let mut encoder = Encoder::new(sink, columns as u32, rows as u32);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Fast);
        encoder.add_text_chunk(PROGRAM_CHUNK.to_owned(), PROGRAM.to_owned())?;
        let mut writer = encoder.write_header()?;
        let mut out = writer.stream_writer()?;
        let mut band = vec![[0u8; 3]; BAND * columns];
        for first in (0..rows).step_by(BAND) {
            let band = &mut band[..columns * BAND.min(rows - first)];
            let done = parallel::par_items(band.chunks_mut(columns)).for_each_in(
                header.piece.job,
                |row, texels| {
                    let row = (first + row) * self.stride;
                    let columns = (0..self.map.columns()).step_by(self.stride);
                    for (texel, column) in texels.iter_mut().zip(columns) {
                        *texel = header.color(&colors, self.map, [row, column]);
                    }
                },
            );
            done.map_err(io::Error::other)?;
            out.write_all(bytemuck::cast_slice(band))?;
        }
        out.finish()?;
        Ok(writer.finish()?)
    }
}
