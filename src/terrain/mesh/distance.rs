//! Vertical error of a triangle: the largest vertical distance of any sample within it. Computed in
//! double precision.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::parallel;

/// Half size from which on a triangle is measured in parallel.
const LARGE: usize = 256;
/// Rows of a large triangle in a parallel work item.
const BAND: usize = 32;

/// Heights of a map by row and column.
#[derive(Clone, Copy)]
struct Samples<'a> {
    heights: &'a [f32],
    columns: usize,
}

impl Samples<'_> {
    #[inline(always)]
    fn at(&self, [row, column]: Point) -> f64 {
        f64::from(self.heights[row * self.columns + column])
    }
}

/// Plane through three points.
#[derive(Clone, Copy)]
struct Plane {
    through: Point,
    height: f64,
    per_row: f64,
    per_column: f64,
}

impl Plane {
    #[inline(always)]
    fn at(&self, [row, column]: Point) -> f64 {
        let rows = row as f64 - self.through[0] as f64;
        let columns = column as f64 - self.through[1] as f64;
        self.height + self.per_row * rows + self.per_column * columns
    }
}

/// Scan lines of a triangle half: first and last column move by a fixed step from row to row.
#[derive(Clone, Copy)]
struct Strip {
    row: usize,
    rows: usize,
    first: usize,
    first_step: isize,
    last: usize,
    last_step: isize,
}

impl Strip {
    /// Part of the strip from the row number `from` on.
    fn band(&self, from: usize, rows: usize) -> Self {
        let moved = |at: usize, step: isize| at.wrapping_add_signed(step * from as isize);
        Self {
            row: self.row + from,
            rows,
            first: moved(self.first, self.first_step),
            last: moved(self.last, self.last_step),
            ..*self
        }
    }
}

/// Largest distance of the heights from a line.
#[inline(always)]
fn line(heights: &[f32], start: f64, slope: f64) -> f64 {
    const LANES: usize = 8;
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let away = |height: f32, index: f64| (f64::from(height) - (start + slope * index)).abs();
    let (chunks, rest) = heights.as_chunks::<LANES>();
    let mut far = 0.0;
    if !chunks.is_empty() {
        let mut lanes = [0.0; LANES];
        for (chunk, heights) in chunks.iter().enumerate() {
            let first = (chunk * LANES) as f64;
            for lane in 0..LANES {
                lanes[lane] = larger(away(heights[lane], first + lane as f64), lanes[lane]);
            }
        }
        far = lanes.into_iter().fold(far, larger);
    }
    let first = (heights.len() - rest.len()) as f64;
    let rest = rest.iter().enumerate();
    rest.fold(far, |far, (index, height)| {
        larger(away(*height, first + index as f64), far)
    })
}

#[inline(always)]
fn strip(samples: Samples<'_>, strip: Strip, plane: Plane) -> f64 {
    let (mut first, mut last) = (strip.first, strip.last);
    let mut far = 0.0f64;
    for row in strip.row..strip.row + strip.rows {
        let heights = &samples.heights[row * samples.columns..][first..=last];
        let found = line(heights, plane.at([row, first]), plane.per_column);
        far = if found > far { found } else { far };
        first = first.wrapping_add_signed(strip.first_step);
        last = last.wrapping_add_signed(strip.last_step);
    }
    far
}

vectorized! {
    fn band(heights: &[f32], columns: usize, part: Strip, plane: Plane) -> f64 {
        strip(Samples { heights, columns }, part, plane)
    }
}

/// Largest distance within a large strip, measured in parallel. The maximum does not depend on the order.
/// Ends early if the job is cancelled.
fn large(samples: Samples<'_>, part: Strip, plane: Plane, job: &Job) -> f64 {
    let bands = parallel::par_items((0..part.rows).step_by(BAND)).map(|_, from| {
        if job.is_cancelled() {
            return 0.0;
        }
        let part = part.band(from, BAND.min(part.rows - from));
        band(samples.heights, samples.columns, part, plane)
    });
    bands.into_iter().fold(0.0, f64::max)
}

