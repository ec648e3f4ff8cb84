//! `random-deposition`: repeatedly raise a random rectangle by a small amount (Martz 1996, "other
//! algorithms"), with a two-dimensional difference array.
//!
//! ```text
//! differences          rows summed          columns summed: how many rectangles
//! +1 .  . −1           1 1 1 0              1 1 1 0
//! .  .  . .            0 0 0 0              1 1 1 0
//! −1 .  . +1          −1−1−1 0              0 0 0 0
//! ```
//! Each rectangle is four differences, whatever its size. One sweep then sums them (prefix sums), in
//! bands of rows that start from the sum of all differences above them. A height is the number of
//! rectangles less its expectation, over its standard deviation, times A/4, so the relief does not
//! depend on the count. On a torus rectangles continue across the border and the map wraps; otherwise
//! they are cut off there. Range: unbounded in principle, mostly ±0.8·A. Cost: O(count) plus O(4^n).
//! Sizes and places are fractions of the map, so another resolution shows the same rectangles, with
//! borders rounded to samples. Known artefact: straight, axis-parallel steps.

use super::{Generate, GenerateError, Request};
use crate::fractal::Edges;
use crate::generate::rows::Progress;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::param::{
    OutOfRange, Param, Params, check_all, check_order, choice_param, float_param, int_param,
    options,
};
use crate::util::rng::{Jump, Stage, Stream, unit};

options! {
    /// Options of `random-deposition`.
    #[derive(Copy)]
    pub struct RandomDepositionOptions {
        /// Number of rectangles, 1…1,000,000; default 3000.
        pub count: u32 = 3000,
        /// Shortest side as a fraction of the map's side, 0.001…1; default 0.02.
        pub min_size: f32 = 0.02,
        /// Longest side as a fraction of the map's side, 0.001…1; default 0.35.
        pub max_size: f32 = 0.35,
        /// Border handling; default wrap.
        pub edges: Edges = Edges::Wrap,
    }
}

impl Params for RandomDepositionOptions {
    const KEPT: &'static [&'static str] = &["edges"];

    const PARAMS: &'static [Param<Self>] = &[
        int_param!(count, "Rectangles", "", 1, 1_000_000, slider 20_000,
            "How many rectangles are raised."),
        float_param!(min_size, "Smallest side", "of the map", 0.001, 1.0, slider: (0.001, 1.0),
            "Shortest side of a rectangle, as a fraction of the map's."),
        float_param!(max_size, "Largest side", "of the map", 0.001, 1.0, slider: (0.001, 1.0),
            "Longest side of a rectangle, as a fraction of the map's."),
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(
            table,
            ("min_size", self.min_size),
            ("max_size", self.max_size),
        )
    }
}

impl Generate for RandomDepositionOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let (surface, job) = (request.surface, request.job);
        let cells = 1usize << surface.iterations;
        let side = cells + 1;
        let wraps = self.edges == Edges::Wrap;
        let mut heights = request.buffer(side * side)?;
        let rows = Rows::draw(self, surface.seed, cells, job)?;
        let starts = rows.band_starts(side, job)?;
        let (mean, deviation) = expectation(self, cells);
        let unit = 0.25 * surface.height_scale / deviation;
        let progress = Progress::new(job, side as u64);
        let bands = heights.chunks_mut(BAND_ROWS * side).zip(starts);
        parallel::par_items(bands).try_each(|band, (heights, mut differences)| {
            for (offset, out) in heights.chunks_exact_mut(side).enumerate() {
                // On a wrapped map the last row is replaced by a copy of the first after this loop.
                rows.add_row(band * BAND_ROWS + offset, &mut differences);
                write_row(&differences, mean, unit, out);
                if wraps {
                    out[cells] = out[0];
                }
                progress.advance(1)?;
            }
            Ok::<(), Cancelled>(())
        })?;
        if wraps {
            heights.copy_within(..side, cells * side);
        }
        progress.finish();
        Ok(Heightmap::new(side, side, wraps, heights))
    }

    fn has_hurst(&self) -> bool {
        false
    }
}

/// Number of rows of a band.
const BAND_ROWS: usize = 64;

/// Change of the number of rectangles at a column of a row.
#[derive(Clone, Copy, Default)]
struct Difference {
    column: u32,
    amount: i32,
}

/// Difference array of all rectangles, row by row.
struct Rows {
    /// End index of each row's differences.
    ends: Vec<usize>,
    differences: Vec<Difference>,
}

