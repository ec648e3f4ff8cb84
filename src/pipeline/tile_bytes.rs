//! One byte per sample of a tile, as an overlay texture: mask weights, edge distances of a watershed, or a
//! no-data mask.

use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::thinning;

/// Maximum number of samples per side; larger maps are thinned to every second, fourth … sample.
pub const MOST_BYTES: usize = 2049;

/// One byte per sample of a tile.
#[derive(Clone, Debug, PartialEq)]
pub struct TileBytes {
    /// The bytes, north first. Rows and columns are those of the map, thinned above [`MOST_BYTES`] per side.
    /// A map that wraps omits its last row and column, which repeat the first. Mask weights run from 0, no
    /// effect, to 255, full effect; for a watershed see [`crate::shading::analysis::edge_distances`].
    pub values: Grid<u8>,
    /// Number of columns and rows across a tile, from its first sample to its last.
    pub span: [f32; 2],
    /// True if the tile repeats across its borders.
    pub wraps: bool,
}

impl TileBytes {
    /// Convert the weights of a mask, thinned.
    pub(super) fn of_weights(weights: &Heightmap, job: &Job) -> Result<Self, Cancelled> {
        Self::of(weights, |row, step| {
            job.check()?;
            let kept = weights.row(row).iter().step_by(step);
            Ok(kept.map(|weight| (weight * 255.0 + 0.5) as u8).collect())
        })
    }

    /// Convert a no-data mask, thinned: 255 where a map has holes, else 0.
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

    /// Collect the thinned rows of `map` from `of_row`, which receives a row and the step between columns.
    pub(super) fn of(
        map: &Heightmap,
        of_row: impl Fn(usize, usize) -> Result<Vec<u8>, Cancelled>,
    ) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), MOST_BYTES);
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        // A tile that wraps omits the last sample, which repeats the first.
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
