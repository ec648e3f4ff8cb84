//! Validity mask: marks samples of a map that stand for missing data (no data).

/// Validity mask of a grid, one bit a sample, set where there is no data.
///
/// A file of heights may have holes. They are filled from their neighbours, so that modifiers and drainage
/// work on complete ground; the mask distinguishes filled samples from data in files and statistics.
///
/// Memory: one bit a sample, rows rounded up to 64 of them, which is a 32nd of the heights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validity {
    rows: usize,
    columns: usize,
    /// Rows of whole words; bits beyond the last column are 0.
    bits: Vec<u64>,
    invalid: usize,
}

/// Number of bits of a word.
const WORD: usize = u64::BITS as usize;

impl Validity {
    /// Create the mask of a grid of this size from a predicate of row and column.
    #[must_use]
    pub fn new(rows: usize, columns: usize, is_valid: impl Fn(usize, usize) -> bool) -> Self {
        let words = columns.div_ceil(WORD);
        let mut mask = Self {
            rows,
            columns,
            bits: vec![0; rows * words],
            invalid: 0,
        };
        for row in 0..rows {
            let bits = &mut mask.bits[row * words..][..words];
            for column in 0..columns {
                let is_hole = !is_valid(row, column);
                bits[column / WORD] |= u64::from(is_hole) << (column % WORD);
                mask.invalid += usize::from(is_hole);
            }
        }
        mask
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of samples without data.
    #[must_use]
    pub fn invalid(&self) -> usize {
        self.invalid
    }

    /// True if the sample holds data.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn is_valid(&self, row: usize, column: usize) -> bool {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.words(row)[column / WORD] >> (column % WORD) & 1 == 0
    }

    /// Columns of a row without data, in rising order. Cost: a step per 64 samples, and one for each column
    /// found.
    ///
    /// # Panics
    /// There is no such row.
    pub fn invalid_columns(&self, row: usize) -> impl Iterator<Item = usize> {
        let words = self.words(row).iter().enumerate();
        words.flat_map(|(index, word)| {
            // Each step clears the lowest bit that is set.
            let rest = std::iter::successors(Some(*word), |rest| Some(rest & rest.wrapping_sub(1)));
            let set = rest.take_while(|rest| *rest != 0);
            set.map(move |rest| index * WORD + rest.trailing_zeros() as usize)
        })
    }

    /// Number of samples of a row without data.
    ///
    /// # Panics
    /// There is no such row.
    #[must_use]
    pub fn invalid_in_row(&self, row: usize) -> usize {
        let words = self.words(row).iter();
        words.map(|word| word.count_ones() as usize).sum()
    }

    /// Heights of a row that are data, out of all its `heights`.
    ///
    /// # Panics
    /// There is no such row.
    pub fn data(&self, row: usize, heights: &[f32]) -> impl Iterator<Item = f32> {
        let mut holes = self.invalid_columns(row).peekable();
        let columns = heights.iter().enumerate();
        let data = columns.filter(move |(column, _)| holes.next_if_eq(column).is_none());
        data.map(|(_, height)| *height)
    }

    /// Set the samples of a row without data to NaN.
    ///
    /// # Panics
    /// There is no such row, or it has another number of columns.
    pub fn punch(&self, row: usize, heights: &mut [f32]) {
        assert_eq!(heights.len(), self.columns, "columns");
        for column in self.invalid_columns(row) {
            heights[column] = f32::NAN;
        }
    }

    /// Mask of a grid whose sample (r, c) is the sample (`rows[r]`, `columns[c]`) of this one: a rectangle,
    /// a mirrored or a resampled grid.
    ///
    /// # Panics
    /// There is no such row or column.
    #[must_use]
    pub fn picked(&self, rows: &[usize], columns: &[usize]) -> Self {
        Self::new(rows.len(), columns.len(), |row, column| {
            self.is_valid(rows[row], columns[column])
        })
    }

    /// Mask of a rectangle.
    ///
    /// # Panics
    /// The rectangle reaches beyond the grid.
    #[must_use]
    pub fn part(&self, [row, column]: [usize; 2], [rows, columns]: [usize; 2]) -> Self {
        let rows: Vec<_> = (row..row + rows).collect();
        let columns: Vec<_> = (column..column + columns).collect();
        self.picked(&rows, &columns)
    }

    /// Mask of another grid over the same ground, corner to corner, by nearest neighbour.
    #[must_use]
    pub fn resampled(&self, rows: usize, columns: usize) -> Self {
        let nearest = |count: usize, of: usize| -> Vec<usize> {
            let cells = (count - 1).max(1);
            let at = |index: usize| (index * (of - 1) + cells / 2) / cells;
            (0..count).map(at).collect()
        };
        self.picked(&nearest(rows, self.rows), &nearest(columns, self.columns))
    }

    fn words(&self, row: usize) -> &[u64] {
        let words = self.columns.div_ceil(WORD);
        &self.bits[row * words..][..words]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holes along two diagonals of 5 rows of 130 columns.
    fn mask() -> Validity {
        Validity::new(5, 130, |row, column| (row + column) % 65 != 0)
    }

    #[test]
    fn bits_are_those_of_the_predicate() {
        let mask = mask();
        for row in 0..5 {
            let holes: Vec<_> = (0..130).filter(|c| (row + c) % 65 == 0).collect();
            assert_eq!(mask.invalid_columns(row).collect::<Vec<_>>(), holes);
            assert_eq!(mask.invalid_in_row(row), holes.len());
            assert!((0..130).all(|c| mask.is_valid(row, c) != holes.contains(&c)));
        }
        assert_eq!(mask.invalid(), 2 * 5);
    }

    #[test]
    fn memory_is_a_32nd_of_the_heights() {
        let mask = Validity::new(640, 640, |_, _| true);
        assert_eq!(
            size_of_val(&mask.bits[..]),
            640 * 640 * size_of::<f32>() / 32
        );
    }

    #[test]
    fn a_part_has_its_own_bits() {
        let (mask, part) = (mask(), mask().part([1, 60], [3, 70]));
        assert_eq!((part.rows(), part.columns(), part.invalid()), (3, 70, 6));
        for (row, column) in [(0, 4), (1, 3), (2, 2), (2, 3)] {
            let of_whole = mask.is_valid(row + 1, column + 60);
            assert_eq!(part.is_valid(row, column), of_whole);
        }
    }

    #[test]
    fn resampling_takes_the_nearest_sample() {
        let mask = Validity::new(3, 3, |row, column| (row, column) != (1, 1));
        let finer = mask.resampled(9, 9);
        let holes: Vec<Vec<usize>> = (0..9)
            .map(|row| finer.invalid_columns(row).collect())
            .collect();
        for (row, holes) in holes.into_iter().enumerate() {
            let wanted = if (2..=5).contains(&row) {
                vec![2, 3, 4, 5]
            } else {
                vec![]
            };
            assert_eq!(holes, wanted, "row {row}");
        }
        assert_eq!(mask.resampled(3, 3), mask);
    }
}
