//! A byte for each sample of a tile, as pictures lay it over the land: the weights of a mask, the
//! distances from the edge of a watershed.

use crate::grid::Grid;
use crate::heightmap::{Heightmap, Validity};
use crate::job::{Cancelled, Job};
use crate::numbers::thinning;

/// The most samples a side that pictures show; of larger maps it is every second, fourth … sample.
pub const MOST_BYTES: usize = 2049;

/// A byte for each sample of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct TileBytes {
    /// North first. Rows and columns are those of the map, or, above [`MOST_BYTES`] a side, those of
    /// every second, fourth … sample. A map that wraps is without its last row and column, which are
    /// its first. The weights of a mask are from 0, where the step does not act, to 255, where it acts
    /// in full; what a watershed has is in [`crate::analysis::edge_distances`].
    pub values: Grid<u8>,
    /// How many columns and rows lie across a tile, that is, from its first sample to its last.
    pub span: [f32; 2],
    /// Whether the bytes go on round the borders.
    pub wraps: bool,
}

impl TileBytes {
    /// The weights of a mask, thinned.
    pub(super) fn of_weights(weights: &Heightmap, job: &Job) -> Result<Self, Cancelled> {
        Self::of(weights, |row, step| {
            job.check()?;
            let kept = weights.row(row).iter().step_by(step);
            Ok(kept.map(|weight| (weight * 255.0 + 0.5) as u8).collect())
        })
    }

    /// 255 where a map has holes, else 0, thinned.
    pub(super) fn of_holes(
        map: &Heightmap,
        valid: &Validity,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        Self::of(map, |row, step| {
            job.check()?;
            let columns = (0..map.columns()).step_by(step);
            Ok(columns
                .map(|column| if valid.is_valid(row, column) { 0 } else { 255 })
                .collect())
        })
    }

    /// What `of_row` gives for those rows of `map` that are kept, given a row and how many columns
    /// go from one that is kept to the next.
    pub(super) fn of(
        map: &Heightmap,
        of_row: impl Fn(usize, usize) -> Result<Vec<u8>, Cancelled>,
    ) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), MOST_BYTES);
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        let count = |side: usize| (side - 1) / step + usize::from(!wraps);
        let (rows, columns) = (count(map.rows()), count(map.columns()));
        let mut values = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            values.extend(of_row(row * step, step)?.into_iter().take(columns));
        }
        let span = |side: usize| ((side - 1) as f32 / step as f32).max(1.0);
        Ok(Self {
            values: Grid::from_vec(rows, columns, values).unwrap_or(Grid::filled(0, 0, 0)),
            span: [span(map.columns()), span(map.rows())],
            wraps,
        })
    }
}
