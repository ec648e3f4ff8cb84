//! Row pipeline of an export: each row of a source is passed to the writers of all files.

use std::io;

use super::ExportError;
use super::commit::{Complete, commit};
use super::files::OpenFile;
use super::format::{Content, Format, RowWriter};
use super::georeference;
use super::header::Header;
use super::memory::check_free;
use super::piece::Piece;
use super::portable::portable;
use super::request::as_json;
use super::row_source::{Extremes, RowSource, WithHoles};
use super::sidecar;
use super::space::check_space;
use super::target::{Target, write_error};
use super::values::Span;
use super::written::Written;
use crate::formats::sidecar::Sidecar;
use crate::fractal::rows::StreamError;
use crate::generate::GenerateError;
use crate::heightmap::{Heightmap, Validity};
use crate::job::Job;
use crate::mesh::{Detail, Triangulation};

/// A file and the header for its writer.
struct Told<'a> {
    file: &'a OpenFile,
    header: Header<'a>,
}

/// An open file that is written row by row.
struct Open<'a> {
    target: &'a Target,
    /// Metres of an imported file that replace the rows.
    stored: Option<&'a Heightmap>,
    writer: Box<dyn RowWriter>,
}

/// Write all rows to all files and rename the complete files into place.
pub fn write(
    rows: &dyn RowSource,
    piece: &Piece<'_>,
    files: Vec<OpenFile>,
) -> Result<Written, ExportError> {
    let before = &piece.job.span(0..1, 2);
    let whole = if files.iter().any(|file| file.format.needs_the_whole_map()) {
        Some(rows.whole(before)?)
    } else {
        None
    };
    let rows: &dyn RowSource = match &whole {
        Some(map) => &**map,
        None => rows,
    };
    let with_holes;
    let numbers: &dyn RowSource = match &piece.holes {
        Some(holes) => {
            let valid = &*holes.valid;
            with_holes = WithHoles { rows, valid };
            &with_holes
        }
        None => rows,
    };
    let own = own_range(numbers, piece, files.iter().map(|file| file.format), before)?;
    let own = match &piece.holes {
        // A small part of a map may hold no data at all.
        Some(holes) => own.map(|(low, high)| {
            if low <= high {
                (low, high)
            } else {
                holes.range
            }
        }),
        None => own,
    };
    // Finding the range was a first pass over the rows.
    let is_second = whole.is_some() || own.is_some();
    let job = &piece.job.span(u64::from(is_second)..2, 2);
    let range = piece.range_of_map.or(own).unwrap_or_default();
    let size = [rows.rows(), rows.columns()];
    let scenes = files
        .iter()
        .map(|file| portable(piece.scene, file.target.path()));
    let scenes: Vec<_> = scenes.collect();
    let told = files.iter().zip(&scenes).map(|(file, scene)| {
        let header = file.format.header(piece, scene, size, range)?;
        Ok(Told { file, header })
    });
    let told = told.collect::<Result<Vec<_>, ExportError>>()?;
    let writers = begin(&told)?;
    let mut beside = match &whole {
        Some(map) => write_whole(map, piece, &told)?,
        None => Vec::new(),
    };
    for (index, Told { file, header }) in told.iter().enumerate() {
        let places = georeference::write(file, header, &beside)?;
        if !places.is_empty() {
            beside.push((index, places));
        }
    }
    let (range, clipped) = match own {
        // All rows lie within the map's own range, so none are clipped.
        Some(range) if writers.is_empty() => (range, 0),
        _ => write_rows(numbers, piece, writers, Clips::new(&told, piece.span), job)?,
    };
    let sidecars = told.iter().map(|told| told.sidecar(range)).collect();
    commit(complete(files, sidecars, beside), job)?;
    // The rows may be relative to a base height.
    let [low, high] = [range.0, range.1].map(|end| (piece.passed_above() + f64::from(end)) as f32);
    Ok(Written {
        range: Some((low, high)),
        clipped,
        ..Written::of_size(size)
    })
}

