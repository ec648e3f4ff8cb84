//! The way of a height map into files: rows from a source, each handed to every writer.

use std::io;
use std::path::PathBuf;

use super::commit::{Complete, commit};
use super::memory::check_free;
use super::request::{Request, as_json};
use super::scene::portable;
use super::source::Range;
use super::space::check_space;
use super::target::{Target, write_error};
use super::{
    Content, ExportError, Format, Header, MeshOptions, Place, RowSource, RowWriter, Span, Unit,
    Written, sidecar,
};
use crate::fractal::rows::StreamError;
use crate::generate::GenerateError;
use crate::geo::Georeference;
use crate::heightmap::Heightmap;
use crate::job::Job;
use crate::maps::Map;
use crate::mesh::{Detail, Triangulation};
use crate::scene::Scene;
use crate::texture::Palette;

/// What is the same for all files of a map.
pub struct Work<'a> {
    /// The scene that the map is of.
    pub scene: &'a Scene,
    /// Its colours.
    pub palette: &'a Palette,
    /// Where in the map the rows lie.
    pub place: Place,
    /// Where on earth the map lies.
    pub earth: Option<Georeference>,
    /// What the numbers mean.
    pub span: Span,
    /// The range of the whole map, if it is known.
    pub own: Option<(f32, f32)>,
    /// Whether the southern row comes first.
    pub flipped: bool,
    /// What is asked for.
    pub request: Request,
    /// What the rows hold.
    pub map: &'static Map,
    /// The map that textures show, if that is not the map itself.
    pub finer: Option<&'a Heightmap>,
    /// The whole map, if a mesh is of a part of it.
    pub whole: Option<&'a Heightmap>,
    /// Choices for meshes.
    pub mesh: MeshOptions,
    /// To be checked and advanced.
    pub job: &'a Job,
}

impl Work<'_> {
    /// What a file in that format is told, if it has so many rows and columns of a map that
    /// reaches over the range `own`.
    pub fn header(
        &self,
        format: &Format,
        [rows, columns]: [usize; 2],
        own: (f32, f32),
    ) -> Result<Header<'_>, ExportError> {
        let metres_per_unit = f64::from(self.scene.surface.tile_size_m) / 2.0;
        Ok(Header {
            rows,
            columns,
            range: self.span.range(own, format.levels, metres_per_unit)?,
            unit: match self.map.is_heights() {
                true => Unit::of(format.unit, self.span),
                // As they are.
                false => Unit::HalfTiles,
            },
            map: self.map,
            flipped: self.flipped,
            place: self.place,
            earth: self.earth.as_ref(),
            scene: self.scene,
            palette: self.palette,
            finer: self.finer,
            whole: self.whole,
            own: self.own,
            mesh: self.mesh,
            job: self.job,
        })
    }
}

