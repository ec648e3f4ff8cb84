//! Where the rows of a file come from: a map in memory, or one made a few rows at a time.

use std::io;

use super::memory::{check_free, check_memory};
use super::{ExportError, Format, Options, Place};
use crate::fractal::Subdivision;
use crate::fractal::region::{self, Region};
use crate::fractal::rows::StreamError;
use crate::generate::{GenerateError, Generator, MAX_ITERATIONS_STREAMED};
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::job::{Cancelled, Job};
use crate::pipeline;
use crate::resample::resample;
use crate::scene::Scene;

/// Where rows come from.
#[derive(Debug)]
pub enum RowSource {
    /// A map in memory.
    Map(Heightmap),
    /// A map made a few rows at a time, as often as its rows are asked for.
    Stream(Stream),
    /// Other numbers, made of the heights a few rows at a time.
    Numbers(Box<dyn Rows>),
}

/// Rows that are made as often as they are asked for.
pub trait Rows: std::fmt::Debug + Send + Sync {
    /// Number of rows.
    fn rows(&self) -> usize;
    /// Number of columns.
    fn columns(&self) -> usize;
    /// Hands every row to `sink`, north first.
    ///
    /// # Errors
    /// The job was cancelled, or the sink's own error.
    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError>;
}

/// The north-western rows and columns of a map that is made a few rows at a time.
#[derive(Debug)]
pub struct Stream {
    subdivision: Box<Subdivision>,
    rows: usize,
    columns: usize,
    /// Whether the southern row comes first.
    flipped: bool,
}

impl Stream {
    /// What makes it.
    pub(super) fn subdivision(&self) -> &Subdivision {
        &self.subdivision
    }

    fn new(subdivision: Subdivision) -> Self {
        Self {
            rows: subdivision.side(),
            columns: subdivision.side(),
            subdivision: Box::new(subdivision),
            flipped: false,
        }
    }

    fn each_row_from_the_north(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let mut left = self.rows;
        self.subdivision.stream(job, &mut |row| {
            if left > 0 {
                left -= 1;
                sink(&row[..self.columns])?;
            }
            Ok(())
        })
    }

    /// All of it in memory.
    fn whole(&self, job: &Job) -> Result<Heightmap, ExportError> {
        check_free(self.rows as u64 * self.columns as u64 * 4)?;
        let all = Region {
            row: 0,
            column: 0,
            rows: self.rows,
            columns: self.columns,
        };
        let heights = region::heights(&self.subdivision, all, job).map_err(GenerateError::from)?;
        let (rows, columns) = (self.rows, self.columns);
        Ok(Heightmap::new(rows, columns, false, heights.into_vec()))
    }

