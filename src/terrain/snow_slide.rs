//! Snow that slides, as in SnowSlide (Bernhardt and Schulz 2010): cells are visited from the highest to the lowest, and
//! what a slope cannot hold goes to the lower neighbours in proportion to the drop. Hollows that are full overflow.
//!
//! A cell only needs its higher neighbours to be done, and depths are whole numbers, so that no order of additions
//! matters. So the map is cut into bands of rows, each of which visits its own cells from the highest to the lowest and
//! waits at its border where a higher neighbour in the next band is not done yet. Any number of threads makes the same
//! snow, and bands fit into caches.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, TryLockError};

use crate::terrain::grid::{Edge, Grid};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Part of sliding snow that stays on its way: one of so many.
const LEFT: u32 = 100;
/// Rows of a band.
const BAND: usize = 64;
/// Cells of a band between two looks at the job.
const LOOK: usize = 4096;

/// Depth that each cell of a row holds: the row, what has fallen there, and the result.
pub type Held<'a> = dyn Fn(usize, &[u32], &mut [u32]) + Sync + 'a;

/// Let snow of these depths slide over ground with heights in half tiles. Depths are in units of `unit` half tiles. What
/// comes to bare cells is gone.
///
/// # Errors
/// The job was cancelled.
pub fn slide(
    (ground, edge): (&Grid<f32>, Edge),
    unit: f32,
    held: &Held<'_>,
    is_bare: &[bool],
    depths: &mut [u32],
    job: &Job,
) -> Result<(), Cancelled> {
    let (rows, columns) = (ground.rows(), ground.columns());
    let in_units = |height: f32| (f64::from(height) / f64::from(unit)).round() as i64;
    let (lowest, highest) = ground.range();
    let (lowest, highest) = (in_units(lowest), in_units(highest));
    // Most maps need no shift. Where one does, cells of nearly the same height count as level.
    let bits = i64::BITS - (highest - lowest).leading_zeros();
    let shift = bits.saturating_sub(u32::BITS);
    // Zeroed memory costs nothing until it is written, by all threads.
    let mut cells = vec![[0; 2]; depths.len()];
    let lines = cells.chunks_mut(columns).zip(depths.chunks(columns));
    let lines = parallel::par_items(lines).at_least(8);
    lines.for_each_in(job, |row, (cells, fallen)| {
        let mut holds = vec![0; columns];
        held(row, fallen, &mut holds);
        for ((cell, height), holds) in cells.iter_mut().zip(ground.row(row)).zip(holds) {
            let rank = ((highest - in_units(*height)) >> shift) as u32;
            *cell = [rank, holds];
        }
    })?;
    let slope = Slope {
        cells,
        depths: depths.iter().map(|depth| AtomicU32::new(*depth)).collect(),
        lattice: Lattice {
            rows,
            columns,
            edge,
        },
        is_bare,
    };
    let mut hollows = slope.slide(job)?;
    let mut full = Hollows {
        slope,
        height: &|cell| in_units(ground.as_slice()[cell]),
        reached: vec![0; depths.len()],
        flood: 0,
    };
    while let Some(((_, cell), excess)) = hollows.pop_last() {
        job.check()?;
        if let Some((end, rest)) = full.fill(cell, u64::from(excess)) {
            let place = (Reverse(full.slope.rank(end)), end);
            let all: &mut u32 = hollows.entry(place).or_default();
            *all = all.saturating_add(u32::try_from(rest).unwrap_or(u32::MAX));
        }
    }
    for (depth, made) in depths.iter_mut().zip(full.slope.depths) {
        *depth = made.into_inner();
    }
    Ok(())
}

/// Excess of snow in cells without a lower neighbour, from the lowest to the highest.
type Excess = BTreeMap<(Reverse<u32>, usize), u32>;

/// Rows whose cells are visited one after the other.
struct Band {
    cells: Range<usize>,
    /// Cells from the highest to the lowest, equal ones in their own order.
    order: Vec<u32>,
    /// Number of them that are done.
    done: usize,
    hollows: Excess,
}

/// Ground on which snow slides.
struct Slope<'a> {
    /// Depth of the ground of each cell below the highest one, in units of which 2^32 reach to the lowest, and depth of the
    /// snow that it holds.
    cells: Vec<[u32; 2]>,
    /// Depth of the snow of each cell.
    depths: Vec<AtomicU32>,
    lattice: Lattice,
    /// Water, and where there is no data: what slides there is gone.
    is_bare: &'a [bool],
}

