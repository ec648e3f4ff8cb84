//! Evaluation of diamond-square by the row pipeline: a whole map in memory, a range of rows, or all rows
//! streamed to a sink.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use multiversion::multiversion;
use multiversion::target::match_target;

use crate::fractal::{Distribution, Edges, GAUSSIAN_UNIT, Rule, Subdivision, variate};
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};
use crate::util::rng::{Jump, LANES, Lanes, Stage, Stream, gaussian_in_loop, uniform};

/// Least number of samples a side for which a second thread pays off.
const PARALLEL_FROM: usize = 1025;

/// Number of rows that a thread makes in one go: few enough to share the work evenly, many enough to hide the
/// cost of starting a band.
const BAND_ROWS: usize = 128;

/// Size in bytes of each of the two buffers of a stream.
const BATCH_BYTES: usize = 8 << 20;

/// Least number of rows of a batch in a band of its own.
const STREAM_BAND_ROWS: usize = 16;

/// Reason why a stream of rows ended early.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// Error of the sink.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Subdivision {
    /// Fill `heights`, (2^n + 1)² values, with the map in half tiles: the same bits as
    /// [`fill`](super::fill), computed on all threads of the current rayon pool.
    ///
    /// # Errors
    /// The job was cancelled; `heights` then has unspecified contents.
    ///
    /// # Panics
    /// The number of heights is not (2^n + 1)².
    pub fn fill(&self, heights: &mut [f32], job: &Job) -> Result<(), Cancelled> {
        self.fill_with(Instructions::Best, heights, job)
    }

    /// Version of [`Subdivision::fill`] with a choice of instruction set.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The number of heights is not (2^n + 1)².
    #[doc(hidden)]
    pub fn fill_with(
        &self,
        instructions: Instructions,
        heights: &mut [f32],
        job: &Job,
    ) -> Result<(), Cancelled> {
        let side = self.side();
        assert_eq!(heights.len(), side * side, "{side} × {side} heights");
        let band_rows = if side < PARALLEL_FROM {
            side
        } else {
            BAND_ROWS
        };
        let pipelines = Tools::new(|| Pipeline::new(self, instructions));
        let done = AtomicU64::new(0);
        parallel::par_items(heights.chunks_mut(band_rows * side)).try_each(|band, heights| {
            pipelines.with(|pipeline| {
                for (row, out) in (band * band_rows..).zip(heights.chunks_exact_mut(side)) {
                    job.check()?;
                    pipeline.write_row(row, out);
                    job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, side as u64);
                }
                Ok(())
            })
        })?;
        // Threads may have reported their last rows in any order.
        job.advance(1, 1);
        Ok(())
    }

    /// Iterate over the rows of the map within `rows`. That takes memory for a few rows only, whatever the
    /// size of the map. Starting at any row costs about four rows.
    ///
    /// # Panics
    /// The map has no such rows.
    #[must_use]
    pub fn rows(&self, rows: Range<usize>) -> Rows<'_> {
        let side = self.side();
        assert!(rows.end <= side, "rows {rows:?} of {side}");
        Rows {
            pipeline: Pipeline::new(self, Instructions::Best),
            rows,
            row: vec![0.0; side],
        }
    }

    /// Pass all rows of the map to `sink`, first row first, on the calling thread, while the current rayon
    /// pool computes the next ones. That takes about 16 MB, or a few rows of a map so wide that these need
    /// more.
    ///
    /// # Errors
    /// The job was cancelled, or the sink returned an error.
    pub fn stream(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let side = self.side();
        let batch_rows = (BATCH_BYTES / (side * size_of::<f32>())).clamp(1, side);
        let bands = (batch_rows / STREAM_BAND_ROWS).clamp(1, rayon::current_num_threads());
        let band_rows = batch_rows.div_ceil(bands);
        let mut pipelines = vec![Pipeline::new(self, Instructions::Best); bands];
        let (mut made, mut next) = (Vec::new(), Vec::new());
        // There is one more turn than batches: each computes the next batch and passes on the last.
        for first_row in (0..side + batch_rows).step_by(batch_rows) {
            let count = batch_rows.min(side.saturating_sub(first_row));
            next.resize(count * side, 0.0);
            rayon::in_place_scope(|scope| {
                let bands = next.chunks_mut(band_rows * side);
                for ((band, heights), pipeline) in bands.enumerate().zip(&mut pipelines) {
                    let first_row = first_row + band * band_rows;
                    scope.spawn(move |_| {
                        for (row, out) in (first_row..).zip(heights.chunks_exact_mut(side)) {
                            if job.is_cancelled() {
                                return;
                            }
                            pipeline.write_row(row, out);
                        }
                    });
                }
                for row in made.chunks_exact(side) {
                    job.check()?;
                    sink(row)?;
                }
                job.advance(first_row.min(side) as u64, side as u64);
                Ok::<(), StreamError>(())
            })?;
            std::mem::swap(&mut made, &mut next);
        }
        Ok(())
    }
}

