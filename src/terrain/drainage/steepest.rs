//! Stochastic D8 flow directions: one receiver for each cell.
//!
//! The steepest descent over a cell's eight triangular facets (D∞, Tarboton 1997) lies between a straight
//! and a diagonal neighbour. One of the two is drawn at random, the diagonal one with probability s₂/s₁
//! (cf. Rho8, Fairfield and Leymarie 1991), so that on average valleys run in every direction instead of
//! along the grid.

use super::flow::Flow;
use super::shape::{AT_BORDER, Link, NONE, STEPS, Shape, direction};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};
use crate::util::rng::{Jump, LANES, Stream, unit};

/// Number of rows per parallel task.
const ROWS: usize = 8;

/// Find the receiver of every cell that is no outlet, and write the effective flow length in cells to
/// `reach`: the drop divided by the steepest slope. A cell without a lower neighbour has no receiver, except
/// on level ground, where it is a level neighbour earlier in memory order.
pub(crate) fn find(
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
    parallel::par_items(links.zip(reach)).try_each(|band, (links, reach)| {
        job.check()?;
        let lines = links
            .chunks_exact_mut(columns)
            .zip(reach.chunks_exact_mut(columns));
        scratch.with(|scratch| {
            for (row, (links, reach)) in (band * ROWS..).zip(lines) {
                scratch.find(shape, heights, row, stream, base, links, reach);
            }
        });
        Ok(())
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
