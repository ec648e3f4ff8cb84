//! Rivers and lakes on the levels below the ground.

use std::ops::Range;

use rayon::prelude::*;

use crate::fractal::region::Window;
use crate::rivers::Rivers;

/// The ground itself, over all tiles.
pub(super) struct Ground<F> {
    /// Its last sample, and the cells of a tile, along x and z.
    pub(super) last: [i64; 2],
    pub(super) cells: [i64; 2],
    /// The heights of a window of it.
    pub(super) heights: F,
}

/// What water changes at a sample of the ground.
#[derive(Clone, Copy, Default)]
struct Change {
    /// The height of the ground alone.
    ground: f64,
    /// How much higher the surface is.
    by: f64,
    /// The part of its cell that is water.
    water: f64,
}

/// Samples along an axis, counted in those of the ground: the first, and from each to the next.
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

    /// The samples of the ground between which so many of them lie.
    fn span(&self, count: usize) -> Range<i64> {
        let last = self.first + self.by * (count - 1) as f64;
        self.first.floor() as i64..last.floor() as i64 + 2
    }

    /// Which of those of a span a sample lies beyond, and how far on the way to the next.
    fn place(&self, index: usize, span: &Range<i64>) -> (usize, f64) {
        let place = self.first + self.by * index as f64 - span.start as f64;
        (place as usize, place.fract())
    }
}

/// Puts rivers and lakes on the heights of a window so many levels below `ground`: there the surface is that of the water, without
/// what lies between the samples of the ground; banks are cut as they are there.
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
    let lines = heights.par_chunks_exact_mut(window.columns).enumerate();
    lines.with_min_len(16).for_each(|(row, heights)| {
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

/// What water changes at the samples of the ground in some rows and columns, over all tiles.
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
    let surface = &rivers.surface;
    // Rivers of large maps are made on some of their samples.
    let steps = [
        cells[0] / (surface.columns() as i64 - 1),
        cells[1] / (surface.rows() as i64 - 1),
    ];
    let places = rows
        .clone()
        .flat_map(|row| columns.clone().map(move |column| (row, column)));
    let found = places.map(|(row, column)| {
        let (row, column) = (row.min(last[1]), column.min(last[0]));
        let at = (row - known_rows.start) as usize * wide + (column - known.start) as usize;
        let ground = grounds[at];
        let of_tile = |place: i64, axis: usize| (place % cells[axis] / steps[axis]) as usize;
        let (r, c) = (of_tile(row, 1), of_tile(column, 0));
        let is_known = row % steps[1] == 0 && column % steps[0] == 0;
        let by = f64::from(surface.at(r, c)) - ground;
        Change {
            ground,
            by: if is_known { by } else { 0.0 },
            water: f64::from(rivers.part.at(r, c)[0]) / 255.0,
        }
    });
    found.collect()
}
