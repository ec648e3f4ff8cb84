//! Point pattern of one layer: Matérn hard-core thinning (Matérn 1960, type III by rounds) of a jittered grid.
//!
//! Each cell of a grid holds one candidate at a hashed place, with a hashed rank. In each round a candidate stands if
//! it outranks every undecided one within the spacing, and those within the spacing of a standing one fall. After four
//! rounds the undecided ones, some two in a hundred, are left out. Whether a candidate stands depends on those within
//! seven spacings (one more for each look at the neighbours), so every rectangle has the points of the whole.

use crate::util::rng::{Stage, Stream, mix};

/// Rounds of elimination.
const ROUNDS: usize = 4;
/// Cells beyond a rectangle on which its candidates can depend: 2 · 4 − 1 spacings, each √2 cells at most.
const HALO: i64 = 10;
/// Cells to the north, south, west and east in which candidates can be within the spacing.
const REACH: i64 = 2;
/// Half of the neighbouring cells: those that follow in reading order, as rows and columns away.
const FOLLOWING: [(i64, i64); 12] = [
    (0, 1),
    (0, 2),
    (1, -2),
    (1, -1),
    (1, 0),
    (1, 1),
    (1, 2),
    (2, -2),
    (2, -1),
    (2, 0),
    (2, 1),
    (2, 2),
];
/// Whole numbers across the tile, in which positions are exact.
pub(super) const ACROSS: i64 = 1 << 40;

/// Point pattern of a layer of plants on a tile.
#[derive(Clone, Debug)]
pub struct Pattern {
    stream: Stream,
    /// Sides of the tile, and the least distance between two points, in one unit.
    size: [f64; 2],
    spacing: f64,
    /// Cells across and down.
    cells: [i64; 2],
    wraps: bool,
}

/// Point of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Column and row of its cell on the tile.
    pub cell: [u32; 2],
    /// Position east and south; the tile's side is 2^40. Beyond a tile that wraps it goes on.
    pub at: [i64; 2],
    /// Hash for whatever grows there.
    pub hash: u64,
}

/// Candidates of a rectangle of cells while they are decided.
struct Cells {
    /// Position within the cell, 0…1.
    jitter: Vec<[f64; 2]>,
    rank: Vec<u64>,
    /// Neighbours within the spacing, a bit each; and those of them with a higher rank.
    near: Vec<u32>,
    above: Vec<u32>,
}

/// Result so far for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Undecided,
    Stands,
    Falls,
}

impl Pattern {
    /// Create the pattern of layer `layer` on a tile of `size`, east and south, with a least distance of `spacing`.
    #[must_use]
    pub fn new(seed: u64, layer: u32, size: [f64; 2], spacing: f64, wraps: bool) -> Self {
        // Cells of a whole number a side, so that a map that wraps still does.
        let cells = size.map(|side| {
            let cells = (side * std::f64::consts::SQRT_2 / spacing).floor();
            cells.clamp(1.0, f64::from(u32::MAX)) as i64
        });
        Self {
            stream: Stream::new(seed, Stage::Plants, layer),
            size,
            spacing,
            cells,
            wraps,
        }
    }

