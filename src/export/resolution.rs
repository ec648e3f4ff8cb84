//! How many samples a side a file has: engines differ in what they take.

use serde::{Deserialize, Serialize};

/// Samples a side of the landscapes that Unreal's documentation recommends.
pub const UNREAL: [usize; 7] = [127, 253, 505, 1009, 2017, 4033, 8129];

/// The number of samples a side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// As many as the map has: 2^iterations + 1 of most generators.
    #[default]
    AsIs,
    /// A power of two along the longer side, the nearest. A map whose sides are one more gives up
    /// its last row and column, which in a map that wraps are its first; any other is
    /// interpolated.
    PowerOfTwo,
    /// One more than a power of two along the longer side: the nearest.
    PowerOfTwoPlusOne,
    /// The nearest of [`UNREAL`] along the longer side.
    Unreal,
    /// That many along the longer side.
    Exactly(usize),
}

impl Resolution {
    /// Rows and columns of the file of a map of so many. Samples are as far apart from north to
    /// south as from west to east, so the shorter side has as many as keep the map's shape.
    #[must_use]
    pub fn of(self, rows: usize, columns: usize) -> [usize; 2] {
        if self.is_crop(rows, columns) {
            return [rows, columns].map(|side| (side - 1).max(1));
        }
        let longer = rows.max(columns);
        let wanted = match self {
            Self::AsIs => return [rows, columns],
            Self::PowerOfTwo => nearest(longer, powers()),
            Self::PowerOfTwoPlusOne => nearest(longer, powers().map(|power| power + 1)),
            Self::Unreal => nearest(longer, UNREAL.into_iter()),
            Self::Exactly(samples) => samples.max(2),
        };
        [rows, columns].map(|side| {
            // A profile keeps its one row.
            if side == 1 {
                return 1;
            }
            let cells = (wanted - 1) as f64 * (side - 1) as f64;
            (cells / (longer - 1) as f64).round().max(1.0) as usize + 1
        })
    }

    /// Whether rows of a map that streams need not all be in memory for it.
    #[must_use]
    pub fn streams(self) -> bool {
        // The sides of such a map are a power of two and one.
        matches!(
            self,
            Self::AsIs | Self::PowerOfTwo | Self::PowerOfTwoPlusOne
        )
    }

    /// Whether it is the map without its last row and column.
    pub(super) fn is_crop(self, rows: usize, columns: usize) -> bool {
        let loses_one = |side: usize| side == 1 || (side > 2 && (side - 1).is_power_of_two());
        self == Self::PowerOfTwo && rows.max(columns) > 1 && loses_one(rows) && loses_one(columns)
    }
}

/// 2, 4, 8 … up to the longest side of a file.
fn powers() -> impl Iterator<Item = usize> {
    (1..=31).map(|power| 1 << power)
}

/// The size that differs by the smallest factor.
fn nearest(side: usize, sizes: impl Iterator<Item = usize>) -> usize {
    let factor = |size: &usize| (*size as f64 / side as f64).ln().abs();
    sizes
        .min_by(|a, b| factor(a).total_cmp(&factor(b)))
        .unwrap_or(side)
}