/// Strips and planes of the triangles that a vertex bisects; all lie within the map.
#[inline(always)]
fn strips(
    samples: Samples<'_>,
    squares: &Squares,
    kind: Kind,
    place: [usize; 2],
    mut each: impl FnMut(Strip, Plane),
) {
    let h = squares.half;
    let [r, c] = squares.position(kind, place);
    let (wide, narrow) = (1.0 / (2 * h) as f64, 1.0 / h as f64);
    let part = |row, rows, first, first_step, last, last_step| Strip {
        row,
        rows,
        first,
        first_step,
        last,
        last_step,
    };
    match kind {
        Kind::Centre => {
            let (north, west, south, east) = (r - h, c - h, r + h, c + h);
            let nw = samples.at([north, west]);
            let ne = samples.at([north, east]);
            let sw = samples.at([south, west]);
            let se = samples.at([south, east]);
            let plane = |through, height, down: f64, along: f64| Plane {
                through,
                height,
                per_row: down * wide,
                per_column: along * wide,
            };
            let rows = 2 * h + 1;
            if (place[0] + place[1]).is_multiple_of(2) {
                let (at, height) = ([north, west], nw);
                each(
                    part(north, rows, west, 0, west, 1),
                    plane(at, height, sw - nw, se - sw),
                );
                each(
                    part(north, rows, west, 1, east, 0),
                    plane(at, height, se - ne, ne - nw),
                );
            } else {
                let at = [north, west];
                each(
                    part(north, rows, west, 0, east, -1),
                    plane(at, nw, sw - nw, ne - nw),
                );
                let at = [south, east];
                each(
                    part(north, rows, east, -1, east, 0),
                    plane(at, se, se - ne, se - sw),
                );
            }
        }
        Kind::Across => {
            let (west, east) = (samples.at([r, c - h]), samples.at([r, c + h]));
            let (along, middle) = ((east - west) * wide, (west + east) * 0.5);
            let plane = |per_row| Plane {
                through: [r, c - h],
                height: west,
                per_row,
                per_column: along,
            };
            if place[0] > 0 {
                let up = plane((middle - samples.at([r - h, c])) * narrow);
                each(part(r - h, h + 1, c, -1, c, 1), up);
            }
            if place[0] < squares.rows {
                let down = plane((samples.at([r + h, c]) - middle) * narrow);
                each(part(r, h + 1, c - h, 1, c + h, -1), down);
            }
        }
        Kind::Down => {
            let (north, south) = (samples.at([r - h, c]), samples.at([r + h, c]));
            let (down, middle) = ((south - north) * wide, (north + south) * 0.5);
            let plane = |per_column| Plane {
                through: [r - h, c],
                height: north,
                per_row: down,
                per_column,
            };
            if place[1] > 0 {
                let left = plane((middle - samples.at([r, c - h])) * narrow);
                each(part(r - h, h, c, -1, c, 0), left);
                each(part(r, h + 1, c - h, 1, c, 0), left);
            }
            if place[1] < squares.columns {
                let right = plane((samples.at([r, c + h]) - middle) * narrow);
                each(part(r - h, h, c, 0, c, 1), right);
                each(part(r, h + 1, c, 0, c + h, -1), right);
            }
        }
    }
}

/// Compute for each vertex of a row the largest distance of a sample from the triangles that it bisects.
/// In triangles around a single sample only that sample counts.
pub fn row(
    map: &Heightmap,
    frame: &Frame,
    squares: &Squares,
    (kind, row): (Kind, usize),
    out: &mut [f32],
    job: &Job,
) {
    let inside = inside(frame, squares, kind, row).min(out.len());
    let (inner, outer) = out.split_at_mut(inside);
    let (heights, columns) = (map.heights(), map.columns());
    match squares.half {
        1 => smallest(heights, columns, squares, kind, row, inner),
        LARGE.. => {
            let samples = Samples { heights, columns };
            for (column, out) in inner.iter_mut().enumerate() {
                let mut far = 0.0f64;
                strips(samples, squares, kind, [row, column], |part, plane| {
                    far = far.max(large(samples, part, plane, job));
                });
                *out = rounded_up(far);
            }
        }
        _ => small(heights, columns, squares, kind, row, inner),
    }
    for (column, out) in outer.iter_mut().enumerate() {
        let halved = squares.halved(kind, [row, inside + column]);
        let seen = halved.iter().flatten().filter(|t| !frame.is_beyond(t));
        let far = seen.map(|triangle| any(map, triangle.map(|at| frame.within(at))));
        *out = rounded_up(far.fold(0.0, f64::max));
    }
}

