//! Terrain derivatives: 3 × 3 windows over the samples of a rectangle, for slope, aspect and curvature.
//!
//! ```text
//!   north  nw n ne      a wrapped border is periodic; a free one is extrapolated
//!   here   w  ·  e      linearly: 2·border − inner, which makes differences
//!   south  sw s se      one-sided there and keeps planes planes
//! ```

use crate::terrain::grid::Region;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

mod angle;
mod scale;
mod shape;

pub(crate) use scale::{AtScale, Measure};

/// Rectangle of a map, with the map around it.
#[derive(Clone, Copy, Debug)]
pub struct Relief<'a> {
    map: &'a Heightmap,
    region: Region,
    spacing: f32,
    metres: f32,
}

/// Row of samples with its neighbouring rows, each with one more sample at either end.
#[derive(Debug)]
pub struct Window<'a> {
    /// Row to the north.
    pub north: &'a [f32],
    /// Row of the samples.
    pub here: &'a [f32],
    /// Row to the south.
    pub south: &'a [f32],
    /// Distance between neighbouring samples, in the unit of the heights.
    pub spacing: f32,
    /// Length of the unit of the heights in metres.
    pub metres: f32,
}

/// Number of rows that a thread makes in one go.
pub(crate) const BAND_ROWS: usize = 32;

impl<'a> Relief<'a> {
    /// Create the relief of a whole map whose longer side measures `tile_size_m` metres.
    #[must_use]
    pub fn of(map: &'a Heightmap, tile_size_m: f32) -> Self {
        let region = Region {
            row: 0,
            column: 0,
            rows: map.rows(),
            columns: map.columns(),
        };
        Self::new(map, region, map.spacing(), tile_size_m)
    }

    /// Create the relief of a rectangle of a map, with `spacing` half tiles between samples, of a tile of
    /// `tile_size_m` metres.
    ///
    /// # Panics
    /// The rectangle reaches beyond the map.
    #[must_use]
    pub fn new(map: &'a Heightmap, region: Region, spacing: f32, tile_size_m: f32) -> Self {
        let fits = |first: u64, count: usize, all: usize| first as usize + count <= all;
        assert!(
            fits(region.row, region.rows, map.rows())
                && fits(region.column, region.columns, map.columns()),
            "{region:?} of {} × {}",
            map.rows(),
            map.columns()
        );
        Self {
            map,
            region,
            spacing,
            metres: metres_per_unit(tile_size_m) as f32,
        }
    }

