//! RTIN mesh simplification with an error bound: right-triangulated irregular networks (Evans,
//! Kirkpatrick, Townsend 2001). Errors are propagated to a vertex from those that depend on it (Lindstrom
//! and others 1996), so that any error bound gives a surface without cracks.
//!
//! ```text
//! •───────•      •───────•      •───────•
//! │ ╲     │      │ ╲   ╱ │      │ ╲   ╱ │    each vertex bisects the longest sides of the
//! │   ╲   │  →   │   •   │  →   •───•   │    triangles on both sides of it
//! │     ╲ │      │ ╱   ╲ │      │ ╱   ╲ │
//! •───────•      •───────•      •───────•
//! ```
//!
//! A triangle's error is exact: the largest vertical distance of any sample within it, so the error bound
//! is kept. Artefact: all angles are 45° and 90°, so the mesh has about 1.5 times as many triangles as an
//! irregular network of free angles.

use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::distance::{
    self, Bits, Frame, KINDS, Kind, Marks, Point, Ranked, Squares, halves,
};
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

/// Level of detail of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub enum Detail {
    /// Full detail, two triangles for each cell: every sample is a vertex.
    #[default]
    All,
    /// Error bound: as few triangles as keep every sample within this vertical distance, in the unit of
    /// heights, 0 or more. With 0 only redundant vertices are removed.
    Error(f32),
    /// Maximum number of triangles, 2 or more. The result has at most one less, unless fewer represent
    /// every sample exactly.
    Triangles(u64),
}

impl Detail {
    /// Error bound in metres, on a map whose longer side measures `tile_size_m` metres.
    #[must_use]
    pub fn within(metres: f64, tile_size_m: f32) -> Self {
        let height = metres / metres_per_unit(tile_size_m);
        let single = height as f32;
        // Rounded down, so that the bound in metres is kept.
        Self::Error(if f64::from(single) > height {
            single.next_down()
        } else {
            single
        })
    }
}

/// Error of a mesh simplification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimplifyError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The number of triangles is below the minimum.
    #[error(
        "{}",
        tr!(
            "the number of triangles is {asked}; allowed: {least} or more for this map",
            asked, least
        )
    )]
    TooFew {
        /// Requested number.
        asked: u64,
        /// Minimum number.
        least: u64,
    },
    /// The map has only one row or column of samples.
    #[error(
        "{}",
        tr!(
            "the map is a profile; a number of triangles or an error needs a map"
        )
    )]
    Profile,
}

/// Constraint for the samples on a map's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Borders {
    /// None: they may be removed like any other.
    Free,
    /// Opposite samples are kept or removed together.
    Paired,
    /// All are kept.
    Kept,
}

/// One level of the hierarchy, with a value for every vertex.
#[derive(Debug)]
struct Level<A> {
    squares: Squares,
    centres: A,
    across: A,
    down: A,
}

impl<A> Level<A> {
    fn of(&self, kind: Kind) -> &A {
        match kind {
            Kind::Centre => &self.centres,
            Kind::Across => &self.across,
            Kind::Down => &self.down,
        }
    }
}

/// Error of every vertex: the maximum over the triangles that it bisects and over all vertices that
/// depend on it.
#[derive(Debug)]
struct Errors {
    frame: Frame,
    /// Errors of each level, the finest level first.
    levels: Vec<Level<Vec<f32>>>,
    /// Parts of all vertices, the coarsest level first.
    parts: Vec<Part>,
    /// Number of root triangles.
    roots: u64,
}

/// Simplified triangle mesh of a map, without cracks. Its vertices are a subset of the samples.
///
/// A map of 2^k + 1 samples a side that wraps has the same vertices on opposite borders, so that tiles
/// join. A map of any other size that wraps keeps every sample of its border, for the same reason. The
/// same map and detail give the same triangles on any number of threads.
#[derive(Debug)]
pub struct Simplified {
    columns: usize,
    frame: Frame,
    levels: Vec<Level<Bits>>,
    parts: Vec<Part>,
    corners: Ranked,
    triangles: u64,
    error: f32,
}

impl Simplified {
    /// Maximum number of samples of a part of the triangles, unless a row has more.
    pub const PART: usize = PART;