    /// A band of rows at a time, each made alone.
    fn each_row_from_the_south(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        /// Rows made at once: the fewer, the more is made twice.
        const BAND: usize = 256;
        let of_band = job.part();
        for below in (0..self.rows).step_by(BAND) {
            let end = self.rows - below;
            let first = end.saturating_sub(BAND);
            let region = Region {
                row: first as u64,
                column: 0,
                rows: end - first,
                columns: self.columns,
            };
            let band = region::heights(&self.subdivision, region, &of_band)?;
            let band = band.as_slice();
            let mut from_the_south = band.chunks_exact(self.columns).rev();
            from_the_south.try_for_each(&mut *sink)?;
            job.advance((below + BAND) as u64, self.rows as u64);
        }
        Ok(())
    }
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
        let ground = pipeline::surface_of(scene);
        if !whole
            && pipeline::is_untouched(scene)
            && let Some(subdivision) = ground.subdivision(&inputs.images, job)?
        {
            return Ok(Self::Stream(Stream::new(subdivision)));
        }
        ground.validate(crate::generate::MAX_ITERATIONS_IN_MEMORY)?;
        check_memory(scene, inputs)?;
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
                pipeline::surface_of(scene).subdivision_of_any_size(&inputs.images, job)?
        {
            return Ok(Self::Stream(Stream::new(subdivision)));
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
            Self::Stream(stream) => {
                let part = region::heights(&stream.subdivision, region, job);
                part.map_err(GenerateError::from)?.into_vec()
            }
            Self::Map(map) => {
                let first = region.column as usize;
                let rows = (region.row as usize..).take(region.rows);
                let cut = rows.flat_map(|row| &map.row(row)[first..first + region.columns]);
                cut.copied().collect()
            }
            Self::Numbers(_) => unreachable!("a rectangle of them is made of one of heights"),
        };
        let map = Heightmap::new(region.rows, region.columns, false, heights);
        Ok((Self::Map(map), place))
    }

    /// Heights with the southern row first.
    pub(super) fn flipped(self) -> Self {
        match self {
            Self::Stream(stream) => Self::Stream(Stream {
                flipped: !stream.flipped,
                ..stream
            }),
            Self::Map(map) => {
                let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
                let mut heights = map.into_heights();
                let (north, south) = heights.split_at_mut(rows / 2 * columns);
                let southern = south.chunks_exact_mut(columns).rev();
                let northern = north.chunks_exact_mut(columns);
                northern
                    .zip(southern)
                    .for_each(|(a, b)| a.swap_with_slice(b));
                Self::Map(Heightmap::new(rows, columns, wraps, heights))
            }
            numbers @ Self::Numbers(_) => numbers,
        }
    }

    /// The first rows and columns of heights.
    pub(super) fn cropped(self, [rows, columns]: [usize; 2]) -> Self {
        match self {
            Self::Stream(stream) => Self::Stream(Stream {
                rows,
                columns,
                ..stream
            }),
            Self::Map(map) => {
                let kept = (0..rows).flat_map(|row| &map.row(row)[..columns]);
                let heights: Vec<f32> = kept.copied().collect();
                Self::Map(Heightmap::new(rows, columns, false, heights))
            }
            numbers @ Self::Numbers(_) => numbers,
        }
    }

    /// Heights interpolated at so many rows and columns, see [`resample`](crate::resample::resample).
    pub(super) fn resampled(
        self,
        [rows, columns]: [usize; 2],
        job: &Job,
    ) -> Result<Self, ExportError> {
        check_free(
            (rows as u64)
                .saturating_mul(columns as u64)
                .saturating_mul(4),
        )?;
        let map = match self {
            Self::Map(map) => map,
            Self::Stream(stream) => stream.whole(job)?,
            numbers @ Self::Numbers(_) => return Ok(numbers),
        };
        let map = resample(&map, rows, columns, job).map_err(GenerateError::from)?;
        Ok(Self::Map(map))
    }

    /// The map, if it is in memory.
    pub(super) fn map(&self) -> Option<&Heightmap> {
        match self {
            Self::Map(map) => Some(map),
            Self::Stream(_) | Self::Numbers(_) => None,
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Map(map) => map.rows(),
            Self::Stream(stream) => stream.rows,
            Self::Numbers(numbers) => numbers.rows(),
        }
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        match self {
            Self::Map(map) => map.columns(),
            Self::Stream(stream) => stream.columns,
            Self::Numbers(numbers) => numbers.columns(),
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
            Self::Stream(stream) if stream.flipped => stream.each_row_from_the_south(job, sink),
            Self::Stream(stream) => stream.each_row_from_the_north(job, sink),
            Self::Numbers(numbers) => numbers.each_row(job, sink),
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

    /// Lowest and highest height of a map that rectangles are taken of: a pass over all rows.
    ///
    /// # Errors
    /// The job was cancelled, or the map is so large that the pass would take days.
    pub(super) fn range_of_all(&self, job: &Job) -> Result<(f32, f32), ExportError> {
        check_finite(self.rows() as u64, self.columns() as u64)?;
        Ok(self.range(job).map_err(GenerateError::from)?)
    }

    /// Lowest and highest height: a pass over all rows.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn range(&self, job: &Job) -> Result<(f32, f32), Cancelled> {
        let mut range = Range::default();
        let mut add = |row: &[f32]| {
            range.add(row);
            Ok(())
        };
        let passed = match self {
            // Whatever the order of the rows, this is the quicker.
            Self::Stream(stream) => stream.each_row_from_the_north(job, &mut add),
            Self::Map(_) | Self::Numbers(_) => self.each_row(job, &mut add),
        };
        match passed {
            Err(StreamError::Cancelled(cancelled)) => Err(cancelled),
            _ => Ok((range.low, range.high)),
        }
    }
}

/// Refuses a pass over a map that takes days.
pub(super) fn check_finite(rows: u64, columns: u64) -> Result<(), ExportError> {
    let most = (1 << MAX_ITERATIONS_STREAMED) + 1;
    match rows.max(columns) {
        side if side > most => Err(ExportError::RangeOfAll { side, most }),
        _ => Ok(()),
    }
}

/// What the user is to know before a part of a map is written whose range is that of all its
/// samples, where these take seconds or hours to go through.
#[must_use]
pub fn notice_of_search(scene: &Scene, formats: &[&Format], options: &Options) -> Option<String> {
    /// Iterations of maps that are gone through in a moment.
    const MOMENT: u32 = 14;
    let ground = pipeline::surface_of(scene);
    let is_map = !formats.iter().any(|format| format.mesh);
    let needs_range = formats.iter().any(|f| options.span.needs_range(f.levels));
    let streams = ground.generator == Generator::DiamondSquare && pipeline::is_untouched(scene);
    if !is_map || !needs_range || !streams || ground.iterations <= MOMENT {
        return None;
    }
    let side = (1_u64 << ground.iterations.min(63)) + 1;
    check_finite(side, side).ok()?;
    Some(format!(
        "looking for the lowest and the highest of all {side} × {side} samples first; --range \
         LOW,HIGH does without"
    ))
}

/// Where a region lies in a map of so many rows and columns.
pub(super) fn place_of(region: Region, rows: u64, columns: u64) -> Result<Place, ExportError> {
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
pub struct Range {
    pub low: f32,
    pub high: f32,
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
    pub fn add(&mut self, row: &[f32]) {
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
