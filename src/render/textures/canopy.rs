//! Share of the ground under crowns, as a mipmapped texture of a byte for each layer of plants.

use std::f32::consts::PI;
use std::rc::Rc;
use std::sync::Arc;

use glium::backend::Context;
use glium::uniform;
use glium::uniforms::Uniforms;

use super::weights::WeightTexture;
use crate::plants::CanopyMap;
use crate::render::error::RenderError;
use crate::render::gl::Uploaded;
use crate::shading::canopy::CrownLook;
use crate::terrain::weights::{CHANNELS, WeightMap};
use crate::util::identity::Identity;

/// The texture of one map; without plants nothing grows on it.
pub(crate) struct CanopyTexture {
    map: Uploaded<Identity<CanopyMap>, Placed>,
    nothing: Placed,
}

struct Placed {
    weights: WeightTexture,
    layers: usize,
    /// Albedo of the crowns of each layer in linear light, and their height from the side over their width from above.
    crowns: [[f32; 4]; CHANNELS],
    /// The ground under them, and how much of the ground that is.
    floors: [[f32; 4]; CHANNELS],
    /// Strength of light and dark.
    rough: [f32; CHANNELS],
    /// Mean height of the plants of each layer in half tiles.
    heights: [f32; CHANNELS],
}

/// Name of the weights in messages.
const WHAT: &str = "the canopy of the plants";

impl CanopyTexture {
    /// A texture of ground without plants.
    pub(crate) fn new(context: &Rc<Context>) -> Result<Self, RenderError> {
        Ok(Self {
            map: Uploaded::nothing(),
            nothing: Placed {
                weights: WeightTexture::new(context, &WeightMap::zero(), WHAT)?,
                layers: 0,
                crowns: [[0.0; 4]; CHANNELS],
                floors: [[0.0; 4]; CHANNELS],
                rough: [0.0; CHANNELS],
                heights: [0.0; CHANNELS],
            },
        })
    }

    /// Upload a canopy in place of the last one.
    pub(crate) fn update(
        &mut self,
        context: &Rc<Context>,
        canopy: Option<&Arc<CanopyMap>>,
    ) -> Result<(), RenderError> {
        let fits = |map: &&Arc<CanopyMap>| WeightTexture::fits(context, &map.weights);
        let Some(map) = canopy.filter(fits) else {
            self.map.clear();
            return Ok(());
        };
        self.map.update(Identity::of(map), |_, _| {
            let look = |index: usize| map.layers.get(index).map(|layer| layer.kind);
            let look = |index: usize| look(index).map(|kind| (CrownLook::of(kind), kind));
            let with = |[r, g, b]: [f32; 3], part: f32| [r, g, b, part];
            let crowns = |index| {
                look(index).map_or([0.0; 4], |(look, kind)| {
                    // A cone is a triangle from the side and a disc from above.
                    with(look.albedo, (PI * kind.radius()).recip())
                })
            };
            let floors =
                |index| look(index).map_or([0.0; 4], |(look, _)| with(look.floor.0, look.floor.1));
            Ok(Placed {
                weights: WeightTexture::new(context, &map.weights, WHAT)?,
                layers: map.layers.len(),
                crowns: std::array::from_fn(crowns),
                floors: std::array::from_fn(floors),
                rough: std::array::from_fn(|index| look(index).map_or(0.0, |(look, _)| look.rough)),
                heights: std::array::from_fn(|index| map.layer_height(index)),
            })
        })
    }

    /// True if plants grow on the ground.
    pub(crate) fn has_plants(&self) -> bool {
        self.map.get().is_some()
    }

    fn placed(&self) -> &Placed {
        self.map.get().unwrap_or(&self.nothing)
    }

    /// Bytes on the graphics card.
    pub(crate) fn bytes(&self) -> u64 {
        self.placed().weights.bytes()
    }

    /// Uniforms of `common/canopy.glsl` and `common/printed_crowns.glsl`, apart from the texture of crowns, with colours
    /// made of linear light by `color`.
    pub(crate) fn uniforms(&self, color: impl Fn(f32) -> f32) -> impl Uniforms + '_ {
        let map = self.placed();
        let crowns = map
            .crowns
            .map(|[r, g, b, high]| [color(r), color(g), color(b), high]);
        uniform! {
            canopy: map.weights.sampled(),
            canopy_place: map.weights.place,
            canopy_texels: map.weights.texels(),
            crown_layers: map.layers as i32,
            crown_colors: crowns,
            floor_colors: map.floors,
            crown_rough: map.rough,
            crown_heights: map.heights,
        }
    }
}
