//! Sources of rows for output files: a map in memory, a rectangle of a scene's heights, or a scalar map
//! that is derived from them, such as slope.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use super::error::ExportError;
use super::heights::{HeightSource, Location, first_of};
use super::memory::check_free;
use crate::fractal::region::Region;
use crate::fractal::rows::StreamError;
use crate::generate::MAX_ITERATIONS_STREAMED;
use crate::scene::Scene;
use crate::shading::maps::water::WaterSurface;
use crate::shading::maps::{Map, Relief};
use crate::terrain::heightmap::{Heightmap, Heights, Validity};
use crate::util::job::{Cancelled, Job};

/// Function that takes one row after the other.
pub type TakeRow<'a> = dyn FnMut(&[f32]) -> io::Result<()> + 'a;

/// Source of rows of numbers, which can be read any number of times.
pub trait RowSource {
    /// Number of rows and columns.
    fn size(&self) -> [usize; 2];

    /// Pass every row to `sink`, in file order.
    ///
    /// # Errors
    /// The job was cancelled, or `sink` failed.
    fn each_row(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError>;

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
        let [rows, columns] = self.size();
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
            Err(StreamError::Cancelled(cancelled)) => Err(cancelled.into()),
            _ => Ok(Cow::Owned(Heightmap::new(rows, columns, false, numbers))),
        }
    }
}

/// Lowest and highest number of some rows. Cost: a pass over all of them.
fn range(rows: &(impl RowSource + ?Sized), job: &Job) -> Result<(f32, f32), Cancelled> {
    let mut range = NO_RANGE;
    let passed = rows.each_row(job, &mut |row| {
        widen(&mut range, row);
        Ok(())
    });
    match passed {
        Err(StreamError::Cancelled(cancelled)) => Err(cancelled),
        _ => Ok(range),
    }
}

/// Range of no numbers at all, to be widened.
pub const NO_RANGE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

/// Widen a range by a row; NaN is ignored.
pub fn widen(range: &mut (f32, f32), row: &[f32]) {
    /// Independent lanes, so that the compiler vectorizes the loop.
    const LANES: usize = 16;
    let (mut low, mut high) = ([range.0; LANES], [range.1; LANES]);
    let (chunks, rest) = row.as_chunks::<LANES>();
    for chunk in chunks {
        for lane in 0..LANES {
            low[lane] = low[lane].min(chunk[lane]);
            high[lane] = high[lane].max(chunk[lane]);
        }
    }
    range.0 = low.iter().chain(rest).copied().fold(range.0, f32::min);
    range.1 = high.iter().chain(rest).copied().fold(range.1, f32::max);
}

impl RowSource for Heightmap {
    fn size(&self) -> [usize; 2] {
        [self.rows(), self.columns()]
    }

