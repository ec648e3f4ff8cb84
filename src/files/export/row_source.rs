//! Sources of rows for output files.

use std::borrow::Cow;
use std::fmt::Debug;
use std::io;

use super::error::ExportError;
use super::memory::check_free;
use crate::fractal::rows::StreamError;
use crate::generate::GenerateError;
use crate::terrain::heightmap::{Heightmap, Heights, Validity};
use crate::util::job::{Cancelled, Job};

/// Source of rows of numbers, which can be read any number of times.
pub trait RowSource: Debug + Sync {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Number of columns.
    fn columns(&self) -> usize;
    /// Pass every row to `sink`, in file order.
    ///
    /// # Errors
    /// The job was cancelled, or `sink` failed.
    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError>;

    /// Lowest and highest number. Cost: a pass over all rows.
    ///
    /// # Errors
    /// The job was cancelled.
    fn range(&self, job: &Job) -> Result<(f32, f32), Cancelled> {
        range(self, job)
    }

    /// Load all rows into memory.
    ///
    /// # Errors
    /// There is too little memory, or the job was cancelled.
    fn whole(&self, job: &Job) -> Result<Cow<'_, Heightmap>, ExportError> {
        let (rows, columns) = (self.rows(), self.columns());
        let needed = (rows as u64).saturating_mul(columns as u64 * 4);
        check_free(needed)?;
        let no_memory = ExportError::Memory { needed, free: 0 };
        let mut numbers = Heights::zeros(rows * columns).ok_or(no_memory)?;
        let mut free = numbers.chunks_exact_mut(columns);
        let passed = self.each_row(job, &mut |row| {
            free.next()
                .into_iter()
                .for_each(|to| to.copy_from_slice(row));
            Ok(())
        });
        match passed {
            Err(StreamError::Cancelled(cancelled)) => Err(GenerateError::from(cancelled).into()),
            _ => Ok(Cow::Owned(Heightmap::new(rows, columns, false, numbers))),
        }
    }
}

/// Lowest and highest number of some rows. Cost: a pass over all of them.
pub fn range(rows: &(impl RowSource + ?Sized), job: &Job) -> Result<(f32, f32), Cancelled> {
    let mut extremes = Extremes::default();
    let passed = rows.each_row(job, &mut |row| {
        extremes.add(row);
        Ok(())
    });
    match passed {
        Err(StreamError::Cancelled(cancelled)) => Err(cancelled),
        _ => Ok((extremes.low, extremes.high)),
    }
}

impl RowSource for Heightmap {
    fn rows(&self) -> usize {
        self.rows()
    }

    fn columns(&self) -> usize {
        self.columns()
    }

    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        for row in 0..self.rows() {
            job.check()?;
            sink(self.row(row))?;
            job.advance(row as u64 + 1, self.rows() as u64);
        }
        Ok(())
    }

    fn whole(&self, _: &Job) -> Result<Cow<'_, Heightmap>, ExportError> {
        Ok(Cow::Borrowed(self))
    }
}

/// Rows with NaN for samples without data, which ranges ignore.
#[derive(Debug)]
pub struct WithHoles<'a> {
    /// Rows with filled holes.
    pub rows: &'a dyn RowSource,
    /// Validity mask, in row order.
    pub valid: &'a Validity,
}

impl RowSource for WithHoles<'_> {
    fn rows(&self) -> usize {
        self.rows.rows()
    }

    fn columns(&self) -> usize {
        self.rows.columns()
    }

    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let (mut index, mut with_holes) = (0, Vec::new());
        self.rows.each_row(job, &mut |row| {
            with_holes.clear();
            with_holes.extend_from_slice(row);
            self.valid.punch(index, &mut with_holes);
            index += 1;
            sink(&with_holes)
        })
    }
}

/// Running minimum and maximum.
pub struct Extremes {
    /// Lowest number.
    pub low: f32,
    /// Highest number.
    pub high: f32,
}

impl Default for Extremes {
    fn default() -> Self {
        Self {
            low: f32::INFINITY,
            high: f32::NEG_INFINITY,
        }
    }
}

impl Extremes {
    /// Add a row; NaN is ignored.
    pub fn add(&mut self, row: &[f32]) {
        /// Independent lanes, so that the compiler vectorizes the loop.
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