    /// Simplify a map. Cost: O(n log n) for n samples, since every sample is compared with two triangles
    /// of every level; runs in parallel. Memory: 4 bytes a sample during the construction, 3 bits a
    /// sample afterwards.
    ///
    /// # Errors
    /// See [`SimplifyError`].
    pub fn new(map: &Heightmap, detail: Detail, job: &Job) -> Result<Self, SimplifyError> {
        let borders = if !map.wraps() {
            Borders::Free
        } else if Frame::new(map.rows(), map.columns()).is_exact() {
            Borders::Paired
        } else {
            Borders::Kept
        };
        Self::with(map, borders, detail, job)
    }

    /// Simplify a part of a map. It keeps every sample of its border, whatever its size, so that it joins
    /// the neighbouring parts.
    ///
    /// # Errors
    /// See [`SimplifyError`].
    pub fn of_part(map: &Heightmap, detail: Detail, job: &Job) -> Result<Self, SimplifyError> {
        Self::with(map, Borders::Kept, detail, job)
    }

    fn with(
        map: &Heightmap,
        borders: Borders,
        detail: Detail,
        job: &Job,
    ) -> Result<Self, SimplifyError> {
        if map.rows() < 2 || map.columns() < 2 {
            return Err(SimplifyError::Profile);
        }
        let errors = Errors::of(map, borders, job)?;
        let cut = match detail {
            Detail::All => Cut::above(-1.0),
            Detail::Error(most) => Cut::above(most.max(0.0)),
            Detail::Triangles(asked) => {
                let too_few = |least| SimplifyError::TooFew { asked, least };
                if asked < errors.roots {
                    return Err(too_few(errors.roots));
                }
                let cut = of_triangles(asked, &errors, map.wraps(), job)?;
                cut.map_err(too_few)?
            }
        };
        Ok(Self::cut(map, errors, cut, job)?)
    }

    fn cut(map: &Heightmap, errors: Errors, cut: Cut, job: &Job) -> Result<Self, Cancelled> {
        let Errors {
            frame,
            levels,
            parts,
            ..
        } = errors;
        let mut error = 0.0f32;
        let mut kept = Vec::new();
        for (level, errors) in levels.into_iter().enumerate() {
            job.check()?;
            let squares = errors.squares;
            let mut marked = |kind: Kind| {
                let part = Part {
                    level: level as u32,
                    kind,
                    first: 0,
                    rows: 0,
                };
                let columns = squares.extent(kind)[1];
                let errors = errors.of(kind);
                let mut words = vec![0u64; errors.len().div_ceil(64)];
                let parts = errors.chunks(PART);
                let parts = parallel::par_items(parts.zip(words.chunks_mut(PART / 64)));
                let left = parts.map(|number, (errors, words)| {
                    let mut left = 0.0f32;
                    for (word, (errors, bits)) in errors.chunks(64).zip(words).enumerate() {
                        for (bit, error) in errors.iter().enumerate() {
                            let turn = || {
                                let index = number * PART + word * 64 + bit;
                                let place = [index / columns, index % columns];
                                turn(&frame, map.wraps(), &part, &squares, place)
                            };
                            if cut.keeps(*error, turn) {
                                *bits |= 1 << bit;
                            } else {
                                left = left.max(*error);
                            }
                        }
                    }
                    left
                });
                error = left.into_iter().fold(error, f32::max);
                Bits::of_words(words)
            };
            kept.push(Level {
                squares,
                centres: marked(Kind::Centre),
                across: marked(Kind::Across),
                down: marked(Kind::Down),
            });
        }
        let mut simplified = Self {
            columns: map.columns(),
            frame,
            levels: kept,
            parts,
            corners: Ranked::new(Marks::new(0)),
            triangles: 0,
            error,
        };
        let marks = Marks::new(map.rows() * map.columns());
        let counted = parallel::par_items(0..simplified.parts()).try_map(|_, part| {
            job.check()?;
            let mut count = 0u64;
            simplified.each_triangle(part, |triangle| {
                count += 1;
                triangle.iter().for_each(|at| marks.add(*at as usize));
            });
            Ok(count)
        })?;
        simplified.triangles = counted.iter().sum();
        simplified.corners = Ranked::new(marks);
        Ok(simplified)
    }