impl Rows {
    fn draw(
        options: &RandomDepositionOptions,
        seed: u64,
        cells: usize,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let side = cells + 1;
        let wraps = options.edges == Edges::Wrap;
        let stream = Stream::new(seed, Stage::Rectangle, 0);
        let mut all = Vec::new();
        let mut ends = vec![0; side + 1];
        for index in 0..options.count {
            if index.is_multiple_of(4096) {
                job.check()?;
            }
            let rectangle = Rectangle::draw(options, &stream, index, cells);
            rectangle.differences(side, wraps, |row, column, amount| {
                let column = column as u32;
                ends[row + 1] += 1;
                all.push((row as u32, Difference { column, amount }));
            });
        }
        // Counting sort by row: each difference goes to the next free place of its row.
        for row in 0..side {
            ends[row + 1] += ends[row];
        }
        let mut differences = vec![Difference::default(); all.len()];
        for part in all.chunks(1 << 16) {
            job.check()?;
            for (row, difference) in part {
                let place = &mut ends[*row as usize];
                differences[*place] = *difference;
                *place += 1;
            }
        }
        Ok(Self { ends, differences })
    }

    /// Add the differences of a row to the running sums of the rows above it.
    fn add_row(&self, row: usize, differences: &mut [i32]) {
        let first = row.checked_sub(1).map_or(0, |above| self.ends[above]);
        for difference in &self.differences[first..self.ends[row]] {
            differences[difference.column as usize] += difference.amount;
        }
    }

    /// Sum of all differences above each band.
    fn band_starts(&self, side: usize, job: &Job) -> Result<Vec<Vec<i32>>, Cancelled> {
        let firsts = (0..side).step_by(BAND_ROWS);
        let mut starts = parallel::par_items(firsts).try_map(|_, first| {
            let mut sum = vec![0; side];
            for row in first..side.min(first + BAND_ROWS) {
                job.check()?;
                self.add_row(row, &mut sum);
            }
            Ok(sum)
        })?;
        let mut above = vec![0; side];
        for start in &mut starts {
            for (above, start) in above.iter_mut().zip(start) {
                (*above, *start) = (*above + *start, *above);
            }
        }
        Ok(starts)
    }
}

/// Rectangle of samples: its first row and column, and the number of rows and columns.
struct Rectangle {
    row: usize,
    column: usize,
    rows: usize,
    columns: usize,
}

impl Rectangle {
    fn draw(options: &RandomDepositionOptions, stream: &Stream, index: u32, cells: usize) -> Self {
        let number = |column: u64| unit(stream.number(u64::from(index), Jump::over(column)));
        let samples = |fraction: f32| (fraction * cells as f32) as usize;
        let length = |fraction: f32| {
            let size = options.min_size + (options.max_size - options.min_size) * fraction;
            samples(size).clamp(1, cells)
        };
        Self {
            row: samples(number(0)),
            column: samples(number(1)),
            rows: length(number(2)),
            columns: length(number(3)),
        }
    }

    /// Call `add` with the row, column and amount of the differences at those corners that lie on the
    /// map; on a torus a rectangle across the border is split.
    fn differences(&self, side: usize, wraps: bool, mut add: impl FnMut(usize, usize, i32)) {
        let cells = side - 1;
        let parts = |first: usize, count: usize| {
            let last = first + count;
            let beyond = last.saturating_sub(cells);
            let rest = if wraps && beyond > 0 { beyond } else { 0 };
            [
                (first, last.min(if wraps { cells } else { side })),
                (0, rest),
            ]
        };
        for (north, south) in parts(self.row, self.rows) {
            for (west, east) in parts(self.column, self.columns) {
                if north == south || west == east {
                    continue;
                }
                for (row, sign) in [(north, 1), (south, -1)] {
                    for (column, amount) in [(west, sign), (east, -sign)] {
                        if row < side && column < side {
                            add(row, column, amount);
                        }
                    }
                }
            }
        }
    }
}

/// Expected number of rectangles over a point and its standard deviation, on the torus.
fn expectation(options: &RandomDepositionOptions, cells: usize) -> (f32, f32) {
    let smallest = 1.0 / cells as f32;
    let length = (0.5 * (options.min_size + options.max_size)).max(smallest);
    let (count, area) = (options.count as f32, length * length);
    let deviation = (count * area * (1.0 - area)).sqrt();
    (count * area, deviation.max(1.0))
}

vectorized! {
    /// Write the heights of a row from the numbers of rectangles, which are the prefix sums of the
    /// differences.
    fn write_row(differences: &[i32], mean: f32, unit: f32, out: &mut [f32]) {
        let mut sum = 0;
        for (height, difference) in out.iter_mut().zip(differences) {
            sum += *difference;
            *height = (sum as f32 - mean) * unit;
        }
    }
}
