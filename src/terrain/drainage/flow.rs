//! Flow network: D8 receivers and donors, flow accumulation, and parallel traversals downstream and
//! upstream. The value of a cell depends only on the cells before it in the traversal, so the result is the
//! same on any number of threads.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use bytemuck::zeroed_vec;

use super::shape::{AT_BORDER, Link, NONE, STEPS, Shape};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Number of rows per parallel task.
const ROWS: usize = 8;

/// Number of bits for a cell's area; the other three of 32 count donors.
const AREA_BITS: u32 = 29;

/// Largest number of cells of a level, so that an area fits its bits.
pub(crate) const MOST_CELLS: usize = (1 << AREA_BITS) - 1;

/// Sentinel for a missing value of an upstream traversal.
pub(crate) const UNKNOWN: u32 = u32::MAX;

/// Flow network of one level: trees with the receiver and the donors of each cell.
pub(crate) struct Flow {
    pub shape: Shape,
    /// Link to the receiver, or [`NONE`].
    pub links: Vec<Link>,
    /// Bit mask of the directions of donors.
    pub donors: Vec<u8>,
    offsets: [isize; 32],
    waiting: Vec<AtomicU8>,
}

impl Flow {
    pub fn new(most: usize) -> Self {
        Self {
            shape: Shape {
                rows: 0,
                columns: 0,
                wraps: false,
            },
            links: zeroed_vec(most),
            donors: zeroed_vec(most),
            offsets: [0; 32],
            waiting: zeroed_vec(most),
        }
    }

    pub fn set_shape(&mut self, shape: Shape) {
        self.shape = shape;
        self.offsets = shape.offsets();
    }

    /// Cell at the other end of a link.
    #[inline(always)]
    pub fn end(&self, cell: usize, link: Link) -> usize {
        cell.wrapping_add_signed(self.offsets[usize::from(link & 31)])
    }

    /// True if no water leaves a cell.
    #[inline(always)]
    pub fn is_root(&self, cell: usize) -> bool {
        self.links[cell] & NONE != 0
    }

    /// Receiver of a cell, if water leaves it.
    #[inline(always)]
    pub fn receiver(&self, cell: usize) -> Option<usize> {
        let link = self.links[cell];
        (link & NONE == 0).then(|| self.end(cell, link))
    }

    /// Neighbour in a direction, and the link to it; `None` outside the map.
    #[inline(always)]
    pub fn beside(&self, cell: usize, direction: usize) -> Option<(usize, Link)> {
        let link = if self.links[cell] & AT_BORDER == 0 {
            direction as Link
        } else {
            let (row, column) = (cell / self.shape.columns, cell % self.shape.columns);
            self.shape.link(row, column, direction)?
        };
        Some((self.end(cell, link), link))
    }

    /// Call `each` with every donor of a cell, in the order of directions.
    #[inline(always)]
    pub fn each_donor(&self, cell: usize, mut each: impl FnMut(usize)) {
        let mut donors = self.donors[cell];
        while donors != 0 {
            let direction = donors.trailing_zeros() as usize;
            donors &= donors - 1;
            if let Some((donor, _)) = self.beside(cell, direction) {
                each(donor);
            }
        }
    }

    /// Compute the donors of every cell.
    pub fn find_donors(&mut self, job: &Job) -> Result<(), Cancelled> {
        let shape = self.shape;
        let columns = shape.columns;
        let links = &self.links[..shape.cells()];
        let out = self.donors[..shape.cells()].chunks_mut(ROWS * columns);
        parallel::par_items(out).try_each(|band, donors| {
            job.check()?;
            for (row, donors) in (band * ROWS..).zip(donors.chunks_exact_mut(columns)) {
                let line = |row: usize| &links[row * columns..][..columns];
                let above = line(shape.row_beside(row, false));
                let below = line(shape.row_beside(row, true));
                let lines = [above, line(row), below];
                if columns > 2 {
                    inner_donors(above, lines[1], below, &mut donors[1..columns - 1]);
                }
                for column in [0, columns - 1] {
                    let mut mask = 0;
                    for direction in 0..8 {
                        let Some(link) = shape.link(row, column, direction) else {
                            continue;
                        };
                        let cell = row * columns + column;
                        let other =
                            links[cell.wrapping_add_signed(self.offsets[usize::from(link)])];
                        if other & NONE == 0 && usize::from(other & 7) == direction ^ 4 {
                            mask |= 1 << direction;
                        }
                    }
                    donors[column] = mask;
                }
            }
            Ok(())
        })
    }