    fn each_row(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError> {
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
pub struct WithHoles<'a> {
    /// Rows with filled holes.
    pub rows: &'a dyn RowSource,
    /// Validity mask, in row order.
    pub valid: &'a Validity,
}

impl RowSource for WithHoles<'_> {
    fn size(&self) -> [usize; 2] {
        self.rows.size()
    }

    fn each_row(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError> {
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

/// A rectangle of a scene's heights, which keeps access to its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    /// Source of all heights.
    pub source: &'a HeightSource,
    /// The rectangle, in samples of the source.
    pub region: Region,
    /// Location of the rectangle in the whole map.
    pub location: Location,
    /// True if the southern row comes first.
    flipped: bool,
}

impl<'a> Excerpt<'a> {
    /// Excerpt of all heights, the southern row first if `flipped`.
    pub fn new(source: &'a HeightSource, flipped: bool) -> Self {
        let [rows, columns] = source.size();
        Self {
            source,
            region: first_of([rows, columns]),
            location: Location::whole(rows, columns),
            flipped,
        }
    }

    /// Part of this excerpt.
    ///
    /// # Errors
    /// The region reaches beyond the map.
    pub fn part(self, region: Region) -> Result<Self, ExportError> {
        Ok(Self {
            region,
            location: self.location.of(region)?,
            ..self
        })
    }

    /// Lowest and highest height of the whole source.
    ///
    /// # Errors
    /// The job was cancelled, or the map is so large that the pass would take days.
    pub fn range_of_all(self, job: &Job) -> Result<(f32, f32), ExportError> {
        check_finite(self.location)?;
        Ok(Self::new(self.source, false).range(job)?)
    }

    /// Validity mask of the rectangle in row order, see [`HeightSource::valid`].
    pub fn valid(&self) -> Option<Arc<Validity>> {
        self.source.valid(self.region, self.flipped)
    }

    /// Pass the rows to `sink`, generating one band of them at a time.
    fn each_row_in_bands(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError> {
        /// Rows of a band. Smaller bands generate more samples twice.
        const BAND: usize = 256;
        let (region, of_band) = (self.region, job.part());
        for done in (0..region.rows).step_by(BAND) {
            let rows = BAND.min(region.rows - done);
            let before = match self.flipped {
                true => region.rows - done - rows,
                false => done,
            };
            let band = Region {
                row: region.row + before as u64,
                rows,
                ..region
            };
            let band = self.source.rectangle(band, &of_band)?;
            let mut rows = band.as_slice().chunks_exact(region.columns);
            match self.flipped {
                true => rows.rev().try_for_each(&mut *sink)?,
                false => rows.try_for_each(&mut *sink)?,
            }
            job.advance((done + BAND) as u64, region.rows as u64);
        }
        Ok(())
    }

    /// Pass the relief to `each`, one band of rows at a time, north first. The heights come from the map
    /// in memory, or are generated for the band with a margin of one sample.
    pub fn each_relief(
        &self,
        tile_size_m: f32,
        job: &Job,
        each: &mut dyn FnMut(&Relief<'_>) -> Result<(), StreamError>,
    ) -> Result<(), StreamError> {
        /// Samples of a band: large enough that the margin costs little.
        const BAND_SAMPLES: usize = 4 << 20;
        let Region { rows, columns, .. } = self.region;
        let at_once = (BAND_SAMPLES / columns).max(16);
        let spacing = 2.0 / self.location.cells.max(1) as f32;
        for first in (0..rows).step_by(at_once) {
            job.check()?;
            let band = Region {
                row: self.region.row + first as u64,
                rows: at_once.min(rows - first),
                ..self.region
            };
            match self.source {
                HeightSource::Map(map) => {
                    each(&Relief::new(map, band, spacing, tile_size_m))?;
                }
                HeightSource::Stream(_) | HeightSource::Fine(_) => {
                    let (map, within) = with_margin(self.source, band, &job.part())?;
                    let relief = Relief::new(&map, within, spacing, tile_size_m);
                    each(&relief.part_of(band, self.source.size()))?;
                }
            }
            job.advance((first + band.rows) as u64, rows as u64);
        }
        Ok(())
    }
}

impl RowSource for Excerpt<'_> {
    fn size(&self) -> [usize; 2] {
        [self.region.rows, self.region.columns]
    }

    fn each_row(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError> {
        let Region { rows, columns, .. } = self.region;
        let first = self.region.column as usize;
        match self.source {
            HeightSource::Map(map) => {
                for index in 0..rows {
                    job.check()?;
                    let row = match self.flipped {
                        true => rows - 1 - index,
                        false => index,
                    };
                    let row = map.row(self.region.row as usize + row);
                    sink(&row[first..first + columns])?;
                    job.advance(index as u64 + 1, rows as u64);
                }
                Ok(())
            }
            HeightSource::Stream(subdivision)
                if !self.flipped && (self.region.row, first) == (0, 0) =>
            {
                let mut left = rows;
                subdivision.stream(job, &mut |row| {
                    if left > 0 {
                        left -= 1;
                        sink(&row[..columns])?;
                    }
                    Ok(())
                })
            }
            HeightSource::Stream(_) | HeightSource::Fine(_) => self.each_row_in_bands(job, sink),
        }
    }

    fn range(&self, job: &Job) -> Result<(f32, f32), Cancelled> {
        // The range does not depend on the row order, and streaming from the north is faster.
        let from_the_north = Self {
            flipped: false,
            ..*self
        };
        range(&from_the_north, job)
    }

    fn whole(&self, job: &Job) -> Result<Cow<'_, Heightmap>, ExportError> {
        let is_all = self.region == first_of(self.source.size());
        if let (HeightSource::Map(map), true, false) = (self.source, is_all, self.flipped) {
            return Ok(Cow::Borrowed(map));
        }
        let map = self.source.part(self.region, job)?;
        if !self.flipped {
            return Ok(Cow::Owned(map));
        }
        let (rows, columns) = (map.rows(), map.columns());
        let mut heights = map.into_heights();
        let (north, south) = heights.split_at_mut(rows / 2 * columns);
        let southern = south.chunks_exact_mut(columns).rev();
        let northern = north.chunks_exact_mut(columns);
        northern
            .zip(southern)
            .for_each(|(a, b)| a.swap_with_slice(b));
        let flipped = Heightmap::new(rows, columns, false, heights);
        Ok(Cow::Owned(flipped.with_valid(self.valid())))
    }
}

/// Refuse a pass over a map that would take days.
pub fn check_finite(map: Location) -> Result<(), ExportError> {
    let most = (1 << MAX_ITERATIONS_STREAMED) + 1;
    match map.rows.max(map.columns) {
        side if side > most => Err(ExportError::RangeOfAll { side, most }),
        _ => Ok(()),
    }
}

/// Heights of a rectangle with a margin of one sample on every side, except where a map that does not
/// wrap ends. Also returns the location of the rectangle within them.
fn with_margin(
    from: &HeightSource,
    region: Region,
    job: &Job,
) -> Result<(Heightmap, Region), Cancelled> {
    let [height, width] = from.size().map(|side| side as u64);
    let (down, north) = runs(region.row, region.rows, height, from.wraps());
    let (across, west) = runs(region.column, region.columns, width, from.wraps());
    let total = |runs: &[(u64, usize)]| runs.iter().map(|(_, count)| count).sum();
    let (height, width): (usize, usize) = (total(&down), total(&across));
    let mut heights = vec![0.0; height * width];
    let mut at = [0, 0];
    for &(row, rows) in &down {
        at[1] = 0;
        for &(column, columns) in &across {
            let part = Region {
                row,
                column,
                rows,
                columns,
            };
            let part = from.rectangle(part, job)?;
            for index in 0..rows {
                let into = &mut heights[(at[0] + index) * width + at[1]..][..columns];
                into.copy_from_slice(part.row(index));
            }
            at[1] += columns;
        }
        at[0] += rows;
    }
    let within = Region {
        row: north as u64,
        column: west as u64,
        ..region
    };
    Ok((Heightmap::new(height, width, false, heights), within))
}

/// Runs of samples, each with its first one and their number, that cover `count` samples from `first`
/// with a margin of one at either end. The margin continues round a map that wraps and is missing where a
/// map ends. Also returns the number of samples before `first`.
fn runs(first: u64, count: usize, all: u64, wraps: bool) -> (Vec<(u64, usize)>, usize) {
    let after = first + count as u64;
    let start = first.saturating_sub(1);
    let end = (after + 1).min(all);
    // The last sample repeats the first, so its neighbour is the one before.
    let before = (first == 0 && wraps).then_some((all - 2, 1));
    let behind = (after == all && wraps).then_some((1, 1));
    let within = [(start, (end - start) as usize)];
    let runs = before.into_iter().chain(within).chain(behind);
    (runs.collect(), usize::from(first > 0 || wraps))
}

/// Rows of a scalar map, derived from the heights as often as they are read.
pub struct MapRows<'a> {
    /// Heights.
    pub excerpt: Excerpt<'a>,
    /// Map to derive from them.
    pub map: &'static Map,
    /// Scene with the light.
    pub scene: &'a Scene,
}

impl RowSource for MapRows<'_> {
    fn size(&self) -> [usize; 2] {
        self.excerpt.size()
    }

    fn each_row(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError> {
        let Scene { light, surface, .. } = self.scene;
        let tile_size_m = surface.tile_size_m;
        self.excerpt.each_relief(tile_size_m, job, &mut |relief| {
            // The caller takes only scalar maps here.
            let Some(band) = self.map.numbers(relief, light, job) else {
                return Ok(());
            };
            let band = band?;
            (0..band.rows()).try_for_each(|row| {
                job.check()?;
                Ok(sink(band.row(row))?)
            })
        })
    }
}

/// Rows of the water surface over some heights.
pub struct WaterRows<'a> {
    /// Heights of the ground.
    pub excerpt: Excerpt<'a>,
    /// Water surface over the whole map.
    pub surface: WaterSurface<'a>,
}

impl RowSource for WaterRows<'_> {
    fn size(&self) -> [usize; 2] {
        self.excerpt.size()
    }

    fn each_row(&self, job: &Job, sink: &mut TakeRow<'_>) -> Result<(), StreamError> {
        let Excerpt {
            location,
            region,
            flipped,
            ..
        } = self.excerpt;
        let size = [location.rows, location.columns];
        let (mut index, mut heights) = (0, Vec::new());
        self.excerpt.each_row(job, &mut |ground| {
            let south = match flipped {
                true => region.rows - 1 - index,
                false => index,
            };
            let first = [location.row + south as u64, location.column];
            self.surface.fill(ground, first, size, &mut heights);
            index += 1;
            sink(&heights)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fractal::Subdivision;
    use crate::generate::diamond_square;

    fn rows_of(rows: &impl RowSource) -> Vec<Vec<f32>> {
        let mut all = Vec::new();
        let add = &mut |row: &[f32]| {
            all.push(row.to_vec());
            Ok(())
        };
        rows.each_row(&Job::new(), add).expect("rows");
        all
    }

    #[test]
    fn streamed_rows_match_memory_and_flipped_ones_reverse() {
        // Taking heights of a scene here would compile every generator into this test.
        let options = diamond_square::DiamondSquareOptions::default();
        let subdivision = Subdivision::new(options.rule(0, 5, 0.7, 1.0), [0.0; 4], None);
        let stream = HeightSource::Stream(Box::new(subdivision));
        let rows = rows_of(&Excerpt::new(&stream, false));
        let map = HeightSource::Map(Heightmap::new(33, 33, true, rows.concat()));
        let middle = Region {
            row: 3,
            column: 7,
            rows: 20,
            columns: 11,
        };
        for region in [first_of([33, 33]), first_of([32, 32]), middle] {
            let part = |source, flipped| Excerpt::new(source, flipped).part(region);
            let expected = rows_of(&part(&map, false).expect("a part"));
            assert_eq!(
                [expected.len(), expected[0].len()],
                [region.rows, region.columns]
            );
            for source in [&map, &stream] {
                for flipped in [false, true] {
                    let part = part(source, flipped).expect("a part");
                    let mut rows = rows_of(&part);
                    let whole = part.whole(&Job::new()).expect("a map");
                    assert_eq!(whole.heights(), rows.concat());
                    if flipped {
                        rows.reverse();
                    }
                    assert_eq!(rows, expected);
                }
            }
        }
    }
}
