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
    columns: usize,
    darts: Darts,
    /// Neighbours within the spacing, a bit each; and those of them that outrank the candidate.
    near: Vec<u32>,
    above: Vec<u32>,
}

/// Positions within the cells, 0…1, and ranks.
#[derive(Default)]
struct Darts {
    east: Vec<f32>,
    south: Vec<f32>,
    rank: Vec<u32>,
}

/// Result so far for a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum State {
    Undecided = 1,
    Stands = 2,
    Falls = 4,
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
            let within = (cell[axis] as f64 + f64::from(jitter[axis])) / self.cells[axis] as f64;
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
    pub fn rank(&self, column: i64, row: i64) -> u32 {
        let cell = [
            column.rem_euclid(self.cells[0]),
            row.rem_euclid(self.cells[1]),
        ];
        rank_of(self.draw(cell).1)
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
        let states = cells.decide();
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

    /// Position within a cell of the tile, 0…1, and a hash.
    fn draw(&self, [column, row]: [i64; 2]) -> ([f32; 2], u64) {
        draw_in(self.stream.row_key(row as u64).0, column)
    }

    fn cells_of(&self, from: [i64; 2], size: [i64; 2]) -> Cells {
        let mut darts = Darts::default();
        for row in from[1]..from[1] + size[1] {
            let key = self.stream.row_key(row.rem_euclid(self.cells[1]) as u64).0;
            let mut column = from[0].rem_euclid(self.cells[0]);
            for _ in 0..size[0] {
                let ([east, south], hash) = draw_in(key, column);
                darts.east.push(east);
                darts.south.push(south);
                darts.rank.push(rank_of(hash));
                column = if column + 1 < self.cells[0] {
                    column + 1
                } else {
                    0
                };
            }
        }
        let count = darts.rank.len();
        let mut cells = Cells {
            columns: size[0] as usize,
            darts,
            near: vec![0; count],
            above: vec![0; count],
        };
        cells.compare(self.cell(), self.spacing);
        cells
    }
}

/// Position within the cell of a column, 0…1, and a hash; `key` is that of the row.
#[inline]
fn draw_in(key: u64, column: i64) -> ([f32; 2], u64) {
    let bits = mix(key ^ column as u64);
    let unit = |bits: u64| (bits & 0x00FF_FFFF) as f32 / 16_777_216.0;
    ([unit(bits >> 40), unit(bits >> 8)], mix(bits))
}

/// Rank of a candidate by its hash.
fn rank_of(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Neighbouring cells in which candidates can be within the spacing: rows and columns away, and the bit of each.
fn around() -> impl Iterator<Item = ([i64; 2], u32)> {
    let cells =
        (-REACH..=REACH).flat_map(|down| (-REACH..=REACH).map(move |across| [down, across]));
    let numbered = cells.enumerate().map(|(number, away)| (away, 1 << number));
    numbered.filter(|(away, _)| *away != [0, 0])
}

/// Where a neighbour lies: cells away, in a cell's size, and whether it wins at equal rank.
#[derive(Clone, Copy)]
struct Neighbour {
    away: [f32; 2],
    cell: [f32; 2],
    /// Square of the spacing.
    square: f32,
    wins: bool,
    bit: u32,
}

/// Positions east and south, and ranks, of a row of candidates.
type Row<'a> = (&'a [f32], &'a [f32], &'a [u32]);

vectorized! {
    /// Set the bit of a neighbour for the candidates of a row to which it is near, and for those that it outranks.
    fn look(neighbour: Neighbour, here: Row<'_>, there: Row<'_>, near: &mut [u32], above: &mut [u32]) {
        let Neighbour { away, cell, square, wins, bit } = neighbour;
        let count = near.len();
        let (x, y, rank) = (&here.0[..count], &here.1[..count], &here.2[..count]);
        let (u, v, other) = (&there.0[..count], &there.1[..count], &there.2[..count]);
        let above = &mut above[..count];
        for at in 0..count {
            let east = (away[0] + (u[at] - x[at])) * cell[0];
            let south = (away[1] + (v[at] - y[at])) * cell[1];
            let is_near = if east * east + south * south < square { bit } else { 0 };
            let outranks = if wins { other[at] >= rank[at] } else { other[at] > rank[at] };
            near[at] |= is_near;
            above[at] |= if outranks { is_near } else { 0 };
        }
    }
}

impl Darts {
    fn row(&self, part: std::ops::Range<usize>) -> Row<'_> {
        (
            &self.east[part.clone()],
            &self.south[part.clone()],
            &self.rank[part],
        )
    }
}

impl Cells {
    /// Find the neighbours of each candidate within the spacing.
    fn compare(&mut self, cell: [f64; 2], spacing: f64) {
        let columns = self.columns as i64;
        let rows = self.near.len() as i64 / columns;
        // Rounding errors must not bring plants closer.
        let square = (spacing * spacing * (1.0 + 1e-6)) as f32;
        for ([down, across], bit) in around() {
            let neighbour = Neighbour {
                away: [across as f32, down as f32],
                cell: cell.map(|side| side as f32),
                square,
                wins: (down, across) > (0, 0),
                bit,
            };
            let first = (-across).max(0);
            let count = columns - across.abs();
            if count <= 0 {
                continue;
            }
            for row in (-down).max(0)..rows - down.max(0) {
                let part = |row: i64, column: i64| {
                    let first = (row * columns + column) as usize;
                    first..first + count as usize
                };
                let here = part(row, first);
                let there = self.darts.row(part(row + down, first + across));
                let (near, above) = (&mut self.near[here.clone()], &mut self.above[here.clone()]);
                look(neighbour, self.darts.row(here), there, near, above);
            }
        }
    }

    /// Decide all candidates in rounds. Those at the border lack neighbours, so theirs is not the final result.
    fn decide(&self) -> Vec<State> {
        let mut offsets = [0; 32];
        for ([down, across], bit) in around() {
            offsets[bit.trailing_zeros() as usize] = down * self.columns as i64 + across;
        }
        let any = |states: &[State], at: usize, mut bits: u32, mask: u8| {
            while bits != 0 {
                let offset = offsets[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                if states[(at as i64 + offset) as usize] as u8 & mask != 0 {
                    return true;
                }
            }
            false
        };
        let mut states = vec![State::Undecided; self.near.len()];
        let mut undecided: Vec<usize> = (0..states.len()).collect();
        for _ in 0..ROUNDS {
            // A neighbour that has just stood still blocks, so the order of the candidates does not matter.
            let blocks = State::Undecided as u8 | State::Stands as u8;
            for at in undecided.iter().copied() {
                if !any(&states, at, self.above[at], blocks) {
                    states[at] = State::Stands;
                }
            }
            undecided.retain(|at| {
                let falls = states[*at] == State::Undecided
                    && any(&states, *at, self.near[*at], State::Stands as u8);
                if falls {
                    states[*at] = State::Falls;
                }
                states[*at] == State::Undecided
            });
        }
        states
    }
}
