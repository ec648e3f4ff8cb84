//! Image pyramid of the map for coarse-to-fine solvers: downsampling, and cubic upsampling.

use crate::terrain::drainage::flow::Shape;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};

/// Number of rows per parallel task.
const ROWS: usize = 8;

/// Input map.
pub(super) struct Source<'a> {
    pub heights: &'a [f32],
    pub columns: usize,
}

/// Shapes of all levels, the finest first. The longer side of the coarsest has at most `most` cells, if it
/// can be halved so far.
pub(super) fn shapes(finest: Shape, most: usize) -> Vec<Shape> {
    let mut shapes = vec![finest];
    let mut shape = finest;
    loop {
        let even = shape.rows.is_multiple_of(2) && shape.columns.is_multiple_of(2);
        let least = shape.rows.min(shape.columns);
        if shape.longer() <= most + usize::from(!finest.wraps)
            || least < 8
            || (finest.wraps && !even)
        {
            return shapes;
        }
        shape = shape.halved();
        shapes.push(shape);
    }
}

impl Source<'_> {
    /// Every `step`-th sample of a row of the level that has every `step`-th row.
    pub fn row(&self, row: usize, step: usize) -> impl Iterator<Item = f32> {
        let line = &self.heights[row * step * self.columns..][..self.columns];
        line.iter().step_by(step).copied()
    }
}

/// Copy every `step`-th sample of the map.
pub(super) fn thin(source: &Source<'_>, shape: Shape, step: usize, out: &mut [f32]) {
    let rows = parallel::par_items(out[..shape.cells()].chunks_mut(shape.columns));
    rows.for_each(|row, out| {
        for (out, height) in out.iter_mut().zip(source.row(row, step)) {
            *out = height;
        }
    });
}

/// Downsample to a coarser level with the binomial kernel 1 2 1 along both axes (weights 4, 2 and 1 of
/// 16). It does not increase slopes.
pub(super) fn means(
    fine: Shape,
    map: &[f32],
    coarse: Shape,
    job: &Job,
) -> Result<Vec<f32>, Cancelled> {
    let mut out = vec![0.0; coarse.cells()];
    let lines = <[Vec<f32>; 3]>::default;
    each_row(&mut out, coarse.columns, lines, job, |around, row, out| {
        fine.around(map, 2 * row, around);
        for (column, out) in out.iter_mut().enumerate() {
            let [above, here, below] = around.each_ref().map(|line| &line[2 * column..][..3]);
            let beside = (above[1] + below[1]) + (here[0] + here[2]);
            let diagonal = (above[0] + below[2]) + (above[2] + below[0]);
            *out = (4.0 * here[1] + 2.0 * beside + diagonal) * 0.0625;
        }
    })?;
    Ok(out)
}

/// Fill `out`, the cells of a finer level, row by row with `write`, which gets the row's index and the
/// upsampled values of each of the `N` coarser maps. The interpolation is cubic.
pub(super) fn refine<const N: usize>(
    coarse: Shape,
    maps: [&[f32]; N],
    fine: Shape,
    out: &mut [f32],
    job: &Job,
    write: impl Fn(usize, &[Vec<f32>; N], &mut [f32]) + Sync,
) -> Result<(), Cancelled> {
    let scratch = || {
        let blended = vec![0.0; coarse.columns + 3];
        (blended, std::array::from_fn(|_| vec![0.0; fine.columns]))
    };
    let (out, columns) = (&mut out[..fine.cells()], fine.columns);
    each_row(out, columns, scratch, job, |(blended, lines), row, out| {
        for (map, line) in maps.into_iter().zip(lines.iter_mut()) {
            blend_rows(coarse, map, row, blended);
            spread(blended, line);
        }
        write(row, lines, out);
    })
}

