//! Heightfield over a tile: the result of every generator, and the input of every picture, mesh and file.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use glam::Vec3;
use memmap2::MmapMut;

use crate::util::language::tr;
use crate::util::numbers::{EMPTY_RANGE, range, thinning};
use crate::util::parallel;

/// Largest absolute height in half tiles, in maps and in files that are written or read. Even with sides of a
/// million kilometres such a height and the squares of slopes are still finite in 32 bits.
pub const MOST_HEIGHT: f32 = 1e12;

/// Error for a height outside the range of maps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}",
    tr!(
        "the height in row {row}, column {column} is {value}; allowed: a finite one up to \
         ±{MOST_HEIGHT} half tiles",
        row, column, value, MOST_HEIGHT = format_args!("{MOST_HEIGHT:e}")
    )
)]
pub struct WildHeight {
    value: String,
    row: usize,
    column: usize,
}

/// Heightfield: a rectangle of heights, row-major. The row index is z (north to south), the column index is
/// x.
///
/// The longer side spans −1…1; heights are in the same unit. A map that `wraps` has its last
/// row equal to its first and its last column equal to its first, bit for bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Heightmap {
    rows: usize,
    columns: usize,
    wraps: bool,
    heights: Heights,
    worn: Option<Arc<Worn>>,
    valid: Option<Arc<Validity>>,
    base: Option<f32>,
}

impl Heightmap {
    /// Create a map over `heights`, in half tiles.
    ///
    /// # Panics
    /// The number of heights is not `rows × columns`.
    #[must_use]
    pub fn new(rows: usize, columns: usize, wraps: bool, heights: impl Into<Heights>) -> Self {
        let heights = heights.into();
        assert_eq!(heights.len(), rows * columns, "{rows} × {columns} heights");
        Self {
            rows,
            columns,
            wraps,
            heights,
            worn: None,
            valid: None,
            base: None,
        }
    }

    /// Attach eroded and deposited depths.
    ///
    /// # Panics
    /// The depths have another number of samples.
    #[must_use]
    pub fn with_worn(self, worn: Option<Arc<Worn>>) -> Self {
        let fits = |worn: &Arc<Worn>| {
            [&worn.wear, &worn.sediment].map(|numbers| numbers.len()) == [self.heights.len(); 2]
        };
        assert!(worn.as_ref().is_none_or(fits), "of another map");
        Self { worn, ..self }
    }

    /// Eroded and deposited depths; `None` if the map never eroded.
    #[must_use]
    pub fn worn(&self) -> Option<&Arc<Worn>> {
        self.worn.as_ref()
    }

    /// Attach the mask of samples that hold data. A mask without holes is dropped.
    ///
    /// # Panics
    /// The mask has another size.
    #[must_use]
    pub fn with_valid(self, valid: Option<Arc<Validity>>) -> Self {
        let size = [self.rows, self.columns];
        let fits = |valid: &Arc<Validity>| [valid.rows(), valid.columns()] == size;
        assert!(valid.as_ref().is_none_or(fits), "a mask of another map");
        let valid = valid.filter(|valid| valid.invalid() > 0);
        Self { valid, ..self }
    }

    /// Mask of samples that hold data; `None` if all do. The heights of the others were filled from their
    /// neighbours.
    #[must_use]
    pub fn valid(&self) -> Option<&Arc<Validity>> {
        self.valid.as_ref()
    }

    /// Lowest and highest height of the samples that hold data, or of all samples if none does.
    #[must_use]
    pub fn valid_range(&self) -> (f32, f32) {
        let Some(valid) = self.valid() else {
            return self.range();
        };
        let mut low_high = EMPTY_RANGE;
        for row in 0..self.rows {
            for height in valid.data(row, self.row(row)) {
                low_high = (low_high.0.min(height), low_high.1.max(height));
            }
        }
        if low_high.0 <= low_high.1 {
            low_high
        } else {
            self.range()
        }
    }

    /// Attach the base level, at which the map's rivers end.
    #[must_use]
    pub fn with_base(self, base: Option<f32>) -> Self {
        Self { base, ..self }
    }

    /// Base level of the erosion that made the map; `None` if a modifier other than fans has changed it since.
    #[must_use]
    pub fn base(&self) -> Option<f32> {
        self.base
    }

    /// Number of rows (samples along z).
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns (samples along x).
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// True if opposite edges are equal, so that tiles join without a seam.
    #[must_use]
    pub fn wraps(&self) -> bool {
        self.wraps
    }

    /// True for a profile: one row of heights.
    #[must_use]
    pub fn is_profile(&self) -> bool {
        self.rows == 1
    }

    /// Heights in row-major order.
    #[must_use]
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Extract the buffer of heights, which can be filled again without a new allocation.
    #[must_use]
    pub fn into_heights(self) -> Heights {
        self.heights
    }