impl Slope<'_> {
    fn rank(&self, cell: usize) -> u32 {
        self.cells[cell][0]
    }

    fn holds(&self, cell: usize) -> u32 {
        self.cells[cell][1]
    }

    fn depth(&self, cell: usize) -> u32 {
        self.depths[cell].load(Ordering::Relaxed)
    }

    fn set_depth(&self, cell: usize, depth: u32) {
        self.depths[cell].store(depth, Ordering::Relaxed);
    }

    /// Add to the depth of a cell to which another thread may add, too.
    fn add_together(&self, cell: usize, more: u32) {
        let sum = |depth: u32| Some(depth.saturating_add(more));
        // It never fails, since there always is a sum.
        let _ = self.depths[cell].fetch_update(Ordering::Relaxed, Ordering::Relaxed, sum);
    }

    /// Let snow slide down to where it stays or to hollows, whose excess is returned.
    fn slide(&self, job: &Job) -> Result<Excess, Cancelled> {
        let size = BAND * self.lattice.columns;
        let starts = (0..self.cells.len()).step_by(size);
        let bands = parallel::par_items(starts).map(|_, start| {
            let cells = start..self.cells.len().min(start + size);
            let order = order(&self.cells[cells.clone()], start as u32);
            Mutex::new(Band {
                cells,
                order,
                done: 0,
                hollows: Excess::new(),
            })
        });
        let next = bands.iter().map(|_| AtomicU64::new(0)).collect::<Vec<_>>();
        // Each thread could do it alone, so none waits for one that does not run.
        let threads = parallel::threads();
        let workers = parallel::par_items(0..threads);
        workers.try_each(|worker, _| {
            let first = worker * bands.len() / threads;
            loop {
                let (mut is_done, mut moves) = (true, false);
                for at in (first..bands.len()).chain(0..first) {
                    if next[at].load(Ordering::Relaxed) == END {
                        continue;
                    }
                    is_done = false;
                    match bands[at].try_lock() {
                        Ok(mut band) => moves |= self.go_on(&mut band, &next, at, job)?,
                        Err(TryLockError::WouldBlock) => {}
                        Err(TryLockError::Poisoned(_)) => return Ok(()),
                    }
                }
                if is_done {
                    return Ok(());
                }
                if !moves {
                    job.check()?;
                    std::thread::yield_now();
                }
            }
        })?;
        let bands = bands.into_iter().filter_map(|band| band.into_inner().ok());
        Ok(bands.flat_map(|band| band.hollows).collect())
    }

    /// Visit cells of a band until one waits for another band. Returns whether there were any. `next` has the place of
    /// the cell that each band visits next, `at` is the number of this one.
    fn go_on(
        &self,
        band: &mut Band,
        next: &[AtomicU64],
        at: usize,
        job: &Job,
    ) -> Result<bool, Cancelled> {
        let (size, columns) = (BAND * self.lattice.columns, self.lattice.columns);
        let inner = band.cells.start + columns..band.cells.end.saturating_sub(columns);
        let began = band.done;
        job.check()?;
        while let Some(cell) = band.order.get(band.done) {
            let cell = *cell as usize;
            let waits = |other: usize| {
                !band.cells.contains(&other)
                    && self.place(other) < self.place(cell)
                    && next[other / size].load(Ordering::Acquire) <= self.place(other)
            };
            let is_at_border = !inner.contains(&cell);
            if is_at_border && self.lattice.beside(cell).into_iter().flatten().any(waits) {
                break;
            }
            let excess = self.depth(cell).saturating_sub(self.holds(cell));
            if excess > 0 && !self.is_bare[cell] && !self.slide_from(cell, excess, &inner) {
                let place = (Reverse(self.rank(cell)), cell);
                band.hollows.insert(place, excess);
            }
            band.done += 1;
            let place = band.order.get(band.done);
            let place = place.map_or(END, |cell| self.place(*cell as usize));
            next[at].store(place, Ordering::Release);
            if band.done.is_multiple_of(LOOK) {
                job.check()?;
            }
        }
        Ok(band.done > began)
    }

    /// Sort key of a cell: its rank, then its index.
    fn place(&self, cell: usize) -> u64 {
        u64::from(self.rank(cell)) << u32::BITS | cell as u64
    }

    /// Let the excess of a cell slide to its lower neighbours, in proportion to the drop of the ground; a little of it
    /// stays on the way. Where there is none it is only taken away, and the result is false. Only the band of the cell
    /// adds to `inner` cells.
    fn slide_from(&self, cell: usize, excess: u32, inner: &Range<usize>) -> bool {
        let rank = self.rank(cell);
        let mut below = [(0, 0.0); 8];
        let (mut count, mut sum, mut most) = (0, 0.0, 0);
        for other in self.lattice.beside(cell).into_iter().flatten() {
            let beside = self.rank(other);
            if (beside, other) > (rank, cell) {
                let drop = f64::from((beside - rank).max(1));
                below[count] = (other, drop);
                if drop > below[most].1 {
                    most = count;
                }
                count += 1;
                sum += drop;
            }
        }
        let slides = if count == 0 {
            excess
        } else {
            excess - excess / LEFT
        };
        // All that comes from above has come.
        self.set_depth(cell, self.depth(cell) - slides);
        if count == 0 {
            return false;
        }
        let scale = f64::from(slides) / sum;
        let mut rest = slides;
        let add = |other: usize, more: u32| match inner.contains(&other) {
            true => self.set_depth(other, self.depth(other).saturating_add(more)),
            false => self.add_together(other, more),
        };
        for (other, drop) in &below[..count] {
            let share = ((drop * scale) as u32).min(rest);
            add(*other, share);
            rest -= share;
        }
        add(below[most].0, rest);
        true
    }
}