/// Iterator over rows of a map; see [`Subdivision::rows`].
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    pipeline: Pipeline<'a>,
    rows: Range<usize>,
    row: Vec<f32>,
}

impl Rows<'_> {
    /// Next row in half tiles, from north to south; `None` after the last.
    pub fn next_row(&mut self) -> Option<&[f32]> {
        let row = self.rows.next()?;
        self.pipeline.write_row(row, &mut self.row);
        Some(&self.row)
    }
}

// Row pipeline of diamond-square: each level pulls the rows it needs from the coarser level and hands
// finished rows down, so that only the last level writes to the map.
//
// ```text
// lattice row i      a     b     c     north      fine row 2i       a n b n c
// centres i             m     m        below   →  fine row 2i + 1   w m w m w
// lattice row i + 1  d     e     f     south
// ```
// A level keeps two rows of the coarser lattice and the centres above and below a lattice row: 2 · 2^n
// heights for the last level, half as many for the coarser one. A wrapped map is periodic (the row before
// the first is the last but one), so that every row has both neighbours.
//
// Rows are computed whole. To compute a band of columns, each level would only need its first column and
// the [`Jump`] to it at the start of the row's numbers.

/// Generator of the rows of a map one after the other, starting at any row.
#[derive(Clone, Debug)]
struct Pipeline<'a> {
    kernel: Kernel,
    base: BaseRows<'a>,
    levels: Vec<Level>,
    /// Next row, once a first one was written.
    next: Option<usize>,
}

impl<'a> Pipeline<'a> {
    pub fn new(subdivision: &'a Subdivision, instructions: Instructions) -> Self {
        let rule = &subdivision.rule;
        let passes = subdivision.base_level..subdivision.iterations;
        Self {
            kernel: instructions.kernel(),
            base: BaseRows {
                lattice: &subdivision.base,
                wraps: rule.edges == Edges::Wrap,
                next: 0,
            },
            levels: passes.map(|pass| Level::new(rule, pass)).collect(),
            next: None,
        }
    }

    /// Write row `row` of the map. That costs one row if it follows the row written last, else about four.
    pub fn write_row(&mut self, row: usize, out: &mut [f32]) {
        if self.next != Some(row) {
            self.seek(row);
        }
        write_next(self.kernel, &mut self.base, &mut self.levels, out);
        self.next = Some(row + 1);
    }

    fn seek(&mut self, row: usize) {
        let mut next = row as isize;
        for level in self.levels.iter_mut().rev() {
            next = level.seek(next);
        }
        self.base.next = next;
        for count in 1..=self.levels.len() {
            let (level, above) = self.levels[..count].split_last_mut().expect("one or more");
            write_next(self.kernel, &mut self.base, above, &mut level.south);
            if level.wraps || level.next > 0 {
                descend(self.kernel, &mut self.base, level, above);
            }
        }
    }
}

