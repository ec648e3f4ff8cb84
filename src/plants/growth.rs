//! Growth of a layer: its rules and its mask at the samples of the site, computed in tiles when they are first looked
//! at. So a region costs what it needs, and a layer of which only the density changes costs nothing.

use std::sync::{Arc, OnceLock};

use super::rules::{Conditions, Gaps};
use super::site::Site;
use crate::scene::PlantLayer;
use crate::terrain::heightmap::Heightmap;

/// Samples along a side of a tile.
const TILE: usize = 64;

/// Share of the places of a layer where a plant grows, 0…1, besides its density.
#[derive(Debug)]
pub(super) struct Growth {
    conditions: Arc<Conditions>,
    /// The layer by whose rules it is.
    layer: PlantLayer,
    mask: Option<Heightmap>,
    gaps: Option<Gaps>,
    tiles: Vec<OnceLock<Box<[f32]>>>,
    /// Tiles from west to east.
    across: usize,
}

impl Growth {
    /// Prepare the growth of a layer with its index in the scene and the weights of its mask.
    pub fn new(
        conditions: Arc<Conditions>,
        (index, layer): (u32, &PlantLayer),
        seed: u64,
        mask: Option<Heightmap>,
    ) -> Self {
        // A tile is computed on one thread, and must not wait for others.
        conditions.prepare(layer);
        let site = conditions.site();
        let (rows, columns) = (site.ground().rows(), site.ground().columns());
        let across = columns.div_ceil(TILE);
        let tiles = (0..across * rows.div_ceil(TILE)).map(|_| OnceLock::new());
        Self {
            gaps: Gaps::of(layer, index, seed, site),
            tiles: tiles.collect(),
            layer: layer.clone(),
            conditions,
            mask,
            across,
        }
    }

    /// True if `layer`, in the same place of the list, grows by the same rules and the same mask.
    pub fn is_of(&self, layer: &PlantLayer) -> bool {
        let rules = |layer: &PlantLayer| PlantLayer {
            density: 1.0,
            spacing: 1.0,
            spread: 0.0,
            edge: 0.0,
            light: 0.0,
            ..layer.clone()
        };
        rules(layer) == rules(&self.layer)
    }

    /// Value at a place, in half tiles east and south of the first sample.
    pub fn value(&self, place: [f64; 2]) -> f32 {
        let site = self.conditions.site();
        site.interpolated(place, |row, column| self.at(row, column))
    }

    /// Value at a sample.
    fn at(&self, row: usize, column: usize) -> f32 {
        let tile = (row / TILE) * self.across + column / TILE;
        let values = self.tiles[tile].get_or_init(|| self.tile(row / TILE, column / TILE));
        values[(row % TILE) * TILE + column % TILE]
    }

    /// Compute a tile.
    fn tile(&self, row: usize, column: usize) -> Box<[f32]> {
        let site: &Site = self.conditions.site();
        let mut values = vec![0.0; TILE * TILE];
        for (index, value) in values.iter_mut().enumerate() {
            let (row, column) = (row * TILE + index / TILE, column * TILE + index % TILE);
            if row >= site.ground().rows() || column >= site.ground().columns() {
                continue;
            }
            *value = self.mask.as_ref().map_or(1.0, |mask| mask.at(row, column));
            if *value > 0.0 {
                *value *= self.conditions.weight(&self.layer, row, column);
            }
            if *value > 0.0
                && let Some(gaps) = &self.gaps
            {
                *value *= gaps.weight([column, row].map(|at| at as f64 * site.spacing()));
            }
        }
        values.into()
    }
}
