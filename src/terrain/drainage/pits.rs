//! Depression filling by routing (Cordonnier, Bovy and Braun 2019): a basin drains over its lowest pass:
//! in each round every basin without an outlet selects the lowest pass to another one, as in Borůvka's
//! minimum spanning tree, and the flow path from its pit to that pass is reversed (carving).
//!
//! The pass is found by flooding the basin from its pit with a priority queue, lowest cells first (cf.
//! priority flood, Barnes, Lehman and Mulla 2014). This visits only the cells of its lake, however large
//! the basin is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering};

use super::PART;
use super::flow::Flow;
use super::shape::{AT_BORDER, Link, NONE, back, direction, is_diagonal};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

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
fn ordered(height: f32) -> u32 {
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
