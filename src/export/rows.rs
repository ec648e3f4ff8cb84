//! The way of a height map into files: rows from a source, each handed to every writer.

use std::io;
use std::path::PathBuf;

use super::memory::check_free;
use super::space::check_space;
use super::target::{Target, write_error};
use super::{
    Content, ExportError, Format, Header, MeshOptions, Place, RowWriter, check_memory, sidecar,
};
use crate::fractal::Subdivision;
use crate::fractal::region::{self, Region};
use crate::fractal::rows::StreamError;
use crate::generate::{GenerateError, Inputs};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::mesh::{Detail, Triangulation};
use crate::pipeline;
use crate::scene::Scene;
use crate::texture::Palette;

/// Where rows come from.
#[derive(Debug)]
pub enum RowSource {
    /// A map in memory.
    Map(Heightmap),
    /// A map made a few rows at a time, as often as its rows are asked for.
    Stream(Box<Subdivision>),
}

impl RowSource {
    /// The rows of a scene's ground: streamed if its generator can and nothing else touches it,
    /// unless the `whole` map is wanted.
    ///
    /// # Errors
    /// A setting of the scene, a missing input, or too little memory for a map as a whole.
    pub fn new(
        scene: &Scene,
        inputs: &Inputs,
        whole: bool,
        job: &Job,
    ) -> Result<Self, ExportError> {
        scene.validate().map_err(GenerateError::from)?;
        let ground = pipeline::ground(scene);
        if !whole
            && pipeline::is_untouched(scene)
            && let Some(subdivision) = ground.subdivision(inputs, job)?
        {
            return Ok(Self::Stream(Box::new(subdivision)));
        }
        ground.validate(crate::generate::MAX_ITERATIONS_IN_MEMORY)?;
        check_memory(scene)?;
        Ok(Self::Map(pipeline::heights(scene, inputs, job)?))
    }

    /// The rows of a scene's ground, to take rectangles of: of diamond-square that nothing else
    /// touches of up to 2^31 cells a side, else the whole map.
    ///
    /// # Errors
    /// As [`RowSource::new`].
    pub fn of_any_size(scene: &Scene, inputs: &Inputs, job: &Job) -> Result<Self, ExportError> {
        scene.validate().map_err(GenerateError::from)?;
        if pipeline::is_untouched(scene)
            && let Some(subdivision) =
                pipeline::ground(scene).subdivision_of_any_size(inputs, job)?
        {
            return Ok(Self::Stream(Box::new(subdivision)));
        }
        Self::new(scene, inputs, true, job)
    }

    /// A rectangle of the samples, and where it lies: made alone, or cut from the map.
    ///
    /// # Errors
    /// It reaches beyond the map, or there is too little memory for it.
    pub fn part(&self, region: Region, job: &Job) -> Result<(Self, Place), ExportError> {
        let place = place_of(region, self.rows() as u64, self.columns() as u64)?;
        let bytes = (region.rows as u64).saturating_mul(region.columns as u64);
        check_free(bytes.saturating_mul(4))?;
        let heights = match self {
            Self::Stream(subdivision) => {
                let part = region::heights(subdivision, region, job);
                part.map_err(GenerateError::from)?.into_vec()
            }
            Self::Map(map) => {
                let first = region.column as usize;
                let rows = (region.row as usize..).take(region.rows);
                let cut = rows.flat_map(|row| &map.row(row)[first..first + region.columns]);
                cut.copied().collect()
            }
        };
        let map = Heightmap::new(region.rows, region.columns, false, heights);
        Ok((Self::Map(map), place))
    }

    /// With the place of a whole map.
    pub fn whole(self) -> (Self, Place) {
        let place = Place::whole(self.rows() as u64, self.columns() as u64);
        (self, place)
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Map(map) => map.rows(),
            Self::Stream(subdivision) => subdivision.side(),
        }
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        match self {
            Self::Map(map) => map.columns(),
            Self::Stream(subdivision) => subdivision.side(),
        }
    }

    /// Hands every row to `sink`, north first.
    ///
    /// # Errors
    /// The job was cancelled, or the sink's own error.
    pub fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        match self {
            Self::Stream(subdivision) => subdivision.stream(job, sink),
            Self::Map(map) => {
                for row in 0..map.rows() {
                    job.check()?;
                    sink(map.row(row))?;
                    job.advance(row as u64 + 1, map.rows() as u64);
                }
                Ok(())
            }
        }
    }

    /// Lowest and highest height: a pass over all rows.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn range(&self, job: &Job) -> Result<(f32, f32), Cancelled> {
        let mut range = Range::default();
        match self.each_row(job, &mut |row| {
            range.add(row);
            Ok(())
        }) {
            Err(StreamError::Cancelled(cancelled)) => Err(cancelled),
            _ => Ok((range.low, range.high)),
        }
    }
}

