//! A mask by the horizontal distance from the scene's water, in metres: 0 under water. Without any
//! land below the water's height, everything is infinitely far from it.
//!
//! The distance is Euclid's, exact, from sample to sample: along each row it is the lower envelope of
//! parabolas over the distances up and down the columns (Felzenszwalb & Huttenlocher 2012). On a map
//! that wraps, water beyond an edge counts as well.
//!
//! Of the columns only what crosses the borders of bands of rows is kept, a quarter of a byte a
//! sample; the rest is made for a band when it is wanted. Cost: a pass over the heights and one over
//! rows, together some ten times as long as another mask.

use serde::{Deserialize, Serialize};

use super::source::{FillRow, Quantity, Source};
use super::span::{Span, SpanKind};
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::neighbours::BAND_ROWS;
use crate::numbers::metres_per_unit;
use crate::parallel;
use crate::param::{OutOfRange, Param, Params, check_all, check_order, float_param};

/// The range of distances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Shortest distance that counts in full, in metres, 0…10⁹; default 0.
    pub low: f32,
    /// Longest distance that counts in full, in metres, `low`…10⁹; default 100.
    pub high: f32,
    /// Metres over which either end fades, 0…10⁹; default 100.
    pub soft: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            low: 0.0,
            high: 100.0,
            soft: 100.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        float_param!(
            low,
            "Mask low",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 1000.0),
            "The distance from the water from which on the mask counts in full."
        ),
        float_param!(
            high,
            "Mask high",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 1000.0),
            "The distance from the water up to which the mask counts in full."
        ),
        float_param!(
            soft,
            "Soft ends",
            "m",
            0.0,
            1.0e9,
            slider(0.0, 1000.0),
            "Beyond either end of the range the mask fades to nothing over this much."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("low", self.low), ("high", self.high))
    }
}

/// The error that the scene of a mask has no water.
pub(super) fn no_water(table: &str) -> OutOfRange {
    OutOfRange {
        key: format!("{table}.by"),
        value: "water-distance".to_owned(),
        allowed: "anything else while the scene has no water, which needs water.enabled = true"
            .to_owned(),
    }
}

impl Source for Options {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            kind: SpanKind::Linear,
        }
    }

    fn quantity<'a>(
        &'a self,
        map: &'a Heightmap,
        context: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError> {
        let Some(level) = context.water else {
            return Err(MaskError::OutOfRange(no_water("mask")));
        };
        let sample_m = f64::from(map.spacing()) * metres_per_unit(context.tile_size_m);
        Ok(Box::new(Shores::find(map, level, sample_m, context.job)?))
    }

    fn uses_water(&self) -> bool {
        true
    }
}

/// Farther than any water: a distance in samples that can still be added to.
const NONE: u32 = 1 << 30;

/// Where the water of a map is, as seen from the borders of bands of rows.
struct Shores<'a> {
    map: &'a Heightmap,
    level: f32,
    /// Metres from sample to sample.
    sample_m: f64,
    /// The number of rows and columns after which the map repeats, or all of them.
    rows: usize,
    columns: usize,
    /// For each band and column, how far the nearest water north of the band is from its first row,
    /// and the nearest one south of it from its last row.
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
        // The distances that cross one border: of each band's first water from the last row of the
        // band before, and of its last water from the first row of the next.
        let (mut up, mut down) = (vec![NONE; bands * columns], vec![NONE; bands * columns]);
        let both = up.chunks_mut(columns).zip(down.chunks_mut(columns));
        parallel::over(both).try_each(|band, (up, down)| {
            job.check()?;
            for row in shores.rows_of(band) {
                count(up, down, &map.row(row)[..columns], level);
            }
            let height = shores.rows_of(band).len() as u32;
            for up in up.iter_mut().filter(|up| **up < NONE) {
                // It was counted from the last row.
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

    /// Follows the distances over the borders of all bands, southwards and northwards; round a map
    /// that wraps twice.
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

    /// Fills `distances` with how far each sample of a band is from the nearest water up or down its
    /// column.
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
    /// Counts one more row of a band: by how many rows its first and its last water are above.
    fn count(up: &mut [u32], down: &mut [u32], heights: &[f32], level: f32) {
        for ((up, down), height) in up.iter_mut().zip(down).zip(heights) {
            let wet = *height <= level;
            let first = if wet { 0 } else { NONE };
            *up = if *up < NONE { *up + 1 } else { first };
            *down = if wet { 0 } else { (*down + 1).min(NONE) };
        }
    }

    /// Distances from one border become those from the next, `height` rows on; where the band has
    /// water, that is nearer.
    fn pass_on(line: &mut [u32], nearer: &[u32], height: u32) {
        for (line, nearer) in line.iter_mut().zip(nearer) {
            *line = (*line + height).min(*nearer).min(NONE);
        }
    }

    /// The distances of a row from water north of it or in it; `line` goes on to the next row.
    fn southwards(distances: &mut [u32], line: &mut [u32], heights: &[f32], level: f32) {
        for ((distance, line), height) in distances.iter_mut().zip(line).zip(heights) {
            *distance = if *height <= level { 0 } else { *line };
            *line = (*distance + 1).min(NONE);
        }
    }

    /// The same with water south of it, where that is nearer.
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

/// The lower envelope of parabolas along a row, and the squares of distances under it. All numbers
/// are whole and small enough to be exact, but for the places where parabolas meet; these are
/// either whole, where both are as far, or farther from it than rounding goes.
struct Envelope {
    parabolas: Vec<Parabola>,
    squares: Vec<f64>,
    /// 1/(2·i), since dividing takes longer.
    halves: Vec<f64>,
}

/// The squares of distances from water at column `at`, which is `lift` off the row, squared.
#[derive(Clone, Copy)]
struct Parabola {
    at: f64,
    lift: f64,
    /// The column from which on it is the lowest.
    from: f64,
}

impl Envelope {
    /// For rows of so many columns.
    fn new(columns: usize) -> Self {
        let half = |distance: usize| 0.5 / distance as f64;
        Self {
            parabolas: Vec::with_capacity(2 * columns + 2),
            squares: vec![0.0; columns],
            halves: (0..2 * columns + 3).map(half).collect(),
        }
    }

    /// The squares of the distances from water, in samples, given the distances up and down the
    /// columns.
    fn squares(&mut self, columns: &[u32], wraps: bool) -> &[f64] {
        let count = columns.len();
        self.parabolas.clear();
        // On a map that wraps the nearest water is at most half a round away, and no farther than
        // that of the same column.
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

    /// Adds the parabolas of a run of columns that begins at column `first`.
    fn add(&mut self, columns: &[u32], first: isize) {
        for (index, distance) in columns.iter().enumerate() {
            let is_wet = |index: usize| columns.get(index) == Some(&0);
            // Within water only its ends count.
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
    /// Distances in metres from their squares in samples; where the column is in the water they
    /// are 0.
    fn metres(squares: &[f64], columns: &[u32], sample_m: f64, out: &mut [f32]) {
        for ((out, square), column) in out.iter_mut().zip(squares).zip(columns) {
            let metres = (square.sqrt() * sample_m) as f32;
            *out = if *column == 0 { 0.0 } else { metres };
        }
    }
}