    /// Heights of a row.
    ///
    /// # Panics
    /// There is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.heights[row * self.columns..][..self.columns]
    }

    /// Height at (row, column).
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn at(&self, row: usize, column: usize) -> f32 {
        self.row(row)[column]
    }

    /// Distance between neighbouring samples, in the unit of the heights.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        2.0 / (self.rows.max(self.columns) - 1).max(1) as f32
    }

    /// Coordinate x of a column, on a map centred on 0.
    #[must_use]
    pub fn x(&self, column: usize) -> f32 {
        (column as f32 - (self.columns - 1) as f32 * 0.5) * self.spacing()
    }

    /// Coordinate z of a row, on a map centred on 0.
    #[must_use]
    pub fn z(&self, row: usize) -> f32 {
        (row as f32 - (self.rows - 1) as f32 * 0.5) * self.spacing()
    }

    /// Return the map if all of its heights are allowed; see [`Heightmap::check`].
    ///
    /// # Errors
    /// A height is not allowed.
    pub fn checked(self) -> Result<Self, WildHeight> {
        self.check().map(|()| self)
    }

    /// Check every height.
    ///
    /// # Errors
    /// A height is not a number, or is beyond [`MOST_HEIGHT`].
    pub fn check(&self) -> Result<(), WildHeight> {
        const PART: usize = 1 << 16;
        // `<=` is false for NaN, which so counts as not allowed.
        let is_allowed = |height: &f32| height.abs() <= MOST_HEIGHT;
        let is_wild = |part: &[f32]| part.iter().fold(false, |wild, h| wild | !is_allowed(h));
        let wild = parallel::par_items(self.heights.chunks(PART)).map(|_, part| is_wild(part));
        let Some(part) = wild.into_iter().position(|is_wild| is_wild) else {
            return Ok(());
        };
        let mut from = self.heights.iter().enumerate().skip(part * PART);
        match from.find(|(_, height)| !is_allowed(height)) {
            Some((index, height)) => Err(WildHeight {
                value: format!("{height:e}"),
                row: index / self.columns,
                column: index % self.columns,
            }),
            None => Ok(()),
        }
    }

    /// Lowest and highest height.
    #[must_use]
    pub fn range(&self) -> (f32, f32) {
        range(&self.heights)
    }

    /// Height of the sample `by` rows and columns away from (row, column). Beyond the border the map is
    /// periodic if it wraps (its last row is its first), else clamped.
    #[must_use]
    pub fn neighbour(&self, row: usize, column: usize, by: (isize, isize)) -> f32 {
        let place = |index: usize, by: isize, count: usize| {
            let moved = index as isize + by;
            if self.wraps && count > 1 {
                moved.rem_euclid(count as isize - 1) as usize
            } else {
                moved.clamp(0, count as isize - 1) as usize
            }
        };
        self.at(
            place(row, by.0, self.rows),
            place(column, by.1, self.columns),
        )
    }

    /// Unit normal at a sample by central differences: N ∝ (h(x−1) − h(x+1), 2·spacing, h(z−1) − h(z+1)).
    /// At the border the differences wrap if the map does; else they are one-sided.
    #[must_use]
    pub fn normal(&self, row: usize, column: usize) -> Vec3 {
        let is_inner = |index: usize, count: usize| index > 0 && index + 1 < count;
        if is_inner(row, self.rows) && is_inner(column, self.columns) {
            let heights = self.heights();
            let at = row * self.columns + column;
            return Vec3::new(
                heights[at - 1] - heights[at + 1],
                2.0 * self.spacing(),
                heights[at - self.columns] - heights[at + self.columns],
            )
            .normalize();
        }
        let slope = |before: f32, after: f32, index: usize, count: usize| {
            let one_sided = !self.wraps && (index == 0 || index + 1 == count);
            (before - after) * if one_sided { 2.0 } else { 1.0 }
        };
        let (west, east) = (
            self.neighbour(row, column, (0, -1)),
            self.neighbour(row, column, (0, 1)),
        );
        let (north, south) = (
            self.neighbour(row, column, (-1, 0)),
            self.neighbour(row, column, (1, 0)),
        );
        Vec3::new(
            slope(west, east, column, self.columns),
            2.0 * self.spacing(),
            slope(north, south, row, self.rows),
        )
        .normalize()
    }

    /// Bilinear height at a position, −1…1; beyond the map it is that of the border.
    #[must_use]
    pub fn height_at(&self, x: f32, z: f32) -> f32 {
        let place = |at: f32, count: usize| {
            let index = f64::from(at / self.spacing()) + (count - 1) as f64 * 0.5;
            let index = index.clamp(0.0, (count - 1) as f64);
            let below = (index as usize).min(count.saturating_sub(2));
            (
                below,
                (below + 1).min(count - 1),
                (index - below as f64) as f32,
            )
        };
        let (north, south, down) = place(z, self.rows);
        let (west, east, across) = place(x, self.columns);
        let mix = |a: f32, b: f32, t: f32| match t {
            0.0 => a,
            1.0 => b,
            t => a + (b - a) * t,
        };
        mix(
            mix(self.at(north, west), self.at(north, east), across),
            mix(self.at(south, west), self.at(south, east), across),
            down,
        )
    }

    /// Decimate the map: keep every sample, or every second, fourth … so that no side has more than `most`,
    /// which is 2 or more. The last row and column are kept. Eroded and deposited depths are dropped.
    #[must_use]
    pub fn thinned(&self, most: usize) -> Self {
        let step = thinning(self.rows.max(self.columns), most);
        let thinned = |count: usize| (count - 1).div_ceil(step) + 1;
        let at = |index: usize, count: usize| (index * step).min(count - 1);
        let (rows, columns) = (thinned(self.rows), thinned(self.columns));
        let places = |samples: usize, count: usize| -> Vec<usize> {
            (0..samples).map(|index| at(index, count)).collect()
        };
        let valid = self.valid().map(|valid| {
            let (rows, columns) = (places(rows, self.rows), places(columns, self.columns));
            Arc::new(valid.picked(&rows, &columns))
        });
        let mut heights = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            let row = self.row(at(row, self.rows));
            match step {
                1 => heights.extend_from_slice(row),
                _ => heights.extend((0..columns).map(|column| row[at(column, row.len())])),
            }
        }
        let map = Self::new(rows, columns, self.wraps, heights);
        map.with_base(self.base).with_valid(valid)
    }

    /// Raise all heights to at least `level`, as under water. Without `neighbours` the result does not wrap.
    #[must_use]
    pub fn flooded(&self, level: f32, neighbours: bool) -> Self {
        let mut map = self.clone();
        map.wraps &= neighbours;
        map.heights.iter_mut().for_each(|h| *h = h.max(level));
        map
    }
}

