//! Row pipeline of an export: each row of a source is passed to the writers of all files.

use std::io;

use super::error::{ExportError, write_error};
use super::file::{Complete, OutputFile};
use super::format::{Content, Format, Header, RowWriter};
use super::georeference::write_files_beside;
use super::memory::{check_free, check_space};
use super::names::portable;
use super::piece::{Piece, Span};
use super::plan::{OpenFile, as_json};
use super::row_source::{NO_RANGE, RowSource, WithHoles, widen};
use super::sidecar;
use super::written::Written;
use crate::fractal::rows::StreamError;
use crate::shading::maps::Kind;
use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::{Detail, Triangulation};
use crate::util::job::Job;

/// A file and the header for its writer.
struct HeadedFile<'a> {
    file: &'a OpenFile,
    header: Header<'a>,
}

/// An open file that is written row by row.
struct RowFile<'a> {
    target: &'a OutputFile,
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
    let needs_whole = files.iter().any(|file| file.format.needs_the_whole_map());
    let whole = needs_whole.then(|| rows.whole(before)).transpose()?;
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
    let own = own.map(|range| range_of_data(range, piece));
    // Finding the range was a first pass over the rows.
    let is_second = whole.is_some() || own.is_some();
    let job = &piece.job.span(u64::from(is_second)..2, 2);
    let range = piece.range_of_map.or(own).unwrap_or_default();
    let size = rows.size();
    let scenes = files.iter();
    let scenes = scenes.map(|file| portable(piece.scene, file.target.path()));
    let scenes = scenes.collect::<Result<Vec<_>, _>>()?;
    let headed = files.iter().zip(&scenes).map(|(file, scene)| {
        let header = file.format.header(piece, scene, size, range)?;
        Ok(HeadedFile { file, header })
    });
    let headed = headed.collect::<Result<Vec<_>, ExportError>>()?;
    let writers = begin(&headed)?;
    let mut beside = match &whole {
        Some(map) => write_whole(map, piece, &headed)?,
        None => headed.iter().map(|_| Vec::new()).collect(),
    };
    for (index, HeadedFile { file, header }) in headed.iter().enumerate() {
        let places = write_files_beside(&file.target, file.format, header, &beside)?;
        beside[index].extend(places);
    }
    let (range, clipped) = match own {
        // All rows lie within the map's own range, so none are clipped.
        Some(range) if writers.is_empty() => (range, 0),
        _ => write_rows(numbers, piece, writers, &headed, job)?,
    };
    let sidecars = headed.iter().map(|HeadedFile { file, header }| {
        let request = as_json(&file.request, piece.scene);
        sidecar::of_numbers(file.format, header, range, request, file.target.path())
    });
    let sidecars: Vec<_> = sidecars.collect();
    let all = files.into_iter().zip(sidecars).zip(beside);
    let all = all.map(|((file, sidecar), beside)| Complete {
        file: file.target,
        beside,
        sidecar: Some(sidecar),
    });
    piece.commit(all.collect())?;
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
        None if needed => Some(rows.range(job)?),
        _ => None,
    })
}

/// Range of a piece. One without any data has the range of its map.
fn range_of_data(range: (f32, f32), piece: &Piece<'_>) -> (f32, f32) {
    match &piece.holes {
        Some(holes) if range.0 > range.1 => holes.range,
        _ => range,
    }
}