/// Number of vertices of a row, from the west, whose triangles all lie within the map.
fn inside(frame: &Frame, squares: &Squares, kind: Kind, row: usize) -> usize {
    let h = squares.half;
    let [last_row, last_column] = frame.last;
    let [r, c] = squares.position(kind, [row, 0]);
    let on_the_south = kind == Kind::Across && r == last_row;
    if (r + h > last_row && !on_the_south) || c + h > last_column {
        return 0;
    }
    let on_the_east = kind == Kind::Down && last_column.is_multiple_of(2 * h);
    (last_column - c - h) / (2 * h) + 1 + usize::from(on_the_east)
}

vectorized! {
    fn small(
        heights: &[f32],
        columns: usize,
        squares: &Squares,
        kind: Kind,
        row: usize,
        out: &mut [f32],
    ) {
        let samples = Samples { heights, columns };
        for (column, out) in out.iter_mut().enumerate() {
            let mut far = 0.0f64;
            strips(samples, squares, kind, [row, column], |part, plane| {
                let found = strip(samples, part, plane);
                far = if found > far { found } else { far };
            });
            *out = rounded_up(far);
        }
    }

    /// Compute the distances for triangles around a single sample, the vertex itself. The samples on the
    /// other sides of a centre's triangles are vertices that depend on it, so they are already included.
    fn smallest(
        heights: &[f32],
        columns: usize,
        squares: &Squares,
        kind: Kind,
        row: usize,
        out: &mut [f32],
    ) {
        let samples = Samples { heights, columns };
        for (column, out) in out.iter_mut().enumerate() {
            let [r, c] = squares.position(kind, [row, column]);
            let ends = match kind {
                Kind::Across => [[r, c - 1], [r, c + 1]],
                Kind::Down => [[r - 1, c], [r + 1, c]],
                Kind::Centre if (row + column).is_multiple_of(2) => [[r - 1, c - 1], [r + 1, c + 1]],
                Kind::Centre => [[r - 1, c + 1], [r + 1, c - 1]],
            };
            let middle = (samples.at(ends[0]) + samples.at(ends[1])) * 0.5;
            *out = rounded_up((samples.at([r, c]) - middle).abs());
        }
    }
}

/// Largest distance of a sample within an arbitrary triangle of samples.
fn any(map: &Heightmap, [a, b, c]: [Point; 3]) -> f64 {
    let height = |at: Point| f64::from(map.at(at[0], at[1]));
    let from_a = |at: Point| {
        let along = at[1] as f64 - a[1] as f64;
        (at[0] as f64 - a[0] as f64, along, height(at) - height(a))
    };
    let (b_down, b_along, b_up) = from_a(b);
    let (c_down, c_along, c_up) = from_a(c);
    let area = b_along * c_down - c_along * b_down;
    let plane = Plane {
        through: a,
        height: height(a),
        per_row: (b_along * c_up - c_along * b_up) / area,
        per_column: (b_up * c_down - c_up * b_down) / area,
    };
    let sides = [[a, b], [b, c], [c, a]].map(|[a, b]| if a[0] <= b[0] { [a, b] } else { [b, a] });
    // Range of columns between the sides, with each crossing rounded inwards.
    let of_row = |row: usize| {
        let (mut first, mut last) = (usize::MAX, 0);
        for [from, to] in sides {
            if row < from[0] || row > to[0] {
                continue;
            }
            let (low, high) = if from[0] == to[0] {
                (from[1].min(to[1]), from[1].max(to[1]))
            } else {
                let down = (to[0] - from[0]) as i64;
                let along = (to[1] as i64 - from[1] as i64) * (row - from[0]) as i64;
                let floor = from[1] as i64 + along.div_euclid(down);
                let ceiling = floor + i64::from(along.rem_euclid(down) > 0);
                (ceiling as usize, floor as usize)
            };
            (first, last) = (first.min(low), last.max(high));
        }
        if first > last {
            return 0.0;
        }
        let heights = &map.row(row)[first..=last];
        line(heights, plane.at([row, first]), plane.per_column)
    };
    let (first, end) = (a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]) + 1);
    let bands = parallel::par_items((first..end).step_by(64)).map(|_, from| {
        let rows = from..end.min(from + 64);
        rows.map(of_row).fold(0.0, f64::max)
    });
    bands.into_iter().fold(0.0, f64::max)
}

/// Nearest 32-bit float that is not smaller.
#[inline(always)]
fn rounded_up(number: f64) -> f32 {
    let single = number as f32;
    if f64::from(single) < number {
        single.next_up()
    } else {
        single
    }
}

