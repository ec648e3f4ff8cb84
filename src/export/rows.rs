//! The way of a height map into files: rows from a source, each handed to every writer.

use std::path::PathBuf;

use super::source::Range;
use super::space::check_space;
use super::target::{Target, write_error};
use super::{
    Content, ExportError, Format, Header, Place, RowSource, RowWriter, Span, Unit, Written, sidecar,
};
use crate::fractal::rows::StreamError;
use crate::generate::GenerateError;
use crate::job::Job;
use crate::maps::Map;
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
    /// What the numbers mean.
    pub span: Span,
    /// The range of the whole map, if it is known.
    pub own: Option<(f32, f32)>,
    /// Whether the southern row comes first.
    pub flipped: bool,
    /// What the rows hold.
    pub map: &'static Map,
    /// To be checked and advanced.
    pub job: &'a Job,
}

impl<'a> Work<'a> {
    /// What a file in that format is told, if it has so many rows and columns of a map that
    /// reaches over the range `own`.
    pub fn header(
        &self,
        format: &Format,
        [rows, columns]: [usize; 2],
        own: (f32, f32),
    ) -> Result<Header<'a>, ExportError> {
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
            scene: self.scene,
            palette: self.palette,
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
    let own = match work.own {
        None if formats.iter().any(needs_range) => {
            source.range(job).map_err(GenerateError::from)?
        }
        known => known.unwrap_or_default(),
    };
    let size = [source.rows(), source.columns()];
    let headers = formats.iter().map(|format| work.header(format, size, own));
    let headers = headers.collect::<Result<Vec<_>, _>>()?;
    let mut writers = Vec::new();
    let samples = source.rows() as u64 * source.columns() as u64;
    for ((format, header), target) in formats.iter().zip(&headers).zip(&targets) {
        let path = target.path();
        if !target.is_direct() {
            check_space(path, samples.saturating_mul(format.least_bytes))?;
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
            (Content::Whole(_), RowSource::Stream(_) | RowSource::Numbers(_)) => {
                unreachable!("the map is in memory")
            }
        }
    }
    let heights = if writers.is_empty() {
        source.range(job).map_err(GenerateError::from)?
    } else {
        write_rows(source, writers, job)?
    };
    let mut sidecars = Vec::new();
    for ((format, header), target) in formats.iter().zip(&headers).zip(&targets) {
        if format.sidecar && !target.is_direct() {
            let text = sidecar::text(format, header, heights, target.path());
            sidecars.push((target.path().to_owned(), text));
        }
    }
    for target in targets {
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