/// Where a region lies in a map of so many rows and columns.
fn place_of(region: Region, rows: u64, columns: u64) -> Result<Place, ExportError> {
    let fits = |first: u64, count: usize, all: u64| {
        let last = first.checked_add(count as u64);
        count > 0 && last.is_some_and(|last| last <= all)
    };
    if fits(region.row, region.rows, rows) && fits(region.column, region.columns, columns) {
        return Ok(Place {
            row: region.row,
            column: region.column,
            ..Place::whole(rows, columns)
        });
    }
    let Region {
        row,
        column,
        rows: height,
        columns: width,
    } = region;
    Err(ExportError::Region {
        region: format!("{column},{row},{width},{height}"),
        columns,
        rows,
    })
}

/// Lowest and highest of the heights seen so far.
struct Range {
    low: f32,
    high: f32,
}

impl Default for Range {
    fn default() -> Self {
        Self {
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        }
    }
}

impl Range {
    fn add(&mut self, row: &[f32]) {
        /// Independent lanes, so that the loop becomes vector instructions.
        const LANES: usize = 16;
        let (mut low, mut high) = ([self.low; LANES], [self.high; LANES]);
        let (chunks, rest) = row.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                low[lane] = low[lane].min(chunk[lane]);
                high[lane] = high[lane].max(chunk[lane]);
            }
        }
        self.low = low.iter().chain(rest).copied().fold(self.low, f32::min);
        self.high = high.iter().chain(rest).copied().fold(self.high, f32::max);
    }
}

/// What is the same for all files of a map.
pub struct Work<'a> {
    /// The scene that the map is of.
    pub scene: &'a Scene,
    /// Its colours.
    pub palette: &'a Palette,
    /// Where in the map the rows lie.
    pub place: Place,
    /// The heights that become 0 and 65535, if not the map's own.
    pub range: Option<(f32, f32)>,
    /// The map that textures show, if that is not the map itself.
    pub finer: Option<&'a Heightmap>,
    /// Choices for meshes.
    pub mesh: MeshOptions,
    /// To be checked and advanced.
    pub job: &'a Job,
}

/// Writes all rows into all targets, then gives the complete files their names.
pub fn write(
    source: &RowSource,
    formats: &[&Format],
    targets: Vec<Target>,
    work: &Work<'_>,
) -> Result<(), ExportError> {
    let job = work.job;
    let range = match work.range {
        None if formats.iter().any(|format| format.levels.is_some()) => {
            source.range(job).map_err(GenerateError::from)?
        }
        given => given.unwrap_or_default(),
    };
    let header = Header {
        rows: source.rows(),
        columns: source.columns(),
        range,
        place: work.place,
        scene: work.scene,
        palette: work.palette,
        finer: work.finer,
        mesh: work.mesh,
        job,
    };
    let mut writers = Vec::new();
    let mut beside = Vec::new();
    let samples = source.rows() as u64 * source.columns() as u64;
    let mesh = triangulation(source, formats, work)?;
    for (format, target) in formats.iter().zip(&targets) {
        let path = target.path();
        if !target.is_direct() {
            // Files of meshes are as long as they have triangles: two a sample, or fewer.
            let of_mesh = mesh.as_ref().filter(|_| format.mesh);
            let halves = of_mesh.map_or(samples * 2, |mesh| mesh.triangles().min(samples * 2));
            check_space(path, (halves / 2).saturating_mul(format.least_bytes))?;
        }
        match (&format.content, source) {
            (Content::Rows { begin, .. }, _) => {
                let writer = begin(&header, target.sink()?).map_err(write_error(path))?;
                writers.push((path.to_owned(), writer));
            }
            (Content::Whole(write), RowSource::Map(map)) => {
                let outcome = write(map, &header, target.sink()?);
                job.check().map_err(GenerateError::from)?;
                outcome.map_err(write_error(path))?;
            }
            (Content::Mesh(content), RowSource::Map(_)) => {
                if let Some(mesh) = &mesh {
                    beside.extend(content.write_all(mesh, &header, target)?);
                }
            }
            (_, RowSource::Stream(_)) => unreachable!("the map is in memory"),
        }
    }
    let heights = if writers.is_empty() {
        range
    } else {
        write_rows(source, writers, job)?
    };
    let mut sidecars = Vec::new();
    for (format, target) in formats.iter().zip(&targets) {
        if format.sidecar && !target.is_direct() {
            let text = sidecar::text(format, &header, heights, target.path());
            sidecars.push((sidecar::path(target.path()), text));
        }
    }
    for target in beside.into_iter().chain(targets) {
        target.commit()?;
    }
    sidecars
        .iter()
        .try_for_each(|(path, text)| super::target::write_all(path, text.as_bytes()))
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