/// Begin the files that are written row by row.
fn begin<'a>(headed: &'a [HeadedFile<'a>]) -> Result<Vec<RowFile<'a>>, ExportError> {
    let mut open = Vec::new();
    for HeadedFile { file, header } in headed {
        if let Content::Rows(begin) = file.format.content {
            check_room(file, header.rows as u64 * header.columns as u64)?;
            let target = &file.target;
            let writer = begin(header, target.sink()?).map_err(write_error(target.path()))?;
            open.push(RowFile {
                target,
                stored: header.stored().map(|stored| &stored.rounded),
                writer,
            });
        }
    }
    Ok(open)
}

/// Write the files that need the whole map. Returns the companion files of each file.
fn write_whole(
    map: &Heightmap,
    piece: &Piece<'_>,
    headed: &[HeadedFile<'_>],
) -> Result<Vec<Vec<OutputFile>>, ExportError> {
    let samples = map.heights().len() as u64;
    let mut contents = headed.iter().map(|headed| &headed.file.format.content);
    let has_heights = contents.any(|content| matches!(content, Content::Whole(_)));
    let with_holes = match &piece.holes {
        Some(holes) if has_heights => {
            let (rows, valid) = (map as &dyn RowSource, &*holes.valid);
            let with_holes = WithHoles { rows, valid };
            Some(with_holes.whole(&piece.job.part())?.into_owned())
        }
        _ => None,
    };
    let numbers = with_holes.as_ref().unwrap_or(map);
    for HeadedFile { file, header } in headed {
        if let Content::Whole(write) = file.format.content {
            check_room(file, samples)?;
            let numbers = header.stored().map_or(numbers, |stored| &stored.rounded);
            let outcome = write(numbers, header, file.target.seekable()?);
            piece.job.check()?;
            outcome.map_err(write_error(file.target.path()))?;
        }
    }
    let has_mesh = headed.iter().any(|headed| headed.file.format.is_mesh());
    let mesh = has_mesh.then(|| triangulation(map, piece)).transpose()?;
    let companions = headed.iter().map(|HeadedFile { file, header }| {
        let Some((content, mesh)) = file.format.mesh().zip(mesh.as_ref()) else {
            return Ok(Vec::new());
        };
        // The size of a mesh grows with its triangles: two a sample, or fewer if simplified.
        check_room(file, mesh.triangles().min(samples * 2) / 2)?;
        content.write_all(mesh, header, &file.target)
    });
    companions.collect()
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

/// Refuse a row with non-finite numbers before it is written. The `holes` samples without data are NaN
/// and allowed.
fn check_numbers(row: &[f32], holes: usize) -> io::Result<()> {
    // Without an early exit the compiler vectorizes the loop.
    let numbers = row.iter();
    let is_finite = numbers.fold(true, |all, number| all & number.is_finite());
    let wild = || row.iter().filter(|number| !number.is_finite()).count();
    if is_finite || (holes > 0 && wild() == holes) {
        return Ok(());
    }
    Err(io::Error::other(
        "the map has heights that are not finite numbers",
    ))
}

/// Pass all rows to all writers. Returns the range of the rows and the number of clipped samples.
fn write_rows(
    rows: &dyn RowSource,
    piece: &Piece<'_>,
    mut open: Vec<RowFile<'_>>,
    headed: &[HeadedFile<'_>],
    job: &Job,
) -> Result<((f32, f32), u64), ExportError> {
    // Range of whole numbers, if a file has them and may clip.
    let may_clip = matches!(piece.span, Span::Heights(..) | Span::MetresBetween(..))
        // The sea may stand above all land.
        || matches!(piece.map.kind, Kind::WaterSurface);
    let has_levels = |headed: &&HeadedFile<'_>| headed.file.format.levels.is_some();
    let whole = headed.iter().find(|headed| may_clip && has_levels(headed));
    let whole = whole.map(|headed| headed.header.range);
    let (mut range, mut clipped) = (NO_RANGE, 0);
    let mut failed = None;
    let mut index = 0;
    let outcome = rows.each_row(job, &mut |row| {
        widen(&mut range, row);
        if let Some((low, high)) = whole {
            clipped += row.iter().filter(|h| **h < low || **h > high).count() as u64;
        }
        let holes = piece.holes.as_ref();
        let holes = holes.map_or(0, |holes| holes.valid.invalid_in_row(index));
        check_numbers(row, holes)?;
        for (at, file) in open.iter_mut().enumerate() {
            let row = file.stored.map_or(row, |stored| stored.row(index));
            file.writer.row(row).inspect_err(|_| failed = Some(at))?;
        }
        index += 1;
        Ok(())
    });
    outcome.map_err(|error| match error {
        StreamError::Cancelled(cancelled) => cancelled.into(),
        StreamError::Io(error) => write_error(open[failed.unwrap_or(0)].target.path())(error),
    })?;
    for RowFile { target, writer, .. } in open {
        writer.finish().map_err(write_error(target.path()))?;
    }
    Ok((range_of_data(range, piece), clipped))
}
