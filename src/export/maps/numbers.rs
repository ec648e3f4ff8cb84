//! A map of numbers as rows, so that every format of heights takes it.

use std::io;

use super::ground::Ground;
use crate::export::memory::check_free;
use crate::export::source::Rows;
use crate::export::{Content, ExportError, Format, RowSource};
use crate::fractal::rows::StreamError;
use crate::generate::GenerateError;
use crate::heightmap::{Heightmap, Heights};
use crate::job::{Cancelled, Job};
use crate::maps::{Map, Relief};
use crate::scene::Light;

/// The rows of a map of numbers, made of the ground's as often as they are asked for.
#[derive(Clone, Debug)]
pub struct Numbers {
    ground: Ground,
    map: &'static Map,
    light: Light,
}

impl Numbers {
    /// `map` of the ground in that light.
    pub(super) fn new(ground: Ground, map: &'static Map, light: &Light) -> Self {
        Self {
            ground,
            map,
            light: light.clone(),
        }
    }

    /// Lowest and highest number.
    pub(super) fn range(&self, job: &Job) -> Result<(f32, f32), ExportError> {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        self.each_band(job, &mut |band| {
            let range = band.range();
            (low, high) = (low.min(range.0), high.max(range.1));
            Ok::<_, ExportError>(())
        })?;
        Ok((low, high))
    }

    /// The source that these formats are written from: in memory if one of them needs that.
    pub(super) fn for_formats(
        self,
        formats: &[&Format],
        job: &Job,
    ) -> Result<RowSource, ExportError> {
        let whole = |format: &&&Format| matches!(format.content, Content::Whole(_));
        if !formats.iter().any(|format| whole(&format)) {
            return Ok(RowSource::Numbers(Box::new(self)));
        }
        let (rows, columns) = (self.ground.rows(), self.ground.columns());
        check_free((rows as u64).saturating_mul(columns as u64 * 4))?;
        let no_memory = || ExportError::Memory {
            needed: rows as u64 * columns as u64 * 4,
            free: 0,
        };
        let mut numbers = Heights::zeros(rows * columns).ok_or_else(no_memory)?;
        let mut done = 0;
        self.each_band(job, &mut |band| {
            numbers[done..done + band.heights().len()].copy_from_slice(band.heights());
            done += band.heights().len();
            Ok::<_, ExportError>(())
        })?;
        Ok(RowSource::Map(Heightmap::new(
            rows, columns, false, numbers,
        )))
    }

    fn each_band<E: From<GenerateError>>(
        &self,
        job: &Job,
        each: &mut dyn FnMut(&Heightmap) -> Result<(), E>,
    ) -> Result<(), E> {
        self.ground.each_band(job, &mut |relief: &Relief<'_>| {
            // A map of another kind never becomes `Numbers`.
            match self.map.numbers(relief, &self.light, job) {
                Some(band) => each(&band.map_err(GenerateError::from)?),
                None => Ok(()),
            }
        })
    }
}

impl Rows for Numbers {
    fn rows(&self) -> usize {
        self.ground.rows()
    }

    fn columns(&self) -> usize {
        self.ground.columns()
    }

    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let rows = self.each_band(job, &mut |band| {
            (0..band.rows()).try_for_each(|row| {
                job.check().map_err(GenerateError::from)?;
                Ok(sink(band.row(row))?)
            })
        });
        rows.map_err(|Failed(error)| error)
    }
}

/// Why a stream of rows ended.
struct Failed(StreamError);

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self(error.into())
    }
}

impl From<GenerateError> for Failed {
    fn from(_: GenerateError) -> Self {
        // Making rows of a valid scene fails only when it is cancelled.
        Self(Cancelled.into())
    }
}
