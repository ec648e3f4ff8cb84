//! Grid of cells with D8 neighbour links, on a plane or a torus.

/// Grid of the cells of one level, row-major. On a map that wraps, repeated samples count once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    pub rows: usize,
    pub columns: usize,
    pub wraps: bool,
}

/// D8 link from a cell to one of its eight neighbours, in a byte: the direction in bits 0 to 2, and flags for
/// crossing the map's western or eastern (bit 3), northern or southern (bit 4) border.
pub(crate) type Link = u8;

/// Link of a cell without a receiver.
pub(crate) const NONE: Link = 1 << 5;

/// Flag in the link of a cell at the border of a map that wraps: links to its neighbours may cross it.
pub(crate) const AT_BORDER: Link = 1 << 6;

/// Steps (rows, columns) of the eight directions: east first, then counter-clockwise. Direction d ^ 4 is
/// opposite to d.
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

/// Direction of a link.
pub(crate) fn direction(link: Link) -> usize {
    usize::from(link & 7)
}

/// Reverse a link.
pub(crate) fn back(link: Link) -> Link {
    link ^ 4
}

/// True for diagonal directions.
pub(crate) fn is_diagonal(direction: usize) -> bool {
    direction % 2 == 1
}

impl Shape {
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Number of cells of the longer side.
    pub fn longer(&self) -> usize {
        self.rows.max(self.columns)
    }

    /// Next coarser level: every second cell.
    pub fn halved(self) -> Self {
        Self {
            rows: self.rows.div_ceil(2),
            columns: self.columns.div_ceil(2),
            ..self
        }
    }

    /// Memory offset of the neighbour for each link.
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

    /// Link of a cell in a direction; `None` outside the map.
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

    /// True if a cell lies at the border, where links may cross it.
    pub fn is_border(&self, row: usize, column: usize) -> bool {
        row == 0 || column == 0 || row + 1 == self.rows || column + 1 == self.columns
    }

    /// Row above or below, across the border of a map that wraps; at a free border the row itself.
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

    /// Copy the three rows around `row`, each extended by one value at both ends.
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