/// Write the next row of the last of `levels`, or of the base lattice if there are none.
fn write_next(kernel: Kernel, base: &mut BaseRows, levels: &mut [Level], out: &mut [f32]) {
    let Some((level, above)) = levels.split_last_mut() else {
        return base.write_next(out);
    };
    if level.next % 2 == 0 {
        descend(kernel, base, level, above);
        level.write_even_row(kernel, out);
    } else {
        level.write_odd_row(kernel, out);
    }
    level.next += 1;
}

/// Move `level` down by one row of its lattice.
fn descend(kernel: Kernel, base: &mut BaseRows, level: &mut Level, above: &mut [Level]) {
    std::mem::swap(&mut level.north, &mut level.south);
    std::mem::swap(&mut level.above, &mut level.below);
    level.lattice_row += 1;
    if level.has_row_below() {
        write_next(kernel, base, above, &mut level.south);
        level.find_centres(kernel);
    }
}

/// Rows of the base lattice.
#[derive(Clone, Debug)]
struct BaseRows<'a> {
    lattice: &'a Grid<f32>,
    wraps: bool,
    next: isize,
}

impl BaseRows<'_> {
    fn write_next(&mut self, out: &mut [f32]) {
        let cells = self.lattice.rows() - 1;
        let row = around(self.next, cells, self.wraps);
        out.copy_from_slice(self.lattice.row(row as usize));
        self.next += 1;
    }
}

/// Row index, reduced to the period of `cells` rows if the map wraps.
fn around(row: isize, cells: usize, wraps: bool) -> u64 {
    if wraps {
        row.rem_euclid(cells as isize) as u64
    } else {
        row as u64
    }
}

/// One pass: a lattice of `cells` a side becomes one of 2 · `cells` a side.
#[derive(Clone, Debug)]
struct Level {
    cells: usize,
    wraps: bool,
    /// Displacements of the diamond step.
    diamond: Displacements,
    /// Displacements of the square step.
    square: Displacements,
    last_column: Jump,
    /// Index of the next fine row.
    next: isize,
    /// Index of the lattice row that `north` holds.
    lattice_row: isize,
    north: Vec<f32>,
    south: Vec<f32>,
    /// Centres above and below `north`, each row preceded by its western neighbour, which is beyond the
    /// border.
    above: Vec<f32>,
    below: Vec<f32>,
}

impl Level {
    fn new(rule: &Rule, pass: u32) -> Self {
        let cells = 1 << pass;
        let row = || vec![0.0; cells + 1];
        let [diamond_range, square_range] = rule.amplitudes[pass as usize];
        let displacements =
            |stage, range| Displacements::new(rule.stream(stage, pass), range, rule.distribution);
        Self {
            cells,
            wraps: rule.edges == Edges::Wrap,
            diamond: displacements(Stage::Diamond, diamond_range),
            square: displacements(Stage::Square, square_range),
            last_column: Jump::over(cells as u64),
            next: 0,
            lattice_row: 0,
            north: row(),
            south: row(),
            above: row(),
            below: row(),
        }
    }

    /// Make `row` the next fine row. Returns the lattice row that must come into `south` first.
    fn seek(&mut self, row: isize) -> isize {
        let first = (row - 1) >> 1;
        let first = if self.wraps { first } else { first.max(0) };
        self.next = row;
        self.lattice_row = first - 1;
        first
    }

    fn has_row_below(&self) -> bool {
        self.wraps || self.lattice_row < self.cells as isize
    }

    /// Diamond step: compute the centres between `north` and `south`.
    fn find_centres(&mut self, kernel: Kernel) {
        let row = around(self.lattice_row, self.cells, self.wraps);
        let lattice = [&self.north[..], &self.south];
        (kernel.centre_row)(lattice, &mut self.diamond, row, &mut self.below[1..]);
        self.below[0] = self.below[self.cells];
    }

