//! Rivers and lakes on the refinement levels of the ground.
//!
//! The change that water makes at the ground's samples is interpolated bilinearly. Water surfaces lose the
//! refined detail, and banks are cut as on the ground.

use std::ops::Range;

use crate::fractal::region::Window;
use crate::terrain::rivers::{MOST_SAMPLES, Rivers};
use crate::util::numbers::{thinning, wrapped};
use crate::util::parallel;

/// The ground's own samples, over all tiles.
pub(super) struct Ground<F> {
    /// Last sample over all tiles, and number of cells per tile, along x and z.
    pub(super) last: [i64; 2],
    pub(super) cells: [i64; 2],
    /// Function that returns the heights of a window.
    pub(super) heights: F,
}

/// Effect of water at one sample of the ground.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Height of the ground without water.
    ground: f64,
    /// Difference between the surface and the ground.
    by: f64,
    /// Fraction of the cell covered by water.
    water: f64,
}

/// Positions of a row of refined samples, in samples of the ground: the first, and the step.
#[derive(Clone, Copy)]
struct Along {
    first: f64,
    by: f64,
}

impl Along {
    fn new(first: i64, levels: u32) -> Self {
        let by = (-f64::from(levels)).exp2();
        Self {
            first: first as f64 * by,
            by,
        }
    }

    /// Range of ground samples that encloses `count` refined ones.
    fn span(&self, count: usize) -> Range<i64> {
        let last = self.first + self.by * (count - 1) as f64;
        self.first.floor() as i64..last.floor() as i64 + 2
    }

    /// Index within a span of the ground sample before a refined one, and the fraction on the way to the
    /// next.
    fn place(&self, index: usize, span: &Range<i64>) -> (usize, f64) {
        let place = self.first + self.by * index as f64 - span.start as f64;
        (place as usize, place.fract())
    }
}

/// Apply rivers and lakes to the heights of a window, `levels` levels below `ground`. Water surfaces become
/// smooth, and banks are cut as on the ground.
pub(super) fn fill<F: Fn(Window) -> Vec<f64>>(
    rivers: &Rivers,
    ground: &Ground<F>,
    levels: u32,
    window: Window,
    heights: &mut [f64],
) {
    let (down, across) = (
        Along::new(window.row, levels),
        Along::new(window.column, levels),
    );
    let (rows, columns) = (down.span(window.rows), across.span(window.columns));
    let changes = changes(rivers, ground, &rows, &columns);
    if changes
        .iter()
        .all(|change| change.by == 0.0 && change.water == 0.0)
    {
        return;
    }
    let wide = (columns.end - columns.start) as usize;
    let lines = parallel::par_items(heights.chunks_exact_mut(window.columns));
    lines.at_least(16).for_each(|row, heights| {
        let (line, south) = down.place(row, &rows);
        let lines = [line, line + 1].map(|line| &changes[line * wide..][..wide]);
        for (column, height) in heights.iter_mut().enumerate() {
            let (at, east) = across.place(column, &columns);
            let mixed = |of: fn(&Change) -> f64| {
                let [north, other] = lines.map(|line| {
                    let (a, b) = (of(&line[at]), of(&line[at + 1]));
                    a + east * (b - a)
                });
                north + south * (other - north)
            };
            let (by, water) = (mixed(|change| change.by), mixed(|change| change.water));
            if by != 0.0 || water != 0.0 {
                let detail = *height - mixed(|change| change.ground);
                *height += by - water * detail;
            }
        }
    });
}

/// Effects of water at the ground's samples in some rows and columns, over all tiles.
fn changes<F: Fn(Window) -> Vec<f64>>(
    rivers: &Rivers,
    ground: &Ground<F>,
    rows: &Range<i64>,
    columns: &Range<i64>,
) -> Vec<Change> {
    let Ground { last, cells, .. } = *ground;
    let within = |span: &Range<i64>, last: i64| span.start..span.end.min(last + 1);
    let (known_rows, known) = (within(rows, last[1]), within(columns, last[0]));
    let grounds = (ground.heights)(Window {
        row: known_rows.start,
        column: known.start,
        rows: (known_rows.end - known_rows.start) as usize,
        columns: (known.end - known.start) as usize,
    });
    let wide = (known.end - known.start) as usize;
    let sides = cells.map(|cells| cells as usize + 1);
    // Rivers of large maps are computed on a thinned map.
    let step = thinning(sides[0].max(sides[1]), MOST_SAMPLES);
    let down: Vec<_> = (rows.clone())
        .map(|row| Thinned::new(row.min(last[1]), sides[1], step))
        .collect();
    let across: Vec<_> = (columns.clone())
        .map(|column| Thinned::new(column.min(last[0]), sides[0], step))
        .collect();
    let places = rows.clone().zip(&down).flat_map(|(row, down)| {
        let each = columns.clone().zip(&across);
        each.map(move |(column, across)| (row, down, column, across))
    });
    let found = places.map(|(row, down, column, across)| {
        let (row, column) = (row.min(last[1]), column.min(last[0]));
        let at = (row - known_rows.start) as usize * wide + (column - known.start) as usize;
        let ground = grounds[at];
        let mixed = |of: &dyn Fn(usize, usize) -> f64| {
            let on = |row: usize| across.mix(of(row, across.first), of(row, across.second));
            down.mix(on(down.first), on(down.second))
        };
        let water = mixed(&|row, column| f64::from(rivers.part.at(row, column)[0]) / 255.0);
        let by = mixed(&|row, column| f64::from(rivers.surface.at(row, column))) - ground;
        let is_known = down.part == 0.0 && across.part == 0.0;
        // Between thinned samples only the ground and the water fraction are known.
        let by = if is_known { by } else { water * by };
        Change { ground, by, water }
    });
    found.collect()
}

/// The two samples of a thinned map around a sample of the full map, and the fraction on the way to the
/// second.
struct Thinned {
    first: usize,
    second: usize,
    part: f64,
}

impl Thinned {
    /// Locate a sample on an axis of `side` samples, thinned to every `step`-th and the last.
    fn new(at: i64, side: usize, step: usize) -> Self {
        let at = wrapped(at, side);
        let (first, begin) = (at / step, at / step * step);
        let end = (begin + step).min(side - 1);
        let is_last = begin == end || at == end;
        Self {
            first: first + usize::from(is_last && begin < end),
            second: first + usize::from(begin < end),
            part: if is_last {
                0.0
            } else {
                (at - begin) as f64 / (end - begin) as f64
            },
        }
    }

    fn mix(&self, first: f64, second: f64) -> f64 {
        first + self.part * (second - first)
    }
}