/// Call `work` for every row of `out`, with thread-local scratch memory from `make`.
fn each_row<S: Send>(
    out: &mut [f32],
    columns: usize,
    make: impl Fn() -> S + Sync,
    job: &Job,
    work: impl Fn(&mut S, usize, &mut [f32]) + Sync,
) -> Result<(), Cancelled> {
    let scratch = Tools::new(make);
    parallel::par_items(out.chunks_mut(ROWS * columns)).try_each(|band, out| {
        scratch.with(|scratch| {
            for (row, out) in (band * ROWS..).zip(out.chunks_mut(columns)) {
                job.check()?;
                work(scratch, row, out);
            }
            Ok(())
        })
    })
}

/// Interpolate the coarser level at a row of the finer one, with one more value before it and two after it.
fn blend_rows(coarse: Shape, map: &[f32], row: usize, out: &mut [f32]) {
    let line = |row: isize| {
        let count = coarse.rows as isize;
        let row = if coarse.wraps {
            row.rem_euclid(count)
        } else {
            row.clamp(0, count - 1)
        };
        &map[row as usize * coarse.columns..][..coarse.columns]
    };
    let at = (row / 2) as isize;
    let count = coarse.columns;
    if row.is_multiple_of(2) {
        out[1..=count].copy_from_slice(line(at));
    } else {
        let lines = [line(at - 1), line(at), line(at + 1), line(at + 2)];
        for (column, out) in out[1..=count].iter_mut().enumerate() {
            let [a, b, c, d] = lines;
            *out = cubic(a[column], b[column], c[column], d[column]);
        }
    }
    let (first, last) = (out[1], out[count]);
    let beyond = if coarse.wraps {
        [last, first, out[1 + 1 % count]]
    } else {
        [first, last, last]
    };
    [out[0], out[count + 1], out[count + 2]] = beyond;
}

fn spread(blended: &[f32], out: &mut [f32]) {
    for (around, out) in blended.windows(4).zip(out.chunks_mut(2)) {
        out[0] = around[1];
        if let Some(between) = out.get_mut(1) {
            *between = cubic(around[0], around[1], around[2], around[3]);
        }
    }
}

#[inline(always)]
fn cubic(a: f32, b: f32, c: f32, d: f32) -> f32 {
    (9.0 * (b + c) - (a + d)) * 0.0625
}

// Binomial blur of a few cells, nearly isotropic.

/// Blur `times` times with the binomial kernel 1 4 6 4 1 along rows and columns.
pub(super) fn blur(shape: Shape, values: &mut [f32], times: usize) {
    let (rows, columns) = (shape.rows, shape.columns);
    let mut across = vec![0.0; shape.cells()];
    let beside = |index: usize, by: isize, count: usize| {
        let (index, count) = (index as isize + by, count as isize);
        let inside = if shape.wraps {
            index.rem_euclid(count)
        } else {
            index.clamp(0, count - 1)
        };
        inside as usize
    };
    for _ in 0..times {
        let bands = across
            .chunks_mut(ROWS * columns)
            .zip(values.chunks(ROWS * columns));
        parallel::par_items(bands).for_each(|_, (out, values)| {
            let mut wider = vec![0.0; columns + 4];
            for (out, line) in out.chunks_mut(columns).zip(values.chunks(columns)) {
                wider[2..columns + 2].copy_from_slice(line);
                for (at, by) in [(0, -2), (1, -1), (columns + 2, 1), (columns + 3, 2)] {
                    let end = if by < 0 { 0 } else { columns - 1 };
                    wider[at] = line[beside(end, by, columns)];
                }
                let ends = [0, 1, 2, 3, 4].map(|from| &wider[from..]);
                binomial(ends, out);
            }
        });
        parallel::par_items(values.chunks_mut(ROWS * columns)).for_each(|band, out| {
            for (row, out) in (band * ROWS..).zip(out.chunks_mut(columns)) {
                let line = |by| &across[beside(row, by, rows) * columns..];
                binomial([-2, -1, 0, 1, 2].map(line), out);
            }
        });
    }
}

vectorized! {
    fn binomial(lines: [&[f32]; 5], out: &mut [f32]) {
        let [a, b, c, d, e] = lines.map(|line| &line[..out.len()]);
        for i in 0..out.len() {
            out[i] = ((a[i] + e[i]) + 4.0 * (b[i] + d[i]) + 6.0 * c[i]) * 0.0625;
        }
    }
}
