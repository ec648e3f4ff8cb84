//! Flow network: D8 receivers and donors, flow accumulation, and parallel traversals downstream and
//! upstream. The value of a cell depends only on the cells before it in the traversal, so the result is the
//! same on any number of threads.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use bytemuck::zeroed_vec;

use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};
use crate::util::rng::{Jump, LANES, Stream, unit};

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
        parallel::par_items(out).for_each_in(job, |band, donors| {
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
        parallel::par_items((0..cells).step_by(band)).for_each_in(job, |_, first| {
            let sources = (first..cells).take(band);
            sources
                .filter(|cell| self.donors[*cell] == 0)
                .for_each(&follow);
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
        parallel::par_items(values.chunks(band)).for_each_in(job, |index, unknown| {
            ways.with(|way| {
                for (first, value) in (index * band..).zip(unknown) {
                    if value.load(Ordering::Relaxed) == UNKNOWN {
                        self.follow(first, values, &visit, way);
                    }
                }
            });
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

// Stochastic D8 flow directions: one receiver for each cell.
//
// The steepest descent over a cell's eight triangular facets (D∞, Tarboton 1997) lies between a straight
// and a diagonal neighbour. One of the two is drawn at random, the diagonal one with probability s₂/s₁
// (cf. Rho8, Fairfield and Leymarie 1991), so that on average valleys run in every direction instead of
// along the grid.

/// Find the receiver of every cell that is no outlet, and write the effective flow length in cells to
/// `reach`: the drop divided by the steepest slope. A cell without a lower neighbour has no receiver, except
/// on level ground, where it is a level neighbour earlier in memory order.
pub(crate) fn find_receivers(
    flow: &mut Flow,
    heights: &[f32],
    base: f32,
    stream: &Stream,
    reach: &mut [f32],
    job: &Job,
) -> Result<(), Cancelled> {
    let shape = flow.shape;
    let columns = shape.columns;
    let links = flow.links[..shape.cells()].chunks_mut(ROWS * columns);
    let reach = reach[..shape.cells()].chunks_mut(ROWS * columns);
    let scratch = Tools::new(|| Row::new(columns));
    parallel::par_items(links.zip(reach)).for_each_in(job, |band, (links, reach)| {
        let lines = links
            .chunks_exact_mut(columns)
            .zip(reach.chunks_exact_mut(columns));
        scratch.with(|scratch| {
            for (row, (links, reach)) in (band * ROWS..).zip(lines) {
                scratch.find(shape, heights, row, stream, base, links, reach);
            }
        });
    })
}

/// Scratch memory of a row.
struct Row {
    around: [Vec<f32>; 3],
    numbers: Vec<[f32; LANES]>,
}

impl Row {
    fn new(columns: usize) -> Self {
        Self {
            around: Default::default(),
            numbers: vec![[0.0; LANES]; columns.div_ceil(LANES)],
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one row of each map")]
    fn find(
        &mut self,
        shape: Shape,
        heights: &[f32],
        row: usize,
        stream: &Stream,
        base: f32,
        links: &mut [Link],
        reach: &mut [f32],
    ) {
        let columns = shape.columns;
        if !shape.wraps && (row == 0 || row + 1 == shape.rows) {
            links.fill(NONE);
            reach.fill(1.0);
            return;
        }
        shape.around(heights, row, &mut self.around);
        draw(stream, row, &mut self.numbers);
        let [above, here, below] = &self.around;
        let numbers = self.numbers.as_flattened();
        receivers(above, here, below, &numbers[..columns], base, links, reach);
        if !shape.wraps {
            (links[0], links[columns - 1]) = (NONE, NONE);
            return;
        }
        for (column, link) in links.iter_mut().enumerate() {
            if shape.is_border(row, column) {
                let crossing = shape.link(row, column, direction(*link));
                let (down, along) = STEPS[direction(*link)];
                let beside =
                    self.around[(1 + down) as usize][(1 + column as isize + along) as usize];
                // Links on level ground lead to cells earlier in memory order, never across a border.
                let is_level = beside == self.around[1][1 + column];
                let leads = *link != NONE && !(is_level && crossing.is_some_and(|link| link > 7));
                *link = AT_BORDER | crossing.filter(|_| leads).unwrap_or(NONE);
            }
        }
    }
}

vectorized! {
    fn draw(stream: &Stream, row: usize, numbers: &mut [[f32; LANES]]) {
        let mut lanes = stream.lanes(row as u64, Jump::over(0));
        lanes.fill(numbers, unit);
    }

    /// Compute the receivers of one row, ignoring borders.
    fn receivers(
        above: &[f32],
        here: &[f32],
        below: &[f32],
        numbers: &[f32],
        base: f32,
        links: &mut [Link],
        reach: &mut [f32],
    ) {
        let count = numbers.len();
        let (links, reach) = (&mut links[..count], &mut reach[..count]);
        let (nw, n, ne) = (&above[..count], &above[1..][..count], &above[2..][..count]);
        let (w, c, e) = (&here[..count], &here[1..][..count], &here[2..][..count]);
        let (sw, s, se) = (&below[..count], &below[1..][..count], &below[2..][..count]);
        for i in 0..count {
            let height = c[i];
            let (mut best, mut best_s1, mut best_s2, mut facet) = (0.0f32, 0.0f32, 0.0f32, 0u32);
            let facets = [
                (e[i], ne[i]), (n[i], ne[i]), (n[i], nw[i]), (w[i], nw[i]),
                (w[i], sw[i]), (s[i], sw[i]), (s[i], se[i]), (e[i], se[i]),
            ];
            for (index, (straight, diagonal)) in (0u32..).zip(facets) {
                let (s1, s2) = (height - straight, straight - diagonal);
                let drop = s1 + s2;
                let along = if s1 > 0.0 { s1 * s1 } else { 0.0 };
                let across = if drop > 0.0 { drop * drop * 0.5 } else { 0.0 };
                let between = s1 * s1 + s2 * s2;
                let square = if s2 <= 0.0 { along } else if s2 >= s1 { across } else { between };
                let steeper = square > best;
                best = if steeper { square } else { best };
                best_s1 = if steeper { s1 } else { best_s1 };
                best_s2 = if steeper { s2 } else { best_s2 };
                facet = if steeper { index } else { facet };
            }
            let diagonal = numbers[i] * best_s1 < best_s2;
            let drop = if diagonal { best_s1 + best_s2 } else { best_s1 };
            let straight_way = ((facet + 1) & !1) & 7;
            let way = if diagonal { facet | 1 } else { straight_way };
            // On level ground water flows to an earlier cell, so that a plain has few pits.
            let level = if height == w[i] { 4 }
                else if height == nw[i] { 3 }
                else if height == n[i] { 2 }
                else if height == ne[i] { 1 }
                else { u32::from(NONE) };
            let way = if best <= 0.0 { level } else { way };
            links[i] = if height <= base { NONE } else { way as u8 };
            reach[i] = if best > 0.0 { drop / best.sqrt() } else { 1.0 };
        }
    }
}

// Grid of cells with D8 neighbour links, on a plane or a torus.

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
