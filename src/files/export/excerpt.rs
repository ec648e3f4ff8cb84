//! Rectangle of a scene's heights that keeps access to its surroundings.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use super::error::ExportError;
use super::fine::Rectangles;
use super::heights::HeightSource;
use super::location::{Location, first_of};
use super::row_source::{RowSource, range};
use crate::fractal::region::Region;
use crate::fractal::rows::StreamError;
use crate::generate::{GenerateError, MAX_ITERATIONS_STREAMED};
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::util::job::{Cancelled, Job};

/// A rectangle of a scene's heights.
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
        let all = Self::new(self.source, false);
        Ok(all.range(job).map_err(GenerateError::from)?)
    }

    /// Validity mask of the rectangle in row order, see [`HeightSource::valid`].
    pub fn valid(&self) -> Option<Arc<Validity>> {
        self.source.valid(self.region, self.flipped)
    }

    /// Rows and columns of the rectangle.
    pub fn size(self) -> [usize; 2] {
        [self.region.rows, self.region.columns]
    }

    fn is_all(&self) -> bool {
        self.region == first_of(self.source.size())
    }
}

impl RowSource for Excerpt<'_> {
    fn rows(&self) -> usize {
        self.region.rows
    }

    fn columns(&self) -> usize {
        self.region.columns
    }

    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let Region { rows, columns, .. } = self.region;
        match self.source {
            HeightSource::Map(map) => {
                let first = self.region.column as usize;
                for index in 0..rows {
                    job.check()?;
                    let row = if self.flipped {
                        rows - 1 - index
                    } else {
                        index
                    };
                    let row = map.row(self.region.row as usize + row);
                    sink(&row[first..first + columns])?;
                    job.advance(index as u64 + 1, rows as u64);
                }
                Ok(())
            }
            HeightSource::Fine(fine) => {
                each_row_in_bands(&**fine, self.region, self.flipped, job, sink)
            }
            HeightSource::Stream(subdivision) => {
                if self.flipped || (self.region.row, self.region.column) != (0, 0) {
                    let from = &**subdivision;
                    return each_row_in_bands(from, self.region, self.flipped, job, sink);
                }
                let mut left = rows;
                subdivision.stream(job, &mut |row| {
                    if left > 0 {
                        left -= 1;
                        sink(&row[..columns])?;
                    }
                    Ok(())
                })
            }
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
        if let (HeightSource::Map(map), true, false) = (self.source, self.is_all(), self.flipped) {
            return Ok(Cow::Borrowed(map));
        }
        let map = self.source.part(self.region, job)?;
        if !self.flipped {
            return Ok(Cow::Owned(map));
        }
        let (rows, columns) = (map.rows(), map.columns());
        let valid = self.valid();
        let mut heights = map.into_heights();
        let (north, south) = heights.split_at_mut(rows / 2 * columns);
        let southern = south.chunks_exact_mut(columns).rev();
        let northern = north.chunks_exact_mut(columns);
        northern
            .zip(southern)
            .for_each(|(a, b)| a.swap_with_slice(b));
        let flipped = Heightmap::new(rows, columns, false, heights);
        Ok(Cow::Owned(flipped.with_valid(valid)))
    }
}

/// Pass the rows of a rectangle to `sink`, generating one band of rows at a time.
fn each_row_in_bands(
    from: &dyn Rectangles,
    region: Region,
    flipped: bool,
    job: &Job,
    sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
) -> Result<(), StreamError> {
    /// Rows of a band. Smaller bands generate more samples twice.
    const BAND: usize = 256;
    let of_band = job.part();
    for done in (0..region.rows).step_by(BAND) {
        let rows = BAND.min(region.rows - done);
        let before = if flipped {
            region.rows - done - rows
        } else {
            done
        };
        let band = Region {
            row: region.row + before as u64,
            rows,
            ..region
        };
        let band = from.rectangle(band, &of_band)?;
        let mut rows = band.as_slice().chunks_exact(region.columns);
        if flipped {
            rows.rev().try_for_each(&mut *sink)?;
        } else {
            rows.try_for_each(&mut *sink)?;
        }
        job.advance((done + BAND) as u64, region.rows as u64);
    }
    Ok(())
}

/// Refuse a pass over a map that would take days.
pub fn check_finite(map: Location) -> Result<(), ExportError> {
    let most = (1 << MAX_ITERATIONS_STREAMED) + 1;
    match map.rows.max(map.columns) {
        side if side > most => Err(ExportError::RangeOfAll { side, most }),
        _ => Ok(()),
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
