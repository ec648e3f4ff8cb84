//! Mask by the horizontal distance from the scene's water, in metres: 0 under water, and infinite if no
//! land lies below the water level.
//!
//! The distance is an exact Euclidean distance transform: along each row it is the lower envelope of
//! parabolas over the distances up and down the columns (Felzenszwalb and Huttenlocher 2012). On a map
//! that wraps, water across an edge counts as well.
//!
//! Of the columns only the distances across the borders of bands of rows are stored, a quarter of a byte
//! a sample; the rest is recomputed for a band when it is needed. Cost: a pass over the heights and one
//! over rows, together some ten times as long as another mask.

use super::{Context, MaskError};
use crate::modify::mask::{FillRow, MadeQuantity, Quantity};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::neighbours::BAND_ROWS;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;
use crate::util::param::OutOfRange;

/// Create the error for a scene without water.
pub(super) fn no_water(table: &str) -> OutOfRange {
    OutOfRange {
        key: format!("{table}.by"),
        value: "water-distance".to_owned(),
        allowed: "anything else while the scene has no water, which needs water.enabled = true"
            .to_owned(),
    }
}

/// Distance of each sample of `map` from the scene's water.
///
/// # Errors
/// The scene has no water, or the job was cancelled.
pub(super) fn quantity<'a>(map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
    let own = context.water.map(|level| (map, level));
    let shores = context.shores.map(|shores| (shores, 0.0));
    let Some((map, level)) = shores.or(own) else {
        return Err(MaskError::OutOfRange(no_water("mask")));
    };
    let sample_m = f64::from(map.spacing()) * metres_per_unit(context.tile_size_m);
    Ok(Box::new(Shores::find(map, level, sample_m, context.job)?))
}

/// Sentinel for no water: a distance in samples that can still be added to without overflow.
const NONE: u32 = 1 << 30;

/// Water of a map, as distances from the borders of bands of rows.
struct Shores<'a> {
    map: &'a Heightmap,
    level: f32,
    /// Sample spacing in metres.
    sample_m: f64,
    /// Number of rows and columns after which the map repeats, or all of them.
    rows: usize,
    columns: usize,
    /// Distance of the nearest water north of each band from its first row, and of the nearest water south
    /// of it from its last row, by band and column.
    north: Vec<u32>,
    south: Vec<u32>,
}

impl<'a> Shores<'a> {
    fn find(map: &'a Heightmap, level: f32, sample_m: f64, job: &Job) -> Result<Self, Cancelled> {
        let period = |count: usize| {
            if map.wraps() {
                (count - 1).max(1)
            } else {
                count
            }
        };
        let (rows, columns) = (period(map.rows()), period(map.columns()));
        let bands = rows.div_ceil(BAND_ROWS);
        let mut shores = Self {
            map,
            level,
            sample_m,
            rows,
            columns,
            north: vec![NONE; bands * columns],
            south: vec![NONE; bands * columns],
        };
        // Distances across one border: of each band's first water from the last row of the band before,
        // and of its last water from the first row of the next.
        let (mut up, mut down) = (vec![NONE; bands * columns], vec![NONE; bands * columns]);
        let both = up.chunks_mut(columns).zip(down.chunks_mut(columns));
        parallel::par_items(both).try_each(|band, (up, down)| {
            job.check()?;
            for row in shores.rows_of(band) {
                count(up, down, &map.row(row)[..columns], level);
            }
            let height = shores.rows_of(band).len() as u32;
            for up in up.iter_mut().filter(|up| **up < NONE) {
                // The count started at the last row.
                *up = height - *up;
            }
            for down in down.iter_mut().filter(|down| **down < NONE) {
                *down += 1;
            }
            Ok::<_, Cancelled>(())
        })?;
        shores.cross(&up, &down);
        Ok(shores)
    }

