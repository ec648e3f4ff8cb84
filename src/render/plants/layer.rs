//! Layer of plants as pictures see it.

use crate::plants::Scatter;
use crate::scene::{PlantKind, PlantLayer, Scene};

/// Side of a block, in spacings of the layer.
const BLOCK: f64 = 48.0;
/// Plants that grow in a square with the side of a spacing, without masks.
const DENSITY: f64 = 0.52;

/// Layer of plants, in half tiles.
pub(super) struct Layer {
    /// Index in the scene.
    pub(super) index: usize,
    pub(super) kind: PlantKind,
    /// Share of the leaves that have turned, in the scene that is drawn.
    pub(super) autumn: f32,
    /// Mean height.
    pub(super) height: f32,
    /// Plants on an area of 1, at most.
    pub(super) density: f32,
    /// Blocks on a tile.
    pub(super) blocks: [i64; 2],
}

impl Layer {
    /// The layers of a scene that grow.
    pub(super) fn all(scene: &Scene, scatter: &Scatter) -> Vec<Self> {
        let layers = scene.plants_on();
        layers
            .map(|(index, layer)| Self::new(index, layer, scatter))
            .collect()
    }

    fn new(index: usize, layer: &PlantLayer, scatter: &Scatter) -> Self {
        let spacing = layer.spacing_m() / scatter.metres();
        Self {
            index,
            kind: layer.kind,
            autumn: layer.autumn,
            height: (f64::from(layer.height_m()) / scatter.metres()) as f32,
            density: (DENSITY * f64::from(layer.density) / (spacing * spacing)) as f32,
            blocks: (scatter.size()).map(|side| ((side / (BLOCK * spacing)).ceil() as i64).max(1)),
        }
    }

    /// Sides of a block on tiles of these sides.
    pub(super) fn block(&self, side: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| side[axis] / self.blocks[axis] as f64)
    }
}
