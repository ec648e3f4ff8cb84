//! Flow routing on a heightfield: D8 receivers, depression filling, flow accumulation, watersheds and the
//! topographic wetness index.
//!
//! Water flows from each sample to one of its neighbours, over the lowest pass out of every depression, down
//! to the sea or to the border. All results are the same on any number of threads.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::zeroed_vec;

use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};
use crate::util::rng::{Stage, Stream};
use flow::{AT_BORDER, Flow, Link, NONE, Shape, back, direction, is_diagonal};

pub(crate) mod flow;

/// Memory of [`Drainage::of`] in bytes a sample, besides the map.
pub const BYTES_A_SAMPLE: u64 = 24;

/// Number of cells per parallel task, where rows do not matter.
const PART: usize = 1 << 12;

/// Least slope in the wetness index, which would be infinite on level ground.
const LEVEL_GROUND: f32 = 1e-3;

/// Drainage network of a map. The repeated samples of a map that wraps count once; the rest are its cells.
pub struct Drainage {
    flow: Flow,
    area: Vec<u32>,
    /// Depth of the lake on each cell.
    depth: Vec<f32>,
    /// Slope from each cell to its receiver: a drop over a length in the same unit.
    slope: Vec<f32>,
    /// Number of depressions.
    pits: usize,
    rows: usize,
    columns: usize,
    spacing: f32,
}

