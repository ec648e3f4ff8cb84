//! A row pipeline over levels that each double the rows of the one above. A level pulls the coarse
//! rows it needs and hands fine rows down, so only the last level touches the map.
//!
//! ```text
//! level 0   base rows
//!   ↓ pull    level 1   keeps the few coarse rows that its next fine row needs
//!               ↓ pull    level 2   …                          → the map, row after row
//! ```
//! Any row can come first, so threads take bands of rows.

/// One level, which makes fine rows from the few coarse rows around them.
pub(super) trait Refine {
    /// To make the fine rows 2i and 2i + 1, the coarse rows from i + `FIRST` …
    const FIRST: isize;
    /// … to i + `LAST` are needed.
    const LAST: isize;

    /// Takes the next coarse row and forgets the oldest one.
    fn take(&mut self, coarse: &[f32], row: u64);

    /// Writes fine row `row`; the coarse row taken last is `row / 2 + LAST`.
    fn write(&mut self, row: u64, fine: &mut [f32]);
}

/// Makes the rows of a map one after the other, starting at any row.
#[derive(Clone, Debug)]
pub(super) struct Pyramid<B, R> {
    base: B,
    /// The row of the base that comes next.
    next: isize,
    levels: Vec<Level<R>>,
    /// The number of rows after which the base repeats itself; it doubles at each level.
    period: Option<usize>,
}

#[derive(Clone, Debug)]
struct Level<R> {
    refine: R,
    /// The coarse row that is handed down.
    coarse: Vec<f32>,
    /// The coarse row to be taken next.
    next_coarse: isize,
    /// The fine row to be written next.
    next: isize,
}

impl<B: Fn(u64, &mut [f32]), R: Refine> Pyramid<B, R> {
    /// A pyramid on `base`, which writes a row of the coarsest lattice; this repeats itself after
    /// `period` rows if there is a period. Each level comes with the length of the coarse rows that
    /// it takes.
    pub fn new(
        base: B,
        period: Option<usize>,
        levels: impl IntoIterator<Item = (R, usize)>,
    ) -> Self {
        let level = |(refine, columns)| Level {
            refine,
            coarse: vec![0.0; columns],
            next_coarse: 0,
            next: isize::MIN,
        };
        Self {
            base,
            next: isize::MIN,
            levels: levels.into_iter().map(level).collect(),
            period,
        }
    }

    /// Writes row `row` of the map. It costs one row's work if it follows the row written last.
    pub fn write(&mut self, row: usize, out: &mut [f32]) {
        let row = row as isize;
        let next = self.levels.last().map_or(self.next, |level| level.next);
        if next != row {
            self.seek(row);
        }
        write_next(
            &self.base,
            &mut self.next,
            &mut self.levels,
            self.period,
            out,
        );
    }

    fn seek(&mut self, mut row: isize) {
        for level in self.levels.iter_mut().rev() {
            level.next = row;
            level.next_coarse = (row >> 1) + R::FIRST;
            row = level.next_coarse;
        }
        self.next = row;
    }
}

/// Writes the next row of the last of `levels`, or of the base if there are none.
fn write_next<B: Fn(u64, &mut [f32]), R: Refine>(
    base: &B,
    next: &mut isize,
    levels: &mut [Level<R>],
    period: Option<usize>,
    out: &mut [f32],
) {
    let depth = levels.len();
    let around = |row: isize, depth: usize| match period {
        Some(period) => row.rem_euclid((period << depth) as isize) as u64,
        None => row as u64,
    };
    let Some((level, above)) = levels.split_last_mut() else {
        base(around(*next, 0), out);
        *next += 1;
        return;
    };
    while level.next_coarse <= (level.next >> 1) + R::LAST {
        write_next(base, next, above, period, &mut level.coarse);
        level
            .refine
            .take(&level.coarse, around(level.next_coarse, depth - 1));
        level.next_coarse += 1;
    }
    level.refine.write(around(level.next, depth), out);
    level.next += 1;
}
