//! Horizon sweep: one walk over a map away from a light, with the shadow height along parallel lines.
//!
//! A sweep goes from row to row. Its lines shift by a fixed fraction of a column per row, at most one
//! column either way (sheared scan lines). The shadow height stays on its line, so nothing is blurred on
//! the way: only heights are interpolated onto lines, and shadows from the two nearest lines onto samples.
//!
//! Blocks of rows are processed in parallel, as in a parallel prefix scan. First each block is swept alone,
//! starting without shadow. The shadow that leaves a block is the maximum of its own and of the incoming
//! one after its descent; so a quick pass from block to block computes the shadow that enters each. Then
//! each block is swept again and shaded. On a map that wraps the lines go round until their shadows no
//! longer change, which costs one pass a round. For this the direction is rounded so that a round shifts
//! the lines by whole columns, which moves no shadow by more than half a sample in a tile.

use super::field::Field;
use super::kernel::{Kernel, LANES, NONE, Shadows, Slopes, no_shadows};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Number of rows of a block. The last bits of the result depend on it, so it must not depend on threads.
const BLOCK: usize = 32;
/// Largest number of rounds over a map that wraps: only light at the horizon could need more.
const MOST_ROUNDS: usize = 1000;

/// Direction of a sweep over a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Shift of a line from row to row in columns, −1…1; over a field that wraps, a whole number a round.
    across: f64,
    /// True if the sweep goes from the last row to the first.
    backwards: bool,
}

impl Course {
    /// Create a sweep that shifts by about `across` columns from row to row.
    pub(super) fn new(field: &Field<'_>, across: f64, backwards: bool) -> Self {
        let rows = field.rows as f64;
        let across = if field.wraps {
            libm::round(across * rows) / rows
        } else {
            across
        };
        Self { across, backwards }
    }

    /// Length of a step from row to row, in columns.
    pub(super) fn step(&self) -> f64 {
        libm::sqrt(1.0 + self.across * self.across)
    }
}

/// Sweep along a course over a field.
struct Walk<'a, const K: usize, T> {
    field: &'a Field<'a>,
    course: Course,
    kernel: &'a Kernel<K, T>,
    slopes: Slopes<K>,
    brightness: f32,
    /// Number of lines, which are cyclic: one a column, and two more on a field with borders. Those two lie
    /// beyond its borders, where lines leave on one side and enter on the other.
    lines: usize,
    /// Number of lines left of the first column.
    before: usize,
}