/// Lowest and highest number of these rows, if a format needs the range and it is not known yet.
pub fn own_range(
    rows: &dyn RowSource,
    piece: &Piece<'_>,
    mut formats: impl Iterator<Item = &'static Format>,
    job: &Job,
) -> Result<Option<(f32, f32)>, ExportError> {
    let needed = formats.any(|format| piece.span.needs_range(format.levels));
    Ok(match piece.range_of_map {
        None if needed => Some(rows.range(job).map_err(GenerateError::from)?),
        _ => None,
    })
}

impl Told<'_> {
    /// Sidecar of the file; `range` is that of the rows.
    fn sidecar(&self, range: (f32, f32)) -> Sidecar {
        let OpenFile {
            target,
            format,
            request,
        } = self.file;
        let request = as_json(request, self.header.piece.scene);
        sidecar::of_numbers(format, &self.header, range, request, target.path())
    }
}

/// Combine the complete files with their sidecars and companion files.
fn complete(
    files: Vec<OpenFile>,
    sidecars: Vec<Sidecar>,
    beside: Vec<(usize, Vec<Target>)>,
) -> Vec<Complete> {
    let all = files.into_iter().zip(sidecars);
    let all = all.map(|(file, sidecar)| Complete {
        sidecar: Some(sidecar),
        ..file.target.into()
    });
    let mut all: Vec<_> = all.collect();
    for (index, beside) in beside {
        all[index].beside = beside;
    }
    all
}

/// Begin the files that are written row by row.
fn begin<'a>(told: &'a [Told<'a>]) -> Result<Vec<Open<'a>>, ExportError> {
    let mut open = Vec::new();
    for Told { file, header } in told {
        if let Content::Rows(begin) = file.format.content {
            check_room(file, header.rows as u64 * header.columns as u64)?;
            let target = &file.target;
            let writer = begin(header, target.sink()?).map_err(write_error(target.path()))?;
            open.push(Open {
                target,
                stored: header.stored().map(|stored| &stored.rounded),
                writer,
            });
        }
    }
    Ok(open)
}

/// Write the files that need the whole map. Returns the companion files with the index of their main file.
fn write_whole(
    map: &Heightmap,
    piece: &Piece<'_>,
    told: &[Told<'_>],
) -> Result<Vec<(usize, Vec<Target>)>, ExportError> {
    let samples = map.heights().len() as u64;
    let mut meshes = Vec::new();
    let has_heights = told
        .iter()
        .any(|told| matches!(told.file.format.content, Content::Whole(_)));
    let with_holes = match &piece.holes {
        Some(holes) if has_heights => Some(punched(map, &holes.valid)?),
        _ => None,
    };
    let numbers = with_holes.as_ref().unwrap_or(map);
    for (index, Told { file, header }) in told.iter().enumerate() {
        match &file.format.content {
            Content::Rows(_) => {}
            Content::Whole(write) => {
                check_room(file, samples)?;
                let numbers = header.stored().map_or(numbers, |stored| &stored.rounded);
                let outcome = write(numbers, header, file.target.seekable()?);
                piece.job.check().map_err(GenerateError::from)?;
                outcome.map_err(write_error(file.target.path()))?;
            }
            Content::Mesh(content) => meshes.push((index, file, header, content)),
        }
    }
    if meshes.is_empty() {
        return Ok(Vec::new());
    }
    let mesh = triangulation(map, piece)?;
    let written = meshes.into_iter().map(|(index, file, header, content)| {
        // The size of a mesh grows with its triangles: two a sample, or fewer if simplified.
        check_room(file, mesh.triangles().min(samples * 2) / 2)?;
        Ok((index, content.write_all(&mesh, header, &file.target)?))
    });
    written.collect()
}

/// Copy of a map with NaN for samples without data.
fn punched(map: &Heightmap, valid: &Validity) -> Result<Heightmap, ExportError> {
    check_free(size_of_val(map.heights()) as u64)?;
    let (rows, columns) = (map.rows(), map.columns());
    let mut heights = map.clone().into_heights();
    for (row, heights) in heights.chunks_exact_mut(columns).enumerate() {
        valid.punch(row, heights);
    }
    Ok(Heightmap::new(rows, columns, map.wraps(), heights))
}

/// Check that the disk has room for a file with this many samples.
fn check_room(file: &OpenFile, samples: u64) -> Result<(), ExportError> {
    if file.target.is_standard_output() {
        return Ok(());
    }
    let bytes = samples.saturating_mul(file.format.least_bytes);
    check_space(file.target.path(), bytes)
}

/// Triangulate the map.
fn triangulation<'a>(
    map: &'a Heightmap,
    piece: &Piece<'_>,
) -> Result<Triangulation<'a>, ExportError> {
    // The range and the writing take the other parts of the progress.
    let (detail, job) = (piece.mesh.detail, &piece.job.span(0..1, 4));
    if detail != Detail::All {
        check_free(map.heights().len() as u64 * 4)?;
    }
    Ok(match piece.whole {
        Some(_) => Triangulation::of_part(map, detail, job)?,
        None => Triangulation::new(map, detail, job)?,
    })
}