/// Place beyond the last cell.
const END: u64 = u64::MAX;

/// Rows and columns of cells.
#[derive(Clone, Copy)]
struct Lattice {
    rows: usize,
    columns: usize,
    edge: Edge,
}

impl Lattice {
    /// The neighbours of a cell: north, west, east and south, then the diagonal ones.
    fn beside(&self, cell: usize) -> [Option<usize>; 8] {
        let (rows, columns) = (self.rows, self.columns);
        // Division of 32 bits takes half the time of one of 64, and no lattice has more cells.
        let (row, column) = (cell as u32 / columns as u32, cell as u32 % columns as u32);
        let (row, column) = (row as usize, column as usize);
        if row > 0 && row + 1 < rows && column > 0 && column + 1 < columns {
            let (north, south) = (cell - columns, cell + columns);
            let around = [
                north,
                cell - 1,
                cell + 1,
                south,
                north - 1,
                north + 1,
                south - 1,
                south + 1,
            ];
            return around.map(Some);
        }
        let wraps = self.edge == Edge::Wrap;
        let before = |at: usize, count: usize| match at {
            0 => wraps.then_some(count - 1),
            at => Some(at - 1),
        };
        let after = |at: usize, count: usize| match at + 1 {
            next if next < count => Some(next),
            _ => wraps.then_some(0),
        };
        let rows = [before(row, rows), after(row, rows)];
        let [north, south] = rows.map(|row| row.map(|row| row * columns));
        let (west, east) = (before(column, columns), after(column, columns));
        let here = cell - column;
        let at = |row: Option<usize>, column: Option<usize>| Some(row? + column?);
        [
            at(north, Some(column)),
            at(Some(here), west),
            at(Some(here), east),
            at(south, Some(column)),
            at(north, west),
            at(north, east),
            at(south, west),
            at(south, east),
        ]
    }
}

/// Hollows that fill with snow, like a flood that rises, and overflow.
struct Hollows<'a> {
    slope: Slope<'a>,
    /// Height of the ground of a cell, in units.
    height: &'a dyn Fn(usize) -> i64,
    /// Number of the last flood that has reached each cell, and of this one.
    reached: Vec<u32>,
    flood: u32,
}

impl Hollows<'_> {
    fn surface(&self, cell: usize) -> i64 {
        (self.height)(cell) + i64::from(self.slope.depth(cell))
    }

    /// Fill the hollow around a cell with an amount of snow. What overflows slides on to the next hollow, which is
    /// returned with what comes there.
    fn fill(&mut self, cell: usize, mut amount: u64) -> Option<(usize, u64)> {
        let mut shore = BinaryHeap::from([Reverse((self.surface(cell), cell))]);
        let mut level = self.surface(cell);
        let mut flooded = Vec::new();
        self.flood += 1;
        self.reached[cell] = self.flood;
        let mut over = None;
        while let Some(Reverse((surface, cell))) = shore.pop() {
            let room = (surface - level).max(0) as u64 * flooded.len() as u64;
            if room >= amount && !flooded.is_empty() {
                break;
            }
            if surface < level || self.slope.is_bare[cell] {
                over = Some(cell);
                break;
            }
            amount -= room;
            level = surface;
            flooded.push(cell);
            for other in self.slope.lattice.beside(cell) {
                // Snow leaves the land at its border.
                let other = other?;
                if std::mem::replace(&mut self.reached[other], self.flood) != self.flood {
                    shore.push(Reverse((self.surface(other), other)));
                }
            }
        }
        if over.is_none() {
            level += (amount / flooded.len().max(1) as u64) as i64;
        }
        for cell in flooded {
            let depth = level - (self.height)(cell);
            self.slope
                .set_depth(cell, depth.try_into().unwrap_or(u32::MAX));
        }
        self.slide_on(over?, amount)
    }

    /// Let an amount of snow slide down from a cell until nothing is left or it comes to a hollow.
    fn slide_on(&mut self, mut cell: usize, mut amount: u64) -> Option<(usize, u64)> {
        while !self.slope.is_bare[cell] {
            let depth = self.slope.depth(cell);
            let room = self.slope.holds(cell).saturating_sub(depth);
            let stays = (u64::from(room) + amount / u64::from(LEFT)).min(amount);
            self.slope
                .set_depth(cell, depth.saturating_add(stays as u32));
            amount -= stays;
            if amount == 0 {
                return None;
            }
            let (here, beside) = (self.surface(cell), self.slope.lattice.beside(cell));
            let lowest = beside.into_iter().flatten();
            match lowest.min_by_key(|other| self.surface(*other)) {
                Some(lowest) if self.surface(lowest) < here => cell = lowest,
                _ => return Some((cell, amount)),
            }
        }
        None
    }
}

