//! Shared code of the mesh writers: a mesh is written in parts, made in parallel while earlier ones are
//! written in order; heads with a checksum of what follows; companion files such as textures.
//!
//! Meshes have no holes, so that they can be printed: samples without data keep the heights that they
//! were filled with.

use std::io::{self, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::error::{ExportError, write_error};
use super::file::{OutputFile, Sink};
use super::header::Header;
use crate::files::formats::checksum::{Adds, Summing};
use crate::generate::GenerateError;
use crate::terrain::mesh::Triangulation;
use crate::util::parallel;

/// Samples of a batch, whose bytes are made in parallel: a few megabytes.
const BATCH_SAMPLES: usize = 1 << 16;

/// Function that writes a mesh, or a companion file of it.
pub type WriteMesh = fn(&Triangulation<'_>, &Header<'_>, &[String], Sink) -> io::Result<()>;

/// Writer of a mesh format.
#[derive(Debug)]
pub struct MeshContent {
    /// Function that writes the mesh; the names are those of the companion files, none for standard output.
    pub write: WriteMesh,
    /// Companion files.
    pub beside: &'static [MeshCompanion],
    /// True if the format leaves the unit of coordinates open.
    pub has_open_unit: bool,
    /// True if the mesh is for printing, with a size chosen by the user.
    pub is_printed: bool,
}

/// A companion file of a mesh.
#[derive(Debug)]
pub struct MeshCompanion {
    /// Suffix after the mesh's file stem.
    pub ending: &'static str,
    /// Function that writes the file; the names are those of all companion files.
    pub write: WriteMesh,
}

impl MeshContent {
    /// Writer of a format in a fixed unit without companion files.
    pub(super) const fn new(write: WriteMesh) -> Self {
        Self {
            write,
            beside: &[],
            has_open_unit: false,
            is_printed: false,
        }
    }

    /// Paths of the companion files.
    pub(super) fn files_beside(&self, path: &Path) -> Vec<PathBuf> {
        let names = self
            .beside
            .iter()
            .map(|file| name_beside(path, file.ending));
        names.map(|name| path.with_file_name(name)).collect()
    }

    /// Write the mesh and its companion files. Returns the companion files, to be committed.
    pub(super) fn write_all(
        &self,
        mesh: &Triangulation<'_>,
        header: &Header<'_>,
        target: &OutputFile,
    ) -> Result<Vec<OutputFile>, ExportError> {
        // Standard output cannot have companion files, and a profile is a line without colours.
        let beside = if target.is_standard_output() || mesh.map().is_profile() {
            &[]
        } else {
            self.beside
        };
        let endings = beside.iter().map(|file| file.ending);
        let names: Vec<String> = endings.map(|e| name_beside(target.path(), e)).collect();
        let finished = |target: &OutputFile, outcome: io::Result<()>| {
            header.piece.job.check().map_err(GenerateError::from)?;
            outcome.map_err(write_error(target.path()))
        };
        let mut files = Vec::new();
        for (file, name) in beside.iter().zip(&names) {
            let beside = OutputFile::companion(&target.path().with_file_name(name))?;
            let outcome = (file.write)(mesh, header, &names, beside.sink()?);
            finished(&beside, outcome)?;
            files.push(beside);
        }
        let outcome = (self.write)(mesh, header, &names, target.sink()?);
        finished(target, outcome)?;
        Ok(files)
    }
}

/// File name of a companion file. Mesh files refer to it by a single word, so all characters that could
/// end a word become `_`.
fn name_beside(mesh: &Path, ending: &str) -> String {
    let stem = mesh.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| match c {
        c if c.is_alphanumeric() || "._-".contains(c) => c,
        _ => '_',
    };
    let name: String = stem.chars().map(plain).chain(ending.chars()).collect();
    match name.strip_prefix('-') {
        Some(rest) => format!("_{rest}"),
        None => name,
    }
}

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
    header: &Header<'_>,
    mesh: &Triangulation<'_>,
    make: impl Fn(usize, usize, &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    let map = mesh.map();
    let rows = 0..map.rows();
    each_part(
        sink,
        header,
        MeshPart::Vertices,
        rows,
        map.columns(),
        |row, bytes| {
            mesh.vertices_of(row)
                .for_each(|column| make(row, column, bytes));
        },
    )
}

/// Write the triangles of a mesh; `make` appends the bytes of one, given the indices of its vertices.
pub fn each_face(
    sink: Body<'_>,
    header: &Header<'_>,
    mesh: &Triangulation<'_>,
    make: impl Fn([u32; 3], &mut Vec<u8>) + Sync + Send,
) -> io::Result<()> {
    let samples = mesh.samples_of_a_part();
    each_part(
        sink,
        header,
        MeshPart::Faces,
        0..mesh.parts(),
        samples,
        |part, bytes| {
            mesh.each_face(part, |corners| make(corners, bytes));
        },
    )
}

/// Make the bytes of parts in parallel, one batch at a time, while the previous batch is written. Memory:
/// two batches, whatever the size of the map.
pub fn each_part(
    sink: Body<'_>,
    header: &Header<'_>,
    part: MeshPart,
    parts: Range<usize>,
    samples: usize,
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