    /// Square step: write the lattice row `north` with the midpoints of its west-east edges.
    fn write_even_row(&mut self, kernel: Kernel, out: &mut [f32]) {
        let row = around(self.next, 2 * self.cells, self.wraps);
        let (above, below) = (&self.above[1..], &self.below[1..]);
        if self.wraps || (0 < self.lattice_row && self.has_row_below()) {
            let rows = [&self.north, above, below];
            (kernel.west_east_row)(rows, &mut self.square, row, out);
        } else {
            let inner = if self.lattice_row == 0 { below } else { above };
            (kernel.border_row)([&self.north, inner], &mut self.square, row, out);
        }
    }

    /// Square step: write the centres `below` with the midpoints of the north-south edges.
    fn write_odd_row(&mut self, kernel: Kernel, out: &mut [f32]) {
        let row = around(self.next, 2 * self.cells, self.wraps);
        let rows = [&self.north[..], &self.south, &self.below];
        (kernel.north_south_row)(rows, &mut self.square, row, out);
        let [north, south, centres] = rows;
        let last = self.cells;
        if self.wraps {
            out[2 * last] = out[0];
        } else {
            let border = |column: usize, inner: f32, number: Jump| {
                ((north[column] + south[column]) + inner) / 3.0 + self.square.at(row, number)
            };
            out[0] = border(0, centres[1], Jump::over(0));
            out[2 * last] = border(last, centres[last], self.last_column);
        }
    }
}

// SIMD kernels of the row pipeline: the diamond step and the square step of one row in plain slices,
// compiled for several instruction sets and chosen at run time.
//
// The kernels add in the order of the reference loop, and no instruction set rounds
// differently, so all of them give the same bits.

/// Number of columns processed at once: their displacements stay in the first-level cache.
const CHUNK: usize = 512;

/// Displacements of one half step, drawn a chunk of a row at a time.
#[derive(Clone, Debug)]
pub(super) struct Displacements {
    stream: Stream,
    range: f32,
    distribution: Distribution,
    drawn: [[f32; LANES]; CHUNK / LANES],
    bits: [[u32; LANES]; CHUNK / LANES],
}

impl Displacements {
    pub fn new(stream: Stream, range: f32, distribution: Distribution) -> Self {
        Self {
            stream,
            range,
            distribution,
            drawn: [[0.0; LANES]; CHUNK / LANES],
            bits: [[0; LANES]; CHUNK / LANES],
        }
    }

    #[inline(always)]
    fn numbers(&self, row: u64) -> Lanes {
        self.stream.lanes(row, Jump::over(0))
    }

    /// Draw the next `count` displacements of the row whose numbers are `numbers`.
    #[inline(always)]
    fn draw(&mut self, numbers: &mut Lanes, count: usize) -> &[f32] {
        // Whole blocks are drawn, so only the last chunk of a row may leave numbers over.
        let blocks = &mut self.drawn[..count.div_ceil(LANES)];
        let range = self.range;
        // The branch is taken once a chunk, not once a point.
        match self.distribution {
            Distribution::Uniform => {
                numbers.fill(blocks, |bits| range * uniform(bits));
            }
            // The Gaussian is too long for the loop that advances the lanes, so bits are drawn first.
            Distribution::Gaussian => {
                let all_bits = &mut self.bits[..blocks.len()];
                numbers.fill(all_bits, |bits| bits);
                let points = blocks.as_flattened_mut().iter_mut();
                for (out, bits) in points.zip(all_bits.as_flattened()) {
                    *out = range * (gaussian_in_loop(*bits) * GAUSSIAN_UNIT);
                }
            }
        }
        &blocks.as_flattened()[..count]
    }

    /// Displacement of a single point.
    pub fn at(&self, row: u64, column: Jump) -> f32 {
        let bits = self.stream.number(row, column);
        self.range * variate(self.distribution, bits)
    }
}