// Vertex hierarchy of the RTIN (longest-edge bisection). Squares of 2, 4, 8 … cells a side cover the
// map, each with a diagonal. Every vertex except the corners of the root bisects the longest side, the
// hypotenuse, of one or two right triangles.
//
// ```text
// •───────•───────•    a square's centre bisects its diagonal; then the middles of its
// │ ╲     │     ╱ │    sides, shared with the neighbour, bisect those; then its quarters
// │   ╲   │   ╱   │    are squares with diagonals towards the centre
// •───────•───────•
// ```
//
// A map that is not a square of 2^k cells is placed in the north-west of such a square. Points beyond
// its border are clamped to it, row and column independently. Every triangle has a side along a row or a
// column, so clamping flips none. Triangles with all three corners beyond the border become degenerate
// and are dropped; the others cover the map without a gap.

/// Row and column of a sample in the root square, which may lie beyond the map.
pub type Point = [usize; 2];

/// Root square of the hierarchy, with the extent of the map.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Last row and last column of the map.
    pub last: Point,
    /// Number of levels: the square has 2^levels cells a side.
    pub levels: u32,
}

/// Kind of vertex, by the side that it bisects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Diagonal of a square.
    Centre,
    /// Side of a square along a row.
    Across,
    /// Side of a square along a column.
    Down,
}

/// All kinds of vertices.
pub const KINDS: [Kind; 3] = [Kind::Centre, Kind::Across, Kind::Down];

/// Squares of one level.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// Half the side of a square, in cells.
    pub half: usize,
    /// Number of squares from north to south that overlap the map.
    pub rows: usize,
    /// Number of squares from west to east that overlap the map.
    pub columns: usize,
}

impl Frame {
    /// Frame of a map with this many rows and columns of samples, at least 2 of each.
    pub fn new(rows: usize, columns: usize) -> Self {
        let last = [rows - 1, columns - 1];
        let side = last[0].max(last[1]).next_power_of_two();
        Self {
            last,
            levels: side.trailing_zeros(),
        }
    }

    /// Squares of a level, with sides of 2^(level + 1) cells.
    pub fn squares(&self, level: u32) -> Squares {
        let half = 1 << level;
        Squares {
            half,
            rows: self.last[0].div_ceil(2 * half),
            columns: self.last[1].div_ceil(2 * half),
        }
    }

    /// Two root triangles that all others are bisected from.
    pub fn roots(&self) -> [[Point; 3]; 2] {
        let side = 1 << self.levels;
        [
            [[0, 0], [side, side], [side, 0]],
            [[0, 0], [side, side], [0, side]],
        ]
    }

    /// True if a triangle lies beyond the border and becomes degenerate when clamped.
    pub fn is_beyond(&self, triangle: &[Point; 3]) -> bool {
        (0..2).any(|axis| triangle.iter().all(|at| at[axis] >= self.last[axis]))
    }

    /// Point clamped to the map.
    pub fn within(&self, at: Point) -> Point {
        [at[0].min(self.last[0]), at[1].min(self.last[1])]
    }

    /// True if the map is exactly a square of 2^k cells, so that opposite borders have the same vertices.
    pub fn is_exact(&self) -> bool {
        self.last == [1 << self.levels; 2]
    }

    /// Number of triangles that a vertex adds: 0, 1 or 2. Triangles beyond the border do not count.
    pub fn gain(&self, squares: &Squares, kind: Kind, place: Point) -> u64 {
        let at = squares.position(kind, place);
        let parents = squares.halved(kind, place);
        if at[0] + squares.half <= self.last[0] && at[1] + squares.half <= self.last[1] {
            return parents.iter().flatten().count() as u64;
        }
        // At the map's corner one half may vanish while the other appears, hence the difference.
        let seen = |triangle: &[Point; 3]| u64::from(!self.is_beyond(triangle));
        let before: u64 = parents.iter().flatten().map(seen).sum();
        let after = parents
            .iter()
            .flatten()
            .flat_map(|parent| halves(*parent, at));
        after.map(|half| seen(&half)).sum::<u64>() - before
    }
}

impl Squares {
    /// Number of rows and columns of the vertices of a kind.
    pub fn extent(&self, kind: Kind) -> [usize; 2] {
        match kind {
            Kind::Centre => [self.rows, self.columns],
            Kind::Across => [self.rows + 1, self.columns],
            Kind::Down => [self.rows, self.columns + 1],
        }
    }

