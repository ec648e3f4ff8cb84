//! Binomial blur of a few cells, nearly isotropic.

use crate::terrain::drainage::shape::Shape;
use crate::util::parallel;

/// Number of rows per parallel task.
const ROWS: usize = 8;

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
