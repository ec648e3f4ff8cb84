//! Selection of the vertices to keep, by error bound or by number of triangles.

use super::levels::{Frame, KINDS, Kind, Squares};
use super::{Errors, Level};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Vertices of a part, the work item of one thread.
pub const PART: usize = 1 << 12;
/// Maximum number of histograms that are counted in parallel: each takes half a megabyte.
const PORTIONS: usize = 32;

/// Some rows of the vertices of one kind and one level.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Level of the hierarchy, 0 for the finest.
    pub level: u32,
    /// Kind of vertex.
    pub kind: Kind,
    /// First row.
    pub first: usize,
    /// Number of rows.
    pub rows: usize,
}

/// Parts of all vertices, the coarsest level first.
pub fn parts(frame: &Frame) -> Vec<Part> {
    let mut parts = Vec::new();
    for level in (0..frame.levels).rev() {
        let squares = frame.squares(level);
        for kind in KINDS {
            let [rows, columns] = squares.extent(kind);
            let step = (PART / columns).max(1);
            parts.extend((0..rows).step_by(step).map(|first| Part {
                level,
                kind,
                first,
                rows: step.min(rows - first),
            }));
        }
    }
    parts
}

/// Rank of a vertex among those of equal error. Coarser vertices come before finer ones, so that none
/// comes before one that it depends on. On a map that wraps, vertices for the same sample have the same
/// rank.
type Turn = (u32, usize);

/// Threshold for the vertices to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Vertices with a larger error are kept.
    error: f32,
    /// Vertices with exactly this error are kept up to this rank.
    turn: Option<Turn>,
}

impl Cut {
    /// Threshold that keeps all vertices with an error above `error`.
    pub fn above(error: f32) -> Self {
        Self { error, turn: None }
    }

    /// True if a vertex is kept.
    pub fn keeps(&self, error: f32, turn: impl FnOnce() -> Turn) -> bool {
        error > self.error || (error == self.error && self.turn.is_some_and(|most| turn() <= most))
    }
}

/// Rank of a vertex.
pub fn turn(frame: &Frame, wraps: bool, part: &Part, squares: &Squares, place: [usize; 2]) -> Turn {
    let [row, column] = place;
    let round = 2 * (frame.levels - part.level);
    let wraps = wraps && frame.is_exact();
    match part.kind {
        Kind::Centre => (round, row * squares.columns + column),
        Kind::Across => {
            let row = if wraps { row % squares.rows } else { row };
            (round + 1, row * squares.columns + column)
        }
        Kind::Down => {
            let column = if wraps {
                column % squares.columns
            } else {
                column
            };
            let before = (squares.rows + 1) * squares.columns;
            (round + 1, before + row * (squares.columns + 1) + column)
        }
    }
}

/// Find the threshold with the largest number of triangles up to `most`; or, as `Err`, the minimum number
/// of triangles.
///
/// # Errors
/// The job was cancelled.
pub fn of_triangles(
    most: u64,
    errors: &Errors,
    wraps: bool,
    job: &Job,
) -> Result<Result<Cut, u64>, Cancelled> {
    // Non-negative floats are ordered like their bits, so this is a radix selection: the upper half of
    // the bits first, then the lower half.
    let upper = histogram(errors, job, |bits| Some(bits >> 16))?;
    let Some((high, above)) = passes(&upper, errors.roots, most) else {
        return Ok(Ok(Cut::above(0.0)));
    };
    let lower = histogram(errors, job, |bits| {
        (bits >> 16 == high).then_some(bits & 0xFFFF)
    })?;
    let Some((low, above)) = passes(&lower, above, most) else {
        return Ok(Ok(Cut::above(0.0)));
    };
    let error = f32::from_bits(high << 16 | low);
    if error.is_infinite() {
        return Ok(Err(errors.roots + infinite(&upper)));
    }
    let turns = turns_of(error, errors, wraps, job)?;
    let mut count = above;
    let mut last = None;
    // Equal ranks are the same sample on opposite borders: keep both or neither.
    for same in turns.chunk_by(|a, b| a.0 == b.0) {
        count += same.iter().map(|(_, gain)| gain).sum::<u64>();
        if count > most {
            break;
        }
        last = Some(same[0].0);
    }
    Ok(Ok(Cut { error, turn: last }))
}

/// Number of triangles from vertices that must be kept.
fn infinite(upper: &[u64]) -> u64 {
    upper[(f32::INFINITY.to_bits() >> 16) as usize]
}

/// Find the number at which the cumulative count, from the largest number down, exceeds `most`. Returns
/// it with the count before it; `None` if the count stays within `most`.
fn passes(histogram: &[u64], from: u64, most: u64) -> Option<(u32, u64)> {
    let mut count = from;
    for (number, gain) in histogram.iter().enumerate().rev() {
        if count + gain > most {
            return Some((number as u32, count));
        }
        count += gain;
    }
    None
}

/// Triangles gained by the vertices of each class of errors; errors of 0 are not counted.
fn histogram(
    errors: &Errors,
    job: &Job,
    class: impl Fn(u32) -> Option<u32> + Sync,
) -> Result<Vec<u64>, Cancelled> {
    let empty = || vec![0u64; 1 << 16];
    let portions = errors
        .parts
        .chunks(errors.parts.len().div_ceil(PORTIONS).max(64));
    let counted = parallel::par_items(portions).try_map(|_, parts| {
        let mut counts = empty();
        for part in parts {
            job.check()?;
            let level = &errors.levels[part.level as usize];
            each(level, part, |place, error| {
                if error > 0.0
                    && let Some(class) = class(error.to_bits())
                {
                    counts[class as usize] += errors.frame.gain(&level.squares, part.kind, place);
                }
            });
        }
        Ok(counts)
    })?;
    let mut sums = empty();
    for counts in counted {
        sums.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
    }
    Ok(sums)
}

/// Vertices with exactly this error, sorted by rank, each with the triangles that it adds.
fn turns_of(
    error: f32,
    errors: &Errors,
    wraps: bool,
    job: &Job,
) -> Result<Vec<(Turn, u64)>, Cancelled> {
    let found = parallel::par_items(&errors.parts).try_map(|_, part| {
        job.check()?;
        let level = &errors.levels[part.level as usize];
        let mut found = Vec::new();
        each(level, part, |place, own| {
            if own == error {
                let gain = errors.frame.gain(&level.squares, part.kind, place);
                let turn = turn(&errors.frame, wraps, part, &level.squares, place);
                found.push((turn, gain));
            }
        });
        Ok(found)
    })?;
    let mut turns = found.concat();
    turns.sort_unstable();
    Ok(turns)
}

/// Call `vertex` with every vertex of a part and its error.
fn each(level: &Level<Vec<f32>>, part: &Part, mut vertex: impl FnMut([usize; 2], f32)) {
    let columns = level.squares.extent(part.kind)[1];
    let errors = &level.of(part.kind)[part.first * columns..][..part.rows * columns];
    for (row, errors) in errors.chunks_exact(columns).enumerate() {
        for (column, error) in errors.iter().enumerate() {
            vertex([part.first + row, column], *error);
        }
    }
}