    /// Position of a vertex.
    pub fn position(&self, kind: Kind, [row, column]: [usize; 2]) -> Point {
        let half = self.half;
        match kind {
            Kind::Centre => [(2 * row + 1) * half, (2 * column + 1) * half],
            Kind::Across => [2 * row * half, (2 * column + 1) * half],
            Kind::Down => [(2 * row + 1) * half, 2 * column * half],
        }
    }

    /// Triangles that a vertex bisects, each as both ends of its longest side, then the opposite corner.
    /// At the border of the root square there is only one.
    pub fn halved(&self, kind: Kind, place: [usize; 2]) -> [Option<[Point; 3]>; 2] {
        let h = self.half;
        let [r, c] = self.position(kind, place);
        match kind {
            Kind::Centre => {
                let (north_west, south_east) = ([r - h, c - h], [r + h, c + h]);
                let (north_east, south_west) = ([r - h, c + h], [r + h, c - h]);
                let (ends, tips) = if (place[0] + place[1]).is_multiple_of(2) {
                    ([north_west, south_east], [south_west, north_east])
                } else {
                    ([north_east, south_west], [north_west, south_east])
                };
                tips.map(|tip| Some([ends[0], ends[1], tip]))
            }
            Kind::Across => {
                let triangle = |tip| [[r, c - h], [r, c + h], tip];
                let north = (place[0] > 0).then(|| triangle([r.wrapping_sub(h), c]));
                let south = (place[0] < self.rows).then(|| triangle([r + h, c]));
                [north, south]
            }
            Kind::Down => {
                let triangle = |tip| [[r - h, c], [r + h, c], tip];
                let west = (place[1] > 0).then(|| triangle([r, c.wrapping_sub(h)]));
                let east = (place[1] < self.columns).then(|| triangle([r, c + h]));
                [west, east]
            }
        }
    }
}

/// Bisect a triangle at `middle`. The right-angled corner of each half, `middle`, comes last.
pub fn halves([a, b, tip]: [Point; 3], middle: Point) -> [[Point; 3]; 2] {
    [[a, tip, middle], [b, tip, middle]]
}

// Bit sets, with a rank query and concurrent insertion.

/// Bit set of numbers below a limit.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Set from its 64-bit words.
    pub fn of_words(words: Vec<u64>) -> Self {
        Self { words }
    }

    /// True if a number is in the set.
    #[inline]
    pub fn has(&self, number: usize) -> bool {
        self.words[number / 64] >> (number % 64) & 1 == 1
    }

    /// Numbers of the set within a range, in ascending order.
    pub fn within(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let words = range.start / 64..range.end.div_ceil(64).max(range.start / 64);
        words.flat_map(move |index| {
            let mut word = self.words[index];
            let first = index * 64;
            if first < range.start {
                word &= u64::MAX << (range.start - first);
            }
            if range.end - first < 64 {
                word &= !(u64::MAX << (range.end - first));
            }
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                bit.map(|bit| first + bit)
            })
        })
    }
}

/// Bit set with constant-time rank queries.
#[derive(Clone, Debug)]
pub struct Ranked {
    bits: Bits,
    before: Vec<u32>,
    count: usize,
}

impl Ranked {
    /// Set of the numbers that threads have marked together.
    pub fn new(marks: Marks) -> Self {
        let words: Vec<u64> = marks.words.into_iter().map(AtomicU64::into_inner).collect();
        let mut count = 0;
        let before = words.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        let before = before.collect();
        Self {
            bits: Bits { words },
            before,
            count: count as usize,
        }
    }

    /// Size of the set.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The plain bit set.
    pub fn bits(&self) -> &Bits {
        &self.bits
    }

    /// Rank: count of the numbers in the set that are smaller than `number`.
    #[inline]
    pub fn before(&self, number: usize) -> u32 {
        let below = self.bits.words[number / 64] & !(u64::MAX << (number % 64));
        self.before[number / 64] + below.count_ones()
    }
}

/// Bit set that threads add to concurrently.
#[derive(Debug)]
pub struct Marks {
    words: Vec<AtomicU64>,
}

impl Marks {
    /// Empty set for numbers below `limit`.
    pub fn new(limit: usize) -> Self {
        let words = (0..limit.div_ceil(64)).map(|_| AtomicU64::new(0));
        Self {
            words: words.collect(),
        }
    }

    /// Add a number.
    #[inline]
    pub fn add(&self, number: usize) {
        let (word, bit) = (&self.words[number / 64], 1 << (number % 64));
        // A load is cheaper than an atomic write that changes nothing.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }
}
