//! Cache of small blocks of refined samples.
//!
//! A view ray samples hundreds of heights, and the next picture almost the same ones. One sample costs as
//! much as a whole block, so blocks are computed and cached. Eviction is by two generations, an approximation
//! of LRU.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use crate::fractal::region::Window;

/// Cells along a block's side.
const CELLS: i64 = 16;
/// Maximum number of blocks in each of the two generations: some 2.4 MB in all.
const MOST: usize = 512;

/// Cache key of a block: number of tiles, level, and position along x and z in blocks.
type Key = (u32, u32, [i64; 2]);

/// A block of samples. It shares its last row and column with the next block.
#[derive(Debug)]
struct Square {
    window: Window,
    heights: Vec<f64>,
}

/// Two generations of blocks: recently used ones, and older ones to be evicted first.
#[derive(Debug, Default)]
struct Squares {
    young: HashMap<Key, Arc<Square>>,
    old: HashMap<Key, Arc<Square>>,
}

/// Thread-safe cache of blocks.
#[derive(Debug, Default)]
pub(super) struct Nearby {
    squares: Mutex<Squares>,
}

impl Nearby {
    /// Heights at the corners of a cell: north-west, north-east, south-west, south-east. `last` is the last
    /// sample of the level along x and z. On a cache miss, `make` computes the block's window.
    pub fn corners(
        &self,
        (tiles, level): (u32, u32),
        cell: [i64; 2],
        last: [i64; 2],
        make: impl FnOnce(Window) -> Vec<f64>,
    ) -> [f64; 4] {
        let place = cell.map(|cell| cell.div_euclid(CELLS));
        let key = (tiles, level, place);
        let square = self.find(key).unwrap_or_else(|| {
            let first = place.map(|place| place * CELLS);
            let count = |axis: usize| (last[axis] - first[axis]).min(CELLS) as usize + 1;
            let window = Window {
                row: first[1],
                column: first[0],
                rows: count(1),
                columns: count(0),
            };
            let heights = make(window);
            let square = Arc::new(Square { window, heights });
            self.keep(key, &square);
            square
        });
        let Square { window, heights } = &*square;
        let row = (cell[1] - window.row) as usize;
        let at = row * window.columns + (cell[0] - window.column) as usize;
        let below = at + window.columns;
        [at, at + 1, below, below + 1].map(|at| heights[at])
    }

    fn find(&self, key: Key) -> Option<Arc<Square>> {
        let mut squares = self.squares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(square) = squares.young.get(&key) {
            return Some(Arc::clone(square));
        }
        let square = squares.old.remove(&key)?;
        squares.keep(key, &square);
        Some(square)
    }

    fn keep(&self, key: Key, square: &Arc<Square>) {
        let mut squares = self.squares.lock().unwrap_or_else(PoisonError::into_inner);
        squares.keep(key, square);
    }
}

impl Squares {
    fn keep(&mut self, key: Key, square: &Arc<Square>) {
        // Two generations approximate LRU without bookkeeping on every access.
        if self.young.len() >= MOST {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, Arc::clone(square));
    }
}
