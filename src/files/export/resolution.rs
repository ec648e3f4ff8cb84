//! Samples a side of an output file; engines have different requirements.

use serde::{Deserialize, Serialize};

/// Landscape sizes that Unreal's documentation recommends, in samples a side.
pub const UNREAL: [usize; 7] = [127, 253, 505, 1009, 2017, 4033, 8129];

/// Number of samples along the longer side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// Same as the map: 2^iterations + 1 for most generators.
    #[default]
    AsIs,
    /// Nearest power of two. A map with sides of one more is cropped by its last row and column, which
    /// repeat the first ones if it wraps; any other map is resampled.
    PowerOfTwo,
    /// Nearest power of two plus one.
    PowerOfTwoPlusOne,
    /// Nearest of [`UNREAL`].
    Unreal,
    /// Exactly this number.
    Exactly(usize),
}

impl Resolution {
    /// Rows and columns of the file of a map. Samples are equally spaced both ways, so the shorter side
    /// follows from the map's shape.
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

    /// True if a streamed map need not be resampled in memory.
    #[must_use]
    pub fn streams(self) -> bool {
        // A streamed map has 2^n + 1 samples a side, so these sizes need no resampling.
        matches!(
            self,
            Self::AsIs | Self::PowerOfTwo | Self::PowerOfTwoPlusOne
        )
    }

    /// True if the file is the map without its last row and column.
    pub(super) fn is_crop(self, rows: usize, columns: usize) -> bool {
        let loses_one = |side: usize| side == 1 || (side > 2 && (side - 1).is_power_of_two());
        self == Self::PowerOfTwo && rows.max(columns) > 1 && loses_one(rows) && loses_one(columns)
    }
}

/// Powers of two up to the maximum side of a file: 2, 4, 8 …
fn powers() -> impl Iterator<Item = usize> {
    (1..=31).map(|power| 1 << power)
}

/// Size that differs by the smallest factor.
fn nearest(side: usize, sizes: impl Iterator<Item = usize>) -> usize {
    let factor = |size: &usize| (*size as f64 / side as f64).ln().abs();
    sizes
        .min_by(|a, b| factor(a).total_cmp(&factor(b)))
        .unwrap_or(side)
}
