//! The way of a piece of numbers into files: rows from a source, each handed to every writer.

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

/// A file with what its writer is told.
struct Told<'a> {
    file: &'a OpenFile,
    header: Header<'a>,
}

/// A file that takes rows.
struct Open<'a> {
    target: &'a Target,
    /// Metres of an imported file, which it takes in place of the rows.
    stored: Option<&'a Heightmap>,
    writer: Box<dyn RowWriter>,
}

/// Writes all rows into all files, then gives the complete files their names.
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
        // A few samples of a map need not hold any data.
        Some(holes) => own.map(|(low, high)| {
            if low <= high {
                (low, high)
            } else {
                holes.range
            }
        }),
        None => own,
    };
    // All rows are made once more if they were looked at before.
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
        // Nothing lies beyond a map's own range.
        Some(range) if writers.is_empty() => (range, 0),
        _ => write_rows(numbers, piece, writers, Clips::new(&told, piece.span), job)?,
    };
    let sidecars = told.iter().map(|told| told.sidecar(range)).collect();
    commit(complete(files, sidecars, beside), job)?;
    // What went through may be above a base.
    let [low, high] = [range.0, range.1].map(|end| (piece.passed_above() + f64::from(end)) as f32);
    Ok(Written {
        range: Some((low, high)),
        clipped,
        ..Written::of_size(size)
    })
}

/// The lowest and the highest number of these rows, where files of these formats need to know them
/// and nobody does.
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
    /// The file's sidecar; `range` is that of what went through.
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

/// The complete files, each with its sidecar and what lies beside it.
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

/// Begins the files that take rows.
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

/// Writes the files that take the whole map. Returns what now lies beside them, and beside which.
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
        // Files of meshes are as long as they have triangles: two a sample, or fewer.
        check_room(file, mesh.triangles().min(samples * 2) / 2)?;
        Ok((index, content.write_all(&mesh, header, &file.target)?))
    });
    written.collect()
}

/// A copy of a map whose samples without data are NaN.
fn punched(map: &Heightmap, valid: &Validity) -> Result<Heightmap, ExportError> {
    check_free(size_of_val(map.heights()) as u64)?;
    let (rows, columns) = (map.rows(), map.columns());
    let mut heights = map.clone().into_heights();
    for (row, heights) in heights.chunks_exact_mut(columns).enumerate() {
        valid.punch(row, heights);
    }
    Ok(Heightmap::new(rows, columns, map.wraps(), heights))
}

/// Refuses a file of so many samples if its disk has not got the room.
fn check_room(file: &OpenFile, samples: u64) -> Result<(), ExportError> {
    if file.target.is_standard_output() {
        return Ok(());
    }
    let bytes = samples.saturating_mul(file.format.least_bytes);
    check_space(file.target.path(), bytes)
}

/// The map as triangles.
fn triangulation<'a>(
    map: &'a Heightmap,
    piece: &Piece<'_>,
) -> Result<Triangulation<'a>, ExportError> {
    // Writing it and its range are the rest.
    let (detail, job) = (piece.mesh.detail, &piece.job.span(0..1, 4));
    if detail != Detail::All {
        check_free(map.heights().len() as u64 * 4)?;
    }
    Ok(match piece.whole {
        Some(_) => Triangulation::of_part(map, detail, job)?,
        None => Triangulation::new(map, detail, job)?,
    })
}

/// Counts the samples beyond the range that was asked for.
struct Clips {
    /// The range of whole numbers, if one of the files has such and may clip.
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

/// Refuses a row that holds what is no number, before any file has it. Samples without data are
/// none; there are so many `holes`.
fn check_numbers(row: &[f32], holes: usize) -> io::Result<()> {
    // The loop becomes vector instructions without an early end.
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

/// Feeds all writers; returns the range of what went through, and how much of it is clipped.
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
    // A piece of which nothing holds data has the range of its map.
    let range = match &piece.holes {
        Some(holes) if range.0 > range.1 => holes.range,
        _ => range,
    };
    Ok((range, clips.count))
}
