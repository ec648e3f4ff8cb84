//! Growth of a layer: its rules and its mask at the samples of the site, computed in tiles when they are first looked
//! at. So a region costs what it needs, and a layer of which only the density changes costs nothing.

use std::sync::Arc;

use super::rules::{Conditions, Gaps};
use super::tiles::Tiles;
use crate::scene::PlantLayer;
use crate::terrain::heightmap::Heightmap;

/// Share of the places of a layer where a plant grows, 0…1, besides its density.
#[derive(Debug)]
pub(super) struct Growth {
    conditions: Arc<Conditions>,
    /// The layer by whose rules it is.
    layer: PlantLayer,
    mask: Option<Heightmap>,
    gaps: Option<Gaps>,
    tiles: Tiles,
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
        Self {
            gaps: Gaps::of(layer, index, seed, site),
            tiles: Tiles::of(site.ground()),
            layer: layer.clone(),
            conditions,
            mask,
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
        self.tiles
            .at(row, column, |row, column| self.weight(row, column))
    }

    /// Compute the value at a sample, by mask, rules and gaps.
    fn weight(&self, row: usize, column: usize) -> f32 {
        let mut value = self.mask.as_ref().map_or(1.0, |mask| mask.at(row, column));
        if value > 0.0 {
            value *= self.conditions.weight(&self.layer, row, column);
        }
        if value > 0.0
            && let Some(gaps) = &self.gaps
        {
            let spacing = self.conditions.site().spacing();
            value *= gaps.weight([column, row].map(|at| at as f64 * spacing));
        }
        value
    }
}