    fn rows_of(&self, band: usize) -> std::ops::Range<usize> {
        let first = band * BAND_ROWS;
        first..(first + BAND_ROWS).min(self.rows)
    }

    /// Propagate the distances across the borders of all bands, southwards and northwards; twice around a map
    /// that wraps.
    fn cross(&mut self, up: &[u32], down: &[u32]) {
        let (bands, columns) = (self.north.len() / self.columns, self.columns);
        let rounds = if self.map.wraps() { 2 } else { 1 };
        let heights: Vec<u32> = (0..bands).map(|b| self.rows_of(b).len() as u32).collect();
        let mut line = vec![NONE; columns];
        for band in (0..rounds * bands).map(|step| step % bands) {
            let place = band * columns..(band + 1) * columns;
            self.north[place.clone()].copy_from_slice(&line);
            pass_on(&mut line, &down[place], heights[band]);
        }
        line.fill(NONE);
        for band in (0..rounds * bands).rev().map(|step| step % bands) {
            let place = band * columns..(band + 1) * columns;
            self.south[place.clone()].copy_from_slice(&line);
            pass_on(&mut line, &up[place], heights[band]);
        }
    }

    /// Compute the distance of each sample of a band from the nearest water up or down its column.
    fn fill(&self, band: usize, distances: &mut Vec<u32>) {
        let (rows, columns) = (self.rows_of(band), self.columns);
        let edge = band * columns..(band + 1) * columns;
        distances.clear();
        distances.resize(rows.len() * columns, NONE);
        let mut line = self.north[edge.clone()].to_vec();
        for (row, distances) in rows.zip(distances.chunks_exact_mut(columns)) {
            southwards(
                distances,
                &mut line,
                &self.map.row(row)[..columns],
                self.level,
            );
        }
        line.copy_from_slice(&self.south[edge]);
        for distances in distances.chunks_exact_mut(columns).rev() {
            northwards(distances, &mut line);
        }
    }
}

vectorized! {
    /// Add one row of a band to the counts of rows since its first and its last water.
    fn count(up: &mut [u32], down: &mut [u32], heights: &[f32], level: f32) {
        for ((up, down), height) in up.iter_mut().zip(down).zip(heights) {
            let wet = *height <= level;
            let first = if wet { 0 } else { NONE };
            *up = if *up < NONE { *up + 1 } else { first };
            *down = if wet { 0 } else { (*down + 1).min(NONE) };
        }
    }

    /// Advance distances from one border to the next, `height` rows on; water within the band is nearer.
    fn pass_on(line: &mut [u32], nearer: &[u32], height: u32) {
        for (line, nearer) in line.iter_mut().zip(nearer) {
            *line = (*line + height).min(*nearer).min(NONE);
        }
    }

    /// Compute the distances of a row from water in it or north of it; `line` carries over to the next row.
    fn southwards(distances: &mut [u32], line: &mut [u32], heights: &[f32], level: f32) {
        for ((distance, line), height) in distances.iter_mut().zip(line).zip(heights) {
            *distance = if *height <= level { 0 } else { *line };
            *line = (*distance + 1).min(NONE);
        }
    }

    /// Reduce the distances of a row to those from water south of it, where that is nearer.
    fn northwards(distances: &mut [u32], line: &mut [u32]) {
        for (distance, line) in distances.iter_mut().zip(line) {
            *distance = (*distance).min(*line);
            *line = (*distance + 1).min(NONE);
        }
    }
}

impl Quantity for Shores<'_> {
    fn rows(&self) -> FillRow<'_> {
        let mut band = None;
        let mut distances = Vec::new();
        let mut envelope = Envelope::new(self.columns);
        Box::new(move |row, _, out| {
            let row = row % self.rows;
            let wanted = row / BAND_ROWS;
            if band != Some(wanted) {
                self.fill(wanted, &mut distances);
                band = Some(wanted);
            }
            let line = &distances[row % BAND_ROWS * self.columns..][..self.columns];
            let squares = envelope.squares(line, self.map.wraps());
            metres(squares, line, self.sample_m, out);
            if self.columns < out.len() {
                out[self.columns] = out[0];
            }
        })
    }
}