    /// Largest vertical distance of a sample from the surface, in the unit of heights. This is an
    /// upper bound, since the error of a vertex includes those of its dependents.
    #[must_use]
    pub fn error(&self) -> f32 {
        self.error
    }

    /// Number of triangles.
    #[must_use]
    pub fn triangles(&self) -> u64 {
        self.triangles
    }

    /// Number of vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.corners.count()
    }

    /// Columns of the vertices of a row.
    pub fn vertices_of(&self, row: usize) -> impl Iterator<Item = usize> + '_ {
        let first = row * self.columns;
        let samples = self.corners.bits().within(first..first + self.columns);
        samples.map(move |sample| sample - first)
    }

    /// True if a sample is a vertex.
    #[must_use]
    pub fn is_vertex(&self, sample: usize) -> bool {
        self.corners.bits().has(sample)
    }

    /// Index of the vertex of a sample, counted row by row.
    #[must_use]
    pub fn number_of(&self, sample: u32) -> u32 {
        self.corners.before(sample as usize)
    }

    /// Number of parts in which the triangles are generated.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts.len() + 1
    }

    /// Call `found` with each triangle of one part, as sample indices counted row by row,
    /// counter-clockwise as seen from above.
    pub fn each_triangle(&self, part: usize, mut found: impl FnMut([u32; 3])) {
        let Some(part) = part.checked_sub(1).map(|part| &self.parts[part]) else {
            if !self.levels.last().is_some_and(|top| top.centres.has(0)) {
                let mut roots = self.frame.roots();
                roots
                    .iter_mut()
                    .for_each(|root| self.show(*root, &mut found));
            }
            return;
        };
        let level = &self.levels[part.level as usize];
        let (squares, kind) = (&level.squares, part.kind);
        let columns = squares.extent(kind)[1];
        let range = part.first * columns..(part.first + part.rows) * columns;
        for index in level.of(kind).within(range) {
            let place = [index / columns, index % columns];
            let middle = squares.position(kind, place);
            for parent in squares.halved(kind, place).into_iter().flatten() {
                for half in halves(parent, middle) {
                    if !self.frame.is_beyond(&half) && !self.is_halved(part, &half) {
                        self.show(half, &mut found);
                    }
                }
            }
        }
    }

    /// True if a triangle made by a vertex of `part` is bisected again.
    fn is_halved(&self, part: &Part, [a, b, _]: &[Point; 3]) -> bool {
        let half = self.levels[part.level as usize].squares.half;
        let middle = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        if part.kind == Kind::Centre {
            let level = &self.levels[part.level as usize];
            let side = 2 * half;
            let place = middle.map(|at| at / side);
            let (kind, bits) = if middle[0].is_multiple_of(side) {
                (Kind::Across, &level.across)
            } else {
                (Kind::Down, &level.down)
            };
            return bits.has(place[0] * level.squares.extent(kind)[1] + place[1]);
        }
        let Some(finer) = part.level.checked_sub(1) else {
            return false;
        };
        let finer = &self.levels[finer as usize];
        finer
            .centres
            .has(middle[0] / half * finer.squares.columns + middle[1] / half)
    }

    /// Call `found` with a triangle, clamped to the map and oriented counter-clockwise as seen from above.
    fn show(&self, triangle: [Point; 3], found: &mut impl FnMut([u32; 3])) {
        let corners = triangle.map(|at| self.frame.within(at));
        let [a, b, c] = corners.map(|at| at.map(|index| index as i64));
        let turn = (b[1] - a[1]) * (c[0] - a[0]) - (c[1] - a[1]) * (b[0] - a[0]);
        let [a, b, c] = corners.map(|at| (at[0] * self.columns + at[1]) as u32);
        found(if turn < 0 { [a, b, c] } else { [a, c, b] });
    }
}

impl Errors {
    fn of(map: &Heightmap, borders: Borders, job: &Job) -> Result<Self, Cancelled> {
        let frame = Frame::new(map.rows(), map.columns());
        let mut levels: Vec<Level<Vec<f32>>> = Vec::new();
        for number in 0..frame.levels {
            let level = level(map, borders, &frame, number, levels.last(), job)?;
            levels.push(level);
            job.advance(u64::from(number) + 1, u64::from(frame.levels));
        }
        Ok(Self {
            parts: parts(&frame),
            frame,
            levels,
            roots: 2,
        })
    }
}

