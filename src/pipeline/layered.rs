//! Layers laid over generated heights, with the maps that the layers were made of.

use std::sync::Arc;

use super::stage::Stage;
use crate::generate::{GenerateError, Surface};
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::layer::{Layer, MOST_LAYERS};
use crate::modify::copy;

/// A surface and those layers over it that are on, each with its place in the list.
pub type Stack = (Surface, Vec<(usize, Layer)>);

/// The largest size in bytes of a layer's map that is kept, so that another weight needs no new
/// map.
const KEPT_LAYER_BYTES: usize = 20 << 20;

/// The heights with all layers, and the maps that the layers were made of.
#[derive(Debug, Default)]
pub struct Layered {
    land: Stage<Stack, Heightmap>,
    maps: [Stage<Surface, Heightmap>; MOST_LAYERS],
}

impl Layered {
    /// The map `map`, generated from the surface of `stack`, with the layers laid over it; without
    /// layers it is `map` itself. `laid` is called after each layer with its place in the list.
    pub fn get(
        &mut self,
        map: Arc<Heightmap>,
        stack: Stack,
        inputs: &Inputs,
        job: &Job,
        laid: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, GenerateError> {
        if stack.1.is_empty() {
            *self = Self::default();
            return Ok(map);
        }
        let maps = &mut self.maps;
        self.land.get(stack, |(surface, layers), _| {
            let mut land = copy(&map, None, job)?;
            for (index, layer) in layers {
                land = lay(
                    land,
                    layer,
                    surface.iterations,
                    &mut maps[*index],
                    inputs,
                    job,
                )
                .map_err(|error| error.of_layer(*index))?;
                laid(*index);
            }
            Ok(land)
        })
    }
}

/// The map `land` under one more layer, whose own map `kept` may hold already.
pub fn lay(
    land: Heightmap,
    layer: &Layer,
    iterations: u32,
    kept: &mut Stage<Surface, Heightmap>,
    inputs: &Inputs,
    job: &Job,
) -> Result<Heightmap, GenerateError> {
    let map = kept.get(layer.surface_at(iterations), |surface, old| {
        surface.generate(&inputs.images, job, old.map(Heightmap::into_heights))
    })?;
    if size_of_val(map.heights()) > KEPT_LAYER_BYTES {
        *kept = Stage::default();
    }
    layer.lay_over(land, &map, job)
}