impl Drainage {
    /// Compute the drainage of `map`. Rivers end at or below the height `sea`. Without a sea they end at the
    /// base level of the map's erosion, at a free border, or else in the lowest sample.
    ///
    /// Cost: about as much as one step of erosion, 100 ns a sample on one thread; [`BYTES_A_SAMPLE`]
    /// while it is made, 15 bytes a sample afterwards.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(map: &Heightmap, sea: Option<f32>, job: &Job) -> Result<Self, Cancelled> {
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        let repeated = usize::from(wraps);
        let shape = Shape {
            rows: map.rows() - repeated,
            columns: map.columns() - repeated,
            wraps,
        };
        let cells = shape.cells();
        let mut heights = vec![0.0; cells];
        let rows = parallel::par_items(heights.chunks_mut(shape.columns));
        let lowest = rows.map(|row, out| {
            out.copy_from_slice(&map.row(row)[..shape.columns]);
            out.iter().copied().fold(f32::INFINITY, f32::min)
        });
        let lowest = lowest.into_iter().fold(f32::INFINITY, f32::min);
        let base = match sea.or(map.base()) {
            Some(sea) if sea >= lowest || !shape.wraps => sea,
            _ if shape.wraps => lowest,
            _ => f32::NEG_INFINITY,
        };
        let mut flow = Flow::new(cells);
        flow.set_shape(shape);
        let mut reach = zeroed_vec(cells);
        let stream = Stream::new(0, Stage::Erosion, u32::MAX);
        flow::find_receivers(&mut flow, &heights, base, &stream, &mut reach, job)?;
        flow.find_donors(job)?;
        let labels: Vec<AtomicU32> = zeroed_vec(cells);
        let pits = drain(&mut flow, &heights, base, &mut reach, &labels, job)?;
        let area = labels;
        flow.accumulate(&area, job)?;
        let spacing = map.spacing();
        let levels: Vec<AtomicU32> = zeroed_vec(cells);
        flow.upstream(&levels, job, |cell, below| {
            let height = heights[cell];
            let level = below.map_or(height, |below| height.max(f32::from_bits(below)));
            level.to_bits()
        })?;
        parallel::par_items(reach.chunks_mut(PART)).for_each(|part, reach| {
            for (cell, reach) in (part * PART..).zip(reach) {
                let drop = flow
                    .receiver(cell)
                    .map_or(0.0, |to| heights[cell] - heights[to]);
                *reach = drop.max(0.0) / (*reach * spacing);
            }
        });
        let levels = levels.into_iter().zip(&heights);
        let depth = levels.map(|(level, height)| f32::from_bits(level.into_inner()) - height);
        Ok(Self {
            area: area.into_iter().map(AtomicU32::into_inner).collect(),
            depth: depth.collect(),
            flow,
            slope: reach,
            pits,
            rows: map.rows(),
            columns: map.columns(),
            spacing,
        })
    }

    /// Number of cells: all samples, without the repeated ones of a map that wraps.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.area.len()
    }

    /// Distance of neighbouring cells, in the unit of the heights.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Cell of a sample.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        assert!(row < self.rows && column < self.columns, "no such sample");
        let shape = self.flow.shape;
        row % shape.rows * shape.columns + column % shape.columns
    }

    /// Receiver of a cell; `None` where the water leaves the land.
    #[must_use]
    pub fn receiver(&self, cell: usize) -> Option<usize> {
        self.flow.receiver(cell)
    }

    /// Grid of the cells.
    pub(crate) fn shape(&self) -> Shape {
        self.flow.shape
    }

    /// Offset from a cell to its receiver, in rows and columns; `None` where the water leaves the land.
    pub(crate) fn way(&self, cell: usize) -> Option<(isize, isize)> {
        let link = self.flow.links[cell];
        (!self.flow.is_root(cell)).then(|| flow::STEPS[flow::direction(link)])
    }

    /// Call `each` with every donor of a cell, always in the same order.
    pub(crate) fn each_donor(&self, cell: usize, each: impl FnMut(usize)) {
        self.flow.each_donor(cell, each);
    }

    /// Call `each` with every neighbour of a cell.
    pub(crate) fn each_beside(&self, cell: usize, mut each: impl FnMut(usize)) {
        let shape = self.flow.shape;
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        for direction in 0..8 {
            if let Some(link) = shape.link(row, column, direction) {
                each(self.flow.end(cell, link));
            }
        }
    }

    /// Compute a number for each cell with `visit`, from the number of its receiver. The number `u32::MAX` is
    /// reserved.
    pub(crate) fn upstream(
        &self,
        job: &Job,
        visit: impl Fn(usize, Option<u32>) -> u32 + Sync,
    ) -> Result<Vec<u32>, Cancelled> {
        let numbers: Vec<AtomicU32> = zeroed_vec(self.cells());
        self.flow.upstream(&numbers, job, visit)?;
        Ok(numbers.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Height of a cell of `map`.
    pub(crate) fn height(&self, map: &Heightmap, cell: usize) -> f32 {
        let columns = self.flow.shape.columns;
        map.at(cell / columns, cell % columns)
    }

    /// Number of depressions that needed an outlet.
    #[must_use]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// Distance from a cell to its receiver, in cells: 1 or √2.
    #[must_use]
    pub fn step(&self, cell: usize) -> Option<f32> {
        let link = self.flow.links[cell];
        let diagonal = flow::is_diagonal(flow::direction(link));
        let step = if diagonal {
            std::f32::consts::SQRT_2
        } else {
            1.0
        };
        self.receiver(cell).map(|_| step)
    }

    /// Length of the longest flow path, in cells.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn longest(&self, job: &Job) -> Result<f32, Cancelled> {
        let length: Vec<AtomicU32> = zeroed_vec(self.cells());
        let bits = |cell: usize| f32::from_bits(length[cell].load(Ordering::Relaxed));
        self.flow.downstream(job, |cell| {
            let mut most = 0.0f32;
            self.flow.each_donor(cell, |donor| {
                most = most.max(bits(donor) + self.step(donor).unwrap_or(0.0));
            });
            length[cell].store(most.to_bits(), Ordering::Relaxed);
        })?;
        Ok((0..self.cells()).map(bits).fold(0.0, f32::max))
    }

    /// Flow accumulation: the number of cells that drain through a cell, itself included.
    #[must_use]
    pub fn area(&self, cell: usize) -> u32 {
        self.area[cell]
    }

    /// Watershed of a cell as a mask of all cells, the cell itself included; its size is [`Drainage::area`].
    /// Cost: a byte for each cell of the map, and a walk over the watershed.
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn watershed(&self, cell: usize) -> Vec<bool> {
        let mut belongs = vec![false; self.cells()];
        self.each_upstream(cell, |cell, _| belongs[cell] = true);
        belongs
    }

    /// Call `visit` with a cell and every cell upstream of it, each after its receiver, and with the length
    /// of the flow path between, in cells; always in the same order.
    pub(crate) fn each_upstream(&self, cell: usize, mut visit: impl FnMut(usize, f64)) {
        let mut open = vec![(cell, 0.0)];
        while let Some((cell, length)) = open.pop() {
            visit(cell, length);
            self.flow.each_donor(cell, |donor| {
                open.push((donor, length + self.step(donor).map_or(0.0, f64::from)));
            });
        }
    }

    /// Depth of the lake that would stand on a cell; 0 elsewhere.
    #[must_use]
    pub fn depth(&self, cell: usize) -> f32 {
        self.depth[cell]
    }

    /// Slope from a cell to its receiver, as a tangent; 0 in a depression and without a receiver.
    #[must_use]
    pub fn slope(&self, cell: usize) -> f32 {
        self.slope[cell]
    }

    /// Topographic wetness index (Beven and Kirkby 1979): ln(a / tan β), with the specific catchment area a
    /// per metre of contour, in metres, and the slope β. `metres` is the length of the unit of the heights.
    #[must_use]
    pub fn wetness(&self, cell: usize, metres: f32) -> f32 {
        let width = self.spacing * metres;
        libm::logf(self.area[cell] as f32 * width / self.slope[cell].max(LEVEL_GROUND))
    }

    /// Map of a number for each sample, the `number` of its cell, computed on all threads.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn map(
        &self,
        job: &Job,
        number: impl Fn(usize) -> f32 + Sync,
    ) -> Result<Heightmap, Cancelled> {
        let mut numbers = vec![0.0; self.rows * self.columns];
        let rows = parallel::par_items(numbers.chunks_mut(self.columns));
        rows.at_least(8).for_each_in(job, |row, out| {
            for (column, out) in out.iter_mut().enumerate() {
                *out = number(self.cell(row, column));
            }
        })?;
        let wraps = self.flow.shape.wraps;
        Ok(Heightmap::new(self.rows, self.columns, wraps, numbers))
    }
}