    /// Compute the flow accumulation: the number of cells that drain through each, itself included.
    pub fn accumulate(&self, area: &[AtomicU32], job: &Job) -> Result<(), Cancelled> {
        let cells = self.shape.cells();
        let area = &area[..cells];
        let band = ROWS * self.shape.columns;
        // The upper three bits count the donors that are still pending after the first.
        let counts = self.donors[..cells].chunks(band).zip(area.chunks(band));
        parallel::par_items(counts).for_each(|_, (donors, area)| {
            for (donors, area) in donors.iter().zip(area) {
                let further = donors.count_ones().saturating_sub(1);
                area.store(1 + (further << AREA_BITS), Ordering::Relaxed);
            }
        });
        self.each_source(job, |source| {
            let (mut cell, mut sum) = (source, 1u32);
            while let Some(next) = self.receiver(cell) {
                sum += 1;
                if !self.donors[next].is_power_of_two() {
                    let arrives = (sum - 1).wrapping_sub(1 << AREA_BITS);
                    let before = area[next].fetch_add(arrives, Ordering::Relaxed);
                    if before >> AREA_BITS != 0 {
                        return;
                    }
                    // The last donor to arrive finds the sum of all others and continues downstream.
                    sum += before - 1;
                }
                area[next].store(sum, Ordering::Relaxed);
                cell = next;
            }
        })
    }

    /// Call `follow` with every cell that has no donors.
    fn each_source(&self, job: &Job, follow: impl Fn(usize) + Sync) -> Result<(), Cancelled> {
        let cells = self.shape.cells();
        let band = ROWS * self.shape.columns;
        parallel::par_items((0..cells).step_by(band)).try_each(|_, first| {
            job.check()?;
            let sources = (first..cells).take(band);
            sources
                .filter(|cell| self.donors[*cell] == 0)
                .for_each(&follow);
            Ok(())
        })
    }

    /// Visit every cell after all of its donors.
    pub fn downstream(&self, job: &Job, visit: impl Fn(usize) + Sync) -> Result<(), Cancelled> {
        let cells = self.shape.cells();
        let band = ROWS * self.shape.columns;
        let counts = self.donors[..cells].chunks(band);
        let counts = counts.zip(self.waiting[..cells].chunks(band));
        parallel::par_items(counts).for_each(|_, (donors, waiting)| {
            for (donors, waiting) in donors.iter().zip(waiting) {
                waiting.store(donors.count_ones() as u8, Ordering::Relaxed);
            }
        });
        self.each_source(job, |source| {
            visit(source);
            let mut cell = source;
            while let Some(next) = self.receiver(cell) {
                // The last donor to arrive sees the writes of all others, and continues downstream.
                if !self.donors[next].is_power_of_two()
                    && self.waiting[next].fetch_sub(1, Ordering::AcqRel) != 1
                {
                    return;
                }
                visit(next);
                cell = next;
            }
        })
    }

    /// Visit every cell after its receiver, and store the result of `visit` for it in `values`. `visit` gets
    /// the cell and the value of its receiver. No value may be [`UNKNOWN`].
    ///
    /// From each cell the path is followed downstream to the first known value, and back. Where two threads
    /// meet on a path, both compute the same values.
    pub fn upstream(
        &self,
        values: &[AtomicU32],
        job: &Job,
        visit: impl Fn(usize, Option<u32>) -> u32 + Sync,
    ) -> Result<(), Cancelled> {
        let values = &values[..self.shape.cells()];
        let band = ROWS * self.shape.columns;
        parallel::par_items(values.chunks(band)).for_each(|_, values| {
            for value in values {
                value.store(UNKNOWN, Ordering::Relaxed);
            }
        });
        let ways = Tools::new(Vec::new);
        parallel::par_items(values.chunks(band)).try_each(|index, unknown| {
            job.check()?;
            ways.with(|way| {
                for (first, value) in (index * band..).zip(unknown) {
                    if value.load(Ordering::Relaxed) == UNKNOWN {
                        self.follow(first, values, &visit, way);
                    }
                }
            });
            Ok(())
        })
    }

    /// Compute the values of a cell and of those downstream of it, the lowest first.
    fn follow(
        &self,
        first: usize,
        values: &[AtomicU32],
        visit: impl Fn(usize, Option<u32>) -> u32,
        way: &mut Vec<usize>,
    ) {
        let (mut cell, mut below) = (first, None);
        while let Some(next) = self.receiver(cell) {
            let known = values[next].load(Ordering::Relaxed);
            if known != UNKNOWN {
                below = Some(known);
                break;
            }
            way.push(cell);
            cell = next;
        }
        loop {
            let value = visit(cell, below);
            values[cell].store(value, Ordering::Relaxed);
            below = Some(value);
            match way.pop() {
                Some(above) => cell = above,
                None => return,
            }
        }
    }
}

vectorized! {
    /// Compute the donors of all cells of a row but the first and the last.
    fn inner_donors(above: &[Link], here: &[Link], below: &[Link], donors: &mut [u8]) {
        let count = donors.len();
        let lines = [above, here, below];
        let beside: [&[Link]; 8] = std::array::from_fn(|direction| {
            let (down, along) = STEPS[direction];
            &lines[(down + 1) as usize][(along + 1) as usize..][..count]
        });
        for column in 0..count {
            let mut mask = 0u8;
            for direction in 0..8u8 {
                let other = beside[usize::from(direction)][column];
                let comes = (other & (NONE | 7)) == (direction ^ 4);
                mask |= u8::from(comes) << direction;
            }
            donors[column] = mask;
        }
    }
}