/// Chunks of a row, each as its first column and its number of columns.
#[inline(always)]
fn chunks(columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let starts = (0..columns).step_by(CHUNK);
    starts.map(move |first| (first, CHUNK.min(columns - first)))
}

// The loops below are plain functions that are always inlined: a closure around them would be compiled
// for the baseline, and a slice that is not cut to `count` would keep its bounds checks. Either costs more
// than half of the speed.

/// Diamond step: compute the centres of the squares between the lattice rows `north` and `south`.
#[inline(always)]
fn centre_row(
    [north, south]: [&[f32]; 2],
    displacements: &mut Displacements,
    row: u64,
    centres: &mut [f32],
) {
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(centres.len()) {
        let displacements = displacements.draw(&mut numbers, count);
        let centres = &mut centres[first..][..count];
        let (north_west, north_east) = (&north[first..][..count], &north[first + 1..][..count]);
        let (south_west, south_east) = (&south[first..][..count], &south[first + 1..][..count]);
        for column in 0..count {
            let sum = (north_west[column] + north_east[column])
                + (south_west[column] + south_east[column]);
            centres[column] = sum * 0.25 + displacements[column];
        }
    }
}

/// Square step, even rows: write a lattice row and the midpoints of its west-east edges, which lie between
/// two rows of centres.
#[inline(always)]
fn west_east_row(
    [lattice, above, below]: [&[f32]; 3],
    displacements: &mut Displacements,
    row: u64,
    fine: &mut [f32],
) {
    let cells = lattice.len() - 1;
    let (pairs, last) = fine.as_chunks_mut::<2>();
    last[0] = lattice[cells];
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(cells) {
        let displacements = displacements.draw(&mut numbers, count);
        let pairs = &mut pairs[first..][..count];
        let (west, east) = (&lattice[first..][..count], &lattice[first + 1..][..count]);
        let (north, south) = (&above[first..][..count], &below[first..][..count]);
        for column in 0..count {
            let sum = (north[column] + south[column]) + (west[column] + east[column]);
            pairs[column] = [west[column], sum * 0.25 + displacements[column]];
        }
    }
}

/// Square step, even rows at a free border, which has centres on one side only.
#[inline(always)]
fn border_row(
    [lattice, inner]: [&[f32]; 2],
    displacements: &mut Displacements,
    row: u64,
    fine: &mut [f32],
) {
    let cells = lattice.len() - 1;
    let (pairs, last) = fine.as_chunks_mut::<2>();
    last[0] = lattice[cells];
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(cells) {
        let displacements = displacements.draw(&mut numbers, count);
        let pairs = &mut pairs[first..][..count];
        let (west, east) = (&lattice[first..][..count], &lattice[first + 1..][..count]);
        let inner = &inner[first..][..count];
        for column in 0..count {
            let sum = (west[column] + east[column]) + inner[column];
            pairs[column] = [west[column], sum / 3.0 + displacements[column]];
        }
    }
}

/// Square step, odd rows: write the midpoints of the north-south edges between two lattice rows, and the
/// centres between them. `centres` starts with the one beyond the western border. The last column is not
/// written.
#[inline(always)]
fn north_south_row(
    [north, south, centres]: [&[f32]; 3],
    displacements: &mut Displacements,
    row: u64,
    fine: &mut [f32],
) {
    let (pairs, _) = fine.as_chunks_mut::<2>();
    let mut numbers = displacements.numbers(row);
    for (first, count) in chunks(north.len() - 1) {
        let displacements = displacements.draw(&mut numbers, count);
        let pairs = &mut pairs[first..][..count];
        let (north, south) = (&north[first..][..count], &south[first..][..count]);
        let (west, east) = (&centres[first..][..count], &centres[first + 1..][..count]);
        for column in 0..count {
            let sum = (north[column] + south[column]) + (west[column] + east[column]);
            pairs[column] = [sum * 0.25 + displacements[column], east[column]];
        }
    }
}