/// Counter of samples outside the requested range.
struct Clips {
    /// Range of whole numbers, if a file has them and may clip.
    range: Option<(f32, f32)>,
    count: u64,
}

impl Clips {
    fn new(told: &[Told<'_>], span: Span) -> Self {
        let asked = matches!(span, Span::Heights(..) | Span::MetresBetween(..));
        let mut whole = told.iter();
        let found = whole.find(|told| asked && told.file.format.levels.is_some());
        Self {
            range: found.map(|told| told.header.range),
            count: 0,
        }
    }

    fn add(&mut self, row: &[f32]) {
        if let Some((low, high)) = self.range {
            let beyond = row.iter().filter(|h| **h < low || **h > high);
            self.count += beyond.count() as u64;
        }
    }
}

/// Refuse a row with non-finite numbers before it is written. The `holes` samples without data are NaN
/// and allowed.
fn check_numbers(row: &[f32], holes: usize) -> io::Result<()> {
    // Without an early exit the compiler vectorizes the loop.
    let is_finite = row
        .iter()
        .fold(true, |all, number| all & number.is_finite());
    if is_finite {
        return Ok(());
    }
    if holes > 0 && row.iter().filter(|number| !number.is_finite()).count() == holes {
        return Ok(());
    }
    Err(io::Error::other(
        "the map holds what is no number, allowed are finite ones",
    ))
}

/// Pass all rows to all writers. Returns the range of the rows and the number of clipped samples.
fn write_rows(
    rows: &dyn RowSource,
    piece: &Piece<'_>,
    mut open: Vec<Open<'_>>,
    mut clips: Clips,
    job: &Job,
) -> Result<((f32, f32), u64), ExportError> {
    let mut extremes = Extremes::default();
    let mut failed = None;
    let mut index = 0;
    let outcome = rows.each_row(job, &mut |row| {
        extremes.add(row);
        clips.add(row);
        let holes = piece.holes.as_ref();
        check_numbers(
            row,
            holes.map_or(0, |holes| holes.valid.invalid_in_row(index)),
        )?;
        for (at, file) in open.iter_mut().enumerate() {
            let row = file.stored.map_or(row, |stored| stored.row(index));
            file.writer.row(row).inspect_err(|_| failed = Some(at))?;
        }
        index += 1;
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(StreamError::Cancelled(cancelled)) => {
            return Err(GenerateError::from(cancelled).into());
        }
        Err(StreamError::Io(error)) => {
            let path = open[failed.unwrap_or(0)].target.path();
            return Err(write_error(path)(error));
        }
    }
    for Open { target, writer, .. } in open {
        writer.finish().map_err(write_error(target.path()))?;
    }
    let range = (extremes.low, extremes.high);
    // A piece without any data has the range of its map.
    let range = match &piece.holes {
        Some(holes) if range.0 > range.1 => holes.range,
        _ => range,
    };
    Ok((range, clips.count))
}