/// Writes all rows into all targets, then gives the complete files their names.
pub fn write(
    source: &RowSource,
    formats: &[&'static Format],
    targets: Vec<Target>,
    work: &Work<'_>,
) -> Result<Written, ExportError> {
    let job = work.job;
    let needs_range = |format: &&Format| work.span.needs_range(format.levels);
    let passed = match work.own {
        None if formats.iter().any(needs_range) => {
            Some(source.range(job).map_err(GenerateError::from)?)
        }
        _ => None,
    };
    let own = work.own.or(passed).unwrap_or_default();
    let size = [source.rows(), source.columns()];
    let scenes = targets
        .iter()
        .map(|target| portable(work.scene, target.path()));
    let scenes: Vec<_> = scenes.collect();
    let headers = formats.iter().zip(&scenes).map(|(format, scene)| {
        let header = work.header(format, size, own)?;
        Ok(Header { scene, ..header })
    });
    let headers = headers.collect::<Result<Vec<_>, ExportError>>()?;
    let mut writers = Vec::new();
    let mut all_beside = Vec::new();
    let samples = source.rows() as u64 * source.columns() as u64;
    let mesh = triangulation(source, formats, work)?;
    for ((format, header), target) in formats.iter().zip(&headers).zip(&targets) {
        let mut beside = Vec::new();
        let path = target.path();
        if !target.is_standard_output() {
            // Files of meshes are as long as they have triangles: two a sample, or fewer.
            let of_mesh = mesh.as_ref().filter(|_| format.mesh);
            let halves = of_mesh.map_or(samples * 2, |mesh| mesh.triangles().min(samples * 2));
            check_space(path, (halves / 2).saturating_mul(format.least_bytes))?;
        }
        match (&format.content, source) {
            (Content::Rows { begin, .. }, _) => {
                let writer = begin(header, target.sink()?).map_err(write_error(path))?;
                writers.push((path.to_owned(), writer));
            }
            (Content::Whole(write), RowSource::Map(map)) => {
                let outcome = write(map, header, target.seekable()?);
                job.check().map_err(GenerateError::from)?;
                outcome.map_err(write_error(path))?;
            }
            (Content::Mesh(content), RowSource::Map(_)) => {
                if let Some(mesh) = &mesh {
                    beside = content.write_all(mesh, header, target)?;
                }
            }
            (_, RowSource::Stream(_) | RowSource::Numbers(_)) => {
                unreachable!("the map is in memory")
            }
        }
        all_beside.push(beside);
    }
    let clips = Clips::of(formats, &headers, work.span);
    let (heights, clipped) = match passed {
        // Nothing lies beyond a map's own range.
        Some(range) if writers.is_empty() => (range, 0),
        _ => write_rows(source, writers, clips, job)?,
    };
    let sidecars = formats.iter().zip(&headers).zip(&targets);
    let sidecars = sidecars.map(|((format, header), target)| {
        let request = as_json(&work.request.in_format(format), work.scene);
        sidecar::of_numbers(format, header, heights, request, target.path())
    });
    let sidecars: Vec<_> = sidecars.collect();
    let complete = targets.into_iter().zip(all_beside).zip(sidecars);
    let complete = complete.map(|((file, beside), sidecar)| Complete {
        file,
        beside,
        sidecar: Some(sidecar),
    });
    commit(complete.collect(), job)?;
    Ok(Written {
        rows: source.rows(),
        columns: source.columns(),
        range: Some(heights),
        clipped,
    })
}

/// Counts the samples beyond the range that was asked for.
struct Clips {
    /// The range of whole numbers, if one of the files has such and may clip.
    range: Option<(f32, f32)>,
    count: u64,
}

impl Clips {
    fn of(formats: &[&Format], headers: &[Header<'_>], span: Span) -> Self {
        let asked = matches!(span, Span::Heights(..) | Span::MetresBetween(..));
        let mut whole = formats.iter().zip(headers);
        let found = whole.find(|(format, _)| asked && format.levels.is_some());
        Self {
            range: found.map(|(_, header)| header.range),
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

/// The map as triangles, if one of the formats is a mesh.
fn triangulation<'a>(
    source: &'a RowSource,
    formats: &[&Format],
    work: &Work<'_>,
) -> Result<Option<Triangulation<'a>>, ExportError> {
    let RowSource::Map(map) = source else {
        return Ok(None);
    };
    if !formats.iter().any(|format| format.mesh) {
        return Ok(None);
    }
    if work.mesh.detail != Detail::All {
        check_free(map.heights().len() as u64 * 4)?;
    }
    let (detail, job) = (work.mesh.detail, work.job);
    Ok(Some(match work.whole {
        Some(_) => Triangulation::of_part(map, detail, job)?,
        None => Triangulation::new(map, detail, job)?,
    }))
}

/// Refuses a row that holds what is no number, before any file has it.
fn check_numbers(row: &[f32]) -> io::Result<()> {
    // The loop becomes vector instructions without an early end.
    let is_finite = row
        .iter()
        .fold(true, |all, number| all & number.is_finite());
    match is_finite {
        true => Ok(()),
        false => Err(io::Error::other(
            "the map holds what is no number, allowed are finite ones",
        )),
    }
}

/// Feeds all writers; returns the range of what went through, and how much of it is clipped.
fn write_rows(
    source: &RowSource,
    mut writers: Vec<(PathBuf, Box<dyn RowWriter>)>,
    mut clips: Clips,
    job: &Job,
) -> Result<((f32, f32), u64), ExportError> {
    let mut range = Range::default();
    let mut failed = None;
    let outcome = source.each_row(job, &mut |row| {
        range.add(row);
        clips.add(row);
        check_numbers(row)?;
        for (index, (_, writer)) in writers.iter_mut().enumerate() {
            writer.row(row).inspect_err(|_| failed = Some(index))?;
        }
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(StreamError::Cancelled(cancelled)) => {
            return Err(GenerateError::from(cancelled).into());
        }
        Err(StreamError::Io(error)) => {
            let (path, _) = &writers[failed.unwrap_or(0)];
            return Err(write_error(path)(error));
        }
    }
    for (path, writer) in writers {
        writer.finish().map_err(write_error(&path))?;
    }
    Ok(((range.low, range.high), clips.count))
}
