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
use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

mod bits;
mod cut;
mod distance;
mod levels;

use bits::{Bits, Marks, Ranked};
use cut::{Cut, Part};
use levels::{Frame, Kind, Point, Squares, halves};

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
            "the number of triangles is {asked}, allowed is {least} or more for this map",
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
            "the map is a profile, allowed for a number of triangles or an error is a map"
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
    pub const PART: usize = cut::PART;

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
                let cut = cut::of_triangles(asked, &errors, map.wraps(), job)?;
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
                let parts = errors.chunks(cut::PART);
                let parts = parallel::par_items(parts.zip(words.chunks_mut(cut::PART / 64)));
                let left = parts.map(|number, (errors, words)| {
                    let mut left = 0.0f32;
                    for (word, (errors, bits)) in errors.chunks(64).zip(words).enumerate() {
                        for (bit, error) in errors.iter().enumerate() {
                            let turn = || {
                                let index = number * cut::PART + word * 64 + bit;
                                let place = [index / columns, index % columns];
                                cut::turn(&frame, map.wraps(), &part, &squares, place)
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
            parts: cut::parts(&frame),
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