/// Buffer of heights. A small one is a plain vector; a large one uses huge pages straight from the system,
/// since touching new 4-kB pages costs more than the fractal.
#[derive(Debug)]
pub enum Heights {
    /// Small buffer, on the heap.
    Heap(Vec<f32>),
    /// Large buffer: an anonymous memory map.
    Mapped(MmapMut),
}

/// Size in bytes from which a buffer is memory-mapped.
const MAPPED_FROM: usize = 32 << 20;

impl Heights {
    /// Allocate a buffer of `count` zeros; `None` if the system has not enough memory.
    #[must_use]
    pub fn zeros(count: usize) -> Option<Self> {
        let bytes = count.checked_mul(size_of::<f32>())?;
        if bytes < MAPPED_FROM {
            let mut heights = Vec::new();
            heights.try_reserve_exact(count).ok()?;
            heights.resize(count, 0.0);
            return Some(Self::Heap(heights));
        }
        let map = MmapMut::map_anon(bytes).ok()?;
        #[cfg(target_os = "linux")]
        if let Err(error) = map.advise(memmap2::Advice::HugePage) {
            log::debug!("no huge pages: {error}");
        }
        Some(Self::Mapped(map))
    }
}

impl Deref for Heights {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        match self {
            Self::Heap(heights) => heights,
            Self::Mapped(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Heights {
    fn deref_mut(&mut self) -> &mut [f32] {
        match self {
            Self::Heap(heights) => heights,
            Self::Mapped(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

impl Clone for Heights {
    fn clone(&self) -> Self {
        match self {
            Self::Heap(heights) => Self::Heap(heights.clone()),
            Self::Mapped(_) => {
                let mut copy = Self::zeros(self.len()).expect("memory for a copy of a height map");
                copy.copy_from_slice(self);
                copy
            }
        }
    }
}

impl PartialEq for Heights {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl From<Vec<f32>> for Heights {
    fn from(heights: Vec<f32>) -> Self {
        Self::Heap(heights)
    }
}

// Eroded and deposited depths of each sample of a map.

/// Eroded depth and sediment thickness of each sample, in the unit of the heights and in the order of the
/// samples. For a map that eroded more than once these are sums, though sediment may have been eroded
/// again.
///
/// Right after erosion the height is: height before + uplift + sediment − wear.
#[derive(Clone, Debug, PartialEq)]
pub struct Worn {
    /// Eroded depth of rock, 0 and up.
    pub wear: Heights,
    /// Thickness of sediment on the rock, 0 and up.
    pub sediment: Heights,
}

// Validity mask: marks samples of a map that stand for missing data (no data).

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