impl std::fmt::Debug for Drainage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rows, columns, .. } = self;
        write!(f, "Drainage of {rows} × {columns}")
    }
}

// Depression filling by routing (Cordonnier, Bovy and Braun 2019): a basin drains over its lowest pass:
// in each round every basin without an outlet selects the lowest pass to another one, as in Borůvka's
// minimum spanning tree, and the flow path from its pit to that pass is reversed (carving).
//
// The pass is found by flooding the basin from its pit with a priority queue, lowest cells first (cf.
// priority flood, Barnes, Lehman and Mulla 2014). This visits only the cells of its lake, however large
// the basin is.

/// Label of cells whose water reaches an outlet.
const OUTSIDE: u32 = (1 << 31) - 1;
/// Label of cells not queried yet.
const UNKNOWN: u32 = OUTSIDE - 1;
/// Flag in the label of a cell that the current flood has reached.
const WET: u32 = 1 << 31;

/// Give an outlet to each pit, a cell above `base` without a receiver that is not at a free border. Returns
/// the number of pits. `labels` is scratch memory. Links, donors and flow lengths are updated for the
/// reversed paths.
pub(crate) fn drain(
    flow: &mut Flow,
    heights: &[f32],
    base: f32,
    reach: &mut [f32],
    labels: &[AtomicU32],
    job: &Job,
) -> Result<usize, Cancelled> {
    let pits = find(flow, heights, base);
    if pits.is_empty() {
        return Ok(0);
    }
    let basins = Basins {
        labels: &labels[..flow.shape.cells()],
        heights,
    };
    basins.begin(&pits);
    let mut groups = Groups::new(pits.len());
    let lakes = Tools::new(Lake::default);
    // Basins without an outlet. Each is the leader of a group of basins that flow to it.
    let mut closed: Vec<u32> = (0..pits.len() as u32).collect();
    while !closed.is_empty() && !is_the_only_root(flow, &closed, &pits) {
        let leaders = groups.flat();
        let passes = parallel::par_items(closed.chunks(16)).try_map(|_, closed| {
            lakes.with(|lake| {
                let passes = closed.iter().map(|&basin| {
                    job.check()?;
                    Ok(basins.lowest_pass(flow, &leaders, pits[basin as usize], basin, lake))
                });
                passes.collect::<Result<Vec<_>, Cancelled>>()
            })
        })?;
        for (&basin, pass) in closed.iter().zip(passes.into_iter().flatten()) {
            let Some(pass) = pass else { continue };
            let beyond = flow.end(pass.rim, pass.link);
            if groups.join(basin, basins.label(flow, beyond)) {
                turn(flow, reach, pass.rim, pass.link);
            }
        }
        let before = closed.len();
        closed.retain(|basin| groups.leader(*basin) == *basin);
        if closed.len() == before {
            break;
        }
    }
    Ok(pits.len())
}