/// Compute the errors of a level from those of the next finer level.
fn level(
    map: &Heightmap,
    borders: Borders,
    frame: &Frame,
    number: u32,
    finer: Option<&Level<Vec<f32>>>,
    job: &Job,
) -> Result<Level<Vec<f32>>, Cancelled> {
    let squares = frame.squares(number);
    let own = |kind: Kind, needed: &(dyn Fn([usize; 2]) -> f32 + Sync)| {
        let [rows, columns] = squares.extent(kind);
        let mut errors = vec![0.0f32; rows * columns];
        parallel::par_items(errors.chunks_mut(columns)).try_each(|row, errors| {
            job.check()?;
            distance::row(map, frame, &squares, (kind, row), errors, job);
            for (column, error) in errors.iter_mut().enumerate() {
                *error = error.max(needed([row, column]));
            }
            job.check()
        })?;
        fit_borders(borders, frame, &squares, kind, &mut errors);
        Ok(errors)
    };
    // Error of the centre of a finer square next to the middle of a side.
    let of_quarter = |row: Option<usize>, column: Option<usize>| match (finer, row, column) {
        (Some(finer), Some(row), Some(column))
            if row < finer.squares.rows && column < finer.squares.columns =>
        {
            finer.centres[row * finer.squares.columns + column]
        }
        _ => 0.0,
    };
    let around = |rows: [Option<usize>; 2], columns: [Option<usize>; 2]| {
        let pairs = rows
            .into_iter()
            .flat_map(|row| columns.map(|column| (row, column)));
        pairs.fold(0.0, |far: f32, (row, column)| {
            far.max(of_quarter(row, column))
        })
    };
    let next_to = |index: usize| [(2 * index).checked_sub(1), Some(2 * index)];
    let within = |index: usize| [Some(2 * index), Some(2 * index + 1)];
    let across = own(Kind::Across, &|[row, column]| {
        around(next_to(row), within(column))
    })?;
    let down = own(Kind::Down, &|[row, column]| {
        around(within(row), next_to(column))
    })?;
    let centres = own(Kind::Centre, &|[row, column]| {
        let across = [row, row + 1].map(|row| across[row * squares.columns + column]);
        let down = &down[row * (squares.columns + 1) + column..][..2];
        across[0].max(across[1]).max(down[0]).max(down[1])
    })?;
    Ok(Level {
        squares,
        centres,
        across,
        down,
    })
}

/// Make a border match that of the neighbouring map: opposite vertices get equal errors, or all border
/// vertices must be kept.
fn fit_borders(borders: Borders, frame: &Frame, squares: &Squares, kind: Kind, errors: &mut [f32]) {
    let [rows, columns] = squares.extent(kind);
    if borders == Borders::Free {
        return;
    }
    if borders == Borders::Kept {
        for (index, error) in errors.iter_mut().enumerate() {
            let at = squares.position(kind, [index / columns, index % columns]);
            let on_a_border = |axis: usize| at[axis] == 0 || at[axis] == frame.last[axis];
            let inside = at[0] <= frame.last[0] && at[1] <= frame.last[1];
            if inside && (on_a_border(0) || on_a_border(1)) {
                *error = f32::INFINITY;
            }
        }
        return;
    }
    let mut pair = |a: usize, b: usize| {
        let both = errors[a].max(errors[b]);
        (errors[a], errors[b]) = (both, both);
    };
    match kind {
        Kind::Centre => {}
        Kind::Across => (0..columns).for_each(|column| pair(column, (rows - 1) * columns + column)),
        Kind::Down => (0..rows).for_each(|row| pair(row * columns, row * columns + columns - 1)),
    }
}

// Selection of the vertices to keep, by error bound or by number of triangles.

/// Vertices of a part, the work item of one thread.
const PART: usize = 1 << 12;
/// Maximum number of histograms that are counted in parallel: each takes half a megabyte.
const PORTIONS: usize = 32;

/// Some rows of the vertices of one kind and one level.
#[derive(Clone, Copy, Debug)]
struct Part {
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
fn parts(frame: &Frame) -> Vec<Part> {
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
struct Cut {
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
fn turn(frame: &Frame, wraps: bool, part: &Part, squares: &Squares, place: [usize; 2]) -> Turn {
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
fn of_triangles(
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