impl<const K: usize, T> Walk<'_, K, T> {
    fn blocks(&self) -> usize {
        self.field.rows.div_ceil(BLOCK)
    }

    /// Rows of a block, in the order of the sweep.
    fn rows(&self, block: usize) -> std::ops::Range<usize> {
        block * BLOCK..((block + 1) * BLOCK).min(self.field.rows)
    }

    /// Shift of the lines in a row: whole columns, and the fraction of the next.
    fn moved(&self, row: usize) -> (usize, f32) {
        // For a field that wraps this is exact wherever it is a whole number.
        let rows = self.field.rows as f64;
        let moved = if self.field.wraps {
            libm::round(self.course.across * rows) * row as f64 / rows
        } else {
            self.course.across * row as f64
        };
        let whole = libm::floor(moved);
        let columns = (whole as i64).rem_euclid(self.lines as i64) as usize;
        (columns, (moved - whole) as f32)
    }

    /// Write the heights of a row, each at the line to the right of it, and then the first once more.
    fn heights(&self, row: usize, columns: usize, out: &mut [f32]) {
        let row = if self.course.backwards {
            self.field.rows - 1 - row
        } else {
            row
        };
        let heights = self.field.row(row);
        for (column, line, count) in self.pieces(columns) {
            out[line..line + count].copy_from_slice(&heights[column..column + count]);
        }
        out[self.lines] = out[0];
    }

    /// Columns in at most two pieces with consecutive lines: first column, first line, count.
    fn pieces(&self, moved: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let (lines, before, columns) = (self.lines, self.before, self.field.columns);
        [(moved, lines), (0, moved)]
            .into_iter()
            .filter_map(move |(first, end)| {
                let (from, to) = (first.max(before), end.min(before + columns));
                let line = (from + lines - moved) % lines;
                (from < to).then(|| (from - before, line, to - from))
            })
    }

    /// Lines beyond the borders of a field that has any: their shadows end there.
    fn outside(&self, columns: usize, part: f32) -> impl Iterator<Item = usize> {
        // The columns left of these lines are the one before the first, the one after the last, and, where
        // lines lie right of their columns, the last one.
        let after = self.lines - 1;
        let left = [Some(0), Some(after), (part > 0.0).then_some(after - 1)];
        let left = left.into_iter().flatten().filter(|_| !self.field.wraps);
        left.map(move |column| (column + self.lines - columns) % self.lines)
    }

    /// Shadow that one block alone casts onto the next.
    fn cast(&self, block: usize) -> Shadows<K> {
        let mut shadows = no_shadows(self.lines);
        let mut heights = self.row_of_heights();
        for row in self.rows(block) {
            let (columns, part) = self.moved(row);
            self.heights(row, columns, &mut heights);
            (self.kernel.pass)(&mut shadows, &heights, part, &self.slopes);
            self.finish_row(columns, part, &mut shadows);
        }
        shadows
    }

    /// Sweep a block with the incoming `shadows`, and write its rows.
    fn shade(&self, block: usize, mut shadows: Shadows<K>, out: &mut [T]) {
        let mut heights = self.row_of_heights();
        let mut hidden = vec![0.0; heights.len() - 1];
        let rows = self.rows(block);
        for row in rows.clone() {
            let (columns, part) = self.moved(row);
            self.heights(row, columns, &mut heights);
            (self.kernel.shade)(&mut shadows, &heights, part, &self.slopes, &mut hidden);
            self.finish_row(columns, part, &mut shadows);
            let index = if self.course.backwards {
                rows.end - 1 - row
            } else {
                row - rows.start
            };
            let out = &mut out[index * self.field.columns..][..self.field.columns];
            for (column, line, count) in self.pieces(columns) {
                let (out, hidden) = (&mut out[column..][..count], &hidden[line..][..count]);
                (self.kernel.write)(out, hidden, self.brightness);
            }
        }
    }

    fn row_of_heights(&self) -> Vec<f32> {
        vec![0.0; self.lines.next_multiple_of(LANES) + 1]
    }

    /// Prepare the shadows of a finished row for the next row.
    fn finish_row(&self, columns: usize, part: f32, shadows: &mut Shadows<K>) {
        for shadow in shadows {
            for line in self.outside(columns, part) {
                shadow[line + 1] = NONE;
            }
            shadow[0] = shadow[self.lines];
        }
    }

    /// Convert the shadows that blocks cast alone into the shadows that enter each block.
    fn join(&self, cast: &mut [Shadows<K>]) {
        let mut coming = if self.field.wraps {
            self.gone_round(cast)
        } else {
            no_shadows(self.lines)
        };
        for (block, own) in cast.iter_mut().enumerate() {
            let passed = self.passed(block, own, &coming);
            *own = std::mem::replace(&mut coming, passed);
        }
    }

    /// Shadow that leaves a block, from its `own` and the `coming` one.
    fn passed(&self, block: usize, own: &Shadows<K>, coming: &Shadows<K>) -> Shadows<K> {
        let rows = self.rows(block);
        let fallen = |k: usize| self.slopes.drops[k] * rows.len() as f32;
        let mut out = std::array::from_fn(|k| fell(&coming[k], fallen(k), &own[k]));
        for row in rows.clone() {
            let (columns, part) = self.moved(row);
            for line in self.outside(columns, part) {
                for (out, own) in out.iter_mut().zip(own) {
                    out[line + 1] = own[line + 1];
                }
            }
        }
        for shadow in &mut out {
            shadow[0] = shadow[self.lines];
        }
        out
    }

    /// Shadow that enters the first block of a field that wraps.
    fn gone_round(&self, cast: &[Shadows<K>]) -> Shadows<K> {
        let mut once = no_shadows(self.lines);
        for (block, own) in cast.iter().enumerate() {
            once = self.passed(block, own, &once);
        }
        let rows = self.field.rows as f64;
        let moved = libm::round(self.course.across * rows) as i64;
        let moved = moved.rem_euclid(self.lines as i64) as usize;
        for (k, once) in once.iter_mut().enumerate() {
            let fallen = self.slopes.drops[k] * self.field.rows as f32;
            let lines = &mut once[1..=self.lines];
            lines.rotate_right(moved);
            let mut last = lines.to_vec();
            for _ in 0..MOST_ROUNDS {
                last.rotate_right(moved);
                let next = fell(&last, fallen, lines);
                let changed = next[..] != *lines;
                lines.copy_from_slice(&next);
                last = next;
                if !changed {
                    break;
                }
            }
            once[0] = once[self.lines];
        }
        once
    }
}

/// Maximum of a block's own shadow and of the incoming one after its descent.
fn fell(coming: &[f32], fallen: f32, own: &[f32]) -> Vec<f32> {
    let pairs = coming.iter().zip(own);
    pairs.map(|(come, own)| own.max(come - fallen)).collect()
}

/// Sweep over `field`; `kernel` writes every sample of `out`, which has the field's shape.
pub(super) fn sweep<const K: usize, T: Send>(
    field: &Field<'_>,
    course: Course,
    (kernel, slopes, brightness): (&Kernel<K, T>, Slopes<K>, f32),
    out: &mut [T],
    job: &Job,
) -> Result<(), Cancelled> {
    let before = usize::from(!field.wraps);
    let walk = Walk {
        field,
        course,
        kernel,
        slopes,
        brightness,
        lines: field.columns + 2 * before,
        before,
    };
    let mut shadows = parallel::par_items(0..walk.blocks()).try_map(|block, _| {
        job.check()?;
        Ok(walk.cast(block))
    })?;
    walk.join(&mut shadows);
    let samples = BLOCK * field.columns;
    let blocks = if course.backwards {
        parallel::par_items(out.rchunks_mut(samples).zip(shadows))
    } else {
        parallel::par_items(out.chunks_mut(samples).zip(shadows))
    };
    blocks.try_each(|block, (out, shadows)| {
        job.check()?;
        walk.shade(block, shadows, out);
        Ok(())
    })
}
