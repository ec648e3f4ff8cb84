//! Vertex hierarchy of the RTIN (longest-edge bisection). Squares of 2, 4, 8 … cells a side cover the
//! map, each with a diagonal. Every vertex except the corners of the root bisects the longest side, the
//! hypotenuse, of one or two right triangles.
//!
//! ```text
//! •───────•───────•    a square's centre bisects its diagonal; then the middles of its
//! │ ╲     │     ╱ │    sides, shared with the neighbour, bisect those; then its quarters
//! │   ╲   │   ╱   │    are squares with diagonals towards the centre
//! •───────•───────•
//! ```
//!
//! A map that is not a square of 2^k cells is placed in the north-west of such a square. Points beyond
//! its border are clamped to it, row and column independently. Every triangle has a side along a row or a
//! column, so clamping flips none. Triangles with all three corners beyond the border become degenerate
//! and are dropped; the others cover the map without a gap.

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
