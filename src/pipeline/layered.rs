//! Layers laid over generated heights, with the maps that the layers were made of.

use std::sync::Arc;

use super::stage::Stage;
use crate::generate::{GenerateError, Surface};
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::layer::{Layer, MOST_LAYERS};
use crate::mask::{Context, copy};

/// A surface and those layers over it that are on, each with its place in the list, and the height
/// of the water if that counts.
pub type Stack = (Surface, Vec<(usize, Layer)>, Option<f32>);

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
        context: &Context<'_>,
        laid: &mut dyn FnMut(usize),
    ) -> Result<Arc<Heightmap>, GenerateError> {
        if stack.1.is_empty() {
            *self = Self::default();
            return Ok(map);
        }
        let Self { land, maps } = self;
        land.get(stack, |(surface, layers, _), _| {
            lay(
                maps,
                &map,
                surface.iterations,
                layers,
                inputs,
                context,
                laid,
            )
        })
    }

    /// The map `map` of so many iterations with these layers alone laid over it.
    pub fn under(
        &mut self,
        map: &Heightmap,
        iterations: u32,
        layers: &[(usize, Layer)],
        inputs: &Inputs,
        context: &Context<'_>,
    ) -> Result<Heightmap, GenerateError> {
        let maps = &mut self.maps;
        lay(maps, map, iterations, layers, inputs, context, &mut |_| {})
    }
}

/// Lays layers over a copy of `map`, in their order. Their own maps are in `maps`, or go there.
fn lay(
    maps: &mut [Stage<Surface, Heightmap>; MOST_LAYERS],
    map: &Heightmap,
    iterations: u32,
    layers: &[(usize, Layer)],
    inputs: &Inputs,
    context: &Context<'_>,
    laid: &mut dyn FnMut(usize),
) -> Result<Heightmap, GenerateError> {
    let mut land = copy(map, None, context.job)?;
    let mut before = Some(map);
    for (index, layer) in layers {
        let made = map_of(layer, iterations, &mut maps[*index], inputs, context);
        let on = |made: Arc<_>| layer.lay_beside(before.take(), land, &made, context);
        land = made.and_then(on).map_err(|error| error.of_layer(*index))?;
        laid(*index);
    }
    Ok(land)
}

/// The map of a layer, which `kept` may hold already.
pub fn map_of(
    layer: &Layer,
    iterations: u32,
    kept: &mut Stage<Surface, Heightmap>,
    inputs: &Inputs,
    context: &Context<'_>,
) -> Result<Arc<Heightmap>, GenerateError> {
    let map = kept.get(layer.surface_at(iterations), |surface, old| {
        surface.generate(
            &inputs.images,
            context.job,
            old.map(Heightmap::into_heights),
        )
    })?;
    if size_of_val(map.heights()) > KEPT_LAYER_BYTES {
        *kept = Stage::default();
    }
    Ok(map)
}