/// Find the pits: cells without a receiver that are no outlets, in order.
fn find(flow: &Flow, heights: &[f32], base: f32) -> Vec<u32> {
    let shape = flow.shape;
    let rows = parallel::par_items(0..shape.rows).at_least(8);
    let pits = rows.map(|row, _| {
        let first = row * shape.columns;
        let line = first..first + shape.columns;
        let pits = line.filter(|cell| {
            flow.is_root(*cell)
                && heights[*cell] > base
                && (shape.wraps || !shape.is_border(row, *cell - first))
        });
        pits.map(|cell| cell as u32).collect::<Vec<_>>()
    });
    pits.concat()
}

/// True if all water flows to the pit of the only closed basin. There is nothing beyond it, so its flood
/// would cover all the land in search of a pass.
fn is_the_only_root(flow: &Flow, closed: &[u32], pits: &[u32]) -> bool {
    let [basin] = closed else { return false };
    let pit = pits[*basin as usize] as usize;
    let cells = flow.shape.cells();
    let parts = parallel::par_items((0..cells).step_by(PART));
    let others = parts.try_each(|_, first| {
        let mut part = first..cells.min(first + PART);
        let found = part.find(|cell| *cell != pit && flow.is_root(*cell));
        found.map_or(Ok(()), Err)
    });
    others.is_ok()
}

/// Pass over which the water of a basin leaves.
struct Pass {
    rim: usize,
    link: Link,
}

/// State of a flood: the priority queue of its shore, and its cells.
#[derive(Default)]
struct Lake {
    /// Heights, encoded by [`ordered`], in the upper half, and cells in the lower.
    shore: BinaryHeap<Reverse<u64>>,
    cells: Vec<u32>,
}

/// Basin labels of cells, computed on demand.
struct Basins<'a> {
    labels: &'a [AtomicU32],
    heights: &'a [f32],
}

