//! Small squares of ground that were asked for lately.
//!
//! A line of sight asks for the height of hundreds of places, and the next picture for almost the same
//! ones. To make one sample is as dear as to make a square of them, so squares are made and kept.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use crate::fractal::region::Window;

/// Cells along a square's side.
const CELLS: i64 = 16;
/// How many squares are kept at most, in each of two generations: some 2.4 MB in all.
const MOST: usize = 512;

/// A square: over how many tiles, its level, and its place along x and z in squares.
type Key = (u32, u32, [i64; 2]);

/// A square of ground, its last row and column those that the next one begins with, or the ground's
/// last.
#[derive(Debug)]
struct Square {
    window: Window,
    heights: Vec<f64>,
}

/// The squares that were asked for lately, and those before them, which go first.
#[derive(Debug, Default)]
struct Squares {
    young: HashMap<Key, Arc<Square>>,
    old: HashMap<Key, Arc<Square>>,
}

/// Squares of ground, kept for who asks again.
#[derive(Debug, Default)]
pub(super) struct Nearby {
    squares: Mutex<Squares>,
}

impl Nearby {
    /// The heights at the corners of a cell of a level over so many tiles, whose last sample along x and
    /// z is `last`: north-west, north-east, south-west, south-east. They are parts of what `make` gives
    /// for a window.
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
        if self.young.len() >= MOST {
            self.old = mem::take(&mut self.young);
        }
        self.young.insert(key, Arc::clone(square));
    }
}