/// Cells from the highest to the lowest, equal ones in their own order: a radix sort, since comparisons take several
/// times as long. `first` is the number of the first cell.
fn order(cells: &[[u32; 2]], first: u32) -> Vec<u32> {
    let mut order: Vec<(u32, u32)> = cells.iter().map(|[rank, _]| *rank).zip(first..).collect();
    let mut sorted = order.clone();
    let place = |rank: u32, digit: u32| (rank >> (digit * DIGIT) & ((1 << DIGIT) - 1)) as usize;
    let mut counts = [[0_usize; 1 << DIGIT]; DIGITS as usize];
    for (rank, _) in &order {
        for (digit, counts) in (0..).zip(&mut counts) {
            counts[place(*rank, digit)] += 1;
        }
    }
    for (digit, mut starts) in (0..).zip(counts) {
        if starts[0] == order.len() {
            // All have a zero there.
            continue;
        }
        let mut before = 0;
        for start in &mut starts {
            before += std::mem::replace(start, before);
        }
        for item in &order {
            let start = &mut starts[place(item.0, digit)];
            sorted[*start] = *item;
            *start += 1;
        }
        std::mem::swap(&mut order, &mut sorted);
    }
    order.into_iter().map(|(_, cell)| cell).collect()
}

/// Bits of a digit of the radix sort, and digits of a rank.
const DIGIT: u32 = 11;
const DIGITS: u32 = 3;

#[cfg(test)]
mod tests {
    use super::*;

    /// Rough ground of a few bands, with many cells of the same height, some of them bare.
    fn slope(edge: Edge, is_bare: &[bool]) -> Slope<'_> {
        let (rows, columns) = (5 * BAND / 2, is_bare.len() / (5 * BAND / 2));
        let mut state = 7_u32;
        let mut number = |below: u32| {
            state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (state >> 8) % below
        };
        let cells = is_bare.iter().map(|_| [number(300), number(50)]).collect();
        let depths = is_bare.iter().map(|_| AtomicU32::new(number(400)));
        Slope {
            cells,
            depths: depths.collect(),
            lattice: Lattice {
                rows,
                columns,
                edge,
            },
            is_bare,
        }
    }

    /// All cells in turn, as the method says.
    fn in_turn(slope: &Slope<'_>) -> Excess {
        let mut hollows = Excess::new();
        for cell in order(&slope.cells, 0) {
            let cell = cell as usize;
            let excess = slope.depth(cell).saturating_sub(slope.holds(cell));
            if excess > 0 && !slope.is_bare[cell] && !slope.slide_from(cell, excess, &(0..0)) {
                hollows.insert((Reverse(slope.rank(cell)), cell), excess);
            }
        }
        hollows
    }

    #[test]
    fn bands_make_the_same_snow_as_all_cells_in_turn() {
        for columns in [1, 2, 37] {
            let is_bare: Vec<bool> = (0..columns * 5 * BAND / 2)
                .map(|i: usize| i.is_multiple_of(97))
                .collect();
            for edge in [Edge::Clamp, Edge::Wrap] {
                let wanted = slope(edge, &is_bare);
                let hollows = in_turn(&wanted);
                let depths = |slope: &Slope<'_>| -> Vec<u32> {
                    (0..is_bare.len()).map(|cell| slope.depth(cell)).collect()
                };
                for threads in [1, 2, 7] {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
                    let made = slope(edge, &is_bare);
                    let found = pool.build().unwrap().install(|| made.slide(&Job::new()));
                    assert_eq!(found, Ok(hollows.clone()), "{columns} {threads}");
                    assert!(depths(&made) == depths(&wanted), "{columns} {threads}");
                }
            }
        }
    }

    #[test]
    fn a_cancelled_job_ends_on_any_number_of_threads() {
        let is_bare = vec![false; 37 * 5 * BAND / 2];
        let job = Job::new();
        job.cancel();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            let made = slope(Edge::Wrap, &is_bare);
            let found = pool.build().unwrap().install(|| made.slide(&job));
            assert_eq!(found, Err(Cancelled), "{threads}");
        }
    }
}
