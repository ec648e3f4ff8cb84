//! Growth of a layer: its rules and its mask at the samples of the site, computed in tiles when they are first looked
//! at. So a region costs what it needs, and a layer of which only the density or the snow changes costs nothing.

use std::sync::Arc;

use super::rules::{Conditions, Gaps, snow_weight};
use super::tiles::Tiles;
use crate::scene::PlantLayer;
use crate::terrain::heightmap::Heightmap;

/// Share of the places of a layer where a plant grows, 0…1, besides its density.
#[derive(Clone, Debug)]
pub(super) struct Growth {
    bare: Arc<BareGrowth>,
    /// Depth of the snow at the samples, as it counts for plants, in half tiles; `None` without snow.
    snow: Option<Arc<Heightmap>>,
    /// Depth in metres of the snow in which none grows.
    most_snow: f32,
}

/// Growth of a layer if there was no snow.
#[derive(Debug)]
struct BareGrowth {
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
        let bare = BareGrowth {
            gaps: Gaps::of(layer, index, seed, site),
            tiles: Tiles::of(site.ground()),
            layer: layer.clone(),
            conditions,
            mask,
        };
        Self {
            bare: Arc::new(bare),
            snow: None,
            most_snow: layer.snow,
        }
    }

    /// The growth in snow, for `layer`, which grows by the [same rules](Self::is_of).
    pub fn in_snow(&self, snow: Option<Arc<Heightmap>>, layer: &PlantLayer) -> Self {
        Self {
            bare: Arc::clone(&self.bare),
            snow,
            most_snow: layer.snow,
        }
    }

    /// True if `layer`, in the same place of the list, grows by the same rules and the same mask where there is no snow.
    pub fn is_of(&self, layer: &PlantLayer) -> bool {
        let rules = |layer: &PlantLayer| PlantLayer {
            density: 1.0,
            spacing: 1.0,
            spread: 0.0,
            edge: 0.0,
            light: 0.0,
            snow: 0.0,
            ..layer.clone()
        };
        rules(layer) == rules(&self.bare.layer)
    }

    /// Value at a place, in half tiles east and south of the first sample.
    pub fn value(&self, place: [f64; 2]) -> f32 {
        let site = self.bare.conditions.site();
        site.interpolated(place, |row, column| self.at(row, column))
    }

    /// Value at a sample.
    pub fn at(&self, row: usize, column: usize) -> f32 {
        let bare = self.bare.at(row, column);
        match &self.snow {
            Some(snow) if bare > 0.0 => {
                let metres = self.bare.conditions.site().metres();
                let depth = f64::from(snow.at(row, column)) * metres;
                bare * snow_weight(self.most_snow, depth as f32)
            }
            _ => bare,
        }
    }
}

impl BareGrowth {
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
