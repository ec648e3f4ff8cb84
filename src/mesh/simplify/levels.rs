//! Where the hierarchy's vertices lie: squares of 1, 2, 4 … samples a side that cover the map,
//! each with a diagonal, so that every vertex beyond the corners halves the longest sides of
//! one or two right triangles.
//!
//! ```text
//! •───────•───────•    a square's centre halves its diagonal; then the middles of its
//! │ ╲     │     ╱ │    sides, shared with the neighbour, halve those; then its quarters
//! │   ╲   │   ╱   │    are squares with diagonals towards the centre
//! •───────•───────•
//! ```
//!
//! A map that is not a square of 2^k cells lies in the north-west of one that is: points beyond its
//! border are drawn back to it, row and column each on its own. Every triangle has a side along a
//! row or a column, so none is turned over by that. The flat ones are those with all three corners
//! beyond the border; the others cover the map without a gap.

/// A point of the square: the row and column of a sample, which may lie beyond the map.
pub type Point = [usize; 2];

/// The place of the map within the square.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The last row and the last column of the map.
    pub last: Point,
    /// The square has 2^levels cells a side.
    pub levels: u32,
}

/// Which side a vertex halves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A square's diagonal.
    Centre,
    /// A square's side along a row.
    Across,
    /// A square's side along a column.
    Down,
}

/// All kinds of vertices.
pub const KINDS: [Kind; 3] = [Kind::Centre, Kind::Across, Kind::Down];

/// The squares of one size.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// The samples from a corner to the middle of a side.
    pub half: usize,
    /// How many squares from north to south the map reaches into.
    pub rows: usize,
    /// How many squares from west to east the map reaches into.
    pub columns: usize,
}

impl Frame {
    /// The frame of a map with this many rows and columns of samples, at least 2 of each.
    pub fn new(rows: usize, columns: usize) -> Self {
        let last = [rows - 1, columns - 1];
        let side = last[0].max(last[1]).next_power_of_two();
        Self {
            last,
            levels: side.trailing_zeros(),
        }
    }

    /// The squares whose sides are 2^(level + 1) cells.
    pub fn squares(&self, level: u32) -> Squares {
        let half = 1 << level;
        Squares {
            half,
            rows: self.last[0].div_ceil(2 * half),
            columns: self.last[1].div_ceil(2 * half),
        }
    }

    /// The two triangles that all others are cut from.
    pub fn roots(&self) -> [[Point; 3]; 2] {
        let side = 1 << self.levels;
        [
            [[0, 0], [side, side], [side, 0]],
            [[0, 0], [side, side], [0, side]],
        ]
    }

    /// Whether a triangle lies beyond the border, so that nothing is left of it.
    pub fn is_beyond(&self, triangle: &[Point; 3]) -> bool {
        (0..2).any(|axis| triangle.iter().all(|at| at[axis] >= self.last[axis]))
    }

    /// The point, drawn back to the border if it is beyond.
    pub fn within(&self, at: Point) -> Point {
        [at[0].min(self.last[0]), at[1].min(self.last[1])]
    }

    /// Whether the map is exactly a square of 2^k cells, so that opposite borders have the same
    /// vertices.
    pub fn is_exact(&self) -> bool {
        self.last == [1 << self.levels; 2]
    }

    /// By how many triangles their number grows with a vertex: 0, 1 or 2. Triangles beyond the
    /// border are not counted.
    pub fn gain(&self, squares: &Squares, kind: Kind, place: Point) -> u64 {
        let at = squares.position(kind, place);
        let parents = squares.halved(kind, place);
        if at[0] + squares.half <= self.last[0] && at[1] + squares.half <= self.last[1] {
            return parents.iter().flatten().count() as u64;
        }
        // At the map's corner, what one of the two loses the other one gains.
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
    /// The number of rows and columns of the vertices of a kind.
    pub fn extent(&self, kind: Kind) -> [usize; 2] {
        match kind {
            Kind::Centre => [self.rows, self.columns],
            Kind::Across => [self.rows + 1, self.columns],
            Kind::Down => [self.rows, self.columns + 1],
        }
    }

    /// The point where a vertex lies.
    pub fn position(&self, kind: Kind, [row, column]: [usize; 2]) -> Point {
        let half = self.half;
        match kind {
            Kind::Centre => [(2 * row + 1) * half, (2 * column + 1) * half],
            Kind::Across => [2 * row * half, (2 * column + 1) * half],
            Kind::Down => [(2 * row + 1) * half, 2 * column * half],
        }
    }

    /// The triangles that a vertex halves, each as both ends of its longest side and then the
    /// opposite corner. At the border of the square there is only one.
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

/// The two halves into which `middle` cuts a triangle; their right angle, `middle`, comes last.
pub fn halves([a, b, tip]: [Point; 3], middle: Point) -> [[Point; 3]; 2] {
    [[a, tip, middle], [b, tip, middle]]
}
