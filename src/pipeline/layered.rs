//! Layer stage: layers blended over generated heights, with a cache of the layers' own maps.

use std::sync::Arc;

use super::stage::Stage;
use crate::generate::{GenerateError, Surface};
use crate::modify::layer::{Layer, MOST_LAYERS};
use crate::modify::mask::{Context, copy};
use crate::pipeline::inputs::Inputs;
use crate::terrain::heightmap::Heightmap;

/// Key of the layer stage: a surface, the active layers over it with their indices in the scene, and the
/// water level if masks use it.
pub type Stack = (Surface, Vec<(usize, Layer)>, Option<f32>);

/// Maximum size in bytes of a cached layer map. With a cached map, a change of the weight needs no new one.
const KEPT_LAYER_BYTES: usize = 20 << 20;

/// Heights with all layers, and the cached maps of the layers.
#[derive(Debug, Default)]
pub struct Layered {
    land: Stage<Stack, Heightmap>,
    maps: [Stage<Surface, Heightmap>; MOST_LAYERS],
}

impl Layered {
    /// Blend the layers of `stack` over `map`, which is generated from its surface; without layers return
    /// `map` itself. `laid` is called after each layer with its index in the scene.
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

    /// The map `map` of `iterations` iterations with the given layers only.
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

/// Blend layers over a copy of `map`, in order. Their own maps are taken from `maps`, or stored there.
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

/// The map of a layer, reused from `kept` if possible.
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
    // Large maps are not cached, to bound the memory.
    if size_of_val(map.heights()) > KEPT_LAYER_BYTES {
        *kept = Stage::default();
    }
    Ok(map)
}