/// Lower envelope of parabolas along a row, and the squared distances under it. All numbers are whole and
/// small enough to be exact, except the intersections of parabolas, which are either whole, where both
/// are equally far, or farther from a whole number than rounding errors.
struct Envelope {
    parabolas: Vec<Parabola>,
    squares: Vec<f64>,
    /// Table of 1/(2·i), since division is slower.
    halves: Vec<f64>,
}

/// Squared distances from water at column `at`, whose squared distance from the row is `lift`.
#[derive(Clone, Copy)]
struct Parabola {
    at: f64,
    lift: f64,
    /// First column at which this parabola is the lowest.
    from: f64,
}

impl Envelope {
    /// Create an envelope for rows of `columns` columns.
    fn new(columns: usize) -> Self {
        let half = |distance: usize| 0.5 / distance as f64;
        Self {
            parabolas: Vec::with_capacity(2 * columns + 2),
            squares: vec![0.0; columns],
            halves: (0..2 * columns + 3).map(half).collect(),
        }
    }

    /// Squared distances from water, in samples, given the distances up and down the columns.
    fn squares(&mut self, columns: &[u32], wraps: bool) -> &[f64] {
        let count = columns.len();
        self.parabolas.clear();
        // On a map that wraps the nearest water is at most half a period away, and no farther than the
        // water of the same column.
        let beyond = if wraps {
            let farthest = columns.iter().fold(0, |most, d| most.max(*d));
            (count / 2 + 1).min(farthest as usize)
        } else {
            0
        };
        let (west, east) = (&columns[count - beyond..], &columns[..beyond]);
        self.add(west, -(beyond as isize));
        self.add(columns, 0);
        self.add(east, count as isize);
        self.squares.fill(f64::INFINITY);
        let mut column = 0;
        for (index, parabola) in self.parabolas.iter().enumerate() {
            let next = self.parabolas.get(index + 1);
            let end = next.map_or(f64::INFINITY, |next| next.from);
            while column < count && (column as f64) < end {
                let away = column as f64 - parabola.at;
                self.squares[column] = away * away + parabola.lift;
                column += 1;
            }
        }
        &self.squares
    }

    /// Add the parabolas of a run of columns that begins at column `first`.
    fn add(&mut self, columns: &[u32], first: isize) {
        for (index, distance) in columns.iter().enumerate() {
            let is_wet = |index: usize| columns.get(index) == Some(&0);
            // Inside water only the end columns can be nearest to land.
            let is_within = *distance == 0 && index > 0 && is_wet(index - 1) && is_wet(index + 1);
            if *distance < NONE && !is_within {
                self.add_one((first + index as isize) as f64, f64::from(*distance));
            }
        }
    }

    #[inline(always)]
    fn add_one(&mut self, at: f64, distance: f64) {
        let lift = distance * distance;
        let mut from = f64::NEG_INFINITY;
        while let Some(last) = self.parabolas.last() {
            let rise = (lift + at * at) - (last.lift + last.at * last.at);
            from = rise * self.halves[(at - last.at) as usize];
            if from > last.from {
                break;
            }
            self.parabolas.pop();
            from = f64::NEG_INFINITY;
        }
        self.parabolas.push(Parabola { at, lift, from });
    }
}

vectorized! {
    /// Convert squared distances in samples to metres; columns in the water get 0.
    fn metres(squares: &[f64], columns: &[u32], sample_m: f64, out: &mut [f32]) {
        for ((out, square), column) in out.iter_mut().zip(squares).zip(columns) {
            let metres = (square.sqrt() * sample_m) as f32;
            *out = if *column == 0 { 0.0 } else { metres };
        }
    }
}