    /// Number of rows of the rectangle.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.region.rows
    }

    /// Number of columns of the rectangle.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.region.columns
    }

    /// Position of a sample of the rectangle in its map, eastwards and southwards: 0 at the first column
    /// and row, 1 at the last.
    #[must_use]
    pub fn place(&self, row: usize, column: usize) -> [f32; 2] {
        let part = |at: usize, count: usize| at as f32 / (count - 1).max(1) as f32;
        [
            part(self.region.column as usize + column, self.map.columns()),
            part(self.region.row as usize + row, self.map.rows()),
        ]
    }

    /// True for the whole of a map that wraps.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.map.wraps() && (self.rows(), self.columns()) == (self.map.rows(), self.map.columns())
    }

    /// Heights of a row of the rectangle, in half tiles.
    #[must_use]
    pub fn heights(&self, row: usize) -> &'a [f32] {
        let first = self.region.column as usize;
        &self.map.row(self.region.row as usize + row)[first..first + self.columns()]
    }

    /// Compute each row of `out`, which holds the rectangle, from its window, on all threads of the current
    /// rayon pool.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(crate) fn each_row<T: Send>(
        &self,
        out: &mut [T],
        job: &Job,
        make: impl Fn(&Window<'_>, &mut [T]) + Sync,
    ) -> Result<(), Cancelled> {
        self.each_row_with(out, job, || (), |(), _, window, out| make(window, out))
    }

    /// Compute each row like [`Relief::each_row`], with a state that `start` makes for each band of rows,
    /// and the index of the row.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(crate) fn each_row_with<T: Send, S>(
        &self,
        out: &mut [T],
        job: &Job,
        start: impl Fn() -> S + Sync,
        make: impl Fn(&mut S, usize, &Window<'_>, &mut [T]) + Sync,
    ) -> Result<(), Cancelled> {
        let columns = self.columns();
        let bands = parallel::par_items(out.chunks_mut(BAND_ROWS * columns));
        bands.try_each(|band, rows| {
            let mut state = start();
            let first = self.region.row as isize + (band * BAND_ROWS) as isize;
            let mut lines = [-1, 0, 1].map(|by| {
                let mut line = vec![0.0; columns + 2];
                self.line(first + by, &mut line);
                line
            });
            for (row, out) in (first..).zip(rows.chunks_exact_mut(columns)) {
                job.check()?;
                if row > first {
                    lines.rotate_left(1);
                    self.line(row + 1, &mut lines[2]);
                }
                let [north, here, south] = &lines;
                let window = Window {
                    north,
                    here,
                    south,
                    spacing: self.spacing,
                    metres: self.metres,
                };
                make(
                    &mut state,
                    (row - self.region.row as isize) as usize,
                    &window,
                    out,
                );
            }
            Ok(())
        })
    }

    /// Write a row of the map, or the row beyond its border, from the sample before the rectangle to the
    /// one after it.
    fn line(&self, row: isize, line: &mut [f32]) {
        let last = self.map.rows() as isize - 1;
        match row {
            _ if (0..=last).contains(&row) => self.line_inside(row as usize, line),
            _ if last == 0 => self.line_inside(0, line),
            -1 if self.map.wraps() => self.line_inside(last as usize - 1, line),
            _ if self.map.wraps() => self.line_inside(1, line),
            _ => {
                let (border, inner) = if row < 0 { (0, 1) } else { (last, last - 1) };
                let mut within = vec![0.0; line.len()];
                self.line_inside(border as usize, line);
                self.line_inside(inner as usize, &mut within);
                for (height, within) in line.iter_mut().zip(&within) {
                    *height = 2.0 * *height - within;
                }
            }
        }
    }

    fn line_inside(&self, row: usize, line: &mut [f32]) {
        let heights = self.map.row(row);
        let last = heights.len() - 1;
        let first = self.region.column as usize;
        let count = line.len() - 2;
        line[1..=count].copy_from_slice(&heights[first..first + count]);
        line[0] = match first {
            0 if last == 0 => heights[0],
            0 if self.map.wraps() => heights[last - 1],
            0 => 2.0 * heights[0] - heights[1],
            first => heights[first - 1],
        };
        line[count + 1] = match heights.get(first + count) {
            Some(height) => *height,
            None if last == 0 => heights[0],
            None if self.map.wraps() => heights[1],
            None => 2.0 * heights[last] - heights[last - 1],
        };
    }
}

impl Window<'_> {
    /// Fill `out` with `value` of each sample's gradient eastwards and southwards, weighted over all eight
    /// neighbours (Horn 1981), as GDAL's `gdaldem` does: east = ((ne + 2e + se) − (nw + 2w + sw)) / 8d.
    #[inline]
    pub(crate) fn horn(&self, out: &mut [f32], value: impl Fn(f32, f32) -> f32) {
        let scale = 1.0 / (8.0 * self.spacing);
        let [north, here, south] = self.lines(out.len());
        for (i, out) in out.iter_mut().enumerate() {
            // Differences first, because those of similar heights are exact.
            let east = (north[i + 2] - north[i])
                + (south[i + 2] - south[i])
                + 2.0 * (here[i + 2] - here[i]);
            let below = (south[i] - north[i])
                + (south[i + 2] - north[i + 2])
                + 2.0 * (south[i + 1] - north[i + 1]);
            *out = value(east * scale, below * scale);
        }
    }

    /// Fill `out` with `value` of each sample's gradient eastwards and southwards by central differences:
    /// east = (e − w) / 2d.
    #[inline]
    pub(crate) fn central<T>(&self, out: &mut [T], value: impl Fn(f32, f32) -> T) {
        let scale = 1.0 / (2.0 * self.spacing);
        let [north, here, south] = self.lines(out.len());
        for (i, out) in out.iter_mut().enumerate() {
            let (east, down) = (here[i + 2] - here[i], south[i + 1] - north[i + 1]);
            *out = value(east * scale, down * scale);
        }
    }

    /// Rows north, here and south, each with `count` + 2 samples.
    pub(crate) fn lines(&self, count: usize) -> [&[f32]; 3] {
        [self.north, self.here, self.south].map(|line| &line[..count + 2])
    }
}