    /// Sides of a cell, east and south.
    #[must_use]
    pub fn cell(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.size[axis] / self.cells[axis] as f64)
    }

    /// Candidate of a cell, by column and row, as it would be without others. Beyond a tile that wraps it is the one
    /// of the opposite side.
    #[must_use]
    pub fn candidate(&self, column: i64, row: i64) -> Candidate {
        let on_tile = [column, row];
        let cell = [0, 1].map(|axis| on_tile[axis].rem_euclid(self.cells[axis]));
        let (jitter, hash) = self.draw(cell);
        let at = [0, 1].map(|axis| {
            let tiles = on_tile[axis].div_euclid(self.cells[axis]);
            let within = (cell[axis] as f64 + jitter[axis]) / self.cells[axis] as f64;
            (within * ACROSS as f64) as i64 + tiles * ACROSS
        });
        let hash = mix(hash);
        Candidate {
            cell: cell.map(|index| index as u32),
            at,
            hash,
        }
    }

    /// Rank of the candidate of a cell: the higher one stands.
    #[must_use]
    pub fn rank(&self, column: i64, row: i64) -> u64 {
        let cell = [
            column.rem_euclid(self.cells[0]),
            row.rem_euclid(self.cells[1]),
        ];
        self.draw(cell).1
    }

    /// Columns and rows of cells on the tile.
    #[must_use]
    pub fn cells(&self) -> [i64; 2] {
        self.cells
    }

    /// Candidates that stand in a rectangle of cells, by first and last column and row, the last excluded. Beyond a
    /// tile that does not wrap there are none.
    #[must_use]
    pub fn standing(&self, [first, last]: [[i64; 2]; 2]) -> Vec<Candidate> {
        let clip = |at: i64, axis: usize| match self.wraps {
            true => at,
            false => at.clamp(0, self.cells[axis]),
        };
        let [first, last] = [first, last].map(|corner| [0, 1].map(|axis| clip(corner[axis], axis)));
        if (0..2).any(|axis| last[axis] <= first[axis]) {
            return Vec::new();
        }
        let from = [0, 1].map(|axis| clip(first[axis] - HALO, axis));
        let to = [0, 1].map(|axis| clip(last[axis] + HALO, axis));
        let size = [0, 1].map(|axis| to[axis] - from[axis]);
        let cells = self.cells_of(from, size);
        let states = cells.decide(size[0]);
        let mut standing = Vec::new();
        for row in first[1]..last[1] {
            let line = (row - from[1]) * size[0] - from[0];
            for column in first[0]..last[0] {
                if states[(line + column) as usize] == State::Stands {
                    standing.push(self.candidate(column, row));
                }
            }
        }
        standing
    }

    /// Position within a cell of the tile, 0…1, and rank.
    fn draw(&self, [column, row]: [i64; 2]) -> ([f64; 2], u64) {
        self.draw_in(self.stream.row_key(row as u64).0, column)
    }

    fn draw_in(&self, row_key: u64, column: i64) -> ([f64; 2], u64) {
        let bits = mix(row_key ^ column as u64);
        let unit = |bits: u64| (bits & 0x00FF_FFFF) as f64 / 16_777_216.0;
        ([unit(bits >> 40), unit(bits >> 8)], mix(bits))
    }

    fn cells_of(&self, from: [i64; 2], size: [i64; 2]) -> Cells {
        let count = (size[0] * size[1]) as usize;
        let mut cells = Cells {
            jitter: Vec::with_capacity(count),
            rank: Vec::with_capacity(count),
            near: vec![0; count],
            above: vec![0; count],
        };
        for row in from[1]..from[1] + size[1] {
            let key = self.stream.row_key(row.rem_euclid(self.cells[1]) as u64).0;
            for column in from[0]..from[0] + size[0] {
                let (jitter, rank) = self.draw_in(key, column.rem_euclid(self.cells[0]));
                cells.jitter.push(jitter);
                cells.rank.push(rank);
            }
        }
        cells.compare(size, self.cell(), self.spacing);
        cells
    }
}

/// Bit of the neighbour so many rows and columns away.
fn bit(down: i64, across: i64) -> u32 {
    1 << ((down + REACH) * (2 * REACH + 1) + across + REACH)
}

impl Cells {
    /// Find the neighbours of each candidate within the spacing.
    fn compare(&mut self, [columns, rows]: [i64; 2], cell: [f64; 2], spacing: f64) {
        let square = spacing * spacing;
        for (down, across) in FOLLOWING {
            let (there, back) = (bit(down, across), bit(-down, -across));
            let offset = down * columns + across;
            for row in 0..rows - down {
                let line = row * columns;
                for column in (-across).max(0)..columns - across.max(0) {
                    let one = (line + column) as usize;
                    let other = (line + column + offset) as usize;
                    let ([x, y], [u, v]) = (self.jitter[one], self.jitter[other]);
                    let east = (across as f64 + (u - x)) * cell[0];
                    let south = (down as f64 + (v - y)) * cell[1];
                    if east * east + south * south >= square {
                        continue;
                    }
                    self.near[one] |= there;
                    self.near[other] |= back;
                    // Equal ranks are those of a candidate and its own image, which do not compete.
                    if self.rank[other] > self.rank[one] {
                        self.above[one] |= there;
                    } else if self.rank[one] > self.rank[other] {
                        self.above[other] |= back;
                    }
                }
            }
        }
    }

    /// Decide all candidates in rounds. Those at the border lack neighbours, so theirs is not the final result.
    fn decide(&self, columns: i64) -> Vec<State> {
        let mut states = vec![State::Undecided; self.rank.len()];
        let mut undecided: Vec<usize> = (0..states.len()).collect();
        let any = |states: &[State], at: usize, mut bits: u32, is_meant: fn(State) -> bool| {
            while bits != 0 {
                let number = i64::from(bits.trailing_zeros());
                bits &= bits - 1;
                let side = 2 * REACH + 1;
                let offset = (number / side - REACH) * columns + number % side - REACH;
                if is_meant(states[(at as i64 + offset) as usize]) {
                    return true;
                }
            }
            false
        };
        for _ in 0..ROUNDS {
            // A neighbour that has just stood still blocks, so the order of the candidates does not matter.
            for at in undecided.iter().copied() {
                if !any(&states, at, self.above[at], |state| state != State::Falls) {
                    states[at] = State::Stands;
                }
            }
            undecided.retain(|at| {
                let falls = states[*at] == State::Undecided
                    && any(&states, *at, self.near[*at], |state| state == State::Stands);
                if falls {
                    states[*at] = State::Falls;
                }
                states[*at] == State::Undecided
            });
        }
        states
    }
}