/// Row kernel: takes the rows of neighbours, the displacements, the row of the random stream that they come
/// from, and the row to write.
type RowLoop<const ROWS: usize> = fn([&[f32]; ROWS], &mut Displacements, u64, &mut [f32]);

/// Row kernels, compiled for one choice of instruction sets.
#[derive(Clone, Copy, Debug)]
struct Kernel {
    pub centre_row: RowLoop<2>,
    pub west_east_row: RowLoop<3>,
    pub border_row: RowLoop<2>,
    pub north_south_row: RowLoop<3>,
}

/// Compile the row kernels once more, under the attribute given.
macro_rules! kernel {
    ($($dispatch:tt)*) => {{
        $($dispatch)*
        fn centre(rows: [&[f32]; 2], from: &mut Displacements, row: u64, out: &mut [f32]) {
            centre_row(rows, from, row, out);
        }
        $($dispatch)*
        fn west_east(rows: [&[f32]; 3], from: &mut Displacements, row: u64, out: &mut [f32]) {
            west_east_row(rows, from, row, out);
        }
        $($dispatch)*
        fn border(rows: [&[f32]; 2], from: &mut Displacements, row: u64, out: &mut [f32]) {
            border_row(rows, from, row, out);
        }
        $($dispatch)*
        fn north_south(rows: [&[f32]; 3], from: &mut Displacements, row: u64, out: &mut [f32]) {
            north_south_row(rows, from, row, out);
        }
        Kernel {
            centre_row: centre,
            west_east_row: west_east,
            border_row: border,
            north_south_row: north_south,
        }
    }};
}

vectorized! {
    /// Name of the instruction set that the row kernels use on this machine.
    #[must_use]
    pub fn instruction_set() -> &'static str {
        match_target! {
            "x86_64+avx512f+avx512bw+avx512dq+avx512vl" => "AVX-512",
            "x86_64+avx2" => "AVX2",
            "x86_64" => "SSE2",
            "aarch64" => "NEON",
            _ => "baseline",
        }
    }
}

/// Allowed instruction sets of the row kernels. All give the same bits.
///
/// This is hidden because the best one is always right. Tests need the others, and `multiversion` has no
/// switch at run time, so the kernels are compiled once more for each lesser choice.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Instructions {
    /// Best instruction set of the machine.
    #[default]
    Best,
    /// At most AVX2.
    Avx2,
    /// Instruction set of every processor of the architecture: SSE2 on x86-64, NEON on aarch64.
    Baseline,
}

impl Instructions {
    fn kernel(self) -> Kernel {
        match self {
            Self::Best => kernel!(#[multiversion(targets(
                "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
                "x86_64+avx2",
            ))]),
            Self::Avx2 => kernel!(#[multiversion(targets("x86_64+avx2"))]),
            Self::Baseline => kernel!(),
        }
    }
}

// Rows of uniform displacements for subdivision algorithms other than diamond-square.

/// Row of displacements whose memory is reused for each row.
#[derive(Clone, Debug)]
pub(crate) struct RoughRow {
    blocks: Vec<[f32; LANES]>,
    count: usize,
}

impl RoughRow {
    /// Allocate a row of `count` displacements.
    pub fn new(count: usize) -> Self {
        Self {
            blocks: vec![[0.0; LANES]; count.div_ceil(LANES)],
            count,
        }
    }

    /// Draw the displacements of `row` in [−range, range), in column order.
    pub fn draw(&mut self, stream: &Stream, row: usize, range: f32) -> &[f32] {
        let numbers = stream.lanes(row as u64, Jump::over(0));
        fill(numbers, range, &mut self.blocks);
        &self.blocks.as_flattened()[..self.count]
    }
}

vectorized! {
    fn fill(mut numbers: Lanes, range: f32, blocks: &mut [[f32; LANES]]) {
        numbers.fill(blocks, |bits| range * uniform(bits));
    }
}
