//! What the mesh formats share: parts made on all threads while those before them are written,
//! in order; and the files that lie beside a mesh.
//!
//! A mesh is of whole ground: samples without data have the heights that they were filled with, so
//! that it has no hole and can be printed.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::ExportError;
use super::header::Header;
use super::seal::Body;
use super::target::{Sink, Target, write_error};
use crate::generate::GenerateError;
use crate::mesh::Triangulation;
use crate::parallel;

/// Samples whose bytes are made at once, on all threads: a few megabytes.
const BATCH_SAMPLES: usize = 1 << 16;

/// How a mesh is written.
#[derive(Debug)]
pub struct MeshContent {
    /// Writes the mesh; the names are of the files beside it, none if it goes to standard output.
    pub write: fn(&Triangulation<'_>, &Header<'_>, &[String], Sink) -> io::Result<()>,
    /// The files beside it.
    pub beside: &'static [MeshCompanion],
    /// Whether the unit of places is for the user to say.
    pub has_open_unit: bool,
    /// Whether it is printed, as large as the user says.
    pub is_printed: bool,
}

/// A file that lies beside a mesh.
#[derive(Debug)]
pub struct MeshCompanion {
    /// What follows the mesh's name without its extension.
    pub ending: &'static str,
    /// Writes it, given the names of all of them.
    pub write: fn(&Triangulation<'_>, &Header<'_>, &[String], Sink) -> io::Result<()>,
}

impl MeshContent {
    /// The files that lie beside a mesh.
    pub(super) fn files_beside(&self, path: &Path) -> Vec<PathBuf> {
        let names = self
            .beside
            .iter()
            .map(|file| name_beside(path, file.ending));
        names.map(|name| path.with_file_name(name)).collect()
    }

    /// Writes the mesh and what lies beside it; returns the latter's files, to be committed.
    pub(super) fn write_all(
        &self,
        mesh: &Triangulation<'_>,
        header: &Header<'_>,
        target: &Target,
    ) -> Result<Vec<Target>, ExportError> {
        // Standard output has no neighbours, and a profile is a line without colours.
        let beside = if target.is_standard_output() || mesh.map().is_profile() {
            &[]
        } else {
            self.beside
        };
        let endings = beside.iter().map(|file| file.ending);
        let names: Vec<String> = endings.map(|e| name_beside(target.path(), e)).collect();
        let finished = |target: &Target, outcome: io::Result<()>| {
            header.piece.job.check().map_err(GenerateError::from)?;
            outcome.map_err(write_error(target.path()))
        };
        let mut files = Vec::new();
        for (file, name) in beside.iter().zip(&names) {
            let beside = Target::companion(&target.path().with_file_name(name))?;
            let outcome = (file.write)(mesh, header, &names, beside.sink()?);
            finished(&beside, outcome)?;
            files.push(beside);
        }
        let outcome = (self.write)(mesh, header, &names, target.sink()?);
        finished(target, outcome)?;
        Ok(files)
    }
}

/// The name of a file beside a mesh. Formats that name other files do so in a line of words, so
/// what could be taken for anything but a word becomes `_`.
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

/// One of the parts that a file is written in, for its progress.
#[derive(Clone, Copy)]
pub enum MeshPart {
    /// The first of two.
    Vertices,
    /// The second of two.
    Faces,
}

/// Writes the vertices of a mesh, row by row: `make` is given row, column and where to.
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

/// Writes the triangles of a mesh: `make` is given numbers of vertices and where to.
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

/// Makes the bytes of parts of so many samples on all threads, a batch at a time, while the
/// batch before is written: memory for two batches, whatever the size of the map.
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
    // One turn more than there are batches: the last one writes only.
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
                parallel::over(&mut next).try_each(|index, bytes| {
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

/// Adds singles, little end first.
#[inline]
pub fn put<const COUNT: usize>(bytes: &mut Vec<u8>, numbers: [f32; COUNT]) {
    put_whole(bytes, numbers.map(f32::to_bits));
}

/// Adds whole numbers, little end first.
#[inline]
pub fn put_whole<const COUNT: usize>(bytes: &mut Vec<u8>, numbers: [u32; COUNT]) {
    let numbers = numbers.map(u32::to_le);
    bytes.extend_from_slice(bytemuck::cast_slice(&numbers));
}
