//! Ecosystems: ready sets of layers of plants for any map.
//!
//! Their rules use the height between sea and summits, the slope and the lie of the ground, not heights in half tiles,
//! so forests end below the summits of any map. They do not use masks, which are left to the user, but for the noise
//! that makes clearings.

use super::plants::{PlantKind, PlantLayer};
use crate::modify::mask::{By, Mask};
use crate::util::param::choice;

choice! {
    /// Ready set of layers of plants.
    pub enum Ecosystem: "ecosystem" {
        #[default]
        Alpine = "alpine", "Spruces up to the tree line, dwarf pines and grass above, boulders on scree.";
        Boreal = "boreal", "Dense spruces with some birches, shrubs and boulders: the taiga.";
        Temperate = "temperate", "Broadleaf woods with meadows, spruces higher up, hedges between.";
        Mediterranean = "mediterranean", "Scrub on sunny slopes, low trees in valleys, pines in the shade.";
        Savanna = "savanna", "Grass with scattered trees, more of them in hollows.";
        TropicalIsland = "tropical-island", "Palms near the shore, rain forest behind it, up to the ridges.";
        Desert = "desert", "Few shrubs and tufts of grass in hollows, and stones.";
    }
}

impl Ecosystem {
    /// Layers of the ecosystem.
    #[must_use]
    pub fn layers(self) -> Vec<PlantLayer> {
        use PlantKind::{Birch, Boulder, Grass, Palm, Shrub, Spruce};
        let of = |kind| PlantLayer {
            kind,
            ..PlantLayer::default()
        };
        match self {
            Self::Alpine => vec![
                PlantLayer {
                    highest: 0.55,
                    age: 0.6,
                    edge: 0.7,
                    ..wood(Spruce, 1)
                },
                PlantLayer {
                    density: 0.4,
                    spacing: 1.5,
                    highest: 0.7,
                    slope: 42.0,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.7,
                    spacing: 4.0,
                    highest: 0.85,
                    ..of(Grass)
                },
                PlantLayer {
                    density: 0.5,
                    scree: 0.9,
                    slope: 45.0,
                    spread: 0.7,
                    ..of(Boulder)
                },
            ],
            Self::Boreal => vec![
                PlantLayer {
                    highest: 0.8,
                    age: 0.4,
                    ..of(Spruce)
                },
                PlantLayer {
                    density: 0.5,
                    highest: 0.7,
                    valleys: 0.4,
                    size: 0.9,
                    ..wood(Birch, 2)
                },
                PlantLayer {
                    density: 0.4,
                    spacing: 1.5,
                    highest: 0.9,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.06,
                    scree: 0.0,
                    spread: 0.7,
                    ..of(Boulder)
                },
            ],
            Self::Temperate => vec![
                PlantLayer {
                    highest: 0.75,
                    age: 0.6,
                    ..wood(Birch, 1)
                },
                PlantLayer {
                    lowest: 0.45,
                    highest: 0.9,
                    sun: -0.3,
                    ..of(Spruce)
                },
                PlantLayer {
                    density: 0.25,
                    spacing: 1.5,
                    light: 0.4,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.8,
                    spacing: 4.0,
                    ..of(Grass)
                },
            ],
            Self::Mediterranean => vec![
                PlantLayer {
                    density: 0.5,
                    spacing: 1.3,
                    size: 0.5,
                    highest: 0.6,
                    valleys: 0.5,
                    ..of(Birch)
                },
                PlantLayer {
                    density: 0.6,
                    spacing: 1.5,
                    size: 0.7,
                    sun: -0.7,
                    lowest: 0.15,
                    highest: 0.9,
                    ..of(Spruce)
                },
                PlantLayer {
                    density: 0.8,
                    spacing: 1.3,
                    sun: 0.3,
                    light: 0.5,
                    highest: 0.9,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.4,
                    spacing: 5.0,
                    ..of(Grass)
                },
            ],
            Self::Savanna => vec![
                PlantLayer {
                    density: 0.6,
                    spacing: 2.5,
                    size: 0.6,
                    slope: 25.0,
                    valleys: 0.5,
                    spread: 0.4,
                    ..of(Birch)
                },
                PlantLayer {
                    density: 0.3,
                    spacing: 3.0,
                    valleys: 0.3,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.9,
                    spacing: 3.5,
                    size: 1.5,
                    slope: 32.0,
                    ..of(Grass)
                },
            ],
            Self::TropicalIsland => vec![
                PlantLayer {
                    density: 0.8,
                    highest: 0.2,
                    slope: 32.0,
                    ..of(Palm)
                },
                PlantLayer {
                    density: 0.95,
                    lowest: 0.12,
                    highest: 0.9,
                    slope: 48.0,
                    age: 0.6,
                    edge: 0.7,
                    ..of(Birch)
                },
                PlantLayer {
                    density: 0.6,
                    spacing: 1.3,
                    slope: 50.0,
                    light: 0.15,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.5,
                    spacing: 5.0,
                    ..of(Grass)
                },
            ],
            Self::Desert => vec![
                PlantLayer {
                    density: 0.2,
                    spacing: 3.0,
                    size: 0.7,
                    slope: 30.0,
                    valleys: 0.7,
                    ..of(Shrub)
                },
                PlantLayer {
                    density: 0.25,
                    spacing: 6.0,
                    slope: 30.0,
                    valleys: 0.4,
                    ..of(Grass)
                },
                PlantLayer {
                    density: 0.08,
                    scree: 0.0,
                    slope: 45.0,
                    spread: 0.8,
                    ..of(Boulder)
                },
            ],
        }
    }
}

/// Trees with clearings; each variation has others.
fn wood(kind: PlantKind, variation: u32) -> PlantLayer {
    let mut mask = Mask::new(By::Noise);
    mask.noise.cells = 6;
    mask.noise.grids = 3;
    mask.noise.variation = variation;
    mask.noise.low = 0.45;
    mask.noise.soft = 0.06;
    PlantLayer {
        kind,
        mask,
        ..PlantLayer::default()
    }
}
