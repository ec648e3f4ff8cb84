//! The cells of a level and how they lie beside each other.

/// The cells of one level, row-major. Of a map that wraps each cell is there once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub rows: usize,
    pub columns: usize,
    pub wraps: bool,
}

/// The way from a cell to one of its eight neighbours, in a byte: the direction in bits 0 to 2, and
/// whether the way crosses the map's western or eastern (bit 3), northern or southern (bit 4) border.
pub(crate) type Link = u8;

/// The link of a cell that water does not leave.
pub(crate) const NONE: Link = 1 << 5;

/// Set in the link of a cell at the border of a map that wraps: ways to its neighbours cross it.
pub(crate) const AT_BORDER: Link = 1 << 6;

/// The steps (rows, columns) of the eight directions: east first, then counter-clockwise. That of
/// direction d ^ 4 is opposite to that of d.
pub(crate) const STEPS: [(isize, isize); 8] = [
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
];

const ACROSS_COLUMNS: Link = 1 << 3;
const ACROSS_ROWS: Link = 1 << 4;

/// The direction of a link.
pub(crate) fn direction(link: Link) -> usize {
    usize::from(link & 7)
}

/// The same way in the other direction.
pub(crate) fn back(link: Link) -> Link {
    link ^ 4
}

/// Whether a direction is a diagonal one.
pub(crate) fn is_diagonal(direction: usize) -> bool {
    direction % 2 == 1
}

impl Shape {
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The cells of the longer side.
    pub fn longer(&self) -> usize {
        self.rows.max(self.columns)
    }

    /// The next coarser level: every second cell.
    pub fn halved(self) -> Self {
        Self {
            rows: self.rows.div_ceil(2),
            columns: self.columns.div_ceil(2),
            ..self
        }
    }

    /// How far apart in memory the ends of each link are.
    pub fn offsets(&self) -> [isize; 32] {
        let (columns, cells) = (self.columns as isize, self.cells() as isize);
        std::array::from_fn(|link| {
            let (down, along) = STEPS[link % 8];
            let link = link as Link;
            let mut offset = down * columns + along;
            if link & ACROSS_COLUMNS != 0 {
                offset -= along * columns;
            }
            if link & ACROSS_ROWS != 0 {
                offset -= down * cells;
            }
            offset
        })
    }

    /// The link of a cell in a direction; `None` where the map ends.
    pub fn link(&self, row: usize, column: usize, direction: usize) -> Option<Link> {
        let (down, along) = STEPS[direction];
        let leaves =
            |at: usize, by: isize, count: usize| (by < 0 && at == 0) || (by > 0 && at + 1 == count);
        let mut link = direction as Link;
        if leaves(column, along, self.columns) {
            link |= ACROSS_COLUMNS;
        }
        if leaves(row, down, self.rows) {
            link |= ACROSS_ROWS;
        }
        (self.wraps || link < 8).then_some(link)
    }

    /// Whether a cell lies at the border, where links may cross it.
    pub fn is_border(&self, row: usize, column: usize) -> bool {
        row == 0 || column == 0 || row + 1 == self.rows || column + 1 == self.columns
    }

    /// The row that lies above or below, and whether there is one.
    pub fn row_beside(&self, row: usize, below: bool) -> usize {
        match (below, row) {
            (false, 0) if self.wraps => self.rows - 1,
            (false, 0) => 0,
            (false, row) => row - 1,
            (true, row) if row + 1 < self.rows => row + 1,
            (true, _) if self.wraps => 0,
            (true, row) => row,
        }
    }

    /// The three rows around `row`, each with one more value at both ends.
    pub fn around(&self, values: &[f32], row: usize, out: &mut [Vec<f32>; 3]) {
        let rows = [self.row_beside(row, false), row, self.row_beside(row, true)];
        for (row, out) in rows.into_iter().zip(out) {
            let line = &values[row * self.columns..][..self.columns];
            let (first, last) = (line[0], line[self.columns - 1]);
            out.clear();
            out.push(if self.wraps { last } else { first });
            out.extend_from_slice(line);
            out.push(if self.wraps { first } else { last });
        }
    }
}
