//! Numbers at the samples of a map, computed in tiles when they are first looked at.

use std::sync::OnceLock;

use crate::terrain::heightmap::Heightmap;

/// Samples along a side of a tile.
const TILE: usize = 64;

/// Numbers at the samples of a map.
#[derive(Debug)]
pub(super) struct Tiles {
    tiles: Vec<OnceLock<Box<[f32]>>>,
    /// Tiles from west to east.
    across: usize,
    rows: usize,
    columns: usize,
}

impl Tiles {
    /// Tiles for the samples of a map, none of which is computed.
    pub fn of(map: &Heightmap) -> Self {
        let (rows, columns) = (map.rows(), map.columns());
        let across = columns.div_ceil(TILE);
        let tiles = (0..across * rows.div_ceil(TILE)).map(|_| OnceLock::new());
        Self {
            tiles: tiles.collect(),
            across,
            rows,
            columns,
        }
    }

    /// Number at a sample; `number` gives those of a tile by row and column.
    #[inline]
    pub fn at(&self, row: usize, column: usize, number: impl Fn(usize, usize) -> f32) -> f32 {
        let tile = (row / TILE) * self.across + column / TILE;
        let values = self.tiles[tile].get_or_init(|| {
            let (first, left) = (row / TILE * TILE, column / TILE * TILE);
            let mut values = vec![0.0; TILE * TILE];
            for (index, value) in values.iter_mut().enumerate() {
                let (row, column) = (first + index / TILE, left + index % TILE);
                if row < self.rows && column < self.columns {
                    *value = number(row, column);
                }
            }
            values.into()
        });
        values[(row % TILE) * TILE + column % TILE]
    }
}
