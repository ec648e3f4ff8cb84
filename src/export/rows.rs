//! The way of a height map into files: rows from a source, each handed to every writer.

use std::io;
use std::path::PathBuf;

use super::memory::check_free;
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
    /// What the rows hold.
    pub map: &'static Map,
    /// The map that textures show, if that is not the map itself.
    pub finer: Option<&'a Heightmap>,
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
            mesh: self.mesh,
            job: self.job,
        })
    }
}

/// Writes all rows into all targets, then gives the complete files their names.
pub fn write(
    source: &RowSource,
    formats: &[&Format],
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
    let mut beside = Vec::new();
    let samples = source.rows() as u64 * source.columns() as u64;
    let mesh = triangulation(source, formats, work)?;
    for ((format, header), target) in formats.iter().zip(&headers).zip(&targets) {
        let path = target.path();
        if !target.is_direct() {
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
                let outcome = write(map, header, target.sink()?);
                job.check().map_err(GenerateError::from)?;
                outcome.map_err(write_error(path))?;
            }
            (Content::Mesh(content), RowSource::Map(_)) => {
                if let Some(mesh) = &mesh {
                    beside.extend(content.write_all(mesh, header, target)?);
                }
            }
            (_, RowSource::Stream(_) | RowSource::Numbers(_)) => {
                unreachable!("the map is in memory")
            }
        }
    }
    let heights = match passed {
        Some(range) if writers.is_empty() => range,
        None if writers.is_empty() => source.range(job).map_err(GenerateError::from)?,
        _ => write_rows(source, writers, job)?,
    };
    let mut sidecars = Vec::new();
    for ((format, header), target) in formats.iter().zip(&headers).zip(&targets) {
        if !target.is_direct() {
            let text = sidecar::text(format, header, heights, target.path());
            sidecars.push((target.path().to_owned(), text));
        }
    }
    for target in beside.into_iter().chain(targets) {
        target.commit()?;
    }
    for (path, text) in sidecars {
        sidecar::write(&path, &text)?;
    }
    Ok(Written {
        rows: source.rows(),
        columns: source.columns(),
        range: Some(heights),
    })
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
    Ok(Some(Triangulation::new(map, work.mesh.detail, work.job)?))
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

/// Feeds all writers; returns the range of what went through.
fn write_rows(
    source: &RowSource,
    mut writers: Vec<(PathBuf, Box<dyn RowWriter>)>,
    job: &Job,
) -> Result<(f32, f32), ExportError> {
    let mut range = Range::default();
    let mut failed = None;
    let outcome = source.each_row(job, &mut |row| {
        range.add(row);
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
    Ok((range.low, range.high))
}