impl Basins<'_> {
    fn begin(&self, pits: &[u32]) {
        parallel::par_items(self.labels.chunks(1 << 14)).for_each(|_, labels| {
            for label in labels {
                label.store(UNKNOWN, Ordering::Relaxed);
            }
        });
        for (basin, pit) in (0..).zip(pits) {
            self.labels[*pit as usize].store(basin, Ordering::Relaxed);
        }
    }

    /// Basin of a cell. All threads that follow the same path downstream write the same labels.
    fn label(&self, flow: &Flow, cell: usize) -> u32 {
        let known = |cell: usize| self.labels[cell].load(Ordering::Relaxed) & !WET;
        let first = known(cell);
        if first != UNKNOWN {
            return first;
        }
        let mut at = cell;
        let mut label = first;
        while label == UNKNOWN {
            label = match flow.receiver(at) {
                Some(next) => {
                    at = next;
                    known(next)
                }
                None => OUTSIDE,
            };
        }
        let mut at = cell;
        while known(at) == UNKNOWN {
            let unknown = &self.labels[at];
            let _ = unknown.compare_exchange(UNKNOWN, label, Ordering::Relaxed, Ordering::Relaxed);
            match flow.receiver(at) {
                Some(next) => at = next,
                None => break,
            }
        }
        label
    }

    /// Find the lowest pass from the group of `leader` to another one; `None` if there is none.
    fn lowest_pass(
        &self,
        flow: &Flow,
        leaders: &[u32],
        pit: u32,
        leader: u32,
        lake: &mut Lake,
    ) -> Option<Pass> {
        let group = |cell: usize| match self.label(flow, cell) {
            OUTSIDE => OUTSIDE,
            basin => leaders[basin as usize],
        };
        lake.shore.clear();
        lake.cells.clear();
        let mut best = None::<((u32, u32), Pass)>;
        let reach = |lake: &mut Lake, cell: usize| {
            self.labels[cell].fetch_or(WET, Ordering::Relaxed);
            lake.cells.push(cell as u32);
            let height = ordered(self.heights[cell]);
            lake.shore
                .push(Reverse(u64::from(height) << 32 | cell as u64));
        };
        self.label(flow, pit as usize);
        reach(lake, pit as usize);
        while let Some(Reverse(lowest)) = lake.shore.pop() {
            let (level, cell) = ((lowest >> 32) as u32, lowest as u32);
            if best
                .as_ref()
                .is_some_and(|((lowest, _), _)| level >= *lowest)
            {
                break;
            }
            for direction in 0..8 {
                let Some((other, link)) = flow.beside(cell as usize, direction) else {
                    continue;
                };
                if self.labels[other].load(Ordering::Relaxed) & WET != 0 && group(other) == leader {
                    continue;
                }
                if group(other) == leader {
                    reach(lake, other);
                    continue;
                }
                let key = (level.max(ordered(self.heights[other])), cell);
                if best.as_ref().is_none_or(|(lowest, _)| key < *lowest) {
                    let rim = cell as usize;
                    best = Some((key, Pass { rim, link }));
                }
            }
        }
        for cell in &lake.cells {
            self.labels[*cell as usize].fetch_and(!WET, Ordering::Relaxed);
        }
        best.map(|(_, pass)| pass)
    }
}

/// Map a height to an integer with the same order.
pub(crate) fn ordered(height: f32) -> u32 {
    let bits = height.to_bits();
    if bits >> 31 == 0 {
        bits | 1 << 31
    } else {
        !bits
    }
}

/// Reverse the flow path from `cell` to its root, and let it leave by `link`.
fn turn(flow: &mut Flow, reach: &mut [f32], mut cell: usize, mut link: Link) {
    loop {
        let old = flow.links[cell];
        let next = flow.end(cell, link);
        flow.links[cell] = link | (old & AT_BORDER);
        flow.donors[next] |= 1 << (direction(link) ^ 4);
        let diagonal = is_diagonal(direction(link));
        reach[cell] = if diagonal {
            std::f32::consts::SQRT_2
        } else {
            1.0
        };
        if old & NONE != 0 {
            return;
        }
        let below = flow.end(cell, old);
        flow.donors[below] &= !(1 << (direction(old) ^ 4));
        link = back(old) & !AT_BORDER;
        cell = below;
    }
}

/// Disjoint sets of basins that have been joined (union-find with path halving).
struct Groups {
    above: Vec<u32>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self {
            above: (0..count as u32).collect(),
        }
    }

    /// Leader of a basin's group, or [`OUTSIDE`].
    fn leader(&mut self, mut basin: u32) -> u32 {
        while basin != OUTSIDE {
            let above = self.above[basin as usize];
            if above == basin || above == OUTSIDE {
                return above;
            }
            self.above[basin as usize] = self.above[above as usize];
            basin = above;
        }
        OUTSIDE
    }

    /// Connect the group of `basin`, its leader, to that of `other`; `false` if they are one group already.
    fn join(&mut self, basin: u32, other: u32) -> bool {
        let other = self.leader(other);
        if other == basin {
            return false;
        }
        self.above[basin as usize] = other;
        true
    }

    /// Leader of every basin.
    fn flat(&mut self) -> Vec<u32> {
        let basins = 0..self.above.len() as u32;
        basins.map(|basin| self.leader(basin)).collect()
    }
}
